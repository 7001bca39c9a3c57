import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { StoredRefreshToken } from '../../tokens/families.ts'
import { refreshableUntil } from '../../tokens/rules.ts'
import { notAllowed } from '../protocol/common-errors.ts'
import { type FailedCheck, invalidGrant, OAuthError } from '../protocol/errors.ts'
import { type CodeChallenge, type CodeChallengeMethod, verifierMistake } from '../protocol/pkce.ts'

export interface StoredCode {
  clientId: string
  familyId: string
  redirectUri: string
  redirectUriSent: boolean
  pkce: CodeChallenge | undefined
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  /** The end of the consent; null for none. */
  consentedUntil: Date | null
  /** The thumbprint of the key that redeems it; null for any. */
  jkt: string | null
}

export interface CodeRequest {
  clientId: string
  redirectUri: string | undefined
  codeVerifier: string | undefined
  /** The methods that the client may use now. */
  challengeMethods: readonly CodeChallengeMethod[]
  /** Whether the client has to use PKCE now. */
  requirePkce: boolean
  /** How long its codes live now: a client that is tightened has no older ones that live longer. */
  lifetimeSeconds: number
  /** The key that the client has proven to hold; undefined for none. */
  jkt: string | undefined
  oauthExtensions: OAuthExtensions
}

type Refused = { kind: 'refuse'; error: OAuthError }
export type CodeDecision<Code> =
  | Refused
  /** The code is refused, and used up by the refusal. */
  | { kind: 'burn'; code: Code; error: OAuthError }
  | { kind: 'reuse'; code: Code }
  | { kind: 'redeem'; code: Code }

/**
 * Decides what a presented code earns: RFC 6749 §4.1.3, RFC 7636 §4.6; for reuse, RFC 6749 §4.1.2. A wrong verifier burns the code,
 * since it is a guess by a thief who has the code and not the verifier. A wrong client or redirect_uri does not: anyone with a client
 * of their own can send those.
 */
export function decideCode<Code extends StoredCode>(code: Code | undefined, asked: CodeRequest, now: Date): CodeDecision<Code> {
  if (code?.clientId !== asked.clientId) return refuse('the code is unknown', { name: 'code', expected: say('a-code-of-this-client') })
  // Before everything else: the first use may have been a thief's.
  if (code.usedAt) return { kind: 'reuse', code }
  const expiresAt = new Date(Math.min(code.expiresAt.getTime(), code.createdAt.getTime() + asked.lifetimeSeconds * 1_000))
  if (expiresAt <= now) {
    return refuse('the code has expired', {
      name: 'code',
      expected: say('use-before', expiresAt.toISOString()),
      received: now.toISOString(),
    })
  }
  if (hasEnded(code, now)) return refuse('the consent has ended', consentEnded(code, now))
  const redirectMistake = redirectUriMistakeOf(code, asked.redirectUri)
  if (redirectMistake) return refuse('redirect_uri is not the one that the code was asked for with', redirectMistake)
  if (!isKeyOf(code, asked.jkt)) return refuse('the code is bound to another key', otherKey(code, asked.jkt, asked))
  if (!code.pkce && asked.requirePkce)
    return refuse('the client has to ask with a code_challenge by now', {
      name: 'code_challenge',
      expected: say('a-value'),
      received: say('none'),
    })
  // The method was allowed when the code was requested, a moment ago.
  if (code.pkce && !asked.challengeMethods.includes(code.pkce.method)) {
    const { method } = code.pkce
    return refuse('the code_challenge_method is no longer allowed', {
      name: 'code_challenge_method',
      expected: asked.challengeMethods,
      received: method,
    })
  }
  const mistake = verifierMistake(code.pkce, asked.codeVerifier)
  if (mistake) {
    // Show only the method: the rest of a plain challenge is the verifier.
    const expected = code.pkce && { method: code.pkce.method }
    const error = invalidGrant(mistake.text, { name: 'code_verifier', expected, received: asked.codeVerifier })
    return mistake.isGuess ? { kind: 'burn', code, error } : { kind: 'refuse', error }
  }
  return { kind: 'redeem', code }
}

/** If it was in the authorization request, it must be sent again and be the same; OAuth 2.1 clients may omit it. */
function redirectUriMistakeOf(code: StoredCode, received: string | undefined): FailedCheck | undefined {
  const expected = code.redirectUriSent ? code.redirectUri : undefined
  if (received === undefined ? expected === undefined : received === code.redirectUri) return undefined
  return { name: 'redirect_uri', expected: code.redirectUri, received }
}

export type RefreshDecision<Token> =
  | Refused
  | { kind: 'reuse'; token: Token }
  | { kind: 'repeat'; token: Token; response: string }
  | { kind: 'rotate'; token: Token }

/** Decides what a presented refresh token earns: RFC 6749 §6; for reuse, RFC 9700 §4.14.2. */
export function decideRefresh<Token extends StoredRefreshToken>(
  token: Token | undefined,
  asked: {
    clientId: string
    graceSeconds: number
    absoluteLifetimeSeconds: number
    jkt?: string | undefined
    certificate?: string | undefined
    oauthExtensions: OAuthExtensions
  },
  now: Date,
): RefreshDecision<Token> {
  const name = 'refresh_token'
  if (token?.clientId !== asked.clientId)
    return refuse('the refresh token is unknown', { name, expected: say('a-refresh-token-of-this-client') })
  // Before reuse: without the key, a token that was stolen does not end the family either.
  if (!isKeyOf(token, asked.jkt) && token.jkt !== asked.certificate) {
    const isCertificate = token.jkt?.includes(':') ?? false
    return isCertificate
      ? refuse('the refresh token is bound to another certificate', otherCertificate(token, asked.certificate, asked))
      : refuse('the refresh token is bound to another key', otherKey(token, asked.jkt, asked))
  }
  if (token.familyRevokedAt) {
    return refuse('the refresh token has been revoked', {
      name,
      expected: say('a-live-family'),
      received: say('revoked-at', token.familyRevokedAt.toISOString()),
    })
  }
  const { storedResponse } = token
  const inGrace = storedResponse !== undefined && now.getTime() - storedResponse.rotatedAt.getTime() < asked.graceSeconds * 1_000
  if (!token.isLatest && !inGrace) return { kind: 'reuse', token }
  // Also of a token within its grace: what it repeats could be signed anew.
  const expiresAt = refreshableUntil(token, asked.absoluteLifetimeSeconds)
  if (expiresAt <= now) {
    return refuse('the refresh token has expired', {
      name,
      expected: say('use-before', expiresAt.toISOString()),
      received: now.toISOString(),
    })
  }
  if (!token.isLatest && inGrace) return { kind: 'repeat', token, response: storedResponse.responseEncrypted }
  return { kind: 'rotate', token }
}

const isKeyOf = ({ jkt }: { jkt: string | null }, proven: string | undefined) => jkt === null || jkt === proven

interface Bound {
  /** What it is bound to, a key or a certificate; null for nothing. */
  jkt: string | null
}

interface Offered {
  oauthExtensions: OAuthExtensions
}

const otherKey = ({ jkt }: Bound, proven: string | undefined, offered: Offered): FailedCheck => ({
  name: 'dpop_jkt',
  expected: jkt,
  received: proven ?? say('none'),
  hint: hintIfOff('dpop', offered),
})

const otherCertificate = ({ jkt }: Bound, presented: string | undefined, offered: Offered): FailedCheck => ({
  name: 'client_certificate',
  expected: jkt,
  received: presented ?? say('none'),
  hint: hintIfOff('mtls', offered),
})

/** While the extension is off, what the client proves is not read: its developer would look for a mistake in vain. */
const hintIfOff = (extension: 'dpop' | 'mtls', { oauthExtensions }: Offered) =>
  oauthExtensions.has(extension) ? undefined : say('extension-is-off', extension)

/** Whether the user has allowed the client something until a time that is over. */
const hasEnded = ({ consentedUntil }: { consentedUntil: Date | null }, now: Date) => consentedUntil !== null && consentedUntil <= now

const consentEnded = ({ consentedUntil }: { consentedUntil: Date | null }, now: Date): FailedCheck => ({
  name: 'consent',
  expected: say('use-before', String(consentedUntil?.toISOString())),
  received: now.toISOString(),
})

export interface StoredDeviceCode {
  /** The end of the consent; null for none. */
  consentedUntil: Date | null
  clientId: string
  decision: 'allow' | 'cancel' | null
  expiresAt: Date
  usedAt: Date | null
}

export type DeviceDecision<Code> = Refused | { kind: 'wait' } | { kind: 'redeem'; code: Code }

/**
 * Decides what a presented device code earns: RFC 8628 §3.5. A second use revokes nothing, unlike that of an authorization code: only the
 * device has ever had the code, and it polls again when it has lost a response.
 */
export function decideDevice<Code extends StoredDeviceCode>(
  code: Code | undefined,
  asked: { clientId: string },
  now: Date,
): DeviceDecision<Code> {
  const name = 'device_code'
  if (code?.clientId !== asked.clientId) return refuse('the device code is unknown', { name, expected: say('a-code-of-this-client') })
  if (code.usedAt) return { kind: 'refuse', error: deviceCodeUsed() }
  if (code.expiresAt <= now) {
    const check = { name, expected: say('use-before', code.expiresAt.toISOString()), received: now.toISOString() } as const
    return { kind: 'refuse', error: new OAuthError('expired_token', 'the device code has expired', check) }
  }
  if (code.decision === 'cancel') return { kind: 'refuse', error: notAllowed() }
  if (hasEnded(code, now)) return refuse('the consent has ended', consentEnded(code, now))
  return code.decision === null ? { kind: 'wait' } : { kind: 'redeem', code }
}

export const deviceCodeUsed = () =>
  invalidGrant('the device code has been used, or is no longer valid', {
    name: 'device_code',
    expected: say('a-code-used-once'),
    received: say('a-second-use'),
  })

const refuse = (description: string, check: FailedCheck): Refused => ({ kind: 'refuse', error: invalidGrant(description, check) })
