/** The fields of a session that decide whether it is valid. Times are milliseconds since the epoch, lengths are seconds. */
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

/** The proofs that `POST /v1/me/reauthenticate` accepts. */
export type ProofMethod = 'password' | 'code' | 'passkey'

/** How long a proof counts as recent for an operation that asks for a recent sign-in. */
export const proofMaxAgeSeconds = 900

/** @param provenAt when the user last proved who they are; null when that is unknown */
export const isFresh = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() <= proofMaxAgeSeconds * 1_000

/** The first permission that the caller would grant without holding it; undefined when the caller holds them all. */
export function permissionBeyond(
  caller: { readonly permissions: Pick<ReadonlySet<string>, 'has'> },
  granted: Iterable<string>,
): string | undefined {
  for (const slug of granted) if (!caller.permissions.has(slug)) return slug
  return undefined
}
