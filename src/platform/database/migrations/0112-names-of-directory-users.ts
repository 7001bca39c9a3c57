import { type Kysely, sql } from 'kysely'

const addressMax = 320

/**
 * What directories look users up by, as columns: row-level security lets an index be used only for conditions that cannot leak what they
 * compare, which `lower(…)` is not. `email_key` is the first address that was sent; of a user with more, each is compared.
 *
 * The columns rewrite the table, under its lock. The keys are built with them in one pass, so they hold up nothing besides.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run('drop index directory_users_user_name_key')
  await run(`
    alter table directory_users
      add column user_name_key text collate "C" not null generated always as (lower(user_name)) stored,
      add column email_key text collate "C" generated always as (left(lower(attributes #>> '{emails,0,value}'), ${addressMax})) stored,
      add column has_more_emails boolean not null generated always as (attributes #> '{emails,1}' is not null) stored,
      add constraint directory_users_user_name_key unique (organisation_id, directory_id, user_name_key),
      add constraint directory_users_email_key unique (organisation_id, directory_id, email_key, user_id),
      add constraint directory_users_more_emails_key unique (organisation_id, directory_id, has_more_emails, user_id)`)
}
