import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { kinds } from '../../../shared/kinds.ts'
import { findRegistered } from '../../accounts/queries.ts'
import type { Actor } from '../../activity/actor.ts'
import { ownerRoleNotMapped } from '../../connections/refusals.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasFormOfId } from '../../platform/ids.ts'
import { isKeptByAnother } from '../../resource-servers/kept-identifiers.ts'
import { createPermission } from '../../roles/permissions/create-permission.ts'
import { NewPermission } from '../../roles/permissions/schemas.ts'
import { camelCase } from '../tenant-rows.ts'
import { type Batch, type FileRow, type Header, type Secrets, secretName } from './format.ts'
import type { RecipientKey } from './recipient.ts'
import { mistakesOfValues, type RowRules } from './row-rules.ts'
import type { Trust } from './signature.ts'
import { type Column, type ExportedTable, exportedTables, keyOf, type UniqueField, uniqueEverywhere } from './tables.ts'

export interface Mistake {
  /** The place in the file, such as `line 7, users usr_…`. */
  place: string
  message: string
}

/** The context in which the rows of a line are checked against the format and the existing records. */
export interface Check {
  database: Database
  header: Header
  tables: ReadonlyMap<string, ExportedTable>
  key: RecipientKey | undefined
  /** Undefined for an untrusted file. */
  trust: Trust | undefined
  rules: RowRules
  mistaken: (place: string, message: string) => void
  /** What the rows so far say of roles: a mapping may stand before the role that it names. */
  roles: { ownerIds: Set<unknown>; mapped: MappedRole[] }
}

/** A role that an identity provider or a directory gives, by a row of the file. */
interface MappedRole {
  place: string
  path: (string | number)[]
  roleId: unknown
}

/** Whether it makes sense to read further. */
export async function checkHeader(check: Check, migrations: readonly string[], isKeyGiven: boolean): Promise<boolean> {
  const { database, header, key, mistaken } = check
  const { organisation, recipient, release, migration, permissions } = header
  let mistakes = 0
  const wrong = (message: string) => {
    mistakes++
    mistaken('line 1', message)
  }
  if (!migrations.includes(migration)) {
    wrong(`the export is of a newer release, ${release}: this one does not know the migration ${migration}`)
  }
  if (recipient !== null && !key) wrong('the export has secrets: --key names the private key that opens them')
  if (recipient !== null && key && key.thumbprint !== recipient) {
    wrong(`the secrets are encrypted for the key ${recipient}, and --key is ${key.thumbprint}`)
  }
  if (recipient === null && isKeyGiven) wrong('the export has no secrets, so there is nothing that --key could open')
  if (!hasFormOfId(organisation.id, kinds.organisation.idPrefix)) wrong(`${organisation.id} is not the id of an organisation`)
  const system = database.system()
  const here = await system.selectFrom('organisations').select(['slug', 'status']).where('id', '=', organisation.id).executeTakeFirst()
  if (here) wrong(`${organisation.id} is in this installation already, as ${here.slug} (${here.status})`)
  if (mistakes > 0) return false

  // An untrusted file grants no permission, so it needs none.
  for (const permission of check.trust ? permissions : []) {
    const { success, error } = NewPermission.safeParse(permission)
    if (!success) wrong(`the permission "${permission.slug}": ${messageOf(error)}`)
  }
  return mistakes === 0
}

/** Creates the permissions that the file names and this installation lacks. */
export async function createMissingPermissions(database: Database, actor: Actor, permissions: Header['permissions']): Promise<string[]> {
  const known = await permissionIdsOf(database, permissions)
  const missing = permissions.filter(({ id }) => !known.has(id))
  for (const permission of missing) await createPermission(database, actor, NewPermission.parse(permission))
  return missing.map(({ slug }) => slug)
}

const messageOf = ({ issues }: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }) =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')

/** The ids of permissions in this installation, by those in the file. */
export async function permissionIdsOf(database: Database, permissions: Header['permissions']): Promise<Map<string, string>> {
  const found = await database.system().selectFrom('permissions').select(['id', 'slug']).execute()
  const idOf = new Map(found.map(({ id, slug }) => [slug, id]))
  return new Map(
    permissions.flatMap(({ id, slug }) => {
      const here = idOf.get(slug)
      return here === undefined ? [] : [[id, here] as const]
    }),
  )
}

/** Collects the mistakes in the rows of a line. */
export async function checkBatch(check: Check, line: number, batch: Batch): Promise<void> {
  const { mistaken, header } = check
  const table = check.tables.get(batch.table)
  if (!table) {
    const isKnown = exportedTables.includes(batch.table)
    return mistaken(`line ${line}`, isKnown ? `${batch.table} is not in this database` : `this release has no table "${batch.table}"`)
  }
  if (table.name === 'organisations' && !(batch.rows.length === 1 && batch.rows[0]?.id === header.organisation.id)) {
    mistaken(`line ${line}`, `the organisation is not that of the first line, ${header.organisation.id}`)
  }
  const columns = new Map(table.columns.filter(({ isSecret }) => !isSecret).map((column) => [column.field, column]))
  for (const row of batch.rows) {
    const ofForm = [...mistakesOf(row, columns)]
    const mistakes = ofForm.length > 0 ? ofForm : [...mistakesOfValues(check.rules, table.name, row)]
    for (const mistake of mistakes) mistaken(placeOf(line, table, row), mistake)
    if (mistakes.length > 0) continue
    if (table.name === 'roles' && row.isOwner) check.roles.ownerIds.add(row.id)
    for (const mapped of rolesMappedBy(table, row)) check.roles.mapped.push({ place: placeOf(line, table, row), ...mapped })
  }
  for (const message of mistakesOfPermissions(table, batch.rows, header)) mistaken(`line ${line}, ${table.name}`, message)
  const secrets = await openSecrets(check, line, batch)
  if (typeof secrets === 'string') mistaken(`line ${line}, ${table.name}`, secrets)
  await checkUniqueness(check, line, table, batch.rows, typeof secrets === 'string' ? [] : secrets)
}

/** The roles that a row with valid values maps. */
function rolesMappedBy({ name }: ExportedTable, row: FileRow): Pick<MappedRole, 'path' | 'roleId'>[] {
  if (name === 'connections') {
    const mappings = (row.roleMappings ?? []) as readonly { roleId: unknown }[]
    return mappings.map(({ roleId }, index) => ({ path: ['roleMappings', index, 'roleId'], roleId }))
  }
  if (name !== 'directories') return []
  const mappings = (row.groupMappings ?? []) as readonly { roleIds?: readonly unknown[] }[]
  return mappings.flatMap(({ roleIds = [] }, mapping) =>
    roleIds.map((roleId, index) => ({ path: ['groupMappings', mapping, 'roleIds', index], roleId })),
  )
}

/** Finds mappings to the owner role, once all rows are read. The routes refuse them: a provider or a directory would hand it out. */
export function checkMappings({ roles: { ownerIds, mapped }, mistaken }: Check): void {
  for (const { place, path, roleId } of mapped)
    if (ownerIds.has(roleId)) mistaken(place, `${path.join('.')}: ${ownerRoleNotMapped(path).message}`)
}

const placeOf = (line: number, { name, key }: ExportedTable, row: FileRow) =>
  `line ${line}, ${name} ${key.map((column) => row[camelCase(column)] ?? '?').join(' ')}`

function* mistakesOf({ withheld, ...row }: FileRow, columns: ReadonlyMap<string, Column>): Generator<string> {
  if (withheld !== undefined && !isArrayOf(withheld, 'string')) yield 'withheld is not a list of names'
  for (const [field, value] of Object.entries(row)) {
    const column = columns.get(field)
    if (!column) yield `${field} is not a field that this release knows`
    else if (value === null ? !column.isNullable : !isOfType(value, column.type)) yield `${field} is not ${wordsOf(column)}`
  }
  for (const { field, isRequired } of columns.values()) if (isRequired && !(field in row)) yield `${field} is missing`
}

function* mistakesOfPermissions({ name }: ExportedTable, rows: readonly FileRow[], { permissions }: Header): Generator<string> {
  if (name !== 'role_permissions') return
  const known = new Set(permissions.map(({ id }) => id))
  for (const { permissionId } of rows)
    if (!known.has(String(permissionId))) yield `the first line does not name the permission ${permissionId}`
}

const isArrayOf = (value: unknown, type: string) => Array.isArray(value) && value.every((one) => typeof one === type)

function isOfType(value: unknown, type: string): boolean {
  if (type === 'jsonb') return true
  if (type === 'text[]') return isArrayOf(value, 'string')
  if (type === 'integer[]') return Array.isArray(value) && value.every(Number.isSafeInteger)
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer' || type === 'bigint') return Number.isSafeInteger(value)
  if (typeof value !== 'string') return false
  return type !== timestamp || !Number.isNaN(Date.parse(value))
}

const timestamp = 'timestamp with time zone'

function wordsOf({ type, isNullable }: Column): string {
  const words: Record<string, string> = {
    text: 'a text',
    'text[]': 'a list of texts',
    'integer[]': 'a list of whole numbers',
    boolean: 'true or false',
    integer: 'a whole number',
    bigint: 'a whole number',
    [timestamp]: 'a time',
  }
  return `${words[type] ?? type}${isNullable ? ' or null' : ''}`
}

/** The secrets of each row of a line, or the mistakes in them. */
export async function openSecrets(
  { header, key, tables }: Pick<Check, 'header' | 'key' | 'tables'>,
  line: number,
  { table, rows, secrets }: Batch,
): Promise<Record<string, string>[] | string> {
  if (secrets === undefined) return rows.map(() => ({}))
  if (!key) return 'it has secrets, and the first line says that there are none'
  const opened = await key
    .open(secrets)
    .then((text) => JSON.parse(text) as Secrets)
    .catch(() => undefined)
  if (!opened) return 'its secrets cannot be opened: they were changed, or encrypted for another key'
  if (opened.export !== header.export || opened.line !== line || opened.table !== table || opened.rows?.length !== rows.length) {
    return 'its secrets are of another export or of another line'
  }
  const sealedFor = tables.get(table)
  const belongs = opened.rows.every(({ key: of }, index) => sealedFor && isDeepStrictEqual(of, keyOf(sealedFor, rows[index] ?? {})))
  if (!belongs) return 'its secrets are of other rows'
  const known = new Set(sealedFor?.columns.flatMap(({ field, isSecret }) => (isSecret ? [secretName(field)] : [])))
  const sealed = opened.rows.map(({ secrets: one }) => one)
  const unknown = sealed.flatMap(Object.keys).find((name) => !known.has(name))
  return unknown === undefined ? sealed : `there is no secret "${unknown}" that this release knows`
}

/** Finds existing records with values that must be unique. */
async function checkUniqueness(
  { database, header, mistaken }: Check,
  line: number,
  table: ExportedTable,
  rows: readonly FileRow[],
  secrets: readonly Record<string, string>[],
): Promise<void> {
  for (const unique of uniqueEverywhere.filter((one) => one.table === table.name)) {
    const { field, concerns = () => true } = unique
    const valued = rows.flatMap((row, index) => {
      const value = row[field] ?? secrets[index]?.[secretName(field)]
      return concerns(row) && typeof value === 'string' ? [{ row, value }] : []
    })
    if (valued.length === 0) continue
    const values = valued.map(({ value }) => value)
    const taken = await takenHere(database, header.organisation.id, unique, values)
    for (const { row, value } of valued) {
      if (!taken.has(value)) continue
      mistaken(placeOf(line, table, row), `${field}${field in row ? ` ${value}` : ''} is taken in this installation`)
    }
  }
}

/** The values that exist already. An address and an identifier are also taken when another organisation has verified the domain. */
async function takenHere(
  database: Database,
  organisationId: string,
  { table, field, column, condition = sql`true` }: UniqueField,
  values: readonly string[],
): Promise<Pick<ReadonlySet<string>, 'has'>> {
  if (table === 'users' && field === 'email') return findRegistered(database, values, organisationId)
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} = any(${values}::text[]) and ${condition}`.execute(database.system())
  const isIdentifier = table === 'resource_servers' && field === 'identifier'
  const kept = isIdentifier ? await keptIdentifiers(database, organisationId, values) : []
  return new Set([...rows.map(({ value }) => value), ...kept])
}

async function keptIdentifiers(database: Database, organisationId: string, identifiers: readonly string[]): Promise<string[]> {
  const areKept = await Promise.all(identifiers.map((identifier) => isKeptByAnother(database, organisationId, identifier)))
  return identifiers.filter((_, index) => areKept[index])
}
