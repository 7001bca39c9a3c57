import { type Kysely, sql } from 'kysely'

/** The column that makes a row an organisation's own: it fills itself in from the tenant that the door has set. */
export const organisationId = sql.raw(
  `organisation_id text not null default current_setting('app.organisation_id', true) references organisations (id) on delete cascade`,
)

/**
 * Puts a table under row-level security: the tenant role sees and writes its organisation's rows, the service's own role
 * all of them, any other none.
 */
export async function secureTenantTable(database: Kysely<unknown>, table: string, tenantColumn = 'organisation_id'): Promise<void> {
  const name = sql.table(table)
  const ownRows = sql`${sql.ref(tenantColumn)} = current_setting('app.organisation_id', true)`
  await sql`alter table ${name} enable row level security`.execute(database)
  await sql`alter table ${name} force row level security`.execute(database)
  await sql`create policy tenant on ${name} to gatehouse_tenant using (${ownRows}) with check (${ownRows})`.execute(database)
  await sql`create policy system on ${name} to gatehouse_system using (true) with check (true)`.execute(database)
  await sql`grant select, insert, update, delete on ${name} to gatehouse_tenant`.execute(database)
}
