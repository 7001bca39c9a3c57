/** Reads and writes through one organisation's door with SQL: every row that it sees, and everything that it can write. */
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { UncommittedEngine } from '../platform/database/uncommitted.ts'
import { counted } from '../platform/text.ts'
import type { Leak } from './attempts.ts'
import type { ThrowAwayOrganisation } from './organisation.ts'
import { changedTogether } from './rows.ts'
import type { Reference, TenantTable } from './tables.ts'

export interface RowFindings {
  /** Tables that were read without a filter. */
  tables: number
  rows: number
  leaks: Leak[]
}

export interface WriteFindings {
  writes: number
  leaks: Leak[]
  /** Writes that another rule refused first. */
  undecided: string[]
}

/** Checks the two conditions that every table of organisations must meet. */
export function checkPolicies(tables: readonly TenantTable[]): Leak[] {
  return tables.flatMap(({ name, isForced, hasPolicy }): Leak[] => [
    ...(isForced ? [] : [{ area: 'policies' as const, where: `table ${name}`, what: 'row-level security is off, or not forced' }]),
    ...(hasPolicy
      ? []
      : [
          {
            area: 'policies' as const,
            where: `table ${name}`,
            what: 'the policy that shows an organisation its own rows alone is missing or another',
          },
        ]),
  ])
}

/** Reads every table without a filter, as the organisation. */
export async function readTables(
  { database, engine }: { database: Database; engine: UncommittedEngine },
  { tables, shared }: { tables: readonly TenantTable[]; shared: readonly { name: string; isReadable: boolean }[] },
  own: ThrowAwayOrganisation,
  other: ThrowAwayOrganisation,
): Promise<RowFindings> {
  const findings: RowFindings = { tables: 0, rows: 0, leaks: [] }
  const leak = (name: string, what: string) => findings.leaks.push({ area: 'rows', where: `table ${name}, read without a filter`, what })
  for (const { name, owner } of tables) {
    const { rows } = await sql<{ isOwn: boolean; count: number; mentions: number }>`
      select coalesce(${sql.id(owner)} = ${own.id}, false) as "isOwn", count(*)::int as count,
        (count(*) filter (where t::text like ${`%${other.word}%`}))::int as mentions
      from ${sql.id(name)} t group by 1`.execute(database.tenant(own.id))
    findings.tables++
    const seen = rows.find(({ isOwn }) => isOwn)
    const foreign = rows.find(({ isOwn }) => !isOwn)
    findings.rows += seen?.count ?? 0
    if (!seen) leak(name, 'the organisation does not see the row that it has: the policy is missing or another')
    if (foreign) leak(name, `${counted(foreign.count, 'row of another organisation is', 'rows of other organisations are')} seen`)
    else if (seen && seen.mentions > 0) leak(name, 'a row has something of the other organisation in it')
    await engine.undo()
  }
  for (const { name, isReadable } of shared) {
    findings.tables++
    if (!isReadable) continue
    const { rows } = await sql<{ count: number; mentions: number }>`
      select count(*)::int as count, (count(*) filter (where t::text like ${`%${other.word}%`}))::int as mentions from ${sql.id(name)} t`.execute(
      database.tenant(own.id),
    )
    findings.rows += rows[0]?.count ?? 0
    if (rows[0]?.mentions) leak(name, 'a row has something of the other organisation in it')
    await engine.undo()
  }
  return findings
}

/** The SQLSTATE of the expected refusal. */
const refusedByPolicy = '42501'
const refusedByReference = '23503'

/** Tries, as the organisation, to write into the other organisation, or to refer to it. */
export async function tryWrites(
  { database, engine, digest }: { database: Database; engine: UncommittedEngine; digest: (organisationId: string) => Promise<string> },
  tables: readonly TenantTable[],
  own: ThrowAwayOrganisation,
  other: ThrowAwayOrganisation,
): Promise<WriteFindings> {
  const findings: WriteFindings = { writes: 0, leaks: [], undecided: [] }
  const before = await digest(other.id)

  const attempt = async (where: string, statement: ReturnType<typeof sql>, refused: readonly string[]) => {
    findings.writes++
    const leak = (what: string) => findings.leaks.push({ area: 'writes', where, what })
    try {
      const affected = await database.transaction(own.id, async (tenant) => (await statement.execute(tenant)).numAffectedRows ?? 0n)
      if (refused.length > 0 && affected > 0n) leak('the write went through')
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!/^(?:42501|23)/.test(code)) throw error
      if (refused.length === 0 || !refused.includes(code)) {
        if (code.startsWith('23') && refused.length === 1) leak(`only a constraint refused it: ${(error as Error).message}`)
        else if (code.startsWith('23') && refused.length > 0) findings.undecided.push(`${where}: ${(error as Error).message}`)
      }
    }
    if (engine.hasWritten() && (await digest(other.id)) !== before) leak('it changed what the other organisation has')
    await engine.undo()
  }

  for (const table of tables) {
    const name = sql.id(table.name)
    const owner = sql.id(table.owner)
    const names = sql.join(
      table.columns
        .filter(({ hasDefault, name: column }) => !hasDefault || column === 'organisation_id')
        .map((column) => sql.id(column.name)),
    )
    const moved = JSON.stringify({ [table.owner]: other.id })
    await attempt(
      `table ${table.name}: a row for the other organisation`,
      sql`insert into ${name} (${names}) select ${names} from jsonb_populate_record(null::${name},
        (select to_jsonb(t) from ${name} t where ${owner} = ${own.id} limit 1) || ${moved}::jsonb)`,
      [refusedByPolicy],
    )
    await attempt(`table ${table.name}: its own row made the other's`, sql`update ${name} set ${owner} = ${other.id}`, [refusedByPolicy])
    await attempt(`table ${table.name}: every row changed, without a filter`, sql`update ${name} set ${owner} = ${owner}`, [])
    await attempt(
      `table ${table.name}: the other's rows changed, by their organisation`,
      sql`update ${name} set ${owner} = ${own.id} where ${owner} = ${other.id}`,
      [refusedByPolicy],
    )
    await attempt(`table ${table.name}: every row deleted, without a filter`, sql`delete from ${name}`, [])
    await attempt(
      `table ${table.name}: the other's rows deleted, by their organisation`,
      sql`delete from ${name} where ${owner} = ${other.id}`,
      [refusedByPolicy],
    )
    for (const reference of table.references.filter(({ table: target }) =>
      tables.some((one) => one.name === target && target !== 'organisations'),
    )) {
      const values = await referredTo(database, reference, other)
      if (!values) continue
      const together = values.flatMap(({ column }) => Object.entries(changedTogether[`${table.name}.${column}`] ?? {}))
      const changed = [...values.map(({ column, value }) => [column, value] as const), ...together]
      await attempt(
        `table ${table.name}: ${values.map(({ column }) => column).join(' and ')} of the other's ${reference.table}`,
        sql`update ${name} set ${sql.join(changed.map(([column, value]) => sql`${sql.id(column)} = ${value}`))}
          where ctid = any(array(select ctid from ${name} limit 1))`,
        [refusedByPolicy, refusedByReference],
      )
    }
  }
  return findings
}

/** The columns of a reference, without the organisation, with the values of a row of the other one. */
async function referredTo(database: Database, { table, columns, targets }: Reference, other: ThrowAwayOrganisation) {
  const owner = table === 'organisations' ? 'id' : 'organisation_id'
  const { rows } = await sql<{ row: Record<string, string> }>`
    select to_jsonb(t) as row from ${sql.id(table)} t where ${sql.id(owner)} = ${other.id} order by ctid desc limit 1`.execute(
    database.system(),
  )
  return (
    rows[0] &&
    columns.flatMap((column, index) =>
      column === 'organisation_id' || targets[index] === owner ? [] : [{ column, value: rows[0]?.row[targets[index] as string] }],
    )
  )
}
