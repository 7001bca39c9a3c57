import { type RawBuilder, sql } from 'kysely'
import type { System } from './database.ts'

const batchMax = 1_000

/**
 * Deletes at most 1,000 rows of a table that match a condition, so that a cleaning task holds few locks, and only briefly.
 *
 * @returns whether more rows may match
 */
export async function deleteBatch(system: System, table: string, condition: RawBuilder<unknown>): Promise<boolean> {
  const name = sql.table(table)
  // The condition is repeated: rows that another transaction changes meanwhile are checked again before they are deleted.
  const { numAffectedRows = 0n } = await sql`
    delete from ${name}
    where ctid = any(array(select ctid from ${name} where ${condition} limit ${batchMax})) and ${condition}`.execute(system)
  return numAffectedRows >= batchMax
}
