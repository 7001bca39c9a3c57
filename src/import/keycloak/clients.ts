import type { ClientDependencies } from '../../clients/create-client.ts'
import { clientSchemas, type NewClient } from '../../clients/schemas.ts'
import type { ImportReport } from '../report.ts'
import { ownClients, type Realm, type RealmClient } from './realm.ts'

/** A secret that was made at random has as much. One that somebody chose could be guessed from its hash. */
const secretLengthLeast = 32

export interface ClientToCreate {
  /** What Keycloak calls it. */
  clientId: string
  input: NewClient
  /** The secret that the application has. */
  secret: string | undefined
}

/** The clients of a realm that have a counterpart, as ours. */
export function clientsOfRealm({ clients }: Realm, { grants }: Pick<ClientDependencies, 'grants'>, report: ImportReport): ClientToCreate[] {
  const { NewClient } = clientSchemas(grants)
  return clients.flatMap((client) => {
    const { clientId } = client
    if (ownClients.has(clientId)) return []
    const why = whyLeft(client)
    if (why !== undefined) {
      report.left('clients', why, clientId)
      return []
    }
    const settings = settingsOf(client, report)
    const { data, error } = NewClient.safeParse(settings)
    if (!data) {
      report.left('clients', `${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`, clientId)
      return []
    }
    report.changed('clients', 'taken with a client_id of their own, which the application has to use', clientId)
    return [{ clientId, input: data, secret: secretOf(client, report) }]
  })
}

function whyLeft({ protocol, enabled, bearerOnly, standardFlowEnabled, serviceAccountsEnabled }: RealmClient): string | undefined {
  if (protocol !== 'openid-connect') return `applications of ${protocol} are not served`
  if (!enabled) return 'it is disabled'
  if (bearerOnly) return 'a resource server that only verifies tokens needs no client'
  if (!standardFlowEnabled && !serviceAccountsEnabled) return 'it uses no flow that is served: authorization code or client credentials'
  return undefined
}

function settingsOf(client: RealmClient, report: ImportReport): object {
  const { clientId, publicClient, redirectUris, standardFlowEnabled, serviceAccountsEnabled, attributes } = client
  const left = (what: string, reason: string) => report.left(what, reason, clientId)
  if (client.implicitFlowEnabled) left('implicit flow', 'OAuth 2.1 has none')
  if (client.directAccessGrantsEnabled) left('direct access grants', 'OAuth 2.1 has no grant by password')
  const exact = redirectUris.filter((uri) => !uri.includes('*') && /^[a-z][a-z0-9+.-]*:/i.test(uri))
  if (exact.length < redirectUris.length) left('redirect URIs', 'those with * or without a host: addresses are compared as they are')
  const afterLogout = String(attributes['post.logout.redirect.uris'] ?? '')
    .split('##')
    .flatMap((uri) => (uri === '+' ? exact : [uri]))
    .filter((uri) => uri !== '' && uri !== '-' && !uri.includes('*'))
  const isConfidential = !publicClient
  const hasCode = standardFlowEnabled && exact.length > 0
  if (standardFlowEnabled && !hasCode) left('authorization code flow', 'no redirect URI could be taken')
  return {
    name: client.name && !client.name.startsWith('${') ? client.name : clientId,
    description: client.description || null,
    clientType: publicClient ? 'public' : 'confidential',
    redirectUris: hasCode ? exact : [],
    postLogoutRedirectUris: afterLogout,
    grantTypes: [
      ...(hasCode ? ['authorization_code', 'refresh_token'] : []),
      ...(serviceAccountsEnabled && isConfidential ? ['client_credentials'] : []),
    ],
    requirePkce: publicClient || attributes['pkce.code.challenge.method'] === 'S256',
    requireConsent: client.consentRequired,
  }
}

function secretOf({ clientId, publicClient, secret }: RealmClient, report: ImportReport): string | undefined {
  if (publicClient) return undefined
  if (secret && /^[\x21-\x7e]+$/.test(secret) && !/^\*+$/.test(secret) && secret.length >= secretLengthLeast) return secret
  report.changed('client secrets', `a new one: the export has none, or one of fewer than ${secretLengthLeast} characters`, clientId)
  return undefined
}
