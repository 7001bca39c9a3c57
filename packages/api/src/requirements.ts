import type { JWTPayload } from 'jose'
import { AccessRefused, type Challenge } from './errors.ts'

/** What a request needs besides a valid token. Everything that is given has to hold. */
export interface Requirements {
  /** Scopes that the application must have, as a list or separated by spaces. */
  scope?: string | readonly string[]
  /** Permissions that the user must have, as a list or separated by spaces. A client that acts for itself has none. */
  permission?: string | readonly string[]
  /**
   * The level of the sign-in: `aal1`, `aal2`, `phr` or `phrh`, each of which includes those before it; or a value of your own. Of several,
   * separated by spaces and best first, any one will do.
   */
  acr?: string
  /** The greatest age of the sign-in, in seconds. */
  maxAge?: number
}

/** The claims of an access token of Gatehouse (RFC 9068 §2.2). */
export interface AccessClaims extends JWTPayload {
  iss: string
  /** The id of the user, or of a client that acts for itself. */
  sub: string
  aud: string | string[]
  client_id: string
  /** The id of the organisation. */
  org: string
  scope: string
  exp: number
  iat: number
  jti: string
  roles?: string[]
  permissions?: string[]
  auth_time?: number
  acr?: string
  amr?: string[]
  /** What the token is bound to: the thumbprint of a key (RFC 9449 §6), of a certificate (RFC 8705 §3.1). */
  cnf?: { jkt?: string; 'x5t#S256'?: string }
}

/** A request that may be served. */
export interface Access {
  claims: AccessClaims
  token: string
  /** The id of the application. */
  clientId: string
  scopes: string[]
  /** In seconds since 1970. */
  expiresAt: number
  /** Those of the user; empty for a client that acts for itself. */
  permissions: readonly string[]
  organisationId: string
}

/** Weakest first. */
const levels = ['aal1', 'aal2', 'phr', 'phrh']

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  (typeof value === 'string' ? value.split(' ') : (value ?? [])).filter((one) => one !== '')

/**
 * @param now in seconds since 1970
 * @throws AccessRefused `insufficient-scope`, `missing-permission` or `insufficient-user-authentication`
 */
export function requireOf(
  { claims, scopes, permissions }: Access,
  { scope, permission, acr, maxAge }: Requirements,
  { now, clockToleranceSeconds }: { now: number; clockToleranceSeconds: number },
): void {
  const wanted = listOf(scope)
  const lacking = wanted.find((one) => !scopes.includes(one))
  if (lacking !== undefined)
    throw new AccessRefused('insufficient-scope', `The application lacks the scope ${lacking}`, {
      challenge: { scope: wanted.join(' ') },
    })
  // One that is empty, such as a variable that is not set, is no permission that a user has.
  const forbidden = (typeof permission === 'string' ? permission.split(' ') : (permission ?? [])).find((one) => !permissions.includes(one))
  if (forbidden !== undefined) throw new AccessRefused('missing-permission', `The user lacks the permission ${forbidden}`)
  const isTooWeak = acr !== undefined && !reaches(claims.acr, acr)
  const isTooOld = maxAge !== undefined && !isWithin(maxAge, claims.auth_time, now - clockToleranceSeconds)
  if (isTooWeak || isTooOld)
    throw new AccessRefused(
      'insufficient-user-authentication',
      isTooWeak ? 'A stronger sign-in is needed' : 'A more recent sign-in is needed',
      {
        challenge: { ...(acr !== undefined && { acr_values: acr }), ...(maxAge !== undefined && { max_age: String(maxAge) }) },
      },
    )
}

/** An age that is no number, or less than 0, is none that a sign-in has. */
const isWithin = (maxAge: number, authenticatedAt: number | undefined, now: number) =>
  maxAge >= 0 && authenticatedAt !== undefined && now - authenticatedAt <= maxAge

/** Whether a sign-in has a level: each of Gatehouse includes those before it. @param needed one of several, separated by spaces */
const reaches = (acr: string | undefined, needed: string) =>
  needed.split(' ').some((one) => acr === one || (levels.includes(one) && levels.indexOf(acr ?? '') >= levels.indexOf(one)))

/** What an unauthorised request is told to ask for. */
export const scopeChallenge = ({ scope }: Requirements): Challenge => {
  const wanted = listOf(scope)
  return wanted.length > 0 ? { scope: wanted.join(' ') } : {}
}
