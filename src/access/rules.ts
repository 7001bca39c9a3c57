/** The fields of a session that decide whether it is valid. */
export interface SessionState {
  revokedAt: Date | null
  expiresAt: Date
  lastActivityAt: Date
  /** Seconds without use after which it expires. */
  idleTimeout: number
}

/** When a session expires unless it is used again. */
export const idleExpiryOf = ({ lastActivityAt, idleTimeout }: Pick<SessionState, 'lastActivityAt' | 'idleTimeout'>): Date =>
  new Date(lastActivityAt.getTime() + idleTimeout * 1_000)

/** When a session expires by itself: at the end of its lifetime, or when it has been idle for too long. */
export const expiryOf = (session: Omit<SessionState, 'revokedAt'>): Date =>
  new Date(Math.min(session.expiresAt.getTime(), idleExpiryOf(session).getTime()))

/** Whether a session is neither revoked, nor expired, nor idle for too long. */
export const isLive = (session: SessionState, now: Date): boolean => session.revokedAt === null && expiryOf(session) > now

/** How users of an organisation sign in. */
export interface SignInPolicy {
  /** Whether a password signs in. The owner's always does. */
  password: 'allowed' | 'disabled'
  passkeys: 'off' | 'allowed' | 'required'
  /** Whether a passkey that has verified its user counts as both factors. */
  passkeySatisfiesMfa: boolean
  /** Whether a mailed code signs the user in. */
  emailCode: 'off' | 'allowed'
}

/** What holds where an organisation has set nothing. */
export const signInDefaults: SignInPolicy = { password: 'allowed', passkeys: 'allowed', passkeySatisfiesMfa: true, emailCode: 'off' }

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
