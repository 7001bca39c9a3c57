import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Organisations that a stranger has asked for and whose owner has not confirmed the address yet. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table sign_ups (
      ${organisationId},
      user_id text not null,
      email text not null check (email = lower(email)),
      created_at timestamptz not null,
      primary key (organisation_id, user_id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index sign_ups_created_at_index on sign_ups (created_at)`.execute(database)
  await secureTenantTable(database, 'sign_ups')
}
