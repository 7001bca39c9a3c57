import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { type Organisation, presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { isSecretField } from './rules.ts'
import { camelCase, pagesOf, type Row } from './tenant-rows.ts'
import { listTenantTables } from './tenant-tables.ts'

const pageSize = 200

/** Tables that an export leaves out, with the reason. */
export const notExported: Readonly<Record<string, string>> = {
  organisation_exports: 'it is about the export itself',
  authorization_requests: 'sign-ins under way, gone in minutes, with whatever applications sent along',
  authorization_codes: 'gone in minutes; a plain code challenge is a secret',
  device_codes: 'gone in minutes',
  refresh_answers: 'gone in a minute, and encrypted',
  mfa_challenges: 'sign-ins under way, gone in minutes',
  mfa_sent_codes: 'gone in minutes',
  email_codes: 'sign-ins under way, gone in minutes',
  federation_requests: 'sign-ins under way, gone in minutes',
  logout_tokens: 'nothing but hashes, gone in minutes',
  saml_used: 'nothing but hashes, gone in minutes',
  used_assertions: 'nothing but hashes, gone in minutes',
  mfa_backup_codes: 'nothing but hashes',
  former_passwords: 'nothing but hashes',
  sign_in_count_changes: 'the last seconds of sign_in_counts',
  record_counts: 'how many of the records there are',
  record_count_changes: 'how many of the records there are',
}

/**
 * Records the export in the organisation's audit log before the first byte is sent.
 *
 * @throws Problem `not-found`
 */
export async function recordExport(
  database: Database,
  actor: Actor,
  organisationId: string,
  metadata?: Record<string, unknown>,
): Promise<Organisation> {
  return database.transaction(organisationId, async (tenant) => {
    const organisation = await getOwnOrganisation(tenant)
    await record(tenant, actor, {
      action: 'organisation.exported',
      organisation: presentOrganisation(organisation),
      ...(metadata && { metadata }),
    })
    return organisation
  })
}

/**
 * Writes everything of an organisation except secrets as one JSON object: the organisation, the permissions that its roles name, and the
 * rows of each table under the table's name. It is read and written page by page, so memory use does not grow with the amount of data. A
 * row that changes meanwhile is exported as it was when its page was read.
 */
export async function* exportOrganisation(database: Database, organisationId: string): AsyncGenerator<string> {
  const tenant = database.listReads(organisationId)
  const tables = (await listTenantTables(database.systemListReads())).filter(({ name }) => !(name in notExported))
  const organisation = await tenant.selectFrom('organisations').selectAll().executeTakeFirst()
  const permissions = await tenant.selectFrom('permissions').select(['id', 'slug', 'name', 'category']).orderBy('slug').execute()
  const opening = { exportedAt: tenant.now, organisation, permissions }
  yield JSON.stringify(opening).slice(0, -1)
  for (const table of tables) {
    yield `,\n${JSON.stringify(camelCase(table.name))}:[`
    let separator = '\n'
    for await (const rows of pagesOf(tenant, organisationId, table, { pageSize })) {
      yield separator + rows.map((row) => JSON.stringify(shown(row))).join(',\n')
      separator = ',\n'
    }
    yield ']'
  }
  yield '}\n'
}

function shown(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([field]) => field !== 'organisationId' && !isSecretField(field)))
}
