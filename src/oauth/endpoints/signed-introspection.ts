/** The response of introspection as a signed JWT (RFC 9701). */

import type { TokenIssuer } from '../../tokens/issue-tokens.ts'
import { signJwt } from '../../tokens/jwt.ts'
import type { OAuthClient } from '../protocol/queries.ts'

export const signedIntrospectionType = 'application/token-introspection+jwt'

/** Whether a request names the signed form among those that it accepts (RFC 9701 §4). Any range takes the usual one. */
export const asksForSigned = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === signedIntrospectionType && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/** Signs what introspection has found for the client that asks: another one cannot be handed it (RFC 9701 §5). */
export async function signIntrospection(
  { issuer, signingKeys }: TokenIssuer,
  { clientId, introspectionSignedResponseAlg, profile }: Pick<OAuthClient, 'clientId' | 'introspectionSignedResponseAlg' | 'profile'>,
  found: object,
  now: Date,
): Promise<string> {
  const key = await signingKeys.signer(introspectionSignedResponseAlg ?? (profile === null ? 'RS256' : 'EdDSA'))
  const iat = Math.floor(now.getTime() / 1_000)
  return signJwt(key, 'token-introspection+jwt', { iss: issuer, aud: clientId, iat, token_introspection: found })
}
