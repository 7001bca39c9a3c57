/** What an assertion has to say about itself, before any key is fetched (D §3.1 and §4.4.1). The decisions are pure. */
import { type Said, say } from '../../../shared/checks/said.ts'
import type { CheckName } from '../../oauth/protocol/checks.ts'
import { invalidGrant } from '../../oauth/protocol/errors.ts'
import { type Judge, type Judged, strictly } from '../../oauth/protocol/judge.ts'
import { algorithms, decodeIdToken, skewSeconds } from '../upstream/id-token.ts'
import { type Claims, identifierOf } from '../upstream/presets.ts'

const assertionType = 'oauth-id-jag+jwt'

export interface DecodedAssertion {
  header: Claims
  claims: Claims
  issuer: string
}

/** The parts of an assertion, of which nothing is trusted yet. @throws OAuthError `invalid_grant` */
export function decodeAssertion(assertion: string, ownIssuer: string, judge: Judge = strictly): DecodedAssertion {
  const decoded = assertion.split('.').length === 3 ? decodeIdToken(assertion) : undefined
  judge.need(decoded !== undefined, invalidGrant, 'the assertion is no signed JWT', {
    name: 'assertion',
    expected: say('a-signed-jwt'),
    received: decoded ? say('a-signed-jwt') : assertion,
  })
  const { header = {}, claims = {} } = decoded ?? {}
  const { typ, alg } = header
  judge.expect(...judged(typeof typ === 'string' && typ.toLowerCase() === assertionType, 'assertion_type', assertionType, typ))
  judge.expect(...judged(typeof alg === 'string' && algorithms.includes(alg), 'assertion_algorithm', algorithms, alg))
  const { iss } = claims
  // Ours are for others: one that came back here would make this service its own witness.
  const isOfAnother = typeof iss === 'string' && iss !== ownIssuer
  judge.need(...judged(isOfAnother, 'assertion_issuer', say('an-accepted-identity-provider'), iss))
  return { header, claims, issuer: String(iss) }
}

export interface ExpectedClaims {
  ownIssuer: string
  clientId: string
  maxLifetimeSeconds: number
  now: Date
}

export interface AssertionClaims {
  issuer: string
  /** Unique among the assertions of its issuer. */
  id: string
  /** When it would be refused anyway. */
  refusedFrom: Date
  resources: string[]
  scope: string[]
}

/** @throws OAuthError `invalid_grant` naming the first claim that is not as it has to be */
export function checkClaims(
  claims: Claims,
  { ownIssuer, clientId, maxLifetimeSeconds, now }: ExpectedClaims,
  judge: Judge = strictly,
): AssertionClaims {
  const { iss, aud, client_id: client, jti } = claims
  const [audience, ...others] = Array.isArray(aud) ? aud : [aud]
  judge.expect(...judged(audience === ownIssuer && others.length === 0, 'assertion_audience', ownIssuer, aud))
  judge.expect(...judged(client === clientId, 'assertion_client', clientId, client))
  const until = checkTimes(claims, { maxLifetimeSeconds, now }, judge)
  const id = identifierOf(jti)
  judge.expect(...judged(id !== undefined, 'assertion_id', say('an-identifier'), jti))
  return {
    issuer: String(iss),
    id: String(id),
    refusedFrom: new Date(Math.max(until * 1_000, now.getTime()) + skewSeconds * 1_000),
    resources: resourcesIn(claims, judge),
    scope: scopeIn(claims, judge),
  }
}

/** @returns when it expires; in an inspection of one without usable times, now */
function checkTimes(
  { exp, iat, nbf }: Claims,
  { maxLifetimeSeconds, now }: Pick<ExpectedClaims, 'maxLifetimeSeconds' | 'now'>,
  judge: Judge,
): number {
  const seconds = Math.floor(now.getTime() / 1_000)
  if (!isTime(exp) || !isTime(iat) || !(nbf === undefined || isTime(nbf))) {
    judge.expect(...judged(false, 'assertion_lifetime', say('times-of-issue-and-expiry'), { exp, iat, nbf }))
    return seconds
  }
  const begins = Math.max(iat, nbf ?? iat)
  const lasts = `${exp - iat} s`
  const latest = timeIn(seconds + skewSeconds)
  judge.expect(...judged(exp > seconds - skewSeconds, 'assertion_lifetime', say('after', timeIn(seconds)), timeIn(exp)))
  judge.expect(...judged(begins <= seconds + skewSeconds, 'assertion_lifetime', say('before', latest), timeIn(begins)))
  const isShort = exp > iat && exp - iat <= maxLifetimeSeconds
  judge.expect(...judged(isShort, 'assertion_lifetime', say('at-most', `${maxLifetimeSeconds} s`), lasts))
  return exp
}

function resourcesIn({ resource }: Claims, judge: Judge): string[] {
  const resources = resource === undefined ? [] : [resource].flat()
  const areTexts = resources.length <= 20 && resources.every((one) => typeof one === 'string')
  // Which of them may be named, the grant decides.
  if (!areTexts) judge.expect(...judged(false, 'resource', say('an-absolute-uri'), resource))
  return areTexts ? resources : []
}

function scopeIn({ scope = '' }: Claims, judge: Judge): string[] {
  if (typeof scope === 'string') return scope.split(' ').filter((value) => value !== '')
  judge.expect(...judged(false, 'scope', say('a-value'), scope))
  return []
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e11

const timeIn = (seconds: number) => new Date(seconds * 1_000).toISOString()

const judged = (isMet: boolean, name: CheckName, expected: string | readonly string[] | Said, received: unknown): Judged => [
  isMet,
  invalidGrant,
  `the assertion is refused: ${name.replace('assertion_', '')}`,
  { name, expected, received },
]
