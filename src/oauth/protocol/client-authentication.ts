import { isDeepStrictEqual } from 'node:util'
import { type Said, say } from '../../../shared/checks/said.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import { usesCertificate, usesSecret } from '../../clients/rules.ts'
import { hashSecret, sameSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { RateLimit } from '../../platform/rate-limits/rate-limit.ts'
import { cutText, isPlainText } from '../../platform/text.ts'
import type { PresentedCredentials } from '../../tokens/presented-client.ts'
import { claimAssertion } from '../../tokens/used-assertions.ts'
import { hintOfForm } from './automatic-clients.ts'
import { assertionType, idOf, subjectOf, whyAssertionRefused } from './client-assertion.ts'
import { type PresentedCertificate, whyCertificateRefused } from './client-certificate.ts'
import { type FailedCheck, invalidClient, invalidRequest, OAuthError } from './errors.ts'
import { checkFederatedToken, type FederatedTokenDependencies } from './federated-token.ts'
import { hasFormOfClientId, type Sent } from './parameters.ts'
import { findNamedClient, type OAuthClient } from './queries.ts'
import type { clientCredentials } from './shared-parameters.ts'
import { noticingWaits, type ReadJwt, readJwt } from './signed-by-client.ts'

/** Credentials as a request presents them (RFC 6749 §2.3.1), by the method that it uses. */
export type PresentedClient =
  | { method: 'client_secret_basic' | 'client_secret_post'; clientId: string; secretHash: string }
  | { method: 'private_key_jwt'; clientId: string; assertion: ReadJwt }
  | { method: 'federated_credential'; clientId: string; assertion: ReadJwt }
  | { method: 'none'; clientId: string; certificate?: PresentedCertificate | undefined }

export interface ClientAuthentication extends FederatedTokenDependencies {
  database: Database
  /** Counts failures by client. */
  failures: RateLimit
  oauthExtensions: OAuthExtensions
}

/**
 * Reads the client's credentials: from the header, from the body, or just the client_id.
 *
 * @throws OAuthError `invalid_request` when it sends them in two ways, `invalid_client` when it sends none
 */
export function readClientCredentials(authorization: string | undefined, credentials: Sent<typeof clientCredentials>): PresentedClient {
  const { clientId, clientSecret: secret } = credentials
  if (credentials.clientAssertion !== undefined || credentials.clientAssertionType !== undefined)
    return readClientAssertion(authorization, credentials)
  if (authorization === undefined) {
    if (clientId === undefined)
      throw invalidClient('the client must authenticate', { name: 'client_authentication', expected: 'client_id' })
    return secret === undefined ? { method: 'none', clientId } : { method: 'client_secret_post', clientId, secretHash: hashSecret(secret) }
  }
  const basic = readBasic(authorization)
  if (secret !== undefined) throw severalMethods(say('basic-and-post'))
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw invalidRequest('client_id differs from the client that authenticates', {
      name: 'client_id',
      expected: shownClientId(basic.clientId),
      received: clientId,
    })
  }
  // RFC 6749 §2.3.1: a client whose secret is empty may omit it.
  if (basic.secret === '') return { method: 'none', clientId: basic.clientId }
  return { method: 'client_secret_basic', clientId: basic.clientId, secretHash: hashSecret(basic.secret) }
}

/** RFC 7521 §4.2, RFC 7523 §2.2. The assertion names the client, so that `client_id` may be left out. */
function readClientAssertion(
  authorization: string | undefined,
  { clientId, clientSecret, clientAssertion, clientAssertionType }: Sent<typeof clientCredentials>,
): PresentedClient {
  if (authorization !== undefined || clientSecret !== undefined) throw severalMethods(say('several'))
  if (clientAssertionType !== assertionType) {
    throw invalidClient('client_assertion_type must be that of a JWT', {
      name: 'client_assertion_type',
      expected: assertionType,
      received: clientAssertionType,
    })
  }
  const assertion = clientAssertion === undefined ? undefined : readJwt(clientAssertion)
  // A platform knows nothing of the client: only the request can name it.
  const isOfPlatform = assertion && clientId !== undefined && ![assertion.claims.iss, assertion.claims.sub].includes(clientId)
  if (isOfPlatform) return { method: 'federated_credential', clientId, assertion }
  const subject = assertion && subjectOf(assertion)
  if (!assertion || subject === undefined)
    throw invalidClient('client_assertion is no signed JWT about a client', { name: 'client_assertion', expected: say('a-signed-jwt') })
  if (clientId !== undefined && clientId !== subject) {
    throw invalidClient('client_id differs from the client that authenticates', {
      name: 'client_id',
      expected: cutText(subject, 255),
      received: cutText(clientId, 255),
    })
  }
  return { method: 'private_key_jwt', clientId: subject, assertion }
}

const severalMethods = (received: Said) =>
  invalidRequest('the client must not use more than one authentication method', {
    name: 'client_authentication',
    expected: say('one-method'),
    received,
  })

/** The hash of the secret that a client presents; null when it presents none. */
export const secretHashOf = (presented: PresentedClient): string | null => ('secretHash' in presented ? presented.secretHash : null)

/** The same credentials for a statement that runs before the client has authenticated. */
export const presentedCredentials = (presented: PresentedClient, now: Date): PresentedCredentials => ({
  clientId: presented.clientId,
  clientSecretHash: secretHashOf(presented),
  now,
})

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1 and appendix B). */
function readBasic(authorization: string): { clientId: string; secret: string } {
  const refuse = (received: string | Said) =>
    invalidClient('the Authorization header is not well-formed Basic authentication', {
      name: 'client_authentication',
      expected: 'Basic',
      received,
    })
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) throw refuse(schemeOf(authorization))
  const pair = Buffer.from(encoded, 'base64').toString()
  const colon = pair.indexOf(':')
  try {
    const [clientId, secret] = [pair.slice(0, colon), pair.slice(colon + 1)].map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (colon > 0 && clientId && secret !== undefined && isPlainText(clientId) && isPlainText(secret)) return { clientId, secret }
  } catch {
    // Not form-encoded: refused below.
  }
  throw refuse(say('unreadable-credentials'))
}

/** The scheme of a header that cannot be parsed, if we know its name: the rest may be a secret. */
function schemeOf(authorization: string): string | Said {
  const scheme = authorization.split(' ', 1)[0]?.toLowerCase()
  return ['Basic', 'Bearer', 'Digest', 'DPoP', 'Negotiate'].find((known) => known.toLowerCase() === scheme) ?? say('an-unknown-scheme')
}

/**
 * Authenticates the client (RFC 6749 §2.3): a confidential one by its secret, which it may send in the header or in the body
 * whatever it is registered for, or by an assertion or a certificate if it is registered for that; a public one by its id alone.
 *
 * @param audiences the addresses by which an assertion may name this service, the issuer first
 * @param find looks the client up, if its client_id alone does not say which one it is
 * @throws OAuthError `invalid_client`, also after too many failures, then with the seconds to wait
 */
export async function authenticateClient(
  authentication: ClientAuthentication,
  presented: PresentedClient,
  audiences: readonly string[],
  find: (() => Promise<OAuthClient | undefined>) | undefined = undefined,
): Promise<OAuthClient> {
  const { database, failures } = authentication
  const isTooLong = find === undefined && presented.clientId.length > 255
  const read = async () => (isTooLong ? undefined : find ? find() : findNamedClient(database, presented.clientId))
  let hasWaited = false
  const noticing = noticingFetches(authentication, () => {
    hasWaited = true
  })
  let client = await read()
  let failed =
    failedCheckOf(client, presented, authentication) ??
    (await failedAssertionOf(client, presented, noticing, audiences)) ??
    (await failedCertificateOf(client, presented, noticing))
  if (client && !failed && hasWaited) {
    const now = await read()
    failed = failedCheckOf(now, presented, authentication) ?? (now && whyChanged(client, now, presented))
    client = now ?? client
  }
  failed ??= client && (await failedFirstUseOf(client, presented, authentication))
  if (client && !failed) return client
  // Only failures are limited: a correct secret of 256 bits is no guess, and failures of others cannot lock a client out of its tokens.
  await failures.count(cutText(presented.clientId, 255)).catch((error: unknown) => refuseTooMany(error, client))
  throw invalidClient('client authentication failed', failed ?? unknownClient(presented.clientId, authentication.oauthExtensions), client)
}

// Anything else in its place may be the secret.
const shownClientId = (clientId: string) => (hasFormOfClientId(clientId) ? clientId : say('no-client-id'))

const unknownClient = (clientId: string, extensions: OAuthExtensions): FailedCheck => ({
  name: 'client_id',
  expected: say('a-registered-client'),
  received: shownClientId(clientId),
  hint: hintOfForm(clientId, extensions),
})

function failedCheckOf(
  client: OAuthClient | undefined,
  presented: PresentedClient,
  { database, oauthExtensions }: ClientAuthentication,
): FailedCheck | undefined {
  if (!client) return unknownClient(presented.clientId, oauthExtensions)
  const { tokenEndpointAuthMethod: expected, federatedCredentials, jwks, jwksUri } = client
  const refuse = (lacking?: 'private_key_jwt' | 'mtls' | 'federated_credentials'): FailedCheck => ({
    ...{ name: 'token_endpoint_auth_method', expected, received: presented.method },
    hint: lacking && say('extension-is-off', lacking),
  })
  const lacksPlatforms = federatedCredentials !== null && !oauthExtensions.has('federated_credentials')
  if (presented.method === 'federated_credential') {
    if (lacksPlatforms) return refuse('federated_credentials')
    if (federatedCredentials === null || client.profile !== null) return refuse()
    return client.isActive ? undefined : stateOf(client)
  }
  const hasKeys = jwks !== null || jwksUri !== null
  if (expected === 'private_key_jwt' && !oauthExtensions.has('private_key_jwt') && (hasKeys || !lacksPlatforms))
    return refuse('private_key_jwt')
  if (usesCertificate(expected) && !oauthExtensions.has('mtls')) return refuse('mtls')
  // Such a client sends nothing but its id: the certificate comes by the connection.
  const isByCertificate = usesCertificate(expected) && presented.method === 'none'
  // Many libraries send the secret one way to some endpoints and the other way to others, so both are accepted.
  if (expected !== presented.method && !isByCertificate && !(usesSecret(expected) && usesSecret(presented.method))) {
    // With both extensions off, the assertion is no parameter.
    return refuse(lacksPlatforms && presented.method === 'none' ? 'federated_credentials' : undefined)
  }
  if ('secretHash' in presented && !isSecretOf(client, presented.secretHash, database.clock.now())) {
    return { name: 'client_secret', expected: say('current-secret'), received: say('another-value') }
  }
  return client.isActive ? undefined : stateOf(client)
}

/** Whether a client is active, as a check. */
export const stateOf = ({ isActive }: Pick<OAuthClient, 'isActive'>): FailedCheck => ({
  name: 'client_state',
  expected: say('active'),
  received: say(isActive ? 'active' : 'revoked'),
})

/** The same dependencies, which say when the keys of a client or of a platform are fetched. */
function noticingFetches({ openClientKeySets, openIssuerKeys, ...others }: ClientAuthentication, onWait: () => void): ClientAuthentication {
  return {
    ...others,
    openClientKeySets: noticingWaits(openClientKeySets, onWait),
    openIssuerKeys: async () => {
      const issuers = await openIssuerKeys()
      return { find: (issuer) => issuers.find(issuer, onWait) }
    },
  }
}

/** What a client authenticates by, and since when: if it differs, what was verified is not what counts now. */
const provenBy = (client: OAuthClient) => {
  const { jwks, jwksUri, tokenEndpointAuthSigningAlg, tlsClientAuth, federatedCredentials, profile, tokensValidAfter } = client
  return { jwks, jwksUri, tokenEndpointAuthSigningAlg, tlsClientAuth, federatedCredentials, profile, tokensValidAfter }
}

/** Why a client is refused that was changed while its keys were fetched, which takes seconds. */
function whyChanged(before: OAuthClient, now: OAuthClient, { method }: PresentedClient): FailedCheck | undefined {
  if (isDeepStrictEqual(provenBy(before), provenBy(now))) return undefined
  const name = method === 'none' ? 'client_certificate' : 'client_assertion'
  return { name, expected: say('a-key-of-the-client'), received: say('changed-meanwhile') }
}

/** Why the assertion of a client that may authenticate by one is refused. */
async function failedAssertionOf(
  client: OAuthClient | undefined,
  presented: PresentedClient,
  authentication: ClientAuthentication,
  audiences: readonly string[],
): Promise<FailedCheck | undefined> {
  const { database, openClientKeySets } = authentication
  const now = database.clock.now()
  if (client && presented.method === 'federated_credential') {
    // At every endpoint the same two: a platform's token is asked for once, before it is known what it will be used for.
    const expected = { name: 'client_assertion', audiences: audiences.slice(0, 2), now } as const
    const checked = await checkFederatedToken(authentication, client.federatedCredentials ?? [], presented.assertion, expected)
    return 'failed' in checked ? checked.failed : undefined
  }
  if (!client || presented.method !== 'private_key_jwt') return undefined
  return whyAssertionRefused(openClientKeySets, { ...client, id: client.clientId }, presented.assertion, { audiences, now })
}

/** Why an assertion is refused that has come before. To claim it comes last: what is refused is not used up. */
async function failedFirstUseOf(
  { clientId: issuer, organisationId }: OAuthClient,
  presented: PresentedClient,
  { database }: ClientAuthentication,
): Promise<FailedCheck | undefined> {
  if (presented.method !== 'private_key_jwt') return undefined
  const isFirstUse = await claimAssertion(database, organisationId, { issuer, ...idOf(presented.assertion) })
  return isFirstUse ? undefined : { name: 'client_assertion', expected: say('an-assertion-that-is-new'), received: say('a-second-use') }
}

/** Why the certificate of a client that authenticates by one is refused. */
async function failedCertificateOf(
  client: OAuthClient | undefined,
  presented: PresentedClient,
  { database, openClientKeySets }: ClientAuthentication,
): Promise<FailedCheck | undefined> {
  if (!client || presented.method !== 'none') return undefined
  const { tokenEndpointAuthMethod } = client
  if (!usesCertificate(tokenEndpointAuthMethod)) return undefined
  return whyCertificateRefused(openClientKeySets, { ...client, tokenEndpointAuthMethod }, presented.certificate, database.clock.now())
}

/** Whether a client has authenticated. Anyone may name a public one, which has proven nothing. */
export const hasProvenItself = (presented: PresentedClient, { tokenEndpointAuthMethod }: OAuthClient): boolean =>
  presented.method !== 'none' || usesCertificate(tokenEndpointAuthMethod)

/** Whether it is the current secret, or the previous one within its grace period. */
function isSecretOf(client: OAuthClient, presentedHash: string, now: Date): boolean {
  const isCurrent = client.secretHash !== null && sameSecret(client.secretHash, presentedHash)
  const { previousSecretHash, previousSecretExpiresAt } = client
  const overlaps = previousSecretHash !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  return isCurrent || (overlaps && sameSecret(previousSecretHash, presentedHash))
}

function refuseTooMany(error: unknown, client: OAuthClient | undefined): never {
  if (!(error instanceof Problem)) throw error
  throw new OAuthError(
    'temporarily_unavailable',
    'too many failed client authentications',
    { name: 'rate_limit' },
    { retryAfter: error.headers['retry-after'] ?? '60', client },
  )
}
