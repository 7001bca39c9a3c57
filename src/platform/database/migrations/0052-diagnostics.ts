import { type Kysely, sql } from 'kysely'
import { secureTenantTable } from './tenant-table.ts'

/** Why OAuth requests were refused. Those that named no known client belong to no organisation: the operator reads them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table diagnostics (
      reference text primary key,
      organisation_id text references organisations (id) on delete cascade,
      client_id text,
      endpoint text not null,
      error text not null,
      description text not null,
      check_name text not null,
      expected jsonb,
      received jsonb,
      hint text,
      parameters jsonb not null,
      created_at timestamptz not null
    )`.execute(database)
  await sql`create index diagnostics_created_at_index on diagnostics (created_at)`.execute(database)
  await secureTenantTable(database, 'diagnostics')
}
