import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { UnboundClientsTable } from '../../platform/database/tables.ts'
import { newId } from '../../platform/ids.ts'

export type UnboundClient = Selectable<UnboundClientsTable>
type Described = Omit<Insertable<UnboundClientsTable>, 'clientId' | 'registrationAccessTokenHash' | 'ipAddress' | 'createdAt'>

/** By its form alone: it cannot be that of another client. */
export const isUnboundId = (clientId: string): boolean => clientId.startsWith('ocl_')

export async function findUnboundClient(database: Database, clientId: string): Promise<UnboundClient | undefined> {
  return database.system().selectFrom('unboundClients').selectAll().where('clientId', '=', clientId).executeTakeFirst()
}

export async function insertUnboundClient(
  database: Database,
  client: Omit<Insertable<UnboundClientsTable>, 'clientId' | 'createdAt'>,
): Promise<UnboundClient> {
  const system = database.system()
  return system
    .insertInto('unboundClients')
    .values({ ...client, clientId: newId('ocl', system.now), createdAt: system.now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** @returns undefined when the client has been deleted meanwhile */
export async function replaceUnboundClient(database: Database, clientId: string, client: Described): Promise<UnboundClient | undefined> {
  return database.system().updateTable('unboundClients').set(client).where('clientId', '=', clientId).returningAll().executeTakeFirst()
}

export async function deleteUnboundClient(database: Database, clientId: string): Promise<void> {
  await database.system().deleteFrom('unboundClients').where('clientId', '=', clientId).execute()
}

/** The rows of an openly registered client in organisations whose users have allowed it. */
export async function findBoundRows(database: Database, clientId: string): Promise<{ organisationId: string; id: string }[]> {
  return database
    .system()
    .selectFrom('clients')
    .select(['organisationId', 'id'])
    .where('automaticClientId', '=', clientId)
    .where('deletedAt', 'is', null)
    .execute()
}
