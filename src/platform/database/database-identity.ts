import type pg from 'pg'
import type { Engine, Query } from './engine.ts'

/** The identity of a database within its cluster, in SQL: the same for a server and its replicas, whatever their addresses. */
export const databaseIdentity = `format('%s/%s', (select system_identifier from pg_control_system()),
  (select oid from pg_database where datname = current_database()))`

/** The SQLSTATEs of a function that the role may not execute, and of one that there is not. */
const hiddenCodes = ['42501', '42883']

interface Identified {
  database: string
}

const identity: Query = { sql: `select ${databaseIdentity} as database`, parameters: [] }

/**
 * Refuses a connection for notices that leads to another database than the statements: no notice would come, and a command that needs the
 * database for itself would not see that it is served.
 */
export async function refuseOtherDatabase(client: pg.Client, read: Engine['pointRead']): Promise<void> {
  const [ofNotices, ofStatements] = await Promise.all([client.query<Identified>(identity.sql), read<Identified>(identity)]).catch(
    (error: unknown) => {
      if (hiddenCodes.includes((error as { code?: string }).code ?? '')) return []
      throw error
    },
  )
  // Some who host databases do not say which one it is.
  if (!ofNotices || !ofStatements) return
  if (ofNotices.rows[0]?.database === ofStatements.rows[0]?.database) return
  throw new Error('DATABASE_LISTEN_URL leads to another database than DATABASE_URL: it must name the same one, without the pooler')
}
