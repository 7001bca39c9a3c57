import { type Kysely, sql } from 'kysely'

/**
 * Reads or writes rows in a migration: the role that logs in owns the tables, but row-level security shows it no row.
 *
 * @param tables those that `gatehouse_system` may not have been granted yet, in a migration before 0064
 */
export async function asSystem(database: Kysely<unknown>, work: () => Promise<unknown>, tables: readonly string[] = []): Promise<void> {
  for (const table of tables) {
    await sql`grant select, insert, update, delete on ${sql.table(table)} to gatehouse_system`.execute(database)
  }
  await sql`set local role gatehouse_system`.execute(database)
  await work()
  await sql`set local role none`.execute(database)
}
