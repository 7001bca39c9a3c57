import { type Kysely, sql } from 'kysely'

/** The keys that sign tokens. They belong to the issuer, that is to all organisations. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table signing_keys (
      id text primary key,
      algorithm text not null check (algorithm in ('EdDSA', 'RS256')),
      public_jwk jsonb not null,
      private_key_encrypted text not null,
      created_at timestamptz not null,
      signs_from timestamptz not null,
      retires_at timestamptz
    )`.execute(database)
}
