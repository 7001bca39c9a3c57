import { type Kysely, sql } from 'kysely'

/**
 * Of a user whom a directory activates in vain, the block that it has tried to lift. The version of a group follows the users who are deleted
 * and restored: until then they came and went in a version that a directory had read.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run('alter table directory_users add column ignored_block_at timestamptz')
  // In the order in which everything locks groups.
  await run(`
    create function renew_versions_of_directory_groups() returns trigger language plpgsql as $$
    begin
      with held as (
        select g.id from directory_groups g
        join directory_group_members gm on gm.organisation_id = g.organisation_id and gm.group_id = g.id
        where g.organisation_id = new.organisation_id and gm.user_id = new.id order by g.id for update of g
      )
      update directory_groups g set version = g.version + 1, updated_at = new.updated_at from held
      where g.organisation_id = new.organisation_id and g.id = held.id;
      return null;
    end $$`)
  await run(`
    create trigger users_renew_versions_of_directory_groups after update of deleted_at on users for each row
    when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function renew_versions_of_directory_groups()`)
}
