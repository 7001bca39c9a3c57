import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

/** A row of identities without a user is the subject of a deleted one alone: it is refused while they can be restored. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)
  await run(`
    alter table identities alter column user_id drop not null, add column reserved_for text,
      add constraint identities_reserved_for_fkey foreign key (organisation_id, reserved_for) references users (organisation_id, id) on delete cascade`)
  await run(`
    alter table identities add constraint identities_reserved_check check (
      (user_id is null) <> (reserved_for is null)
      and (reserved_for is null or (email is null and claims = '{}' and last_used_at is null)))`)
  await run('create index identities_reserved_index on identities (organisation_id, reserved_for) where reserved_for is not null')
  await asSystem(database, () =>
    run(`
      update identities set user_id = null, reserved_for = users.id, email = null, claims = '{}', last_used_at = null
      from users
      where users.organisation_id = identities.organisation_id and users.id = identities.user_id and users.deleted_at is not null`),
  )
}
