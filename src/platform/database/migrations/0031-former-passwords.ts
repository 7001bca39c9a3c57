import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** The passwords that users had, as far as their organisation wants them not to be chosen again. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table former_passwords (
      ${organisationId},
      user_id text not null,
      password_hash text not null,
      replaced_at timestamptz not null,
      primary key (organisation_id, user_id, password_hash),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'former_passwords')
}
