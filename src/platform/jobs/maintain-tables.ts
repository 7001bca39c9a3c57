/** What a server of PostgreSQL does by itself (autovacuum), and the embedded database does not. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Maintenance } from '../database/engine.ts'
import type { Task } from './tasks.ts'

/** The least size of a table with its indexes. Smaller ones waste little, and a new database has only smaller ones. */
const vacuumedBytes = 2 ** 20
/** The least size of a table that has never been analysed since the database was started after a crash, which forgets its changes. */
const analysedBytes = 2 ** 16

/** Lets new rows reuse the space of deleted ones: the database would grow with each row that comes and goes. */
export const vacuumTables: Task = {
  name: 'vacuum-tables',
  everySeconds: 6 * 3_600,
  async run(database) {
    await maintain(database, 'vacuum', sql<boolean>`pg_total_relation_size(relid) >= ${vacuumedBytes}`)
    return false
  },
}

/**
 * Finds out what tables hold once a fifth of their rows have changed: statements are planned by it. Without it, the list of the 20,000 users
 * with one role took half a minute.
 */
export const analyseTables: Task = {
  name: 'analyse-tables',
  everySeconds: 60,
  async run(database) {
    const hasChanged = sql<boolean>`n_mod_since_analyze > 500 + 0.2 * greatest(reltuples, 0)`
    const isUnknown = sql<boolean>`(last_analyze is null and pg_relation_size(relid) >= ${analysedBytes})`
    await maintain(database, 'analyze', sql<boolean>`${hasChanged} or ${isUnknown}`)
    return false
  },
}

/** Looks after one table at a time, so that requests wait for one of them at most. */
async function maintain(database: Database, work: Maintenance, condition: RawBuilder<SqlBool>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_of.relname as name from pg_stat_user_tables table_of join pg_class on pg_class.oid = relid
    where schemaname = current_schema() and (${condition}) order by name`.execute(database.system())
  for (const { name } of rows) await database.maintain?.(work, name)
}
