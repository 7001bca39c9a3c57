import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

export interface ProductionSetUp {
  smtpUrl: string | undefined
  systemApiKey: string | undefined
}

/** What is missing in production, or dangerous there: a sentence each, that says how to mend it. */
export async function productionWarnings(database: Database, { smtpUrl, systemApiKey }: ProductionSetUp): Promise<string[]> {
  const { isEmbedded } = database
  const { rows } = await sql<{ hasOrganisation: boolean; isSuperuser: boolean }>`
    select exists (select from organisations) as has_organisation,
      exists (select from pg_roles where rolname = session_user and (rolsuper or rolbypassrls)) as is_superuser`.execute(database.system())
  const { hasOrganisation, isSuperuser } = rows[0] ?? { hasOrganisation: true, isSuperuser: false }
  const warnings: [boolean, string][] = [
    [
      !hasOrganisation,
      systemApiKey
        ? 'There is no organisation: create one by POST /v1/organisations with SYSTEM_API_KEY, or start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD'
        : 'There is no organisation: start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD, or set SYSTEM_API_KEY and create one by POST /v1/organisations',
    ],
    [!smtpUrl, 'There is no mail server: mails are written to files in DATA_DIR/mail and reach nobody. Set SMTP_URL'],
    [isEmbedded, 'The database is the embedded one, which serves a single process: set DATABASE_URL to a PostgreSQL'],
    [
      !isEmbedded && isSuperuser,
      'The role in DATABASE_URL is a superuser or bypasses row-level security: use one that only owns its database (docs/operations.md)',
    ],
  ]
  return warnings.flatMap(([applies, warning]) => (applies ? [warning] : []))
}
