import { type Kysely, sql } from 'kysely'

/** Clients that sign their authorization requests (RFC 9101), and tokens that are bound to a key (RFC 9449). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table clients add column require_signed_request_object boolean not null default false,
      add column request_object_signing_alg text constraint clients_request_object_signing_alg_check
        check (request_object_signing_alg in ('EdDSA', 'ES256', 'PS256', 'RS256')),
      add column require_dpop boolean not null default false`.execute(database)
  for (const table of ['authorization_codes', 'token_families'])
    await sql`alter table ${sql.table(table)} add column jkt text`.execute(database)
}
