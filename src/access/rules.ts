/** What a session's row says of whether it may still be used; times in milliseconds since the epoch, lengths in seconds. */
export interface SessionState {
  revokedAt: Date | null
  expiresAt: Date
  lastActivityAt: Date
  idleTimeout: number
}

/** Whether a session is neither revoked, nor expired, nor idle for too long. */
export function isLive(session: SessionState, now: Date): boolean {
  const idleSeconds = (now.getTime() - session.lastActivityAt.getTime()) / 1_000
  return session.revokedAt === null && session.expiresAt > now && idleSeconds < session.idleTimeout
}

/** The first permission that the caller would hand out without holding it; undefined when there is none. */
export function permissionBeyond(
  caller: { readonly permissions: Pick<ReadonlySet<string>, 'has'> },
  granted: Iterable<string>,
): string | undefined {
  for (const slug of granted) if (!caller.permissions.has(slug)) return slug
  return undefined
}
