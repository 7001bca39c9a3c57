/** Authorization requests that their client has signed (RFC 9101): by value, not encrypted. */
import { isDeepStrictEqual } from 'node:util'
import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Database } from '../../platform/database/database.ts'
import { stateOf } from '../protocol/client-authentication.ts'
import type { ClientKeySets } from '../protocol/client-key-sets.ts'
import { type FailedCheck, OAuthError } from '../protocol/errors.ts'
import { findNamedClient, type OAuthClient } from '../protocol/queries.ts'
import { algorithmsOf, checksOf, isTime, noticingWaits, type ReadJwt, readJwt, skewSeconds } from '../protocol/signed-by-client.ts'
import { authorizationParametersOf, type ReceivedAuthorization } from './parameters.ts'

export interface RequestObjectDependencies {
  database: Database
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  oauthExtensions: OAuthExtensions
  openClientKeySets(): Promise<ClientKeySets>
}

const bytesMax = 32_768
const lifetimeSecondsMax = 3_600
const types = ['oauth-authz-req+jwt', 'jwt']

const { failed, wrongClaim, whyHeaderRefused, whyTooEarly, whySignatureRefused } = checksOf('request')

export interface ReadRequest {
  /** The client as it is after its keys were fetched: by this one the parameters are judged. */
  client: OAuthClient
  received: ReceivedAuthorization
  isSigned: boolean
}

/**
 * The parameters of a request: those that its client has signed, where it has, and none beside them (RFC 9101 §6.3).
 *
 * @throws OAuthError `invalid_request_object`, before any redirect URI is proven
 */
export async function readSigned(
  dependencies: RequestObjectDependencies,
  client: OAuthClient,
  received: ReceivedAuthorization,
): Promise<ReadRequest> {
  const { request } = received.values
  if (request === undefined || !dependencies.oauthExtensions.has('jar')) return { client, received, isSigned: false }
  const refuse = (check: FailedCheck) =>
    new OAuthError('invalid_request_object', 'the request object cannot be accepted', check, { client })
  const read = Buffer.byteLength(request) <= bytesMax ? readJwt(request) : undefined
  if (!read) throw refuse(failed(say('a-signed-jwt'), say('something-else')))
  let hasWaited = false
  const openClientKeySets = noticingWaits(dependencies.openClientKeySets, () => {
    hasWaited = true
  })
  const refused = await whyRefused({ ...dependencies, openClientKeySets }, client, read)
  if (refused) throw refuse(refused)
  const current = hasWaited ? await findNamedClient(dependencies.database, client.clientId) : client
  const changed = whyChanged(client, current)
  if (!current || changed) throw refuse(changed ?? { name: 'request' })
  return { client: current, received: authorizationParametersOf(dependencies.oauthExtensions).read(parametersIn(read)), isSigned: true }
}

/** What decides whether a signature counts, and since when. */
const verifiedBy = ({ jwks, jwksUri, profile, requestObjectSigningAlg, tokensValidAfter }: OAuthClient) => ({
  ...{ jwks, jwksUri, profile, requestObjectSigningAlg, tokensValidAfter },
})

/** Why a request is refused whose client was changed while its keys were fetched, which takes seconds. */
function whyChanged(before: OAuthClient, now: OAuthClient | undefined): FailedCheck | undefined {
  if (now === before) return undefined
  if (now && !now.isActive) return stateOf(now)
  if (now && isDeepStrictEqual(verifiedBy(before), verifiedBy(now))) return undefined
  return failed(say('a-key-of-the-client'), say('changed-meanwhile'))
}

async function whyRefused(
  { database, issuer, openClientKeySets }: RequestObjectDependencies,
  client: OAuthClient,
  read: ReadJwt,
): Promise<FailedCheck | undefined> {
  return (
    whyHeaderRefused(read, { types, algorithms: algorithmsOf(client.profile, client.requestObjectSigningAlg) }) ??
    whyClaimsRefused(read, client.clientId, issuer, database.clock.now()) ??
    (await whySignatureRefused(openClientKeySets, client, read))
  )
}

function whyClaimsRefused(read: ReadJwt, clientId: string, issuer: string, now: Date): FailedCheck | undefined {
  const { iss, sub, aud, exp, iat, nbf, client_id: named, request, request_uri: requestUri } = read.claims
  if (iss !== clientId) return wrongClaim('iss', clientId, iss)
  if (named !== clientId) return wrongClaim('client_id', clientId, named)
  // So that no assertion by which the client authenticates is taken for a request (§10.8).
  if (sub === clientId) return wrongClaim('sub', say('none').text, sub)
  if (!(Array.isArray(aud) ? aud : [aud]).includes(issuer)) return wrongClaim('aud', issuer, aud)
  if (request !== undefined) return wrongClaim('request', say('none').text, request)
  if (requestUri !== undefined) return wrongClaim('request_uri', say('none').text, requestUri)
  const early = whyTooEarly(read, now)
  if (early) return early
  const seconds = now.getTime() / 1_000
  const begins = [nbf, iat].find(isTime) ?? seconds
  const latest = Math.min(begins, seconds + skewSeconds) + lifetimeSecondsMax
  return isTime(exp) && exp > seconds && exp <= latest
    ? undefined
    : wrongClaim('exp', `${Math.floor(seconds)} … ${Math.floor(latest)}`, exp)
}

/** The claims as a form would have them: in JSON `max_age` is a number, and `claims` an object (OpenID Connect Core §6.1). */
const parametersIn = ({ claims }: ReadJwt): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, asInForm(name, value)]))

function asInForm(name: string, value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return name === 'claims' && typeof value === 'object' ? JSON.stringify(value) : value
}
