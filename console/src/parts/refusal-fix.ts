import { openidScopes } from '../../../shared/openid-scopes.ts'
import type { Client, ClientChanges, Diagnostic } from '../api/clients.ts'
import type { components } from '../api/schema.d.ts'

type OrganisationChanges = components['schemas']['OrganisationChanges']

/** A change by an administrator that makes the same request succeed. */
export type Fix =
  | { kind: 'client'; field: keyof ClientChanges; value: string; body: ClientChanges }
  /** The organisation's list lacks the address; until it is added there, adding it to the application is refused. */
  | { kind: 'organisation'; field: 'allowedCallbackUrls' | 'allowedLogoutUrls'; value: string; body: OrganisationChanges }
  | { kind: 'activate' }
  /** Nothing prevents the request any more. */
  | { kind: 'done' }

/** A snippet to paste into the application. */
export type Snippet = 's256' | 'basic' | 'public' | 'key' | 'certificate'

export interface Remedy {
  fix: Fix | undefined
  snippet: Snippet | undefined
  /** The page of the application that has what the refusal is about. */
  tab: 'settings' | 'security'
}

const everyClientsScopes: ReadonlySet<string> = new Set(openidScopes)

type KnownClient = Pick<
  Client,
  | 'clientType'
  | 'tokenEndpointAuthMethod'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'scopes'
  | 'grantTypes'
  | 'isActive'
  | 'requirePkce'
>
type AllowedUrls = Partial<Record<'allowedCallbackUrls' | 'allowedLogoutUrls', readonly string[]>>

/** The remedy for a refusal: a change here, or a snippet for the application. */
export function remedyOf(
  refusal: Pick<Diagnostic, 'endpoint' | 'check' | 'received' | 'expected' | 'parameters' | 'phrases'>,
  client: KnownClient | undefined,
  organisation: AllowedUrls | undefined,
): Remedy {
  const snippet = snippetOf(refusal, client)
  const isAboutKeys = snippet === 'key' || snippet === 'certificate' || checksOfKeys.has(refusal.check)
  return { fix: client && fixOf(refusal, client, organisation ?? {}), snippet, tab: isAboutKeys ? 'security' : 'settings' }
}

function fixOf(
  { endpoint, check, received, parameters, phrases }: Pick<Diagnostic, 'endpoint' | 'check' | 'received' | 'parameters' | 'phrases'>,
  client: KnownClient,
  allowed: AllowedUrls,
): Fix | undefined {
  if (!client.isActive && (check === 'client_state' || check === 'client_id')) return { kind: 'activate' }
  if (check === 'client_state' || (check === 'client_id' && phrases?.received?.phrase === 'a-revoked-client')) return { kind: 'done' }
  if (typeof received !== 'string' || received === '') return undefined
  if (check === 'redirect_uri' && endpoint === 'authorize') return uriFix('redirectUris', 'allowedCallbackUrls', received, client, allowed)
  if (check === 'post_logout_redirect_uri') return uriFix('postLogoutRedirectUris', 'allowedLogoutUrls', received, client, allowed)
  if (check === 'grant_type') return grantFix(received, client)
  if (check === 'scope') return endpoint === 'userinfo' ? undefined : scopeFix(received, parameters, client)
  return undefined
}

function uriFix(
  field: 'redirectUris' | 'postLogoutRedirectUris',
  list: 'allowedCallbackUrls' | 'allowedLogoutUrls',
  uri: string,
  client: KnownClient,
  allowed: AllowedUrls,
): Fix {
  const urls = allowed[list] ?? []
  if (client[field].includes(uri)) return { kind: 'done' }
  if (urls.length > 0 && !urls.includes(uri)) {
    return { kind: 'organisation', field: list, value: uri, body: { [list]: [...urls, uri] } }
  }
  return { kind: 'client', field, value: uri, body: { [field]: [...client[field], uri] } }
}

const knownGrants = ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'] as const

function grantFix(asked: string, { grantTypes, clientType }: KnownClient): Fix | undefined {
  const grant = knownGrants.find((known) => known === asked)
  if (!grant || (grant === 'client_credentials' && clientType === 'public')) return undefined
  if (grantTypes.includes(grant)) return { kind: 'done' }
  return { kind: 'client', field: 'grantTypes', value: grant, body: { grantTypes: [...grantTypes, grant] } }
}

function scopeFix(asked: string, { grant_type: grant }: Diagnostic['parameters'], { scopes }: KnownClient): Fix | undefined {
  // A refresh gets only what was granted, and a client's own token has no user.
  if (everyClientsScopes.has(asked) || asked === 'address' || grant === 'refresh_token') return undefined
  if (scopes.includes(asked)) return { kind: 'done' }
  return { kind: 'client', field: 'scopes', value: asked, body: { scopes: [...scopes, asked] } }
}

const checksOfKeys: ReadonlySet<string> = new Set(['client_assertion', 'client_certificate', 'federated_token'])

const snippetsOfMethods: Record<Client['tokenEndpointAuthMethod'], Snippet> = {
  none: 'public',
  client_secret_basic: 'basic',
  client_secret_post: 'basic',
  private_key_jwt: 'key',
  tls_client_auth: 'certificate',
  self_signed_tls_client_auth: 'certificate',
}

function snippetOf(
  { check, expected, phrases }: Pick<Diagnostic, 'check' | 'expected' | 'phrases'>,
  client: KnownClient | undefined,
): Snippet | undefined {
  if (['code_challenge', 'code_challenge_method', 'code_verifier'].includes(check)) return 's256'
  if (!['token_endpoint_auth_method', 'client_authentication', 'client_secret'].includes(check)) return undefined
  // No request of this application succeeds before the operator switches the extension on.
  if (phrases?.hint?.phrase === 'extension-is-off') return undefined
  const method = check === 'token_endpoint_auth_method' && isMethod(expected) ? expected : client?.tokenEndpointAuthMethod
  return method === undefined ? 'basic' : snippetsOfMethods[method]
}

const isMethod = (expected: unknown): expected is Client['tokenEndpointAuthMethod'] =>
  typeof expected === 'string' && Object.hasOwn(snippetsOfMethods, expected)

const masked = /^\S{0,6}\*\*\* \(\d+ characters\)$/
const storedLength = 500

/**
 * The same authorization request again, from its stored parameters; undefined when too few were stored.
 *
 * @param challenge replaces the code_challenge, of which only the length was stored
 */
export function requestAgain({ endpoint, parameters, check }: Diagnostic, origin: string, challenge: string): string | undefined {
  const { client_id: clientId, code_challenge: sentChallenge } = parameters
  if (endpoint !== 'authorize' || clientId === undefined) return undefined
  const known = Object.entries(parameters).filter(([, value]) => !masked.test(value))
  if (known.some(([, value]) => value.length >= storedLength)) return undefined
  const query = new URLSearchParams(known)
  const isAboutPkce = check === 'code_challenge' || check === 'code_challenge_method'
  if (sentChallenge !== undefined || isAboutPkce) {
    query.set('code_challenge', challenge)
    query.set('code_challenge_method', 'S256')
  }
  return `${origin}/oauth2/authorize?${query}`
}
