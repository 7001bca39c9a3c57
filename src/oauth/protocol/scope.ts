import { say } from '../../../shared/checks/said.ts'
import { openidScopes } from '../../../shared/openid-scopes.ts'
import { invalidScope } from './errors.ts'

const known: ReadonlySet<string> = new Set(openidScopes)

/** Whether a scope is of OpenID Connect. */
export const isOfOpenid = (scope: string): boolean => known.has(scope)

/** The values of a scope parameter, each once (RFC 6749 §3.3). */
export const parseScope = (scope: string): string[] => [...new Set(scope.split(' ').filter((value) => value !== ''))]

/** Whether no value of `part` is missing from `whole`. */
export const isWithin = (part: readonly string[], whole: readonly string[]) => part.every((value) => whole.includes(value))

/**
 * The scopes that a user is asked for: those of OpenID Connect and the client's own. Without a scope, all of the client's own.
 *
 * @throws OAuthError `invalid_scope` naming the first unknown value; also where nothing but spaces was sent
 */
export function scopeForUser(asked: string | undefined, custom: readonly string[]): string[] {
  if (asked === undefined) return [...custom]
  const values = parseScope(asked)
  refuseBeyond(values, (value) => known.has(value) || custom.includes(value), [...openidScopes, ...custom])
  return values
}

/**
 * The same for a request that is for resource servers: those of OpenID Connect, theirs, and the client's own that no resource server
 * defines. Without a scope, all of theirs.
 *
 * @throws OAuthError `invalid_scope` naming the first value that is neither, such as one of a resource server that was not asked for
 */
export function scopeForUserAt({ ofResources, own }: ScopesAtResources, asked: string | undefined): string[] {
  return asked === undefined ? ofResources : scopeForUser(asked, [...ofResources, ...own])
}

/** The same for a client that acts for itself. */
export function scopeForClientAt({ ofResources, own }: ScopesAtResources, asked: string | undefined): string[] {
  return asked === undefined ? ofResources : scopeForClient(asked, [...ofResources, ...own])
}

interface ScopesAtResources {
  ofResources: string[]
  own: string[]
}

/**
 * The scopes that a client gets for itself: those of its own that it names, or all of them. There is no user, so OpenID
 * Connect's are prohibited.
 *
 * @throws OAuthError `invalid_scope`
 */
export function scopeForClient(asked: string | undefined, custom: readonly string[]): string[] {
  if (asked === undefined) return [...custom]
  const values = parseScope(asked)
  refuseBeyond(values, (value) => custom.includes(value), custom)
  return values
}

/**
 * Whether a client that no administrator has registered refreshes its tokens: it does not ask for that by a scope, so users are told by the
 * page. Null for a client of an administrator.
 */
export const refreshesUnasked = ({ origin, grantTypes }: { origin: string; grantTypes: readonly string[] }): boolean | null =>
  origin === 'admin' ? null : grantTypes.includes('refresh_token')

/** The granted scopes that the client still has: a scope that is removed from a client ends with its next token. */
export const stillAllowed = (granted: readonly string[], custom: readonly string[]): readonly string[] =>
  granted.filter((value) => known.has(value) || custom.includes(value))

/**
 * The scopes of a refresh (RFC 6749 §6): the same or fewer.
 *
 * @throws OAuthError `invalid_scope`
 */
export function narrowedScope(asked: string | undefined, granted: readonly string[]): readonly string[] {
  if (asked === undefined) return granted
  const values = parseScope(asked)
  refuseBeyond(values, (value) => granted.includes(value), granted)
  return values
}

function refuseBeyond(values: readonly string[], isAllowed: (value: string) => boolean, allowed: readonly string[]): void {
  // RFC 6749 §3.3: a scope has at least one value. It would be granted, and grant nothing.
  if (values.length === 0) throw invalidScope('the scope names none', { name: 'scope', expected: allowed, received: say('none') })
  const beyond = values.find((value) => !isAllowed(value))
  if (beyond === undefined) return
  const shown = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(beyond) ? `: ${beyond}` : ''
  throw invalidScope(`the scope is not allowed${shown}`, { name: 'scope', expected: allowed, received: beyond })
}
