import { type RawBuilder, sql } from 'kysely'
import { kinds, tablesOf } from '../../../shared/kinds.ts'
import type { System } from '../../platform/database/database.ts'
import { childrenFirst, isSecretField } from '../rules.ts'
import { camelCase } from '../tenant-rows.ts'
import { listTenantTables } from '../tenant-tables.ts'

/** The tables that an export contains, by name. A test compares both lists with the catalogue: a new table has to be in one. */
export const exportedTables: readonly string[] = [
  ...Object.values(kinds).flatMap((kind) => ('leftOut' in kind ? [] : tablesOf(kind))),
  'audit_logs',
  'configuration_keys',
  'consents',
  'former_passwords',
  'identities',
  'imported_users',
  'mfa_backup_codes',
  'mfa_credentials',
  'organisation_logos',
  'passkey_users',
  'passkeys',
  'resource_consents',
  'sign_in_count_changes',
  'sign_in_counts',
  'sign_ups',
].sort()

/** Tables that an export leaves out, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  action_links: 'links that work once, for one address of the service',
  authorization_codes: 'gone in minutes',
  authorization_requests: 'sign-ins under way',
  device_codes: 'gone in minutes',
  diagnostics: 'refusals of this installation, gone in days',
  directory_requests: 'the log of this installation, gone in days',
  directory_tokens: 'work at the address of this installation alone: each directory gets another token with its new address',
  email_codes: 'codes that work once',
  exchanged_keys: 'gone in minutes',
  federated_subjects: 'a trigger derives them from clients and API keys',
  federation_requests: 'sign-ins under way',
  logout_attempts: 'this installation sends them',
  logout_deliveries: 'this installation sends them: none goes out twice',
  logout_tokens: 'gone in minutes',
  session_clients: 'of sessions, which are left out',
  saml_used: 'gone in minutes',
  used_assertions: 'gone in minutes',
  mails: 'this installation sends them',
  mfa_challenges: 'sign-ins under way',
  mfa_sent_codes: 'codes that work once',
  organisation_exports: 'files of this installation',
  record_count_changes: 'counted again at the import',
  record_counts: 'counted again at the import',
  refresh_answers: 'gone in a minute',
  revoked_access_tokens: 'no token of this installation is accepted elsewhere',
  sessions: 'users sign in again',
  ...Object.fromEntries(Object.values(kinds).flatMap((kind) => ('leftOut' in kind ? [[kind.table, kind.leftOut]] : []))),
  token_families: 'applications sign their users in again',
  webhook_attempts: 'this installation sends them',
  webhook_deliveries: 'this installation sends them: none goes out twice',
}

/** Tables that contain only secrets. */
export const secretTables: Readonly<Record<string, string>> = {
  former_passwords: 'nothing but hashes of passwords: exported with secrets only',
  mfa_backup_codes: 'nothing but hashes of codes: exported with secrets only',
}

/** Secrets that are not even exported with the others, with the reason. */
export const neverExported: Readonly<Record<string, string>> = {
  'invitations.tokenHash': 'a link that works once: invitations are sent again',
}

/** Conditions of tables that are exported in part. */
export const conditions: Readonly<Record<string, RawBuilder<unknown>>> = {
  // The others belong to a session, in which an authenticator is being enrolled.
  mfa_credentials: sql`verified_at is not null`,
  // The owner role gets every permission of the target.
  role_permissions: sql`role_id not in (
    select id from roles where roles.organisation_id = role_permissions.organisation_id and roles.is_owner)`,
}

/** Columns that triggers derive from other rows. */
const derived = new Set(['roles.permission_slugs'])

/** Values that must be unique in the whole installation, without the ids that contain the organisation's. */
export const uniqueEverywhere: readonly UniqueField[] = [
  { table: 'organisations', field: 'slug', column: 'slug' },
  { table: 'organisations', field: 'name', column: 'name' },
  { table: 'organisations', field: 'email', column: 'email' },
  { table: 'organisations', field: 'ownerId', column: 'owner_id' },
  // The `sub`, which is unique at an issuer (OpenID Connect Core §2).
  { table: 'users', field: 'id', column: 'id' },
  { table: 'users', field: 'email', column: 'email' },
  { table: 'clients', field: 'id', column: 'id' },
  { table: 'connections', field: 'id', column: 'id' },
  { table: 'directories', field: 'id', column: 'id' },
  { table: 'resource_servers', field: 'id', column: 'id' },
  { table: 'resource_authorization_servers', field: 'id', column: 'id' },
  { table: 'resource_servers', field: 'identifier', column: 'identifier' },
  { table: 'passkeys', field: 'credentialId', column: 'credential_id' },
  { table: 'passkey_users', field: 'handle', column: 'handle' },
  { table: 'api_keys', field: 'keyHash', column: 'key_hash' },
  {
    table: 'organisation_domains',
    field: 'domain',
    column: 'domain',
    condition: sql`status <> 'pending'`,
    concerns: ({ status }) => status !== 'pending',
  },
]

export interface UniqueField {
  table: string
  field: string
  column: string
  /** The condition on rows in the database. */
  condition?: RawBuilder<unknown>
  /** The same condition on rows in a file. */
  concerns?: (row: Readonly<Record<string, unknown>>) => boolean
}

export interface Column {
  name: string
  /** The column's name in the file. */
  field: string
  /** The type as PostgreSQL prints it. */
  type: string
  isNullable: boolean
  /** Whether a row must have a value. */
  isRequired: boolean
  isSecret: boolean
}

export interface ExportedTable {
  name: string
  /** The columns of the primary key without the organisation. */
  key: readonly string[]
  columns: readonly Column[]
}

/** The primary key of a row as the file shows it: without the organisation and without secrets. */
export const keyOf = ({ key }: Pick<ExportedTable, 'key'>, row: Readonly<Record<string, unknown>>): unknown[] =>
  key.map(camelCase).flatMap((field) => (isSecretField(field) ? [] : [row[field] ?? null]))

/** The exported tables in the order in which they can be written: each after the tables that it refers to. */
export async function describeTables(system: System): Promise<ExportedTable[]> {
  const { rows } = await sql<{ table: string; columns: Pick<Column, 'name' | 'type' | 'isNullable' | 'isRequired'>[] }>`
    select t.relname as table, (
      select json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'isNullable', not a.attnotnull, 'isRequired', a.attnotnull and not a.atthasdef) order by a.attnum)
      from pg_attribute a
      where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'organisation_id'
        and a.attgenerated = '' and a.attidentity = ''
    ) as columns
    from pg_class t
    where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace and t.relname = any(${exportedTables}::text[])`.execute(
    system,
  )
  const columnsOf = new Map(
    rows.map(({ table, columns }) => [
      table,
      columns
        .filter(({ name }) => !derived.has(`${table}.${name}`))
        .map((column): Column => {
          const field = camelCase(column.name)
          return { ...column, field, isSecret: isSecretField(field) }
        }),
    ]),
  )
  const tenantTables = (await listTenantTables(system)).filter(({ name }) => exportedTables.includes(name))
  const ordered = [{ name: 'organisations', key: ['id'] }, ...childrenFirst(tenantTables).reverse()]
  return ordered.map(({ name, key }) => ({ name, key, columns: columnsOf.get(name) ?? [] }))
}
