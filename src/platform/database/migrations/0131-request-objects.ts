import { type Kysely, sql } from 'kysely'

/** Clients that sign their authorization requests (RFC 9101). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table clients add column require_signed_request_object boolean not null default false,
      add column request_object_signing_alg text constraint clients_request_object_signing_alg_check
        check (request_object_signing_alg in ('EdDSA', 'ES256', 'PS256', 'RS256'))`.execute(database)
}
