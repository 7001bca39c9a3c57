import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { newId } from '../platform/ids.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
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
import { type Connection, insertConnection, lockAndCountConnections } from './queries.ts'
import { type MetadataReading, withMetadata } from './read-provider-metadata.ts'
import { tooManyConnections, tooManyMappings } from './refusals.ts'
import { newOwnKeyFor } from './saml-keys.ts'
import type { NewConnection } from './schemas.ts'

export interface ConnectionAdministration extends MetadataReading {
  database: Database
  keyring: Keyring
  publicUrl: string
  oauthExtensions: OAuthExtensions
}

const connectionsMax = 50
export const mappingsMax = 200

/**
 * Connects an identity provider to the caller's organisation.
 *
 * @throws Problem `bad-request` naming each mistake of the configuration, what is missing of an active one, and each unknown role
 *   and team, or for too many; `forbidden` when the caller lacks a permission that another user than the owner holds; `conflict` when
 *   the slug is taken
 * @param andThen what belongs to the same transaction
 */
export async function createConnection(
  administration: ConnectionAdministration,
  caller: Caller,
  { provider, secret, ...input }: NewConnection,
  andThen?: (tenant: Tenant, connection: Connection) => Promise<void>,
): Promise<Connection> {
  const { database, keyring, publicUrl, outgoing, oauthExtensions } = administration
  const now = database.clock.now()
  const sent = configurationOf(provider, {}, input.configuration ?? {})
  const mistakes = configurationMistakes(provider, sent, outgoing.rules)
  const completed = mistakes.length > 0 ? { configuration: sent } : await withMetadata(administration, sent)
  const configuration = configurationOf(provider, {}, completed.configuration)
  const isOwnKey = hasOwnKey({ provider, configuration })
  if (secret !== undefined) mistakes.push(...secretMistakes(provider, configuration, secret))
  const mapping = withMembers({}, input.mapping ?? {})
  mistakes.push(...mappingMistakes(provider, mapping))
  if (input.isActive) mistakes.push(...missingSettings(provider, configuration, isOwnKey || secret !== undefined))
  if (mistakes.length > 0) throw invalidInput(mistakes)
  const secretOrKey = isOwnKey ? await newOwnKeyFor({ provider, slug: input.slug }, now) : secret

  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    const settings = await namedMappings(tenant, { ...input, ...completed, configuration, mapping })
    const { roleMappings, teamMappings } = settings
    await refuseUnfitAssertions(tenant, oauthExtensions, { type: typeOf(provider) }, input.identityAssertions)
    await requireEveryHeldPermission(tenant, caller, { andOfRoles: roleMappings.map(({ roleId }) => roleId) })
    const { connections, otherMappings } = await lockAndCountConnections(tenant)
    if (connections >= connectionsMax) throw tooManyConnections()
    if (otherMappings + roleMappings.length + teamMappings.length > mappingsMax) throw tooManyMappings()
    await holdCallerWith(tenant, caller, 'connections:create')

    const id = newId('con', tenant.now)
    const secretEncrypted = secretOrKey === undefined ? null : keyring.encrypt(secretOrKey, id)
    const connection = await insertConnection(tenant, {
      ...settings,
      ...{ id, provider, type: typeOf(provider), secretEncrypted, vouchedById: caller.responsibleUserId },
    })
    await record(tenant, caller.actor, { action: 'connection.created', connection: connectionInHistory(connection, publicUrl, tenant.now) })
    await andThen?.(tenant, connection)
    return connection
  })
}
