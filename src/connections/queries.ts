import { type Selectable, sql } from 'kysely'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { ConnectionsTable } from '../platform/database/tables.ts'
import type { Voucher } from '../roles/vouchers.ts'
import { connectionNotFound, connectionSlugTaken } from './refusals.ts'

export type Connection = Selectable<ConnectionsTable>

/** All connections, the oldest first. An organisation has few. */
export async function listConnections(tenant: Tenant): Promise<Connection[]> {
  return tenant.selectFrom('connections').selectAll().orderBy('id').execute()
}

const connectionById = compiledOnce((reads, id: string) => reads.selectFrom('connections').selectAll().where('id', '=', id))

/** @throws Problem `not-found` */
export async function getConnection(tenant: Tenant, id: string): Promise<Connection> {
  const connection = await connectionById(tenant, id)
  if (!connection) throw connectionNotFound()
  return connection
}

/**
 * The connection, whose row stays locked until the end of the transaction.
 *
 * @throws Problem `not-found`
 */
export async function lockConnection(tenant: Tenant, id: string): Promise<Connection> {
  const connection = await lockConnectionIfThere(tenant, id)
  if (!connection) throw connectionNotFound()
  return connection
}

/** The same for work that began without a lock: undefined for a connection that was deleted meanwhile. */
export async function lockConnectionIfThere(tenant: Tenant, id: string): Promise<Connection | undefined> {
  return tenant.selectFrom('connections').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The number of connections, and of mappings in all connections but the given one. */
export interface ConnectionCounts {
  connections: number
  otherMappings: number
}

export async function countConnections(tenant: Tenant): Promise<number> {
  const { count } = await tenant.selectFrom('connections').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** Locks the organisation's row until the end of the transaction, so that neither a connection nor a mapping is added meanwhile. */
export async function lockAndCountConnections(tenant: Tenant, besides?: string): Promise<ConnectionCounts> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  return tenant
    .selectFrom('connections')
    .select([
      sql<number>`count(*)`.as('connections'),
      sql<number>`coalesce(sum(jsonb_array_length(role_mappings) + jsonb_array_length(team_mappings))
        filter (where id is distinct from ${besides ?? null}::text), 0)`.as('otherMappings'),
    ])
    .executeTakeFirstOrThrow()
}

/** How users of the organisation may sign in, locked until the end of the transaction, together with the other connections. */
export async function lockSignInPolicy(tenant: Tenant) {
  return tenant.selectFrom('organisations').select(['signInPolicy', 'requireMfa']).forNoKeyUpdate().executeTakeFirstOrThrow()
}

type Setting =
  | 'name'
  | 'isActive'
  | 'configuration'
  | 'linking'
  | 'provisioning'
  | 'mapping'
  | 'roleMappings'
  | 'teamMappings'
  | 'syncOn'
  | 'trustsMfa'
  | 'mfaContexts'
  | 'upstreamLogout'
  | 'idpInitiated'
  | 'sessionMaxAgeSeconds'
  | 'identityAssertions'

/** The settings of a connection that can be changed, without its secret. */
export type ConnectionSettings = Pick<Connection, Setting>

type StoredSettings = Partial<ConnectionSettings & Pick<Connection, 'certificatesLeftOut' | 'secretEncrypted' | keyof Voucher>>

/** @throws Problem `conflict` when the slug is taken */
export async function insertConnection(
  tenant: Tenant,
  connection: ConnectionSettings &
    Pick<Connection, 'id' | 'slug' | 'type' | 'provider' | 'secretEncrypted' | keyof Voucher> &
    Partial<Pick<Connection, 'certificatesLeftOut'>>,
): Promise<Connection> {
  const { configuration, mapping, roleMappings, teamMappings, mfaContexts, identityAssertions } = connection
  return tenant
    .insertInto('connections')
    .values({
      ...connection,
      configuration: JSON.stringify(configuration),
      mapping: JSON.stringify(mapping),
      roleMappings: JSON.stringify(roleMappings),
      teamMappings: JSON.stringify(teamMappings),
      mfaContexts: JSON.stringify(mfaContexts),
      identityAssertions: identityAssertions && JSON.stringify(identityAssertions),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ connections_slug_key: connectionSlugTaken }))
}

/** Updates a connection. A new secret also replaces the previous and the next one. */
export async function updateConnection(tenant: Tenant, id: string, changes: StoredSettings): Promise<Connection> {
  const { configuration, mapping, roleMappings, teamMappings, mfaContexts, identityAssertions, ...plain } = changes
  const json = Object.entries({ configuration, mapping, roleMappings, teamMappings, mfaContexts, identityAssertions }).filter(
    ([, value]) => value !== undefined,
  )
  return tenant
    .updateTable('connections')
    .set({
      ...plain,
      ...Object.fromEntries(json.map(([column, value]) => [column, value && JSON.stringify(value)])),
      updatedAt: tenant.now,
    })
    .$if(changes.secretEncrypted !== undefined, (update) =>
      update.set({
        previousSecretEncrypted: null,
        previousSecretExpiresAt: null,
        nextSecretEncrypted: null,
        nextSecretSignsFrom: null,
      }),
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes the current secret the previous one, which is tried until `previousUntil`; null discards it at once. */
export async function replaceSecret(tenant: Tenant, id: string, secretEncrypted: string, previousUntil: Date | null): Promise<Connection> {
  return tenant
    .updateTable('connections')
    .set((connection) => ({
      secretEncrypted,
      previousSecretEncrypted: previousUntil && connection.ref('secretEncrypted'),
      previousSecretExpiresAt: previousUntil,
      updatedAt: tenant.now,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function storeKeys(
  tenant: Tenant,
  id: string,
  keys: Partial<Pick<Connection, 'secretEncrypted' | 'previousSecretEncrypted' | 'previousSecretExpiresAt'>> &
    Pick<Connection, 'nextSecretEncrypted' | 'nextSecretSignsFrom'>,
): Promise<Connection> {
  return tenant
    .updateTable('connections')
    .set({ ...keys, updatedAt: tenant.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteConnectionRow(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('connections').where('id', '=', id).execute()
}
