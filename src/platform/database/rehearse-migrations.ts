/** Applies the pending migrations to a copy of the schema. Loaded only when it is asked for. */
import { CompiledQuery } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine, EngineTransaction } from './engine.ts'

export interface RehearsedMigration {
  name: string
  milliseconds: number
  /** The strongest lock on each table that was there before, without those of readers. They are held until all migrations are applied. */
  locks: HeldLock[]
  /** Why it cannot be applied; those after it were not tried. */
  failure: string | null
}

export interface HeldLock {
  table: string
  /** As PostgreSQL names it, such as `ShareRowExclusiveLock`. */
  mode: string
  /** How many rows the table has here, as PostgreSQL estimates them; null when it does not know. */
  rows: number | null
}

const schema = 'gatehouse_rehearsal'
/** From the weakest that concerns writers. */
const strength = [
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]

/**
 * Makes a copy of the schema by the migrations that the database has, applies the pending ones to it in one transaction, and removes
 * both. Takes no lock on any table of the service.
 *
 * @param files of this release's migrations, by name
 */
export async function rehearseMigrations(
  engine: Engine,
  { applied, pending, files }: { applied: readonly string[]; pending: readonly string[]; files: ReadonlyMap<string, URL> },
): Promise<RehearsedMigration[]> {
  if (pending.length === 0) return []
  const { databaseOf } = await import('./apply-migrations.ts')
  const migration = async (name: string): Promise<Migration> => import((files.get(name) as URL).href)
  const rows = await estimatedRows(engine)
  const undone = new Error('A rehearsal is not kept')
  const rehearsed: RehearsedMigration[] = []
  try {
    await engine.ownerTransaction(async (owner) => {
      await run(owner, `drop schema if exists ${schema} cascade`)
      await run(owner, `create schema ${schema}`)
      // As all may use the schema that the service is in.
      await run(owner, `grant usage on schema ${schema} to public`)
      await run(owner, `set local search_path = ${schema}`)
      for (const name of applied) await (await migration(name)).up(databaseOf(owner))
    })
    await engine
      .ownerTransaction(async (owner) => {
        await run(owner, `set local search_path = ${schema}`)
        const tables = new Set((await run<{ table: string }>(owner, tablesOfCopy)).map(({ table }) => table))
        let held = new Map<string, string>()
        for (const name of pending) {
          const { up } = await migration(name)
          const startedAt = performance.now()
          const failure = await up(databaseOf(owner)).then(
            () => null,
            (error: Error) => error.message,
          )
          const milliseconds = Math.round(performance.now() - startedAt)
          const now = failure === null ? await strongestLocks(owner, tables) : held
          const locks = [...now].flatMap(([table, mode]) =>
            held.get(table) === mode ? [] : [{ table, mode, rows: rows.get(table) ?? null }],
          )
          rehearsed.push({ name, milliseconds, locks, failure })
          if (failure !== null) break
          held = now
        }
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
  } finally {
    await engine.ownerTransaction((owner) => run(owner, `drop schema if exists ${schema} cascade`))
  }
  return rehearsed
}

const tablesOfCopy = `select relname::text as table from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r'`

async function strongestLocks(owner: EngineTransaction, tables: ReadonlySet<string>): Promise<Map<string, string>> {
  const locks = await run<{ table: string; mode: string }>(
    owner,
    `select relname::text as table, mode from pg_locks join pg_class on pg_class.oid = relation
     where pid = pg_backend_pid() and relnamespace = '${schema}'::regnamespace and relkind = 'r' order by relname`,
  )
  const strongest = new Map<string, string>()
  for (const { table, mode } of locks) {
    const former = strongest.get(table)
    if (tables.has(table) && strength.indexOf(mode) > strength.indexOf(former ?? '')) strongest.set(table, mode)
  }
  return strongest
}

async function estimatedRows(engine: Engine): Promise<Map<string, number>> {
  const counted = await engine.ownerTransaction((owner) =>
    run<{ table: string; rows: number }>(
      owner,
      `select relname::text as table, reltuples::bigint as rows from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'r' and reltuples >= 0`,
    ),
  )
  return new Map(counted.map(({ table, rows }) => [table, rows]))
}

const run = async <Row>(owner: EngineTransaction, sql: string): Promise<Row[]> => (await owner.execute<Row>(CompiledQuery.raw(sql))).rows
