import { sql } from 'kysely'
import type { Task } from './tasks.ts'

/** The least size of a table with its indexes. Smaller ones waste little, and a new database has only smaller ones. */
const leastBytes = 2 ** 20

/**
 * Lets new rows reuse the space of deleted ones: the embedded database has no autovacuum, and would grow with each row that comes and
 * goes. It vacuums one table at a time, so that requests wait for one of them at most.
 */
export const vacuumTables: Task = {
  name: 'vacuum-tables',
  everySeconds: 6 * 3_600,
  async run(database) {
    if (!database.vacuum) return false
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_total_relation_size(oid) >= ${leastBytes}
      order by relname`.execute(database.system())
    for (const { name } of rows) await database.vacuum(name)
    return false
  },
}
