import { type Kysely, sql } from 'kysely'

/**
 * Which request an entry belongs to, and indexes for what the audit log is narrowed by: address, kind of target and request.
 * Entries from before name no request.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run('alter table audit_logs add column request_id text')
  await run('create index audit_logs_address_index on audit_logs (organisation_id, ip_address, id) where ip_address is not null')
  await run('create index audit_logs_target_type_index on audit_logs (organisation_id, target_type, id)')
  await run('create index audit_logs_request_index on audit_logs (organisation_id, request_id) where request_id is not null')
}
