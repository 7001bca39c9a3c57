/** What an assertion has to say about itself, before any key is fetched (D §3.1 and §4.4.1). The decisions are pure. */
import { type Said, say } from '../../../shared/checks/said.ts'
import type { CheckName } from '../../oauth/protocol/checks.ts'
import { invalidGrant } from '../../oauth/protocol/errors.ts'
import { algorithms, decodeIdToken, skewSeconds } from '../upstream/id-token.ts'
import { type Claims, identifierOf } from '../upstream/presets.ts'

const assertionType = 'oauth-id-jag+jwt'

export interface DecodedAssertion {
  header: Claims
  claims: Claims
  issuer: string
}

/** The parts of an assertion, of which nothing is trusted yet. @throws OAuthError `invalid_grant` */
export function decodeAssertion(assertion: string, ownIssuer: string): DecodedAssertion {
  const decoded = decodeIdToken(assertion)
  if (!decoded || assertion.split('.').length !== 3) {
    throw invalidGrant('the assertion is no signed JWT', { name: 'assertion', expected: say('a-signed-jwt'), received: assertion })
  }
  const { header, claims } = decoded
  const { typ, alg } = header
  require(typeof typ === 'string' && typ.toLowerCase() === assertionType, 'assertion_type', assertionType, typ)
  require(typeof alg === 'string' && algorithms.includes(alg), 'assertion_algorithm', algorithms, alg)
  const { iss } = claims
  // Ours are for others: one that came back here would make this service its own witness.
  require(typeof iss === 'string' && iss !== ownIssuer, 'assertion_issuer', say('an-accepted-identity-provider'), iss)
  return { header, claims, issuer: String(iss) }
}

export interface ExpectedClaims {
  ownIssuer: string
  clientId: string
  maxLifetimeSeconds: number
  now: Date
}

export interface AssertionClaims {
  id: string
  /** When it would be refused anyway. */
  refusedFrom: Date
  resources: string[]
  scope: string[]
}

/** @throws OAuthError `invalid_grant` naming the first claim that is not as it has to be */
export function checkClaims(claims: Claims, { ownIssuer, clientId, maxLifetimeSeconds, now }: ExpectedClaims): AssertionClaims {
  const { aud, client_id: client, exp, iat, nbf, jti } = claims
  const seconds = Math.floor(now.getTime() / 1_000)
  const [audience, ...others] = Array.isArray(aud) ? aud : [aud]
  require(audience === ownIssuer && others.length === 0, 'assertion_audience', ownIssuer, aud)
  require(client === clientId, 'assertion_client', clientId, client)
  const isTimed = isTime(exp) && isTime(iat) && (nbf === undefined || isTime(nbf))
  require(isTimed, 'assertion_lifetime', say('times-of-issue-and-expiry'), { exp, iat, nbf })
  const [from, until] = [Number(iat), Number(exp)]
  require(until > seconds - skewSeconds, 'assertion_lifetime', say('after', timeIn(seconds)), timeIn(until))
  const begins = Math.max(from, Number(nbf ?? from))
  require(begins <= seconds + skewSeconds, 'assertion_lifetime', say('before', timeIn(seconds + skewSeconds)), timeIn(begins))
  require(until > from && until - from <= maxLifetimeSeconds, 'assertion_lifetime', say(
    'at-most',
    `${maxLifetimeSeconds} s`,
  ), `${until - from} s`)
  const id = identifierOf(jti)
  require(id !== undefined, 'assertion_id', say('an-identifier'), jti)
  return { id: String(id), refusedFrom: new Date((until + skewSeconds) * 1_000), resources: resourcesIn(claims), scope: scopeIn(claims) }
}

function resourcesIn({ resource }: Claims): string[] {
  const resources = resource === undefined ? [] : [resource].flat()
  require(resources.length <= 20 && resources.every((one) => typeof one === 'string'), 'resource', say('an-absolute-uri'), resource)
  return resources.map(String)
}

function scopeIn({ scope }: Claims): string[] {
  require(scope === undefined || typeof scope === 'string', 'scope', say('a-value'), scope)
  return String(scope ?? '')
    .split(' ')
    .filter((value) => value !== '')
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e11

const timeIn = (seconds: number) => new Date(seconds * 1_000).toISOString()

function require(isRight: boolean, name: CheckName, expected: string | readonly string[] | Said, received: unknown): void {
  if (!isRight) throw invalidGrant(`the assertion is refused: ${name.replace('assertion_', '')}`, { name, expected, received })
}
