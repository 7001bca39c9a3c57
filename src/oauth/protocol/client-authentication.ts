import { type Said, say } from '../../../shared/checks/said.ts'
import { hashSecret, sameSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { RateLimit } from '../../platform/rate-limits/rate-limit.ts'
import { cutText, isPlainText } from '../../platform/text.ts'
import type { PresentedCredentials } from '../../tokens/presented-client.ts'
import { type FailedCheck, invalidClient, invalidRequest, OAuthError } from './errors.ts'
import type { Sent } from './parameters.ts'
import { findNamedClient, type OAuthClient } from './queries.ts'
import type { clientCredentials } from './shared-parameters.ts'

/** Credentials as a request presents them (RFC 6749 §2.3.1), by the method that it uses. */
export type PresentedClient =
  | { method: 'client_secret_basic' | 'client_secret_post'; clientId: string; secretHash: string }
  | { method: 'none'; clientId: string }

export interface ClientAuthentication {
  database: Database
  /** Counts failures by client. */
  failures: RateLimit
}

/**
 * Reads the client's credentials: from the header, from the body, or just the client_id.
 *
 * @throws OAuthError `invalid_request` when it sends them in two ways, `invalid_client` when it sends none
 */
export function readClientCredentials(
  authorization: string | undefined,
  { clientId, clientSecret: secret }: Sent<typeof clientCredentials>,
): PresentedClient {
  if (authorization === undefined) {
    if (clientId === undefined)
      throw invalidClient('the client must authenticate', { name: 'client_authentication', expected: 'client_id' })
    return secret === undefined ? { method: 'none', clientId } : { method: 'client_secret_post', clientId, secretHash: hashSecret(secret) }
  }
  const basic = readBasic(authorization)
  if (secret !== undefined) {
    throw invalidRequest('the client must not use more than one authentication method', {
      name: 'client_authentication',
      expected: say('one-method'),
      received: say('basic-and-post'),
    })
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw invalidRequest('client_id differs from the client that authenticates', {
      name: 'client_id',
      expected: basic.clientId,
      received: clientId,
    })
  }
  // RFC 6749 §2.3.1: a client whose secret is empty may omit it.
  if (basic.secret === '') return { method: 'none', clientId: basic.clientId }
  return { method: 'client_secret_basic', clientId: basic.clientId, secretHash: hashSecret(basic.secret) }
}

/** The same credentials for a statement that runs before the client has authenticated. */
export const presentedCredentials = (presented: PresentedClient, now: Date): PresentedCredentials => ({
  clientId: presented.clientId,
  clientSecretHash: presented.method === 'none' ? null : presented.secretHash,
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
 * whatever it is registered for, a public one by its id alone.
 *
 * @param find looks the client up, if its client_id alone does not say which one it is
 * @throws OAuthError `invalid_client`, also after too many failures, then with the seconds to wait
 */
export async function authenticateClient(
  { database, failures }: ClientAuthentication,
  presented: PresentedClient,
  find: (() => Promise<OAuthClient | undefined>) | undefined = undefined,
): Promise<OAuthClient> {
  const isTooLong = find === undefined && presented.clientId.length > 255
  const client = isTooLong ? undefined : find ? await find() : await findNamedClient(database, presented.clientId)
  const failed = failedCheckOf(client, presented, database.clock.now())
  if (client && !failed) return client
  // Only failures are limited: a correct secret of 256 bits is no guess, and failures of others cannot lock a client out of its tokens.
  await failures.count(cutText(presented.clientId, 255)).catch((error: unknown) => refuseTooMany(error, client))
  throw invalidClient('client authentication failed', failed ?? unknownClient(presented.clientId), client)
}

// Anything else in its place may be the secret.
const unknownClient = (clientId: string): FailedCheck => ({
  name: 'client_id',
  expected: say('a-registered-client'),
  received: clientId.startsWith('cli_') ? clientId : say('no-client-id'),
})

function failedCheckOf(client: OAuthClient | undefined, presented: PresentedClient, now: Date): FailedCheck | undefined {
  if (!client) return unknownClient(presented.clientId)
  // Many libraries send the secret one way to some endpoints and the other way to others, so both are accepted.
  if ((client.tokenEndpointAuthMethod === 'none') !== (presented.method === 'none')) {
    return { name: 'token_endpoint_auth_method', expected: client.tokenEndpointAuthMethod, received: presented.method }
  }
  if (presented.method !== 'none' && !isSecretOf(client, presented.secretHash, now)) {
    return { name: 'client_secret', expected: say('current-secret'), received: say('another-value') }
  }
  if (!client.isActive) return { name: 'client_state', expected: say('active'), received: say('revoked') }
  return undefined
}

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
