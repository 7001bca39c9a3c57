import { hashSecret, sameSecret } from '../../platform/crypto/secrets.ts'

export type CodeChallengeMethod = 'S256' | 'plain'

/** The challenge that a code was bound to when it was requested (RFC 7636 §4.3). */
export interface CodeChallenge {
  challenge: string
  method: CodeChallengeMethod
}

export function allowedMethods(client: { allowPlainPkce: boolean }, pkcePlain: 'allow' | 'deny'): readonly CodeChallengeMethod[] {
  return client.allowPlainPkce && pkcePlain === 'allow' ? ['S256', 'plain'] : ['S256']
}

/** 43 to 128 unreserved characters: a verifier (RFC 7636 §4.1), and a challenge (§4.2). */
export const isPkceValue = (value: string) => /^[\w\-.~]{43,128}$/.test(value)

/** Why a verifier does not redeem a code, and whether it was a guess at the challenge. */
export interface VerifierMistake {
  text: string
  isGuess: boolean
}

/**
 * Checks a verifier against the challenge of its code (RFC 7636 §4.6); undefined when it redeems the code. A verifier for a code
 * without a challenge is refused as well: an attacker has removed the challenge from the request (RFC 9700 §4.8.2).
 */
export function verifierMistake(bound: CodeChallenge | undefined, verifier: string | undefined): VerifierMistake | undefined {
  if (!bound) return verifier === undefined ? undefined : { text: 'the code was asked for without a code_challenge', isGuess: false }
  if (verifier === undefined) return { text: 'code_verifier is missing', isGuess: false }
  if (!isPkceValue(verifier)) return { text: 'code_verifier must be 43 to 128 unreserved characters', isGuess: true }
  const transformed = bound.method === 'S256' ? hashSecret(verifier) : verifier
  if (sameSecret(transformed, bound.challenge)) return undefined
  return { text: 'code_verifier does not match the code_challenge', isGuess: true }
}
