import { openidScopes } from '../../shared/openid-scopes.ts'
import { scopeMistake } from '../clients/rules.ts'
import { loopbackHosts } from '../organisations/rules.ts'
import { resourceIdentifierOf } from '../tokens/rules.ts'

export type IdentifierMistake =
  | 'identifier-not-absolute'
  | 'identifier-with-credentials'
  | 'identifier-not-https'
  | 'identifier-of-this-service'

/**
 * Why this cannot be the identifier of a resource server; undefined when it can. The service's own address would make UserInfo accept
 * the tokens.
 */
export function identifierMistake(
  uri: string,
  { issuer, allowLoopback }: { issuer: string; allowLoopback: boolean },
): IdentifierMistake | undefined {
  if (resourceIdentifierOf(uri) === undefined || !/^[a-z][a-z\d+.-]*:\/\/[^/?]/i.test(uri)) return 'identifier-not-absolute'
  const { protocol, hostname, username, password, origin } = new URL(uri)
  if (username !== '' || password !== '' || uri.split('/')[2]?.includes('@')) return 'identifier-with-credentials'
  if (protocol !== 'https:' && !(allowLoopback && protocol === 'http:' && loopbackHosts.has(hostname))) return 'identifier-not-https'
  return origin === new URL(issuer).origin ? 'identifier-of-this-service' : undefined
}

export type ResourceScopeMistake = 'scope-syntax' | 'scope-of-openid'

const everyClientsScopes: ReadonlySet<string> = new Set(openidScopes)

/** Why a resource server cannot define this scope; undefined when it can. Those of OpenID Connect are not an API's to define. */
export function resourceScopeMistake(name: string): ResourceScopeMistake | undefined {
  const mistake = scopeMistake(name)
  if (mistake === 'scope-syntax') return mistake
  return mistake !== undefined || everyClientsScopes.has(name) ? 'scope-of-openid' : undefined
}

/**
 * The address of the metadata of a protected resource: the well-known name comes between host and path, before which a final slash is
 * dropped if nothing follows (RFC 9728 §3.1).
 */
export function metadataAddress(identifier: string): string {
  const [, origin = '', rest = ''] = /^([^/]+\/\/[^/?]+)(.*)$/.exec(identifier) ?? []
  return `${origin}/.well-known/oauth-protected-resource${rest === '/' ? '' : rest}`
}
