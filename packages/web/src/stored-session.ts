import { claimsOf, type Tokens } from './issuer.ts'

/** A session as it is sealed: what it says is in its tokens, which were verified when they came. */
export interface StoredSession extends Tokens {
  id: string
  /** In milliseconds since 1970. */
  endsAt: number
  /** What the issuer was asked for and has proven, if anything: an age of at most `maxAge` seconds at this time, by the clock here. */
  proven?: { maxAge: number; at: number }
}

/**
 * @param asked.maxAge of the request for the sign-in, in seconds
 * @param sessionMilliseconds how long a session lasts that can be refreshed; any other lasts as long as its access token
 */
export function newSession(
  tokens: Tokens,
  { maxAge }: { maxAge?: number | undefined },
  now: number,
  sessionMilliseconds: number,
): StoredSession {
  const session = { ...tokens, id: crypto.randomUUID(), ...(maxAge !== undefined && { proven: { maxAge, at: now } }) }
  const endsAt = now + sessionMilliseconds
  if (tokens.refreshToken !== undefined) return { ...session, endsAt }
  return { ...session, endsAt: Math.min(endsAt, claimsOf(tokens).access.exp * 1_000) }
}

/** An access token is refreshed a minute before it expires, or in the last quarter of a short life. */
const refreshedBeforeMilliseconds = 60_000

export function isDue(session: StoredSession, now: number): boolean {
  const { exp, iat } = claimsOf(session).access
  return now >= exp * 1_000 - Math.min(refreshedBeforeMilliseconds, (exp - iat) * 250)
}
