import { type Kysely, sql } from 'kysely'

/** Clients that authenticate by a certificate, or whose tokens are bound to one (RFC 8705). */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run(`
    alter table clients add column tls_client_auth jsonb,
      add column certificate_bound_access_tokens boolean not null default false`)
  // Each new list or rule holds the former one, and no client has a certificate yet, so no row has to be looked at.
  await run('alter table clients drop constraint clients_token_endpoint_auth_method_check, drop constraint clients_secret_check')
  await run(`
    alter table clients add constraint clients_token_endpoint_auth_method_check check (token_endpoint_auth_method in
      ('client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth')) not valid`)
  await run(`
    alter table clients add constraint clients_secret_check check (case token_endpoint_auth_method when 'none' then secret_hash is null
      when 'private_key_jwt' then jwks is not null or jwks_uri is not null
      when 'self_signed_tls_client_auth' then jwks is not null or jwks_uri is not null
      when 'tls_client_auth' then tls_client_auth is not null else secret_hash is not null end) not valid`)
}
