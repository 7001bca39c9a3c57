import { claimsOf, type Tokens } from './issuer.ts'

/** A session as it is sealed: what it says is in its tokens, which were verified when they came. */
export interface StoredSession extends Tokens {
  id: string
  /** In milliseconds since 1970. */
  endsAt: number
}

/** @param sessionMilliseconds how long a session lasts that can be refreshed; any other lasts as long as its access token */
export function newSession(tokens: Tokens, now: number, sessionMilliseconds: number): StoredSession {
  const id = crypto.randomUUID()
  const endsAt = now + sessionMilliseconds
  if (tokens.refreshToken !== undefined) return { ...tokens, id, endsAt }
  return { ...tokens, id, endsAt: Math.min(endsAt, claimsOf(tokens).access.exp * 1_000) }
}

/** An access token is refreshed a minute before it expires, or in the last quarter of a short life. */
const refreshedBeforeMilliseconds = 60_000

export function isDue(session: StoredSession, now: number): boolean {
  const { exp, iat } = claimsOf(session).access
  return now >= exp * 1_000 - Math.min(refreshedBeforeMilliseconds, (exp - iat) * 250)
}
