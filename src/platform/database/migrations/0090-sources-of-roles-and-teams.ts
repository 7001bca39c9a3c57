import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Who gives a user each role and each place in a team: administrators (`manual`), or an identity provider or a directory. A row of
 * `user_roles` or `team_members` exists exactly while it has a source, and all that there are were made by hand. Deleting the row
 * deletes its sources.
 *
 * The previous release knows no sources. What it adds becomes `manual` by the triggers, which find nothing to do in the statements
 * of this release: those write the source along. A later release may drop them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)
  const kinds = [
    { table: 'user_roles', sources: 'user_role_sources', key: 'role_id' },
    { table: 'team_members', sources: 'team_member_sources', key: 'team_id' },
  ]

  for (const { table, sources, key } of kinds) {
    await sql`
      create table ${sql.table(sources)} (
        ${organisationId},
        user_id text not null,
        ${sql.ref(key)} text not null,
        source text not null check (source = 'manual' or source like 'connection:_%' or source like 'directory:_%'),
        created_at timestamptz not null,
        primary key (organisation_id, user_id, ${sql.ref(key)}, source),
        foreign key (organisation_id, user_id, ${sql.ref(key)})
          references ${sql.table(table)} (organisation_id, user_id, ${sql.ref(key)}) on delete cascade
      )`.execute(database)
    // For the end of a connection or a directory. Nothing asks for all that is manual, which is nearly everything.
    await run(`create index ${sources}_index on ${sources} (organisation_id, source) where source <> 'manual'`)
    await secureTenantTable(database, sources)

    // A subquery instead of `not exists`: it stays one look at the key for each row, whatever plan the function has cached.
    await run(`
      create function add_manual_source_to_${table}() returns trigger language plpgsql as $$
      begin
        insert into ${sources} (organisation_id, user_id, ${key}, source, created_at)
        select added.organisation_id, added.user_id, added.${key}, 'manual', added.created_at
        from added
        where (
          select given.source from ${sources} given
          where given.organisation_id = added.organisation_id and given.user_id = added.user_id and given.${key} = added.${key}
          limit 1) is null;
        return null;
      end $$`)
    await run(
      `create trigger ${table}_manual_source after insert on ${table}
       referencing new table as added for each statement execute function add_manual_source_to_${table}()`,
    )
  }

  // The triggers have locked the tables against writing: nothing comes in between.
  await asSystem(database, async () => {
    for (const { table, sources, key } of kinds) {
      await run(`
        insert into ${sources} (organisation_id, user_id, ${key}, source, created_at)
        select organisation_id, user_id, ${key}, 'manual', created_at from ${table}`)
    }
  })
}
