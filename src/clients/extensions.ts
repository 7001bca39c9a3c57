import { type AssuranceLevel, includesLevel } from '../access/factors.ts'

/** Extensions of OAuth and OpenID Connect. Each is off unless the operator names it, and only then appears in discovery. */
const extensionNames = [
  'resource_indicators',
  'client_metadata_documents',
  'dynamic_registration',
  'device',
  'private_key_jwt',
  'mtls',
  'par',
  'dpop',
  'jar',
  'token_exchange',
  'step_up',
  'claims_parameter',
  'backchannel_logout',
  'jwt_introspection',
  'identity_assertions',
  'federated_credentials',
] as const
export type ExtensionName = (typeof extensionNames)[number]

/** The extensions that this release implements. Accepting another name would promise what does not exist. */
export const builtExtensions = [
  'backchannel_logout',
  'claims_parameter',
  'client_metadata_documents',
  'device',
  'dpop',
  'dynamic_registration',
  'federated_credentials',
  'identity_assertions',
  'jar',
  'jwt_introspection',
  'mtls',
  'par',
  'private_key_jwt',
  'resource_indicators',
  'step_up',
] as const satisfies readonly ExtensionName[]
export type OAuthExtension = (typeof builtExtensions)[number]

export type OAuthExtensions = ReadonlySet<OAuthExtension>

/** Whether an extension is on; one that this release does not implement never is. */
export const isSwitchedOn = (extensions: ReadonlySet<string>, name: ExtensionName): boolean => extensions.has(name)

/** Whether a client can have its user sign in at a level. Without `step_up`, no sign-in is said to have reached more than two steps. */
export const canBeAskedFor = (level: AssuranceLevel, extensions: OAuthExtensions): boolean =>
  includesLevel('aal2', level) || isSwitchedOn(extensions, 'step_up')

const isBuilt = (name: string): name is OAuthExtension => builtExtensions.some((built) => built === name)

/** Extensions that mean nothing without another. */
const needsAnother: { readonly [Name in OAuthExtension]?: OAuthExtension } = { identity_assertions: 'resource_indicators' }

/**
 * Reads `OAUTH_EXTENSIONS`: names separated by commas, or `all` for every extension of this release.
 *
 * @returns the mistake, as what the variable must be, when it cannot be used
 */
export function parseExtensions(value: string): OAuthExtensions | { mistake: string } {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 1 && names[0] === 'all') return new Set(builtExtensions)
  const built: readonly string[] = builtExtensions
  const missing = names.find((name) => !built.includes(name))
  if (missing === undefined) {
    const alone = names.filter(isBuilt).find((name) => needsAnother[name] && !names.includes(needsAnother[name]))
    return alone === undefined ? new Set(names.filter(isBuilt)) : { mistake: `with ${needsAnother[alone]} too: ${alone} needs it` }
  }
  const isKnown = extensionNames.some((name) => name === missing)
  const reason = isKnown ? `this release does not have ${missing}` : `there is no ${missing}`
  return { mistake: `all, or names among ${built.join(', ')}, separated by commas: ${reason}` }
}

/** The fields of a client that mean nothing without an extension: of several, any one suffices. */
const fieldsOfExtensions = {
  jwks: ['private_key_jwt', 'mtls', 'jar'],
  jwksUri: ['private_key_jwt', 'mtls', 'jar'],
  tokenEndpointAuthSigningAlg: ['private_key_jwt'],
  tlsClientAuth: ['mtls'],
  certificateBoundAccessTokens: ['mtls'],
  requirePushedAuthorizationRequests: ['par'],
  requireDpop: ['dpop'],
  federatedCredentials: ['federated_credentials'],
  requireSignedRequestObject: ['jar'],
  requestObjectSigningAlg: ['jar'],
  introspectionSignedResponseAlg: ['jwt_introspection'],
  defaultAcrValues: ['step_up'],
  backchannelLogoutUri: ['backchannel_logout'],
  backchannelLogoutSessionRequired: ['backchannel_logout'],
  backchannelLogoutRevokesRefresh: ['backchannel_logout'],
  resourceServerIds: ['resource_indicators'],
  defaultResource: ['resource_indicators'],
} as const satisfies Record<string, readonly [OAuthExtension, ...OAuthExtension[]]>
type ExtensionField = keyof typeof fieldsOfExtensions
/** What a profile is made of, in the order of the extensions: of each of these it needs one. */
const extensionsOfProfile = [
  ['private_key_jwt', 'mtls'],
  ['par'],
  ['dpop', 'mtls'],
] as const satisfies readonly (readonly OAuthExtension[])[]
/** Whether a field of a client means anything: of its extensions, one is on. */
export const isFieldOffered = (field: ExtensionField, extensions: OAuthExtensions): boolean =>
  fieldsOfExtensions[field].some((extension) => extensions.has(extension))

/** The values of a field that mean nothing without an extension, when others do. */
const methodsOfExtensions: Readonly<Record<string, readonly [OAuthExtension, ...OAuthExtension[]]>> = {
  private_key_jwt: ['private_key_jwt', 'federated_credentials'],
  tls_client_auth: ['mtls'],
  self_signed_tls_client_auth: ['mtls'],
}
export type FieldsOfExtensions = { readonly [Field in ExtensionField]?: unknown } & {
  readonly tokenEndpointAuthMethod?: string | undefined
  readonly profile?: string | null | undefined
}

/** What decides by what a client authenticates. */
export interface AuthenticatingClient {
  readonly tokenEndpointAuthMethod: string
  readonly jwks: object | null
  readonly jwksUri: string | null
  readonly federatedCredentials: readonly object[] | null
}

/**
 * The field by which a client comes to authenticate by its keys alone while that is off. Tokens of platforms, for which its method stands as
 * well, are of no use to a client that trusts none: it could never authenticate.
 */
function keysWithoutExtension(sent: FieldsOfExtensions, client: AuthenticatingClient, extensions: OAuthExtensions) {
  if (client.tokenEndpointAuthMethod !== 'private_key_jwt' || extensions.has('private_key_jwt')) return undefined
  const hasKeys = client.jwks !== null || client.jwksUri !== null
  if (!hasKeys || (client.federatedCredentials ?? []).length > 0) return undefined
  return (['tokenEndpointAuthMethod', 'jwks', 'jwksUri'] as const).find((name) => sent[name] != null)
}

/**
 * The first field that is being set although its extension is off; undefined when no field is.
 *
 * @param client as it would be
 */
export function fieldWithoutExtension(
  sent: FieldsOfExtensions,
  client: AuthenticatingClient,
  extensions: OAuthExtensions,
): { field: ExtensionField | 'tokenEndpointAuthMethod' | 'profile'; extension: OAuthExtension } | undefined {
  const ofProfile = sent.profile == null ? undefined : extensionsOfProfile.find((names) => !names.some((name) => extensions.has(name)))
  if (ofProfile) return { field: 'profile', extension: ofProfile[0] }
  const ofMethod = methodsOfExtensions[sent.tokenEndpointAuthMethod ?? '']
  if (ofMethod && !ofMethod.some((name) => extensions.has(name))) return { field: 'tokenEndpointAuthMethod', extension: ofMethod[0] }
  const ofKeys = keysWithoutExtension(sent, client, extensions)
  if (ofKeys) return { field: ofKeys, extension: 'private_key_jwt' }
  const fields = Object.keys(fieldsOfExtensions) as ExtensionField[]
  // Null and false are what they are without the extension.
  const isOff = (name: ExtensionField) => !isFieldOffered(name, extensions)
  const field = fields.find((name) => sent[name] != null && sent[name] !== false && isOff(name))
  return field && { field, extension: fieldsOfExtensions[field][0] }
}

/** Something that an extension adds, or that is always there. */
interface OfExtension {
  readonly extension?: OAuthExtension | undefined
}

export const isOffered = ({ extension }: OfExtension, extensions: OAuthExtensions): boolean =>
  extension === undefined || extensions.has(extension)

/** The extension that is off, and that a grant among those which a client is being given needs; undefined when there is none. */
export function grantWithoutExtension(
  given: readonly string[],
  grants: readonly (OfExtension & { readonly grantType: string })[],
  extensions: OAuthExtensions,
): OAuthExtension | undefined {
  return grants.find((grant) => given.includes(grant.grantType) && !isOffered(grant, extensions))?.extension
}
