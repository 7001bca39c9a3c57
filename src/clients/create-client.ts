import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { addsAboutUsers, requireReadUsers } from '../claims/require-read-users.ts'
import { pictureNotHttps } from '../organisations/refusals.ts'
import { isPictureAddress } from '../organisations/rules.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { SigningAlgorithm } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { isPlainElsewhere, type OutgoingRules, whyLiteralForbidden } from '../platform/http/outgoing.ts'
import { type FieldError, invalidInput, refuseUnknownIds } from '../platform/http/problem.ts'
import { urlNotHttps } from '../platform/http/refusals.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import {
  type AuthenticatingClient,
  type FieldsOfExtensions,
  fieldWithoutExtension,
  grantWithoutExtension,
  type OAuthExtensions,
} from './extensions.ts'
import { refuseIssuers } from './federated-credentials.ts'
import { presentClient } from './present-client.ts'
import { holdToProfile, type ProfiledClient, type ProfileMistake } from './profile.ts'
import { type Client, type ClientSettings, findAllowedUrls, getClient, insertClient, shareResourceServers } from './queries.ts'
import {
  certificateNameMissing,
  confidentialClientAuthenticates,
  credentialsForConfidentialClients,
  defaultResourceNotAllowed,
  extensionNeeded,
  grantForConfidentialClients,
  keysAddressNotAllowed,
  keysInTwoPlaces,
  keysMissing,
  logoutAddressNotAllowed,
  originOutside,
  outsideProfile,
  plainPkceDenied,
  publicClientUsesPkce,
  publicClientWithoutSecret,
  redirectUriMissing,
  resourceServerNotFound,
  uriOutside,
} from './refusals.ts'
import {
  type ClientMistake,
  type ClientShape,
  clientMistakes,
  type GrantRules,
  isInitiationOutside,
  placesOutside,
  usesSecret,
} from './rules.ts'
import type { NewClient } from './schemas.ts'

export interface ClientDependencies {
  database: Database
  /** `deny`: no client may accept the challenge method `plain`. */
  pkcePlain: 'allow' | 'deny'
  /** The algorithm of ID tokens for clients that do not choose one. */
  idTokenSigningAlg: SigningAlgorithm
  /** In development, pictures may come from loopback addresses. */
  allowLoopbackPictures: boolean
  /** Registering the first client that needs an algorithm creates its key, so that verifiers see the key before its first token. */
  signingKeys: Pick<SigningKeys, 'ensure'>
  /** The grants that a client can be registered for. */
  grants: readonly GrantRules[]
  oauthExtensions: OAuthExtensions
  /** The keys of clients are fetched through the guard. */
  outgoing: { readonly rules: OutgoingRules }
  /** Where logout tokens may be sent. */
  logoutRules: OutgoingRules
}

/**
 * Registers a client in the caller's organisation.
 *
 * @param secret a random one that the application already uses elsewhere
 * @param isActive false for a client that may still lack a redirect URI, and gets no tokens until it is activated
 * @returns the client and, for one that authenticates by a secret, its secret, which cannot be shown again
 * @throws Problem `bad-request` naming each field that does not fit the client's type or the organisation's addresses
 */
export async function createClient(
  {
    database,
    pkcePlain,
    idTokenSigningAlg,
    allowLoopbackPictures,
    signingKeys,
    grants,
    oauthExtensions,
    outgoing,
    logoutRules,
  }: ClientDependencies,
  caller: Caller,
  input: NewClient,
  { secret: givenSecret, isActive = true }: { secret?: string | undefined; isActive?: boolean } = {},
): Promise<{ client: Client; secret: string | null }> {
  if (input.allowPlainPkce && pkcePlain === 'deny') throw plainPkceDenied()
  if (input.logoUrl && !isPictureAddress(input.logoUrl, allowLoopbackPictures)) throw pictureNotHttps(['logoUrl'])
  refuseKeysAddress(input.jwksUri, outgoing.rules)
  refuseIssuers(input.federatedCredentials, outgoing.rules)
  refuseLogoutAddress(input.backchannelLogoutUri, logoutRules)
  const isPublic = input.clientType === 'public'
  const named = withoutUndefined(input)
  const asked = {
    ...usualSettings,
    ...named,
    isActive,
    tokenEndpointAuthMethod: input.tokenEndpointAuthMethod ?? (isPublic ? 'none' : 'client_secret_basic'),
    allowPlainPkce: input.allowPlainPkce ?? pkcePlain === 'allow',
    idTokenSignedResponseAlg: input.idTokenSignedResponseAlg ?? idTokenSigningAlg,
  }
  const { forced, mistakes } = holdToProfile({ ...asked, origin: 'admin' }, named)
  const settings = { ...asked, ...forced }

  const secret = usesSecret(settings.tokenEndpointAuthMethod) ? (givenSecret ?? newSecret()) : null
  const created = await database.transaction(caller.organisationId, async (tenant) => {
    await holdCallerWith(tenant, caller, 'clients:create')
    if (addsAboutUsers(input.claimMappings)) await requireReadUsers(tenant, caller)
    if (input.resourceServerIds || input.defaultResource !== null) refuseUnknownResources(input, await shareResourceServers(tenant))
    const sent = { ...input, ...forced, federatedCredentials: input.federatedCredentials.length > 0 }
    refuseWithoutExtension(sent, settings, oauthExtensions)
    refuseGrantsWithoutExtension(input.grantTypes, grants, oauthExtensions)
    refuseOutsideProfile(mistakes)
    refuseMistakes(clientMistakes(settings, grants))
    await refuseForeignUrls(tenant, input)
    const id = await insertClient(tenant, { ...settings, secretHash: secret === null ? null : hashSecret(secret) })
    const client = await getClient(tenant, id)
    await record(tenant, caller.actor, { action: 'client.created', client: presentClient(client) })
    return { client, secret }
  })
  await signingKeys.ensure(settings.idTokenSignedResponseAlg)
  return created
}

/** What a client has of the settings that a profile may set, if its registration names nothing else. */
const usualSettings = {
  requirePkce: true,
  requirePushedAuthorizationRequests: false,
  requireDpop: false,
  certificateBoundAccessTokens: false,
  authorizationCodeTtl: 600,
}

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
/** The fields that are named. */
const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

const errorOf: Record<ClientMistake['reason'], (mistake: ClientMistake) => FieldError> = {
  'public-client-without-secret': ({ path }) => publicClientWithoutSecret(path),
  'confidential-client-authenticates': ({ path }) => confidentialClientAuthenticates(path),
  'public-client-uses-pkce': ({ path }) => publicClientUsesPkce(path),
  'grant-for-confidential-clients': ({ path, grantType = '' }) => grantForConfidentialClients(path, grantType),
  'client-keys-missing': ({ path }) => keysMissing(path),
  'certificate-name-missing': ({ path }) => certificateNameMissing(path),
  'client-keys-in-two-places': ({ path }) => keysInTwoPlaces(path),
  'redirect-uri-missing': ({ path }) => redirectUriMissing(path),
  'credentials-for-confidential-clients': ({ path }) => credentialsForConfidentialClients(path),
}

/** @throws Problem when the guard would never fetch keys from there */
export function refuseKeysAddress(address: string | null | undefined, rules: OutgoingRules): void {
  if (address === null || address === undefined) return
  if (isPlainElsewhere(new URL(address), rules)) throw invalidInput([urlNotHttps(['jwksUri'])])
  const reason = whyLiteralForbidden(address, rules)
  if (reason !== undefined) throw invalidInput([keysAddressNotAllowed(['jwksUri'], reason)])
}

/** @throws Problem when the guard would never send logout tokens there */
export function refuseLogoutAddress(address: string | null | undefined, rules: OutgoingRules): void {
  const reason = address == null ? undefined : whyLiteralForbidden(address, rules)
  if (reason !== undefined) throw invalidInput([logoutAddressNotAllowed(['backchannelLogoutUri'], reason)])
}

const errorOfProfile = ({ path, clause, demand }: ProfileMistake): FieldError => outsideProfile(path, clause, demand)

/** @throws Problem that points at each field which contradicts the profile of the client, and names the clause */
export function refuseOutsideProfile(mistakes: readonly ProfileMistake[]): void {
  if (mistakes.length > 0) throw invalidInput(mistakes.map(errorOfProfile))
}

/** @throws Problem that points at each mistake */
export function refuseMistakes(mistakes: readonly ClientMistake[]): void {
  if (mistakes.length > 0) throw invalidInput(mistakes.map((mistake) => errorOf[mistake.reason](mistake)))
}

/** What of a stored client no route would have stored: settings that do not fit together, or contradict its profile. */
export const unfitSettings = (client: ClientShape & ProfiledClient, grants: readonly GrantRules[]): FieldError[] => [
  ...clientMistakes(client, grants).map((mistake) => errorOf[mistake.reason](mistake)),
  ...(client.profile ? holdToProfile(client, {}).mistakes.map(errorOfProfile) : []),
]

type SentUrls = Partial<Pick<NewClient, 'redirectUris' | 'postLogoutRedirectUris' | 'initiateLoginUri'>>

/** @throws Problem that points at each URI which the organisation does not allow its clients */
export async function refuseForeignUrls(tenant: Tenant, sent: SentUrls): Promise<void> {
  const mistakes = await mistakesOfUrls(tenant, sent)
  if (mistakes.length > 0) throw invalidInput(mistakes)
}

/** The URIs that the organisation does not allow its clients. */
export async function mistakesOfUrls(
  tenant: Tenant,
  { redirectUris, postLogoutRedirectUris, initiateLoginUri }: SentUrls,
): Promise<FieldError[]> {
  const { allowedCallbackUrls, allowedLogoutUrls } = await findAllowedUrls(tenant)
  return [
    ...placesOutside(allowedCallbackUrls, redirectUris).map((place) => uriOutside(['redirectUris', place])),
    ...placesOutside(allowedLogoutUrls, postLogoutRedirectUris).map((place) => uriOutside(['postLogoutRedirectUris', place])),
    ...(isInitiationOutside(allowedCallbackUrls, initiateLoginUri) ? [originOutside(['initiateLoginUri'])] : []),
  ]
}

/** @throws Problem pointing at each resource server that does not exist, or at a default that the client may not ask for */
export function refuseUnknownResources(
  { resourceServerIds, defaultResource }: Pick<ClientSettings, 'resourceServerIds' | 'defaultResource'>,
  servers: readonly { id: string; identifier: string }[],
): void {
  const ids = resourceServerIds ?? []
  refuseUnknownIds('resourceServerIds', ids, new Set(servers.map(({ id }) => id)), resourceServerNotFound)
  const isAllowed = servers.some(({ id, identifier }) => identifier === defaultResource && ids.includes(id))
  if (defaultResource !== null && !isAllowed) throw defaultResourceNotAllowed()
}

/**
 * @param client as it would be
 * @throws Problem naming the first field that needs an extension which is off
 */
export function refuseWithoutExtension(sent: FieldsOfExtensions, client: AuthenticatingClient, extensions: OAuthExtensions): void {
  const missing = fieldWithoutExtension(sent, client, extensions)
  if (missing) throw extensionNeeded(missing.field, missing.extension)
}

/** @throws Problem when one of the grants that a client is being given needs an extension which is off */
export function refuseGrantsWithoutExtension(given: readonly string[], grants: readonly GrantRules[], extensions: OAuthExtensions): void {
  const missing = grantWithoutExtension(given, grants, extensions)
  if (missing) throw extensionNeeded('grantTypes', missing)
}
