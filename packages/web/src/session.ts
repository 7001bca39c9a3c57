import type { ApiCalls } from './api-calls.ts'
import { SignInRefused } from './errors.ts'
import { claimsOf, clockToleranceSeconds, type IdClaims } from './issuer.ts'
import type { StoredSession } from './stored-session.ts'

/** The user who is signed in. */
export interface Session {
  user: {
    id: string
    /** Undefined without the scopes `email` and `profile`. */
    email: string | undefined
    name: string | undefined
    /** All claims of the ID token, those of claim mappings among them. */
    claims: IdClaims
  }
  /** The tenant: read and write nothing of another one. */
  organisation: { id: string }
  /** As of the last refresh. */
  permissions: readonly string[]
  roles: readonly string[]
  /** The level of the sign-in, such as `aal1` or `aal2`. */
  acr: string | undefined
  /** When the user has to sign in again. */
  expiresAt: Date
  /**
   * The token to call APIs with. With the option `dpop` it is bound to a key of this session: use `fetch`.
   *
   * @throws SignInRefused `issuer-unavailable` when it has expired and the issuer could not be asked for another one
   */
  accessToken(): string
  /**
   * Calls an API with the access token, and with `dpop` with a proof. Redirects are not followed: they could lead the token elsewhere.
   * A request that lacks the nonce of the API is sent again with it.
   *
   * @throws SignInRefused as `accessToken` does, and what `fetch` throws
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Whether the user has a permission. */
  can(permission: string): boolean
  /**
   * Whether the user has proven who they are within this time, in seconds. A sign-in that was asked for no greater age counts for 30
   * seconds, whatever the difference between the clocks.
   */
  fresh(maxAgeSeconds: number): boolean
}

export function sessionOf(stored: StoredSession, clock: () => number, calls: ApiCalls): Session {
  const { identity, access } = claimsOf(stored)
  const { permissions = [], roles = [] } = access
  const { sub, email, name, acr, auth_time: authenticatedAt } = identity
  const accessToken = () => {
    if (clock() < access.exp * 1_000) return stored.accessToken
    throw new SignInRefused('issuer-unavailable', 'The access token has expired, and the issuer cannot be asked for another one')
  }
  return {
    user: { id: sub, email, name, claims: identity },
    organisation: { id: access.org },
    permissions,
    roles,
    acr,
    expiresAt: new Date(stored.endsAt),
    accessToken,
    fetch: async (input, init) => calls.fetch(accessToken(), stored.proofKey, new Request(input, { ...init, redirect: 'manual' })),
    can: (permission) => permissions.includes(permission),
    fresh: (maxAgeSeconds) =>
      (authenticatedAt !== undefined && Math.floor(clock() / 1_000) - authenticatedAt <= maxAgeSeconds) ||
      isJustProven(stored, maxAgeSeconds, clock()),
  }
}

/**
 * The callback has checked the age, and allowed for clocks that differ. Asked for again at once, the issuer would say the same again, and the
 * browser would go round and round; with an age of 0 it would even where the clocks agree.
 */
function isJustProven({ proven }: StoredSession, maxAgeSeconds: number, now: number): boolean {
  return proven !== undefined && proven.maxAge <= maxAgeSeconds && Math.abs(now - proven.at) <= clockToleranceSeconds * 1_000
}

/** Weakest first. */
const levels = ['aal1', 'aal2', 'phr', 'phrh']

/** Whether a sign-in has a level: each of Gatehouse includes those before it. @param needed one of several, separated by spaces */
export const reaches = (acr: string | undefined, needed: string) =>
  needed.split(' ').some((one) => acr === one || (levels.includes(one) && levels.indexOf(acr ?? '') >= levels.indexOf(one)))
