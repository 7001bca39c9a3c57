/**
 * Checks that only the owner of a table writes to it, by Kysely or by SQL, and prints each violation. It also checks which files use the
 * database's engine, and that platform/http knows neither identity nor the error codes of PostgreSQL.
 */
import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { kinds, tablesOf } from '../shared/kinds.ts'

/** The only folder that writes to each table. All folders may read it. */
const owners: Record<string, string> = {
  ...Object.fromEntries(Object.values(kinds).flatMap((kind) => tablesOf(kind).map((table) => [table, kind.folder]))),
  organisation_exports: 'organisations',
  organisation_logos: 'organisations',
  sign_ups: 'accounts',
  imported_users: 'import',
  sessions: 'sessions',
  mfa_challenges: 'sessions',
  action_links: 'passwords',
  former_passwords: 'passwords',
  mfa_credentials: 'mfa',
  mfa_backup_codes: 'mfa',
  mfa_sent_codes: 'mfa',
  passkeys: 'passkeys',
  passkey_users: 'passkeys',
  spent_challenges: 'passkeys',
  idempotent_answers: 'idempotency',
  email_codes: 'email-codes',
  email_code_tries: 'email-codes',
  identities: 'identities',
  federation_requests: 'connections',
  logout_tokens: 'connections',
  session_clients: 'backchannel-logout',
  logout_deliveries: 'backchannel-logout',
  logout_attempts: 'backchannel-logout',
  saml_used: 'connections',
  directory_tokens: 'directories',
  directory_requests: 'directories',
  permissions: 'roles',
  audit_logs: 'activity',
  sign_in_counts: 'activity',
  sign_in_count_changes: 'activity',
  client_documents: 'automatic-clients',
  unbound_clients: 'automatic-clients',
  exchanged_keys: 'api-keys',
  federated_subjects: 'platform/database',
  authorization_requests: 'oauth',
  authorization_codes: 'oauth',
  device_codes: 'oauth',
  consents: 'oauth',
  resource_consents: 'oauth',
  diagnostics: 'oauth',
  token_families: 'tokens',
  refresh_answers: 'tokens',
  revoked_access_tokens: 'tokens',
  used_assertions: 'tokens',
  signing_keys: 'tokens',
  webhook_deliveries: 'webhooks',
  webhook_attempts: 'webhooks',
  configuration_keys: 'configuration',
  mails: 'platform/mail',
  tasks: 'platform/jobs',
  rate_limits: 'platform/rate-limits',
  record_counts: 'platform/database',
  record_count_changes: 'platform/database',
  organisation_count_changes: 'platform/database',
}

/** Exceptions: writes from another folder, with the reason. */
const exceptions: Record<string, Record<string, string>> = {
  'src/access/queries.ts': {
    sessions: 'notes the use of a session with each request, on the floor that all others stand on',
    api_keys: 'notes the use of a key with each request, on the floor that all others stand on',
  },
  'src/accounts/deactivation.ts': {
    directory_users: 'what directories have said of a user follows the block of an administrator, on the floor that directories stand on',
  },
  'src/activity/record.ts': { webhook_deliveries: 'the audit entry and the deliveries of an occurrence are one statement' },
  'src/activity/record-for-every-organisation.ts': {
    webhook_deliveries: 'the audit entries and the deliveries of an occurrence are one statement',
  },
  'src/audit/forget-user.ts': { audit_logs: 'takes the name of an erased user from the history, which is otherwise never changed' },
  'src/roles/permissions/delete-permission.ts': { api_keys: 'a permission that is gone leaves roles and keys in one transaction' },
  'src/sessions/challenges.ts': {
    users: 'a lock ends in the statement that begins the second factor, while the row is held',
    action_links: 'what replaces an expired password is a pending sign-in, and ends with those that wait for a second factor',
  },
  'src/sessions/remove-ended-sessions.ts': {
    action_links: 'one task removes what has ended of signing in',
    mfa_credentials: 'one task removes what has ended of signing in',
  },
  'src/sessions/end-setup-links.ts': { setup_links: 'links end with the access of their creator, or with the organisation' },
  'src/tokens/remove-expired-tokens.ts': {
    authorization_requests: 'one task removes what has expired of authorizations',
    authorization_codes: 'one task removes what has expired of authorizations',
    device_codes: 'one task removes what has expired of authorizations',
  },
  'src/tokens/families.ts': {
    authorization_codes: 'a code is claimed and its family begins in one statement',
    device_codes: 'a code is claimed and its family begins in one statement',
    session_clients: 'the statement that claims a code notes the client of its session',
  },
  'src/tokens/revoke-tokens.ts': {
    authorization_codes: 'codes end before families, so that none begins in between',
    device_codes: 'codes end before families, so that none begins in between',
  },
}

/** Files that write to tables named in a list, with the reason. */
const byName: Record<string, string> = {
  'src/isolation/rows.ts': 'makes a row in every table for an organisation that is never committed',
  'src/isolation/rows-and-writes.ts': 'tries writes that must be refused, of which none is committed',
  'src/platform/database/copy-database.ts': 'writes every table of an empty database, as another one has it',
  'src/platform/database/delete-batch.ts': 'deletes from the table that its caller names, which is checked there',
  'src/roles/sources.ts': 'writes the table that its caller names, which is checked there, and the sources of its rows',
  'src/system/erase-user.ts': "removes an erased user's rows from each table that has them",
  'src/system/purge-organisations.ts': 'removes all rows of an organisation',
  'src/system/transfer/import-organisation.ts': 'writes the rows of an organisation as their owners wrote them in another installation',
  'src/system/re-encrypt-secrets.ts': 'encrypts each column of secrets with a new key',
  'src/test-mode/snapshots.ts': 'puts every row back as it was, in the test mode alone',
}

/** Folders that open the database, and so use the engine below it. */
const openers = ['src/app/', 'src/cli/', 'src/isolation/', 'src/test-mode/', 'src/platform/database/']
const engineImport = /from '[^']*platform\/database\/(?:engine|postgres|open|retry|group-commit|embedded\/[\w-]+)\.ts'/

const writes = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`]([a-z]\w*)/gi,
  /\bdeleteBatch\(\s*\w+,\s*'([a-z_]+)'/g,
  /\browsWithSources\('([a-z_]+)'/g,
  /\b(?:insert into|delete from|merge into|truncate)\s+(?:only\s+)?([a-z_]+)\b/g,
  /\bupdate\s+(?:only\s+)?([a-z_]+)\s+(?:(?:as\s+)?[a-z_]+\s+)?set\b/g,
]
const writesByName =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^'"`\s]|\bdeleteBatch\(\s*\w+,\s*[^'\s]|\b(?:insert into|delete from|merge into|update)\s+\$\{/

const mistakes: string[] = []
const used = new Set<string>()
for (const file of globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/migrations/**'] })) {
  const text = withoutComments(readFileSync(file, 'utf8'))
  const tables = new Set(writes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => snakeCase(name))))
  for (const table of tables) {
    const mistake = judge(file, table)
    if (mistake) mistakes.push(`${file} writes to ${table}: ${mistake}`)
  }
  if (writesByName.test(text)) {
    used.add(file)
    if (!byName[file]) mistakes.push(`${file} writes to a table whose name is computed: name it, or say in tools/check-tables.ts why not`)
  }
  if (engineImport.test(text) && !openers.some((folder) => file.startsWith(folder)))
    mistakes.push(`${file} imports the database's engine: it is private to platform/database`)
  if (file.startsWith('src/platform/http/')) mistakes.push(...forbiddenToHttp(text).map((what) => `${file} ${what}`))
}
for (const [file, tables] of Object.entries(exceptions))
  for (const table of Object.keys(tables))
    if (!used.has(`${file} ${table}`)) mistakes.push(`${file} no longer writes to ${table}: remove the exception`)
for (const file of Object.keys(byName)) if (!used.has(file)) mistakes.push(`${file} no longer writes by name: remove the exception`)
mistakes.push(...tablesWithoutOwner())

process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0

function judge(file: string, table: string): string | undefined {
  const owner = owners[table]
  if (owner === undefined) return 'tools/check-tables.ts does not say whose it is'
  if (file.startsWith(`src/${owner}/`)) return undefined
  used.add(`${file} ${table}`)
  return exceptions[file]?.[table] ? undefined : `only src/${owner} does`
}

/** Checks that exactly the tables of Kysely's types have an owner. */
function tablesWithoutOwner(): string[] {
  const [, body = ''] = /export interface Tables \{([^}]*)\}/.exec(readFileSync('src/platform/database/tables.ts', 'utf8')) ?? []
  const known = [...body.matchAll(/(\w+): /g)].map(([, name = '']) => snakeCase(name))
  return known.filter((table) => !(table in owners)).map((table) => `tools/check-tables.ts does not say who writes to ${table}`)
}

/** platform/http serves any application: it knows neither the features nor the database. */
function forbiddenToHttp(text: string): string[] {
  const identity =
    /\b(?:session|user|organisation|tenant|client|role|apiKey)Id\b|svc_session|\bak_|X-CSRF-Token|SYSTEM_API_KEY|'[a-z_]+:(?:read|create|update|delete|manage)'/
  const errorCode = /['"](?:08|22|23|25|28|40|42|53|55|57|3D|XX)[0-9A-Z]{3}['"]/
  return [
    ...(identity.test(text) ? [`knows of identity: ${identity.exec(text)?.[0]}`] : []),
    ...(errorCode.test(text) ? [`knows an error code of PostgreSQL: ${errorCode.exec(text)?.[0]}`] : []),
  ]
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
