import { say } from '../../../shared/checks/said.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { isNestedTooDeep } from '../../platform/nested-json.ts'
import type { Checks } from './checks.ts'
import { type Claims, type Preset, textOf } from './presets.ts'
import type { UpstreamConfiguration } from './settings.ts'

export const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
export const skewSeconds = 60
const issuedAgoMax = 10 * 60

export interface ExpectedIdToken {
  issuer: string
  nonce: string
  maxAge: number | undefined
  now: Date
}

/**
 * Checks everything that an ID token says (OpenID Connect Core 1.0 §3.1.3.7), one by one, so that every mistake can be shown. The
 * library checks most of it again, and the signature.
 */
export function checkIdToken(
  { header, claims }: { header: Claims; claims: Claims },
  { issuer, nonce, maxAge, now }: ExpectedIdToken,
  { preset, configuration }: { preset: Preset; configuration: UpstreamConfiguration },
  checks: Checks,
): void {
  const seconds = Math.floor(now.getTime() / 1_000)
  checkToken({ header, claims }, { issuer, now }, { preset, configuration }, checks)
  const { auth_time: authTime } = claims
  checks.addMasked('nonce', nonce, claims.nonce)
  if (maxAge !== undefined) {
    const isFresh = typeof authTime === 'number' && authTime + maxAge >= seconds - skewSeconds
    // Only this browser's request needs it: a provider that never sends it does not fail for others.
    checks.addOfAccount('auth_time', say('after', timeIn(seconds - maxAge)), timeOf(authTime), isFresh)
  }
  preset.check?.(claims, configuration, checks)
}

/** Checks what every token has to fulfil that a provider signs for us. */
export function checkToken(
  { header, claims }: { header: Claims; claims: Claims },
  { issuer, now, mayLackExpiry = false }: Pick<ExpectedIdToken, 'issuer' | 'now'> & { mayLackExpiry?: boolean },
  { preset, configuration }: { preset: Preset; configuration: UpstreamConfiguration },
  checks: Checks,
): void {
  const { alg } = header
  const seconds = Math.floor(now.getTime() / 1_000)
  checks.add('alg', algorithms.join(', '), alg, typeof alg === 'string' && algorithms.includes(alg))
  const expectedIssuer = preset.expectedIssuer?.(issuer, claims) ?? issuer
  checks.add('iss', expectedIssuer, claims.iss, claims.iss === expectedIssuer)
  checkAudience(claims, configuration.clientId, checks)
  const { exp, iat } = claims
  if (exp !== undefined || !mayLackExpiry)
    checks.add('exp', say('after', timeIn(seconds)), timeOf(exp), typeof exp === 'number' && exp > seconds - skewSeconds)
  const isRecent = typeof iat === 'number' && iat > seconds - issuedAgoMax - skewSeconds && iat <= seconds + skewSeconds
  checks.add('iat', say('at-most-10-minutes-before', timeIn(seconds)), timeOf(iat), isRecent)
}

/** Checks that a token for several audiences names us as the one that it was issued to. */
function checkAudience({ aud, azp }: Claims, clientId: string, checks: Checks): void {
  const audiences = Array.isArray(aud) ? aud : [aud]
  checks.add('aud', clientId, aud, audiences.includes(clientId))
  if (audiences.length > 1 || azp !== undefined) checks.add('azp', clientId, azp, azp === clientId)
}

const timeIn = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** The text of a time claim; a value that is not a time is shown as it came. */
const timeOf = (value: unknown) => (typeof value === 'number' && Math.abs(value) < 1e11 ? timeIn(value) : (value ?? undefined))

/** The decoded parts of a token, none of which is trusted yet; undefined when it is not a token. */
export function decodeIdToken(token: unknown): { header: Claims; claims: Claims } | undefined {
  const [header, claims] = (textOf(token) ?? '').split('.').map(parse)
  return header && claims ? { header, claims } : undefined
}

function parse(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isJsonObject(value) && !isNestedTooDeep(value) ? value : undefined
  } catch {
    return undefined
  }
}
