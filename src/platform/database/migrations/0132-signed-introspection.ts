import { type Kysely, sql } from 'kysely'

/** Clients to which introspection responds in signed form (RFC 9701). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table clients add column introspection_signed_response_alg text
      constraint clients_introspection_signed_response_alg_check check (introspection_signed_response_alg in ('EdDSA', 'RS256'))`.execute(
    database,
  )
}
