import { type Kysely, sql } from 'kysely'

/**
 * Clients that authenticate by a key (RFC 7523), with their public keys or the address of these; and consents that end at a time that the user
 * has chosen. Of a client with a key no secret is needed.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run(`
    alter table clients add column jwks jsonb, add column jwks_uri text,
      add column token_endpoint_auth_signing_alg text constraint clients_token_endpoint_auth_signing_alg_check
        check (token_endpoint_auth_signing_alg in ('EdDSA', 'ES256', 'PS256', 'RS256'))`)
  // Each new list or rule holds the former one, and no client has keys yet, so no row has to be looked at.
  await run('alter table clients drop constraint clients_token_endpoint_auth_method_check, drop constraint clients_check1')
  await run(`
    alter table clients add constraint clients_token_endpoint_auth_method_check
      check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt')) not valid`)
  await run(`
    alter table clients add constraint clients_secret_check check (case token_endpoint_auth_method when 'none' then secret_hash is null
      when 'private_key_jwt' then jwks is not null or jwks_uri is not null else secret_hash is not null end) not valid`)
  await run('alter table clients add constraint clients_keys_check check (jwks is null or jwks_uri is null) not valid')

  await run('alter table consents add column expires_at timestamptz')
  await run('alter table resource_consents add column expires_at timestamptz')
  // What was authorized before that time ends with it.
  for (const table of ['authorization_codes', 'device_codes', 'token_families'])
    await run(`alter table ${table} add column consented_until timestamptz`)
}
