import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Codes that sign a user in by mail. A user has one at most, so that a new one ends the one before; the row is deleted when it is
 * used. Neither the code nor the token of its link is stored: both are derived from the row's id. Tries are counted by flow, of
 * addresses without an account, too, so that a wrong code takes as long for them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_codes (
      ${organisationId},
      id text not null,
      user_id text not null,
      flow_token_hash text not null constraint email_codes_flow_token_hash_key unique,
      link_token_hash text not null constraint email_codes_link_token_hash_key unique,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      primary key (organisation_id, id),
      constraint email_codes_user_key unique (organisation_id, user_id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index email_codes_expires_at_index on email_codes (expires_at)`.execute(database)
  await secureTenantTable(database, 'email_codes')

  await sql`
    create table email_code_tries (
      flow_token_hash text primary key,
      tries integer not null,
      expires_at timestamptz not null
    )`.execute(database)
  await sql`create index email_code_tries_expires_at_index on email_code_tries (expires_at)`.execute(database)
}
