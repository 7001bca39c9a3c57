import { type Kysely, sql } from 'kysely'

/** Clients that registered themselves openly. Until a user of an organisation allows one, it is of none. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table unbound_clients (
      client_id text primary key,
      registration_access_token_hash text not null,
      name text not null,
      redirect_uris text[] not null,
      grant_types text[] not null,
      id_token_signed_response_alg text not null check (id_token_signed_response_alg in ('EdDSA', 'RS256')),
      metadata jsonb not null,
      ip_address text,
      created_at timestamptz not null
    )`.execute(database)
  await sql`create index unbound_clients_created_at_index on unbound_clients (created_at)`.execute(database)
}
