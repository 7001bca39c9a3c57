import { type Kysely, sql } from 'kysely'

/** Claims that an application asks for by name (OpenID Connect Core §5.5): what users have allowed, and what tokens were issued with. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table consents add column claims text[] not null default '{}'`.execute(database)
  for (const table of ['authorization_codes', 'token_families'])
    await sql`alter table ${sql.table(table)} add column granted_claims jsonb`.execute(database)
}
