/** Assertions by which clients authenticate: `private_key_jwt` (RFC 7523 §3, OpenID Connect Core §9). */
import { say } from '../../../shared/checks/said.ts'
import type { Profile } from '../../clients/profile.ts'
import type { ClientAlgorithm } from '../../platform/database/column-types.ts'
import { isPlainText } from '../../platform/text.ts'
import type { ClientKeySets } from './client-key-sets.ts'
import type { FailedCheck } from './errors.ts'
import { algorithmsOf, checksOf, claimed, isIdentifier, isTime, type KeysOfClient, type ReadJwt } from './signed-by-client.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** How far ahead its end may be. */
const lifetimeSecondsMax = 600

/** The client that an assertion names as its subject; undefined when it names none. */
export function subjectOf({ claims: { sub } }: ReadJwt): string | undefined {
  return typeof sub === 'string' && sub !== '' && isPlainText(sub) ? sub : undefined
}

/** What is known of a client that authenticates by a key. */
export interface ClientWithKeys extends KeysOfClient {
  /** Its `client_id`. */
  id: string
  profile: Profile | null
  tokenEndpointAuthSigningAlg: ClientAlgorithm | null
}

/** The `jti` of an assertion that is not refused, which the caller still has to claim, and from when on it is refused. */
export function idOf({ claims }: ReadJwt): { assertionId: string; expiresAt: Date } {
  const { jti, exp } = claims as { jti: string; exp: number }
  return { assertionId: jti, expiresAt: new Date(exp * 1_000) }
}

const types = ['jwt', 'client-authentication+jwt']
const { failed, wrongClaim, whyHeaderRefused, whyTooEarly, whySignatureRefused } = checksOf('client_assertion')

/**
 * Checks an assertion of a client, except for replay: its claims first, so that nothing is fetched for one that is refused anyway.
 *
 * @param audiences the addresses by which it may name this service, the issuer first: each member of its `aud` is one of them
 */
export async function whyAssertionRefused(
  keySets: () => Promise<ClientKeySets>,
  client: ClientWithKeys,
  assertion: ReadJwt,
  { audiences, now }: { audiences: readonly string[]; now: Date },
): Promise<FailedCheck | undefined> {
  return (
    whyHeaderRefused(assertion, { types, algorithms: algorithmsOf(client.profile, client.tokenEndpointAuthSigningAlg) }) ??
    whyAudienceRefused(assertion, client, audiences) ??
    whyClaimsRefused(assertion, client.id, now) ??
    whySignatureRefused(keySets, client, assertion)
  )
}

function whyAudienceRefused({ claims: { aud } }: ReadJwt, { profile }: ClientWithKeys, audiences: readonly string[]) {
  const [issuer = ''] = audiences
  // FAPI 2.0 §5.3.2.1 no. 8: the issuer, as a string and nothing else.
  if (profile !== null) return aud === issuer ? undefined : wrongClaim('aud', issuer, aud)
  const named: unknown[] = Array.isArray(aud) ? aud : [aud]
  // A foreign member would be a service that could send the assertion here.
  if (named.length === 0 || !named.every((one) => typeof one === 'string' && audiences.includes(one)))
    return wrongClaim('aud', audiences.join(' '), aud)
  return undefined
}

function whyClaimsRefused(assertion: ReadJwt, clientId: string, now: Date): FailedCheck | undefined {
  const { iss, sub, exp, iat, jti } = assertion.claims
  if (iss !== clientId) return wrongClaim('iss', clientId, iss)
  if (sub !== clientId) return wrongClaim('sub', clientId, sub)
  const early = whyTooEarly(assertion, now)
  if (early) return early
  const seconds = now.getTime() / 1_000
  // A clock that is ahead makes the end later, too.
  const ahead = isTime(iat) ? Math.max(0, iat - seconds) : 0
  const latest = seconds + lifetimeSecondsMax + ahead
  if (!(isTime(exp) && exp > seconds && exp <= latest)) return wrongClaim('exp', `${Math.floor(seconds)} … ${Math.floor(latest)}`, exp)
  return isIdentifier(jti)
    ? undefined
    : failed(claimed('jti', say('an-identifier').text), claimed('jti', say(jti === undefined ? 'none' : 'another-value').text))
}
