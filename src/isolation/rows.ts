/** Inserts a row into every table where an organisation has none yet, derived from the catalogue. Users are its owner. */
import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import { type IdPrefix, newId } from '../platform/ids.ts'
import { storedKinds } from './records.ts'
import type { Column, Reference, TenantTable } from './tables.ts'
import { readColumn } from './values.ts'

/**
 * Values that the catalogue cannot tell, by table and column. If a new table needs one, the error names it: most need none.
 */
const particular: Record<string, Record<string, unknown>> = {
  mfa_credentials: { method: 'sms', phone: '+442079460000' },
  // Only a deleted user has this column, in place of the other.
  identities: { reserved_for: null },
  // An administrator's client has no client_id but its id.
  clients: { automatic_client_id: null },
  // These two are not foreign keys.
  diagnostics: { client_id: { from: 'clients' }, connection_id: { from: 'connections' } },
}

const isoDay = 24 * 3_600_000

export async function fillTables(
  system: System,
  tables: readonly TenantTable[],
  organisation: { id: string; word: string },
): Promise<void> {
  let left = tables
  while (left.length > 0) {
    const waiting: TenantTable[] = []
    for (const table of left) {
      // A trigger of another table may have inserted one.
      if (await hasRow(system, table, organisation.id)) continue
      const references = await rowsReferredTo(system, table, organisation.id)
      if (references === undefined) waiting.push(table)
      else await insertRow(system, table, organisation, references)
    }
    if (waiting.length === left.length) {
      throw new Error(`No row could be made in ${waiting.map(({ name }) => name).join(', ')}: they wait for one another`)
    }
    left = waiting
  }
  // The ids in this list refer to rows without a foreign key.
  await sql`
    update ${sql.id('clients')} set resource_server_ids = array(select id from resource_servers where organisation_id = ${organisation.id})
    where organisation_id = ${organisation.id}`.execute(system)
}

/** Columns that a check allows to change only together: the values of the others when the first refers to another row. */
export const changedTogether: Record<string, Record<string, unknown>> = {
  'identities.reserved_for': { user_id: null },
}

/** Tables that only ended organisations use: requests would find rows there that no organisation in use has. */
const ofEnded = ['organisation_exports']

export async function emptyTablesOfEnded(system: System, organisationId: string): Promise<void> {
  for (const name of ofEnded) await sql`delete from ${sql.id(name)} where organisation_id = ${organisationId}`.execute(system)
}

async function hasRow(system: System, { name, owner }: TenantTable, organisationId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.id(name)} where ${sql.id(owner)} = ${organisationId} limit 1`.execute(system)
  return rows.length > 0
}

/** The values of the columns that refer to other rows; undefined while such a table still lacks its row. */
async function rowsReferredTo(system: System, table: TenantTable, organisationId: string): Promise<Record<string, unknown> | undefined> {
  const values: Record<string, unknown> = {}
  for (const reference of table.references.filter((one) => one.table !== table.name && one.table !== 'organisations')) {
    const row = await rowReferredTo(system, reference, organisationId)
    if (!row) return undefined
    for (const [index, column] of reference.columns.entries()) values[column] ??= row[reference.targets[index] as string]
  }
  return values
}

async function rowReferredTo(system: System, { table, targets, columns }: Reference, organisationId: string) {
  const isOfOrganisation = columns.includes('organisation_id')
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.id(table)} t
    ${isOfOrganisation ? sql`where ${sql.id(targets[columns.indexOf('organisation_id')] as string)} = ${organisationId}` : sql``}
    order by ${table === 'users' ? sql`(select owner_id = t.id from organisations where id = ${organisationId}) desc` : sql`1`} limit 1`.execute(
    system,
  )
  return rows[0]?.row
}

async function insertRow(
  system: System,
  table: TenantTable,
  { id: organisationId, word }: { id: string; word: string },
  references: Record<string, unknown>,
): Promise<void> {
  const values: Record<string, unknown> = { ...references, [table.owner]: organisationId, ...particular[table.name] }
  for (const [name, value] of Object.entries(values)) {
    const { from } = (value ?? {}) as { from?: string }
    if (from !== undefined) values[name] = await readColumn(system, { table: from, column: 'id' }, organisationId)
  }
  for (const column of table.columns) {
    if (column.name in values || column.hasDefault || !column.isRequired) continue
    values[column.name] = madeUp(system.now, table, column, word)
  }
  const row = JSON.stringify(values)
  const names = sql.join(Object.keys(values).map((name) => sql.id(name)))
  try {
    await sql`insert into ${sql.id(table.name)} (${names})
      select ${names} from json_populate_record(null::${sql.id(table.name)}, ${row}::json)`.execute(system)
  } catch (error) {
    throw new Error(
      `No row could be made in ${table.name}, which src/isolation/rows.ts may have to be told a value for: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

function madeUp(now: Date, table: TenantTable, { name, type }: Column, word: string): unknown {
  const allowed = table.checks.map((check) => new RegExp(`\\(${name} = (?:ANY \\(ARRAY\\[)?'([^']*)'`).exec(check)?.[1]).find(Boolean)
  if (allowed !== undefined) return allowed
  if (type.endsWith('[]')) return []
  if (/timestamp|date/.test(type)) return new Date(/expires|until/.test(name) ? now.getTime() + isoDay : now.getTime())
  if (type === 'boolean') return false
  if (/int|numeric|double|real/.test(type)) return 1
  if (/json/.test(type)) return { word }
  const kind = Object.values(storedKinds).find((one) => one.table === table.name && one.column === name)
  if (kind && 'prefix' in kind) return newId(kind.prefix as IdPrefix, now)
  return name === 'id' ? newId('mail', now) : `${word}-${table.name}-${name}`
}
