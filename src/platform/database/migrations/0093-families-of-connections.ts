import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

/**
 * What applications hold by a session that came by a connection ends with the connection, and no later than the connection says:
 * sessions, codes and families of tokens say so themselves, since a session is gone long before what it has authorized.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)
  await run('alter table sessions add column federated_until timestamptz')
  for (const table of ['authorization_codes', 'token_families']) {
    await run(`
      alter table ${table} add column connection_id text, add column upstream_session text, add column federated_until timestamptz`)
    await run(`create index ${table}_connection_index on ${table} (organisation_id, connection_id) where connection_id is not null`)
  }
  await asSystem(database, async () => {
    await run(`
      update sessions s set federated_until = s.created_at + make_interval(secs => c.session_max_age_seconds)
      from connections c
      where c.organisation_id = s.organisation_id and c.id = s.connection_id and c.session_max_age_seconds is not null`)
    for (const table of ['authorization_codes', 'token_families']) {
      await run(`
        update ${table} t set connection_id = s.connection_id, upstream_session = s.upstream_session, federated_until = s.federated_until
        from sessions s where s.organisation_id = t.organisation_id and s.id = t.session_id and s.connection_id is not null`)
    }
  })
}
