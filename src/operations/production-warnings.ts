import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

export interface ProductionSetUp {
  smtpUrl: string | undefined
  systemApiKey: string | undefined
}

/** A warning for each setting that is missing or dangerous in production. Each says how to fix it. */
export async function productionWarnings(database: Database, { smtpUrl, systemApiKey }: ProductionSetUp): Promise<string[]> {
  const { isEmbedded } = database
  const { rows } = await sql<{ hasOrganisation: boolean; isSuperuser: boolean; inherits: boolean; notInherited: string }>`
    select exists (select from organisations) as has_organisation,
      exists (select from pg_roles where rolname = session_user and (rolsuper or rolbypassrls)) as is_superuser,
      pg_has_role(session_user, 'gatehouse_system', 'usage') as inherits,
      case when current_setting('server_version_num')::int >= 160000
        then format('GRANT gatehouse_system, gatehouse_tenant TO %I WITH INHERIT FALSE, SET TRUE', session_user)
        else format('GRANT USAGE, CREATE ON SCHEMA %I TO %I; ALTER ROLE %2$I NOINHERIT', current_schema(), session_user)
      end as not_inherited`.execute(database.system())
  const { hasOrganisation, isSuperuser, inherits, notInherited } = rows[0] as (typeof rows)[number]
  const warnings: [boolean, string][] = [
    [
      !hasOrganisation,
      systemApiKey
        ? 'There is no organisation: create one by POST /v1/organisations with SYSTEM_API_KEY, or start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD'
        : 'There is no organisation: start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD, or set SYSTEM_API_KEY and create one by POST /v1/organisations',
    ],
    [!smtpUrl, 'There is no mail server: mails are written to files in DATA_DIR/mail and not sent. Set SMTP_URL'],
    [isEmbedded, 'The database is the embedded one, which serves a single process: set DATABASE_URL to a PostgreSQL'],
    [
      !isEmbedded && isSuperuser,
      'The role in DATABASE_URL is a superuser or bypasses row-level security: use one that only owns its database (docs/operations.md)',
    ],
    [
      !isEmbedded && !isSuperuser && inherits,
      `The role in DATABASE_URL inherits gatehouse_system. When no process of an earlier release is running, have the role that granted it run: ${notInherited} (docs/operations.md)`,
    ],
  ]
  return warnings.flatMap(([applies, warning]) => (applies ? [warning] : []))
}
