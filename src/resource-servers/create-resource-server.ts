import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { addsAboutUsers, requireReadUsers } from '../claims/require-read-users.ts'
import { type ExtensionName, isSwitchedOn, type OAuthExtensions } from '../clients/extensions.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { resourceIdentifierOf } from '../tokens/rules.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { presentResourceServer } from './present-resource-server.ts'
import {
  findNamedClients,
  insertResourceServer,
  lockAndCountResourceServers,
  type ResourceServer,
  type ResourceServerSettings,
} from './queries.ts'
import {
  clientNotFound,
  extensionNeeded,
  identifierNotAbsolute,
  identifierNotHttps,
  identifierOfThisService,
  identifierWithCredentials,
  publicClientCannotIntrospect,
  tooManyResourceServers,
} from './refusals.ts'
import { type IdentifierMistake, identifierMistake } from './rules.ts'
import type { NewResourceServer } from './schemas.ts'

const resourceServersMax = 200

export interface ResourceServerAdministration {
  database: Database
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  environment: 'production' | 'development'
  /** Registering the first resource server that needs an algorithm creates its key, so that verifiers see it before the first token. */
  signingKeys: Pick<SigningKeys, 'ensure'>
  oauthExtensions: OAuthExtensions
}

/**
 * Registers a resource server in the caller's organisation.
 *
 * @throws Problem `bad-request` naming an identifier that cannot be one, a field whose extension is off and each client that cannot be
 *   named, and for the 201st; `conflict` when any organisation has the identifier, or another one has verified the domain of its host
 */
export async function createResourceServer(
  { database, issuer, environment, signingKeys, oauthExtensions }: ResourceServerAdministration,
  caller: Caller,
  input: NewResourceServer,
): Promise<ResourceServer> {
  const identifier = proveIdentifier({ issuer, environment }, input.identifier)
  const created = await database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    if ((await lockAndCountResourceServers(tenant)) >= resourceServersMax) throw tooManyResourceServers()
    await refuseUnfitClients(tenant, input)
    refuseWithoutExtension(input, oauthExtensions)
    await holdCallerWith(tenant, caller, 'resource_servers:create')
    if (addsAboutUsers(input.claimMappings)) await requireReadUsers(tenant, caller)
    const server = await insertResourceServer(tenant, { ...input, identifier })
    await record(tenant, caller.actor, { action: 'resource_server.created', resource_server: presentResourceServer(server) })
    return server
  })
  await signingKeys.ensure(created.accessTokenSigningAlg)
  return created
}

/**
 * The identifier as it is stored.
 *
 * @throws Problem `bad-request` naming one that cannot be an identifier
 */
export function proveIdentifier(
  { issuer, environment }: Pick<ResourceServerAdministration, 'issuer' | 'environment'>,
  address: string,
): string {
  const mistake = identifierMistake(address, { issuer, allowLoopback: environment === 'development' })
  if (mistake) throw invalidInput([errorOf[mistake](['identifier'])])
  return resourceIdentifierOf(address) as string
}

const errorOf: Record<IdentifierMistake, (path: FieldError['path']) => FieldError> = {
  'identifier-not-absolute': identifierNotAbsolute,
  'identifier-with-credentials': identifierWithCredentials,
  'identifier-not-https': identifierNotHttps,
  'identifier-of-this-service': identifierOfThisService,
}

/** The settings that mean nothing without an extension, and the extensions of which one has to be on. */
const needed: readonly [field: keyof ResourceServerSettings, extensions: readonly ExtensionName[]][] = [
  ['allowsAutomaticClients', ['client_metadata_documents', 'dynamic_registration']],
  ['requireDpop', ['dpop']],
  ['exchangeClientIds', ['token_exchange']],
]

/** @throws Problem naming the first setting that is being set although its extension is off */
export function refuseWithoutExtension(sent: Partial<ResourceServerSettings>, extensions: OAuthExtensions): void {
  for (const [field, names] of needed) {
    const value = sent[field]
    const isSet = Array.isArray(value) ? value.length > 0 : value === true
    if (isSet && !names.some((name) => isSwitchedOn(extensions, name))) throw extensionNeeded(field, names[0] as ExtensionName)
  }
}

type NamedClients = Pick<ResourceServerSettings, 'introspectionClientIds' | 'exchangeClientIds'>

/**
 * @param before what is stored: it may name clients that are gone since
 * @throws Problem pointing at each client that does not exist, or that is public where only confidential ones can be named
 */
export async function refuseUnfitClients(
  tenant: Tenant,
  { introspectionClientIds = [], exchangeClientIds = [] }: Partial<NamedClients>,
  before: NamedClients = { introspectionClientIds: [], exchangeClientIds: [] },
): Promise<void> {
  const found = await findNamedClients(tenant, [...introspectionClientIds, ...exchangeClientIds])
  const typeOf = new Map(found.map(({ id, clientType }) => [id, clientType]))
  const mistakes = [
    ...introspectionClientIds.flatMap((id, index) => {
      const path = ['introspectionClientIds', index]
      if (before.introspectionClientIds.includes(id)) return []
      if (!typeOf.has(id)) return [unknownName(path, clientNotFound)]
      return typeOf.get(id) === 'public' ? [publicClientCannotIntrospect(path)] : []
    }),
    ...exchangeClientIds.flatMap((id, index) =>
      typeOf.has(id) || before.exchangeClientIds.includes(id) ? [] : [unknownName(['exchangeClientIds', index], clientNotFound)],
    ),
  ]
  if (mistakes.length > 0) throw invalidInput(mistakes)
}
