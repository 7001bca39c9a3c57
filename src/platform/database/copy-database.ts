/** Copies the whole database of the service into an empty one. */
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { type Blocker, isContention, textOfBlockers } from './contended-migration.ts'
import type { Engine, EngineTransaction } from './engine.ts'
import { meetsLockWithinMilliseconds } from './listener.ts'
import { tryLockUntilCommit } from './locks-and-channels.ts'
import { migrateWithin } from './migrate.ts'

export interface CopiedTable {
  table: string
  rows: number
  /** The checksum of all rows in any order: equal in both databases. */
  checksum: string
}

export interface Copy {
  tables: CopiedTable[]
  /** Tables of the source that do not belong to the service. */
  left: string[]
}

export interface CopyOptions {
  /** Whether everything is rolled back in the end. */
  isRehearsal: boolean
  /** The time for which the copy tries to lock out other writers. */
  seconds: number
  /** Called each time that other processes block it. @param line names them */
  onBlocked(line: string): void
  /** Records in the source that it was moved: copied with the rest, and committed there once the target is complete. */
  record(source: EngineTransaction): Promise<void>
  /** @param total the number of all rows */
  onRows(done: number, total: number): void
}

/** The copy cannot be made; the message says why, and how to proceed. */
class CopyRefused extends Error {}

const rowsAtOnce = 1_000
/** The migrator's own tables: the target's migrations write them. */
const ofMigrator = new Set(['kysely_migration', 'kysely_migration_lock'])

/** Rows are copied and compared as text, which is the same on both sides under these settings. A Date would lose microseconds. */
const settings = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, MDY'",
  "set local intervalstyle = 'postgres'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
]

/**
 * Creates the schema of this release in the target and copies every row, all in one transaction of the target: it is complete or
 * unchanged. Writers to the source wait until it has ended. The source is unchanged, too, except for what `record` writes. The copy
 * compares the number of rows and a checksum for each table before it commits.
 *
 * @throws CopyRefused when the service runs on the source, the target is not empty, or the two differ afterwards
 */
export async function copyDatabase(
  source: Engine,
  target: Engine,
  { isRehearsal, seconds, onBlocked, record, onRows }: CopyOptions,
): Promise<Copy> {
  const undone = new Error('A rehearsal is not kept')
  let copy: Copy | undefined
  await source
    .transaction((read) =>
      target.ownerTransaction(async (written) => {
        await refuseOther(written)
        await migrateWithin(target, written)
        await refuseRunning(read)
        // A service that has just lost the connection by which it shares the lock still writes, until it meets the lock when it connects again.
        if (source.kind === 'postgres' && !isRehearsal) await pause(meetsLockWithinMilliseconds)
        if (source.kind === 'postgres') await holdOutWriters(read, seconds, onBlocked)
        await record(read)
        copy = await copyInto(written, read, onRows)
        if (isRehearsal) throw undone
      }),
    )
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  const { tables } = copy as Copy
  // Statistics are collected later; until then plans are those of empty tables.
  if (!isRehearsal)
    await target.ownerTransaction(async (owner) => {
      for (const { table } of tables) await run(owner, `analyze ${quoted(table)}`)
    })
  return copy as Copy
}

async function refuseRunning(source: EngineTransaction): Promise<void> {
  if (!(await tryLockUntilCommit(source, 'service'))) {
    throw new CopyRefused(
      'The service is running on the database: stop all of its processes, run this again, and start them on the new one',
    )
  }
}

const lockTimeoutMilliseconds = 2_000
const pauseMilliseconds = 1_000

/**
 * Locks every table of the source until the end of the transaction: readers continue, writers wait. A service behind a pooler and other
 * commands of `gatehouse` hold no advisory lock, and meet these.
 *
 * @throws CopyRefused naming the writers that do not finish
 */
async function holdOutWriters(source: EngineTransaction, seconds: number, onBlocked: CopyOptions['onBlocked']): Promise<void> {
  const tables = [...(await columnsOf(source)).keys()].map(quoted)
  const startedAt = performance.now()
  // Only the owner may lock all of them.
  await run(source, 'set local role none')
  await run(source, `set local lock_timeout = ${lockTimeoutMilliseconds}`)
  for (;;) {
    await run(source, 'savepoint unlocked')
    try {
      await run(source, `lock table ${tables.join(', ')} in share mode`)
      break
    } catch (error) {
      if (!isContention(error)) throw error
      await run(source, 'rollback to savepoint unlocked')
      const line = `The tables cannot be kept as they are while they are copied, for a lock that ${textOfBlockers(await writersOf(source, tables))}`
      if (performance.now() - startedAt >= seconds * 1_000) {
        throw new CopyRefused(`${line}. Stop whatever writes to the database, and run this again`)
      }
      onBlocked(line)
      await pause(pauseMilliseconds)
    }
  }
  await run(source, 'set local lock_timeout = 0')
  await run(source, 'set local role gatehouse_system')
}

/** The processes that hold a lock of a writer. */
async function writersOf(source: EngineTransaction, tables: readonly string[]): Promise<Blocker[]> {
  // A transaction sees the activity as of its first look.
  await run(source, 'select pg_stat_clear_snapshot()')
  return run<Blocker>(
    source,
    `select distinct pid, coalesce(application_name, '') as application,
       floor(extract(epoch from clock_timestamp() - coalesce(xact_start, query_start)))::int as seconds
     from pg_locks left join pg_stat_activity using (pid)
     where granted and pid <> pg_backend_pid() and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
       and database = (select oid from pg_database where datname = current_database())
       and relation in (${tables.map((table) => `to_regclass('${table}')`).join(', ')})
     order by pid`,
  )
}

async function copyInto(target: EngineTransaction, source: EngineTransaction, onRows: CopyOptions['onRows']): Promise<Copy> {
  for (const setting of settings) await Promise.all([run(source, setting), run(target, setting)])
  const [theirs, ours] = [await columnsOf(source), await columnsOf(target)]
  const tables = [...ours.keys()]
  for (const table of tables) refuseDifference(table, ours.get(table), theirs.get(table))
  const totals = new Map<string, CopiedTable>()
  for (const table of tables) totals.set(table, await sumOf(source, table, ours.get(table) as Column[]))
  const total = [...totals.values()].reduce((sum, { rows }) => sum + rows, 0)

  const bound = await unbind(target, tables)
  let done = 0
  for (const table of tables) {
    for await (const count of copyTable(target, source, table, ours.get(table) as Column[])) {
      done += count
      onRows(done, total)
    }
  }
  await continueSequences(target)
  await bound.restore()
  for (const table of tables) refuseUnequal(totals.get(table) as CopiedTable, await sumOf(target, table, ours.get(table) as Column[]))
  await run(target, 'set local role none')
  return { tables: [...totals.values()], left: [...theirs.keys()].filter((table) => !ours.has(table)) }
}

async function refuseOther(target: EngineTransaction): Promise<void> {
  const [database] = await run<{ encoding: string; tables: string[] }>(
    target,
    `select current_setting('server_encoding') as encoding,
       array(select relname::text from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
             order by relname) as tables`,
  )
  const { encoding = '', tables = [] } = database ?? {}
  if (encoding !== 'UTF8') throw new CopyRefused(`The target stores text as ${encoding}: make it with ENCODING 'UTF8'`)
  if (tables.length === 0) return
  const shown = tables.slice(0, 3).join(', ')
  throw new CopyRefused(
    `The target is not empty: it has ${shown}${tables.length > 3 ? ` and ${tables.length - 3} more` : ''}. Give it a database of its own`,
  )
}

interface Column {
  name: string
  type: string
  isGenerated: boolean
}

/** The columns of each table, in their order. */
async function columnsOf(database: EngineTransaction): Promise<Map<string, Column[]>> {
  const rows = await run<{ table: string; columns: Column[] }>(
    database,
    `select relname::text as table,
       json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod), 'isGenerated', attgenerated <> '')
                order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
     group by relname order by relname`,
  )
  return new Map(rows.flatMap(({ table, columns }) => (ofMigrator.has(table) ? [] : [[table, columns] as const])))
}

function refuseDifference(table: string, ours: Column[] = [], theirs: Column[] = []): void {
  // Columns that were added later may be in another order.
  const textOf = (columns: Column[]) => JSON.stringify(columns.map(({ name, type }) => `${name} ${type}`).sort())
  if (textOf(ours) !== textOf(theirs))
    throw new CopyRefused(`The table ${table} of the source is not that of this release: run \`gatehouse doctor\``)
}

/**
 * Drops the foreign keys of the target's tables, disables their triggers and does not force their policies: these would refuse, count or
 * react to rows that come table by table. Deletes the rows that migrations wrote. The end of the transaction, or `restore`, undoes all
 * of it.
 */
async function unbind(target: EngineTransaction, tables: readonly string[]): Promise<{ restore(): Promise<void> }> {
  const references = await run<{ table: string; name: string; definition: string }>(
    target,
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
  )
  const forced = await run<{ table: string }>(
    target,
    "select oid::regclass::text as table from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relforcerowsecurity",
  )
  for (const { table, name } of references) await run(target, `alter table ${table} drop constraint ${name}`)
  // The policies bind the owner only where they are forced.
  for (const { table } of forced) await run(target, `alter table ${table} no force row level security`)
  for (const table of tables) await run(target, `alter table ${quoted(table)} disable trigger user`)
  await run(target, `truncate ${tables.map(quoted).join(', ')}`)
  return {
    async restore() {
      for (const table of tables) await run(target, `alter table ${quoted(table)} enable trigger user`)
      for (const { table, name, definition } of references) await run(target, `alter table ${table} add constraint ${name} ${definition}`)
      for (const { table } of forced) await run(target, `alter table ${table} force row level security`)
      // The policies of tenants see no organisation here, and the owner sees nothing any more.
      await run(target, 'set local role gatehouse_system')
    },
  }
}

/** Copies a table. Yields the number of rows that each step has copied. */
async function* copyTable(target: EngineTransaction, source: EngineTransaction, table: string, columns: Column[]): AsyncGenerator<number> {
  const written = columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => quoted(name))
  const insert = `insert into ${quoted(table)} (${written.join(', ')}) overriding system value
    select ${written.map((name) => `(copied).${name}`).join(', ')}
    from (select line::${quoted(table)} as copied from unnest($1::text[]) line offset 0) lines`
  await run(source, `declare copied no scroll cursor for select ${rowText(columns)} as line from ${quoted(table)}`)
  for (;;) {
    const lines = await run<{ line: string }>(source, `fetch ${rowsAtOnce} from copied`)
    if (lines.length > 0) {
      await target.execute({ sql: insert, parameters: [lines.map(({ line }) => line)] })
      yield lines.length
    }
    if (lines.length < rowsAtOnce) break
  }
  await run(source, 'close copied')
}

/** Makes columns that number their rows continue after the last one. */
async function continueSequences(target: EngineTransaction): Promise<void> {
  const numbered = await run<{ sequence: string; table: string; column: string }>(
    target,
    `select numbering.oid::regclass::text as sequence, refobjid::regclass::text as table, quote_ident(attname) as column
     from pg_class numbering
       join pg_depend on classid = 'pg_class'::regclass and objid = numbering.oid and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
       join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where numbering.relkind = 'S' and numbering.relnamespace = current_schema()::regnamespace`,
  )
  for (const { sequence, table, column } of numbered)
    await run(
      target,
      `select setval('${sequence.replaceAll("'", "''")}', coalesce(max(${column}), 1), max(${column}) is not null) from ${table}`,
    )
}

/** Leaves out what each database computes from the other columns: locales and versions of Unicode know other small letters. */
async function sumOf(database: EngineTransaction, table: string, columns: Column[]): Promise<CopiedTable> {
  const stored = columns.filter(({ isGenerated }) => !isGenerated)
  const [sum] = await run<{ rows: number; checksum: string }>(
    database,
    `select count(*) as rows,
       coalesce(sum(('x' || encode(substr(sha256(convert_to(${rowText(stored)}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text as checksum
     from ${quoted(table)}`,
  )
  return { table, rows: sum?.rows ?? 0, checksum: sum?.checksum ?? '' }
}

function refuseUnequal(expected: CopiedTable, found: CopiedTable): void {
  if (found.rows === expected.rows && found.checksum === expected.checksum) return
  const seen = found.rows === expected.rows ? 'with other content' : `${found.rows} of its ${expected.rows} rows`
  throw new CopyRefused(`The table ${expected.table} did not arrive whole (${seen}), so nothing was kept`)
}

/** A whole row as PostgreSQL writes a composite value. */
const rowText = (columns: Column[]) => `row(${columns.map(({ name }) => quoted(name)).join(', ')})::text`

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const run = async <Row>(transaction: EngineTransaction, sql: string): Promise<Row[]> =>
  (await transaction.execute<Row>(CompiledQuery.raw(sql))).rows
