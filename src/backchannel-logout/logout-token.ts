import type { SigningAlgorithm } from '../platform/database/column-types.ts'
import type { TokenIssuer } from '../tokens/issue-tokens.ts'
import { signJwt } from '../tokens/jwt.ts'

const lifetimeSeconds = 120

/** What a logout token is about. */
export interface ToldLogout {
  /** The id of the delivery. */
  id: string
  /** The `client_id` of its receiver. */
  audience: string
  /** Null in a test, which signs no user out. */
  userId: string | null
  sessionId: string
}

/**
 * The claims of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4) that do not depend on its time. There is never a `nonce`, so
 * that no client takes it for an ID token.
 */
export const logoutClaims = (issuer: string, { id, audience, userId, sessionId }: ToldLogout) => ({
  iss: issuer,
  aud: audience,
  jti: id,
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  ...(userId !== null && { sub: userId }),
  sid: sessionId,
})

/** Signs a logout token as ID tokens of the client are signed. */
export async function signLogoutToken(
  { issuer, signingKeys }: TokenIssuer,
  told: ToldLogout & { algorithm: SigningAlgorithm },
  at: Date,
): Promise<string> {
  const issuedAt = Math.floor(at.getTime() / 1_000)
  const claims = { ...logoutClaims(issuer, told), iat: issuedAt, exp: issuedAt + lifetimeSeconds }
  return signJwt(await signingKeys.signer(told.algorithm), 'logout+jwt', claims)
}
