import { type Kysely, sql } from 'kysely'

// The former release finds no request whose client is not stored yet, and tells its user to start again.
export const stopsFormerRelease = undefined

/**
 * Automatic clients: applications that no administrator has registered. Such a client has a row in each organisation whose resource servers
 * it may use, and one client_id in all of them. Before a user allows it there is no row, so a pending request describes it instead.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run(`
    alter table clients
      add column origin text not null default 'admin',
      add column automatic_client_id text,
      add column consent_version text`)
  // Every row is an administrator's, so none has to be looked at.
  await run(`
    alter table clients
      add constraint clients_origin_check check (origin in ('admin', 'registration', 'metadata_document')) not valid,
      add constraint clients_automatic_client_check check (case origin when 'admin' then automatic_client_id is null
        when 'metadata_document' then automatic_client_id is not null else true end) not valid`)
  await run('alter table consents add column client_version text')
  await run('alter table authorization_requests alter column client_id drop not null')
  await run(`
    alter table authorization_requests add constraint authorization_requests_client_check
      check (client_id is not null or parameters ? 'automaticClient') not valid`)
  await run('alter table organisations add column client_document_policy jsonb')
}
