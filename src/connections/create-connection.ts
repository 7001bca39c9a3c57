import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { newId } from '../platform/ids.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givenByConnection } from '../roles/rules.ts'
import { voucherOf } from '../roles/vouchers.ts'
import { hasOwnKey } from './client-key.ts'
import {
  configurationMistakes,
  configurationOf,
  mappingMistakes,
  missingSettings,
  secretMistakes,
  typeOf,
  withMembers,
} from './configuration.ts'
import { refuseUnfitAssertions } from './identity-assertions.ts'
import { namedMappings } from './mappings.ts'
import { connectionInHistory } from './present-connection.ts'
import { type Connection, countConnections, insertConnection, lockAndCountConnections } from './queries.ts'
import { type CompletedConfiguration, type MetadataReading, namesMetadata, withMetadata } from './read-provider-metadata.ts'
import { tooManyConnections, tooManyMappings } from './refusals.ts'
import { newOwnKeyFor } from './saml-keys.ts'
import type { NewConnection } from './schemas.ts'

/** What a change needs in its transaction, which reaches no provider. */
export interface ConnectionChanging extends Pick<MetadataReading, 'outgoing'>, MailSender {
  database: Database
  keyring: Keyring
  oauthExtensions: OAuthExtensions
}

export interface ConnectionAdministration extends ConnectionChanging, MetadataReading {}

/** A configuration with what would take too long in the transaction that stores it: metadata that have been read, and a key. */
export interface PreparedConfiguration extends CompletedConfiguration {
  /** What signs for the connection, if a key of ours is to. */
  key?: string | undefined
}

export const connectionsMax = 50
export const mappingsMax = 200

/**
 * Connects an identity provider to the caller's organisation.
 *
 * @throws Problem `bad-request` naming each mistake of the configuration, what is missing of an active one, and each unknown role
 *   and team, or for too many; `forbidden` when the caller lacks a permission that another user than the owner holds; `conflict` when
 *   the slug is taken; `too-many-requests` where metadata are to be read
 * @param andThen what belongs to the same transaction
 */
export async function createConnection(
  administration: ConnectionAdministration,
  caller: Caller,
  input: NewConnection,
  andThen?: (tenant: Tenant, connection: Connection) => Promise<void>,
): Promise<Connection> {
  return createPrepared(administration, caller, input, await prepareConnection(administration, caller, input), andThen)
}

/**
 * Prepares a new connection: no transaction must be open, since a provider may take its time.
 *
 * @throws Problem `bad-request` naming each mistake of the configuration, and what is missing of an active one, or for too many; `too-many-requests`
 */
export async function prepareConnection(
  administration: ConnectionAdministration,
  { organisationId }: Pick<Caller, 'organisationId'>,
  { provider, secret, ...input }: NewConnection,
): Promise<PreparedConfiguration> {
  const { database, outgoing } = administration
  const sent = configurationOf(provider, {}, input.configuration ?? {})
  const mistakes = configurationMistakes(provider, sent, outgoing.rules)
  // What cannot be created makes no request either. It is counted again under the lock.
  if (namesMetadata(sent) && (await countConnections(database.tenant(organisationId))) >= connectionsMax) throw tooManyConnections()
  const completed = mistakes.length > 0 ? { configuration: sent } : await withMetadata(administration, organisationId, sent)
  const configuration = configurationOf(provider, {}, completed.configuration)
  const isOwnKey = hasOwnKey({ provider, configuration })
  if (secret !== undefined) mistakes.push(...secretMistakes(provider, configuration, secret))
  mistakes.push(...mappingMistakes(provider, withMembers({}, input.mapping ?? {})))
  if (input.isActive) mistakes.push(...missingSettings(provider, configuration, isOwnKey || secret !== undefined))
  if (mistakes.length > 0) throw invalidInput(mistakes)
  const key = isOwnKey ? await newOwnKeyFor({ provider, slug: input.slug }, database.clock.now()) : undefined
  return { ...completed, configuration, key }
}

/** Creates a connection that has been prepared. @throws Problem as {@link createConnection} */
export async function createPrepared(
  { database, keyring, publicUrl, oauthExtensions }: ConnectionChanging,
  caller: Caller,
  { provider, secret, ...input }: NewConnection,
  { key, ...completed }: PreparedConfiguration,
  andThen?: (tenant: Tenant, connection: Connection) => Promise<void>,
): Promise<Connection> {
  const secretOrKey = key ?? secret
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    const settings = await namedMappings(tenant, { ...input, ...completed, mapping: withMembers({}, input.mapping ?? {}) })
    const { roleMappings, teamMappings } = settings
    await refuseUnfitAssertions(tenant, oauthExtensions, { type: typeOf(provider) }, input.identityAssertions)
    await requireEveryHeldPermission(tenant, caller, givenByConnection(settings))
    const { connections, otherMappings } = await lockAndCountConnections(tenant)
    if (connections >= connectionsMax) throw tooManyConnections()
    if (otherMappings + roleMappings.length + teamMappings.length > mappingsMax) throw tooManyMappings()
    await holdCallerWith(tenant, caller, 'connections:create')

    const id = newId('con', tenant.now)
    const secretEncrypted = secretOrKey === undefined ? null : keyring.encrypt(secretOrKey, id)
    const connection = await insertConnection(tenant, {
      ...settings,
      ...{ id, provider, type: typeOf(provider), secretEncrypted, ...voucherOf(caller) },
    })
    await record(tenant, caller.actor, { action: 'connection.created', connection: connectionInHistory(connection, publicUrl, tenant.now) })
    await andThen?.(tenant, connection)
    return connection
  })
}
