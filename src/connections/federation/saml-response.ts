import { isDeepStrictEqual } from 'node:util'
import { say } from '../../../shared/checks/said.ts'
import { verifiedDomainsOf } from '../../domains/queries.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Connection } from '../queries.ts'
import type { SamlIdentity } from '../saml/identity.ts'
import type { SessionAtProvider } from '../saml/messages.ts'
import { samlKeysOf } from '../saml-keys.ts'
import { acsUrlOf, ownEntityIdOf, requestIdOf, type SamlSettings, samlConfigurationOf, samlSettingsOf } from '../saml-settings.ts'
import { checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import { claimAt } from '../upstream/claims.ts'
import { emailIn } from '../upstream/presets.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { beginMetadataReading, type ConnectionToUse, claimSamlMessage, findConnectionToUse } from './queries.ts'
import { refreshMetadata } from './refresh-metadata.ts'
import { type FederationRequest, storeResponse } from './request-queries.ts'
import { withKnownNames } from './saml-claims.ts'
import { samlSessionOf } from './saml-session.ts'
import { type Federation, nonceOf } from './start.ts'

const responseLifetimeSeconds = 60

interface StoredResponse {
  message: string
  expiresAt: string
}

/**
 * Stores a response with the request that it is for, until the browser comes with its cookie: a form of another site brings none.
 *
 * @returns whether there is such a request
 */
export async function storeSamlResponse(
  { database, keyring }: Pick<Federation, 'database' | 'keyring'>,
  { connection, state, message }: { connection: ConnectionToUse; state: string; message: string },
): Promise<boolean> {
  const tenant = database.tenant(connection.organisationId)
  const stateHash = hashSecret(state)
  const stored: StoredResponse = { message, expiresAt: secondsAfter(tenant.now, responseLifetimeSeconds).toISOString() }
  const responseEncrypted = keyring.encrypt(JSON.stringify(stored), stateHash)
  return storeResponse(tenant, { stateHash, connectionId: connection.id, responseEncrypted })
}

/**
 * Checks the response that has come for a request, and takes its assertion, once.
 *
 * @throws UpstreamRefusal
 */
export async function fetchSamlIdentity(
  federation: Federation,
  connection: ConnectionToUse,
  request: FederationRequest,
  { verifier, maxAge }: { verifier: string; maxAge?: number | undefined },
): Promise<UpstreamIdentity> {
  const { database, publicUrl, keyring } = federation
  const tenant = database.tenant(connection.organisationId)
  const { now } = tenant
  const message = responseOf(federation, request, now)
  const keys = samlKeysOf(keyring, connection, now)
  const saml = await federation.openSaml()
  const check = async (settings: SamlSettings) => {
    const { entityId: issuer, ...others } = settings
    return saml.run(connection.organisationId, 'checkResponse', message, {
      ...others,
      issuer,
      audience: ownEntityIdOf(publicUrl, connection.id),
      acsUrl: acsUrlOf(publicUrl, connection.id),
      requestId: requestIdOf(nonceOf(verifier)),
      decryptionKeys: keys?.decrypting.map(({ encryption }) => encryption.privateKey) ?? [],
      maxAge,
      now,
    })
  }
  let renewedAt: Date | undefined
  const identity = await check(samlSettingsOf(connection, now)).catch(async (error: unknown) => {
    const renewed = await renewedAfter(federation, connection, error)
    if (!renewed) throw error
    renewedAt = renewed.updatedAt
    return check(samlSettingsOf(renewed, now))
  })
  const { assertionId, expiresAt, checks } = identity
  const isFirst = await claimSamlMessage(tenant, { connectionId: connection.id, assertionHash: hashSecret(assertionId), expiresAt })
  if (!isFirst)
    throw new UpstreamRefusal([...checks, checkOf('assertion_id', say('an-assertion-that-is-new'), assertionId, false)], 'browser')
  const domains = await verifiedDomainsOf(tenant)
  const own = domains.filter(({ connectionId }) => connectionId === connection.id).map(({ domain }) => domain)
  return { ...upstreamIdentityOf(identity, connection, own), certificates: identity.signedBy, renewedAt }
}

/** So long after a reading has begun, what it shows may not be stored yet. */
const readingMilliseconds = 10_000

/**
 * A signature by an unknown key may be one by a new certificate, which the metadata show already. When a provider changes to it, many sign-ins
 * meet it at the same time: one begins to read the metadata, and the others of its process share that reading. Another process reads them for itself,
 * once, for it cannot know how far the first one is.
 *
 * @returns the connection with what the metadata show now; undefined when they have been read lately, or nothing is different
 */
export async function renewedAfter(
  federation: Federation,
  connection: ConnectionToUse,
  error: unknown,
): Promise<ConnectionToUse | undefined> {
  if (!(error instanceof UpstreamRefusal) || error.checks.at(-1)?.code !== 'signature') return undefined
  if (samlConfigurationOf(connection).metadataUrl === undefined) return undefined
  const { database } = federation
  const tenant = database.tenant(connection.organisationId)
  const before = await findConnectionToUse(database, connection.id)
  if (!before || isRenewed(before)) return before
  await beginMetadataReading(tenant, connection.id)
  const current = await findConnectionToUse(database, connection.id)
  if (!current || isRenewed(current)) return current
  const { documentsCheckedAt } = current
  if (documentsCheckedAt === null || tenant.now.getTime() - documentsCheckedAt.getTime() > readingMilliseconds) return undefined
  const saml = await federation.openSaml()
  const reading = saml.once(`metadata ${connection.id} ${documentsCheckedAt.toISOString()}`, () => refreshMetadata(federation, current))
  const renewed = await reading.catch((failure: unknown) => {
    if (failure instanceof UpstreamRefusal) return undefined
    throw failure
  })
  return renewed && isRenewed(renewed) ? { ...current, ...renewed } : undefined

  function isRenewed({ configuration }: Pick<Connection, 'configuration'>): boolean {
    return !isDeepStrictEqual(configuration, connection.configuration)
  }
}

function responseOf({ keyring }: Pick<Federation, 'keyring'>, { responseEncrypted, stateHash }: FederationRequest, now: Date): string {
  const stored: StoredResponse | undefined =
    responseEncrypted === null ? undefined : JSON.parse(keyring.decrypt(responseEncrypted, stateHash))
  if (stored && new Date(stored.expiresAt) > now) return stored.message
  throw new UpstreamRefusal([checkOf('response', 'SAMLResponse', undefined, false)], 'browser')
}

/** @param ownDomains the verified domains that are assigned to the connection: of these, and of no others, it proves addresses */
function upstreamIdentityOf(
  { subject, nameId, attributes, authnInstant, authnContext, sessionIndex, sessionEndsAt, checks }: SamlIdentity,
  { mapping }: ConnectionToUse,
  ownDomains: readonly string[],
): UpstreamIdentity {
  const claims = withKnownNames(attributes, nameId)
  const email = emailIn(claimAt(claims, mapping.email ?? 'email'))
  const isProven = email !== undefined && ownDomains.some((domain) => email.endsWith(`@${domain}`))
  const found = say(email === undefined ? 'none' : isProven ? 'proven' : 'not-proven')
  return {
    subject,
    email,
    emailIsProven: isProven,
    emailProvenBy: isProven ? 'assigned_domain' : undefined,
    emailIsRelay: false,
    claims,
    amr: [],
    acr: authnContext,
    authTime: authnInstant,
    issuedAt: undefined,
    sessionId: nameId && samlSessionOf(nameId.value, sessionIndex),
    sessionEndsAt,
    idToken: nameId && JSON.stringify({ nameId, sessionIndex } satisfies SessionAtProvider),
    checks: [...checks, checkOf('address', say('proven-by-this-connection'), found, true)],
  }
}
