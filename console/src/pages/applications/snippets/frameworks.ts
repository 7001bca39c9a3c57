import { apache } from './apache.ts'
import { aspNetCore } from './asp-net-core.ts'
import { authJs } from './auth-js.ts'
import { authlib, authlibService } from './authlib.ts'
import { curl, curlPublic, curlService } from './curl.ts'
import { type Framework, type Kind, registrationOf, type Snippet, type Values } from './framework.ts'
import { goOidc } from './go-oidc.ts'
import { grafana } from './grafana.ts'
import { oauth2Proxy } from './oauth2-proxy.ts'
import { oauth4webapi } from './oauth4webapi.ts'
import { oidcClientTs } from './oidc-client-ts.ts'
import { openidClient, openidClientHighAssurance, openidClientService } from './openid-client.ts'
import { passport } from './passport.ts'
import { proofOf, type Registered } from './registered.ts'
import { spring } from './spring.ts'

/** The frameworks in the order of the page: the first one of a kind is proposed. */
export const frameworks: readonly Framework[] = [
  openidClient,
  passport,
  authJs,
  spring,
  aspNetCore,
  authlib,
  goOidc,
  oauth2Proxy,
  grafana,
  apache,
  curl,
  oidcClientTs,
  oauth4webapi,
  curlPublic,
  openidClientService,
  authlibService,
  curlService,
  openidClientHighAssurance,
]

export const frameworksOf = (kind: Kind): readonly Framework[] => frameworks.filter(({ kinds }) => kinds.includes(kind))

/** Whether the code of its kind does for an application: it proves itself as the code does, and has the grant that the code uses. */
export function hasCode(kind: Kind, client: Registered): boolean {
  const { clientType, grantTypes, tokenEndpointAuthMethod } = registrationOf[kind]
  return (
    client.clientType === clientType &&
    client.grantTypes.includes(grantTypes[0]) &&
    proofOf(client) === proofOf({ tokenEndpointAuthMethod })
  )
}

/** The framework whose convention the redirect URIs follow, else the first one of the kind. */
export function frameworkFor(kind: Kind, redirectUris: readonly string[]): Framework | undefined {
  const paths = new Set(redirectUris.map((uri) => URL.parse(uri)?.pathname))
  const offered = frameworksOf(kind)
  return offered.find(({ redirectUri = '' }) => paths.has(URL.parse(redirectUri)?.pathname)) ?? offered[0]
}

const isLocal = ({ hostname }: URL) => hostname === 'localhost' || hostname === '127.0.0.1'

/** The conventional redirect URI of the framework; on the next port if this service itself uses that one. */
export function proposedRedirectUri(framework: Framework | undefined, service: string): string {
  const convention = framework?.redirectUri ?? ''
  const [uri, own] = [URL.parse(convention), URL.parse(service)]
  if (!uri || !own || !isLocal(uri) || !isLocal(own) || uri.port !== own.port) return convention
  uri.port = String(Number(uri.port) + 1)
  return uri.href
}

/** The redirect URI for a snippet: the one that follows the convention of the framework, else the first. */
export function redirectUriFor({ redirectUri = '' }: Framework, registered: readonly string[]): string {
  const path = URL.parse(redirectUri)?.pathname
  return registered.find((uri) => URL.parse(uri)?.pathname === path) ?? registered[0] ?? redirectUri
}

/** The snippets with the values filled in. An apostrophe, which a URI may contain, would end a string in the code. */
export const snippetsOf = ({ snippets }: Framework, { redirectUri, ...values }: Values): Snippet[] =>
  snippets({ ...values, redirectUri: redirectUri.replaceAll("'", '%27') })
