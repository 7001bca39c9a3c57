import { type Kysely, sql } from 'kysely'

/** Directories have keys in a document of configuration, as clients and webhooks have. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  // The new list holds the former one, so no row has to be looked at.
  await run('alter table configuration_keys drop constraint configuration_keys_kind_check')
  await run(`
    alter table configuration_keys add constraint configuration_keys_kind_check
      check (kind in ('clients', 'webhooks', 'directories')) not valid`)
}
