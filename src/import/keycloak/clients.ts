import type { ClientDependencies } from '../../clients/create-client.ts'
import { clientSchemas, type NewClient } from '../../clients/schemas.ts'
import type { ImportReport } from '../report.ts'
import { mistakesOf } from '../source.ts'
import { ownClients, type Realm, type RealmClient } from './realm.ts'

/** A randomly generated secret has at least this length. A secret that a person chose could be guessed from its hash. */
const secretLengthLeast = 32

export interface ClientToCreate {
  /** The client's id in Keycloak. */
  clientId: string
  input: NewClient
  /** False for a client that needs a redirect URI first. */
  isActive: boolean
  /** The secret that the application already uses. */
  secret: string | undefined
}

/** Converts the clients of a realm that have a counterpart here. */
export function clientsOfRealm(
  { clients }: Realm,
  { grants, allowed, there }: Pick<ClientDependencies, 'grants'> & { allowed: AllowedUrls; there: ReadonlySet<string> },
  report: ImportReport,
): ClientToCreate[] {
  const { NewClient } = clientSchemas(grants)
  return clients.flatMap((client) => {
    const { clientId } = client
    if (ownClients.has(clientId)) return []
    const why = whyLeft(client)
    if (why !== undefined) {
      report.left('clients', why, clientId)
      return []
    }
    if (there.has(nameOf(client, NewClient.shape))) {
      report.left('clients', 'one of the same name is here already, and stays as it is', clientId)
      return []
    }
    const settings = settingsOf(client, NewClient.shape, allowed, report)
    const { data, error } = NewClient.safeParse(settings)
    if (!data) {
      report.left('clients', mistakesOf(error).join('; '), clientId)
      return []
    }
    const isActive = !data.grantTypes.includes('authorization_code') || data.redirectUris.length > 0
    if (isActive) report.changed('clients', 'taken with a client_id of their own, which the application has to use', clientId)
    else
      report.changed('clients', 'taken with a client_id of their own, deactivated: give them a redirect URI, then activate them', clientId)
    return [{ clientId, input: data, isActive, secret: secretOf(client, report) }]
  })
}

function whyLeft({ protocol, enabled, bearerOnly, standardFlowEnabled, serviceAccountsEnabled }: RealmClient): string | undefined {
  if (protocol !== 'openid-connect') return `applications of ${protocol} are not served`
  if (!enabled) return 'it is disabled'
  if (bearerOnly) return 'a resource server that only verifies tokens needs no client'
  if (!standardFlowEnabled && !serviceAccountsEnabled) return 'it uses no flow that is served: authorization code or client credentials'
  return undefined
}

/** The client's name, unless it is one of Keycloak's own, which are keys of its translations. */
const nameOf = ({ name, clientId }: RealmClient, fields: Fields) =>
  name && !name.startsWith('${') && fields.name.safeParse(name).success ? name : clientId

type Fields = ReturnType<typeof clientSchemas>['NewClient']['shape']

function settingsOf(client: RealmClient, fields: Fields, allowed: AllowedUrls, report: ImportReport): object {
  const { clientId, publicClient, standardFlowEnabled, serviceAccountsEnabled, attributes } = client
  const left = (what: string, reason: string) => report.left(what, reason, clientId)
  if (client.implicitFlowEnabled) left('implicit flow', 'OAuth 2.1 has none')
  if (client.directAccessGrantsEnabled) left('direct access grants', 'OAuth 2.1 has no grant by password')
  /** The values that can be registered; the report names the others. */
  const registrable = (
    what: string,
    uris: readonly string[],
    field: Fields['redirectUris' | 'postLogoutRedirectUris'],
    within: readonly string[],
  ) => {
    const taken = uris.flatMap((uri) => {
      const resolved = resolve(uri, client)
      const why = whyRefused(resolved, field, within)
      if (why !== undefined) report.left(what, why, `${uri} of ${clientId}`)
      else if (resolved !== uri) report.changed(what, 'relative ones are resolved by the root URL', `${resolved} of ${clientId}`)
      return why === undefined ? [resolved] : []
    })
    const distinct = [...new Set(taken)]
    for (const uri of distinct.slice(urisMax)) report.left(what, `more than ${urisMax}`, `${uri} of ${clientId}`)
    return distinct.slice(0, urisMax)
  }
  const redirectUris = standardFlowEnabled ? registrable('redirect URIs', client.redirectUris, fields.redirectUris, allowed.callback) : []
  const afterLogout = String(attributes['post.logout.redirect.uris'] ?? '')
    .split('##')
    .flatMap((uri) => (uri === '+' ? redirectUris : [uri]))
    .filter((uri) => uri !== '' && uri !== '-')
  const isConfidential = !publicClient
  const servesItself = serviceAccountsEnabled && isConfidential
  const hasCode = standardFlowEnabled && (redirectUris.length > 0 || !servesItself)
  if (standardFlowEnabled && !hasCode) left('authorization code flow', 'no redirect URI could be taken; client credentials are')
  const described = fields.description.safeParse(client.description || null)
  if (!described.success) left('descriptions of clients', mistakesOf(described.error).join('; '))
  return {
    name: nameOf(client, fields),
    description: described.data ?? null,
    clientType: publicClient ? 'public' : 'confidential',
    redirectUris,
    postLogoutRedirectUris: registrable('post-logout redirect URIs', afterLogout, fields.postLogoutRedirectUris, allowed.logout),
    grantTypes: [...(hasCode ? ['authorization_code', 'refresh_token'] : []), ...(servesItself ? ['client_credentials'] : [])],
    requirePkce: publicClient || attributes['pkce.code.challenge.method'] === 'S256',
    requireConsent: client.consentRequired,
  }
}

/** The URLs that the organisation's clients are limited to; empty without a limit. */
export interface AllowedUrls {
  callback: readonly string[]
  logout: readonly string[]
}

const urisMax = 100

const isAbsolute = (uri: string) => /^[a-z][a-z0-9+.-]*:/i.test(uri)

/** Resolves a URI as Keycloak does: a relative one follows the root URL. */
function resolve(uri: string, { rootUrl, baseUrl }: RealmClient): string {
  if (isAbsolute(uri)) return uri
  if (rootUrl && isAbsolute(rootUrl)) return rootUrl.replace(/\/$/, '') + (uri.startsWith('/') ? uri : `/${uri}`)
  return baseUrl && isAbsolute(baseUrl) && URL.canParse(uri, baseUrl) ? new URL(uri, baseUrl).href : uri
}

function whyRefused(uri: string, field: Fields['redirectUris' | 'postLogoutRedirectUris'], within: readonly string[]): string | undefined {
  if (uri.includes('*')) return 'addresses are compared as they are, and none has a *: register each by itself'
  if (!isAbsolute(uri)) return 'they are relative, and the client has no root URL'
  const { error } = field.safeParse([uri])
  if (error) return error.issues[0]?.message
  return within.length > 0 && !within.includes(uri) ? 'the organisation does not allow them to its applications' : undefined
}

function secretOf({ clientId, publicClient, secret }: RealmClient, report: ImportReport): string | undefined {
  if (publicClient) return undefined
  if (secret && /^[\x21-\x7e]+$/.test(secret) && !/^\*+$/.test(secret) && secret.length >= secretLengthLeast) return secret
  report.changed('client secrets', `a new one: the export has none, or one of fewer than ${secretLengthLeast} characters`, clientId)
  return undefined
}
