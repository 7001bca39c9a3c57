/** Applies the pending migrations to a copy of the schema. Loaded only when it is asked for. */
import { randomBytes } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Engine, EngineTransaction } from './engine.ts'

export interface RehearsedMigration {
  name: string
  milliseconds: number
  /** The strongest lock on each table that was there before, without those that hold up nobody. Held until this migration is applied. */
  locks: HeldLock[]
  /** Indexes that are built without holding up whoever writes. */
  concurrentIndexes: string[]
  /** Why it cannot be applied; those after it were not tried. */
  failure: string | null
}

export interface HeldLock {
  table: string
  /** As PostgreSQL names it, such as `ShareRowExclusiveLock`. */
  mode: string
  /** What waits meanwhile. */
  holdsUp: 'writes' | 'reads and writes'
  /** How many rows the table has here, as PostgreSQL estimates them; null when it does not know. */
  rows: number | null
  /** How many rows an hour are written to it here, since PostgreSQL counts; null when it does not. */
  writesAnHour: number | null
}

const prefix = 'gatehouse_rehearsal_'
/** Those that a statement of the service would wait for, from the weakest. */
const strength = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/**
 * Makes a copy of the schema by the migrations that the database has, applies the pending ones to it, each in a transaction of its own, and
 * removes the copy. Takes no lock on any table of the service, nor any other that the service waits for, and leaves the roles as they are.
 *
 * @param files of this release's migrations, by name
 */
export async function rehearseMigrations(
  engine: Engine,
  { applied, pending, files }: { applied: readonly string[]; pending: readonly string[]; files: ReadonlyMap<string, URL> },
): Promise<RehearsedMigration[]> {
  if (pending.length === 0) return []
  const { databaseOf, migrationIn, upWithIndexes } = await import('./apply-migrations.ts')
  const use = await useOfTables(engine)
  const schema = `${prefix}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
  /** Runs work in the copy. */
  const within = <T>(work: (owner: EngineTransaction) => Promise<T>) =>
    engine.ownerTransaction(async (owner) => {
      await run(owner, `set local search_path = ${schema}`)
      return work(harmless(owner))
    })
  const rehearsed: RehearsedMigration[] = []
  await engine.ownerTransaction((owner) => removeAbandoned(owner))
  await engine.ownerTransaction(async (owner) => {
    await run(owner, `create schema ${schema}`)
    // As all may use the schema that the service is in.
    await run(owner, `grant usage on schema ${schema} to public`)
  })
  try {
    await within(async (owner) => {
      for (const name of applied) await upWithIndexes(await migrationIn(files, name), databaseOf(owner))
    })
    for (const name of pending) {
      const migration = await migrationIn(files, name)
      const concurrentIndexes = (migration.concurrentIndexes ?? []).map((index) => index.name)
      for (const index of migration.concurrentIndexes ?? [])
        await within((owner) => upWithIndexes({ up: async () => {}, concurrentIndexes: [index] }, databaseOf(owner)))
      const startedAt = performance.now()
      try {
        const locks = await within(async (owner) => {
          const tables = new Set((await run<{ table: string }>(owner, tablesOf(schema))).map(({ table }) => table))
          await migration.up(databaseOf(owner))
          return strongestLocks(owner, schema, tables)
        })
        const milliseconds = Math.round(performance.now() - startedAt)
        rehearsed.push({
          name,
          milliseconds,
          locks: locks.map((lock) => ({ ...lock, ...useOf(use, lock.table) })),
          concurrentIndexes,
          failure: null,
        })
      } catch (error) {
        const milliseconds = Math.round(performance.now() - startedAt)
        rehearsed.push({ name, milliseconds, locks: [], concurrentIndexes, failure: (error as Error).message })
        break
      }
    }
  } finally {
    await engine.ownerTransaction((owner) => run(owner, `drop schema if exists ${schema} cascade`))
  }
  return rehearsed
}

const tablesOf = (schema: string) =>
  `select relname::text as table from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r'`

/** Leaves out what reaches beyond the copy: roles are of the whole server, and advisory locks those of the service. */
function harmless(owner: EngineTransaction): EngineTransaction {
  const reachesBeyond =
    /^\s*select pg_advisory_xact_lock\b|\b(create|alter|drop) role\b|\bgrant ("?gatehouse_\w+"?(, )?)+ to (current_user|%I)/i
  return { execute: async (query) => (reachesBeyond.test(query.sql) ? { rows: [] } : owner.execute(query)) }
}

/** What a rehearsal that was killed has left. One that runs has begun less than an hour ago. */
async function removeAbandoned(owner: EngineTransaction): Promise<void> {
  const found = await run<{ name: string }>(
    owner,
    `select nspname::text as name from pg_namespace where nspname like 'gatehouse\\_rehearsal%' and pg_has_role(nspowner, 'usage')`,
  )
  for (const { name } of found) {
    const [, begun = ''] = /^gatehouse_rehearsal_([0-9a-z]+)_/.exec(name) ?? []
    if (!begun || Date.now() - Number.parseInt(begun, 36) > 3_600_000) await run(owner, `drop schema if exists ${name} cascade`)
  }
}

async function strongestLocks(
  owner: EngineTransaction,
  schema: string,
  tables: ReadonlySet<string>,
): Promise<Pick<HeldLock, 'table' | 'mode' | 'holdsUp'>[]> {
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
  return [...strongest].map(([table, mode]) => ({ table, mode, holdsUp: mode === 'AccessExclusiveLock' ? 'reads and writes' : 'writes' }))
}

type UseOfTable = Pick<HeldLock, 'rows' | 'writesAnHour'>

const useOf = (use: ReadonlyMap<string, UseOfTable>, table: string): UseOfTable => use.get(table) ?? { rows: null, writesAnHour: null }

async function useOfTables(engine: Engine): Promise<Map<string, UseOfTable>> {
  const counted = await engine.ownerTransaction((owner) =>
    run<{ table: string } & UseOfTable>(
      owner,
      `select pg_class.relname::text as table, nullif(reltuples, -1)::bigint as rows,
         round((n_tup_ins + n_tup_upd + n_tup_del) * 3600
           / greatest(extract(epoch from clock_timestamp() - coalesce(stats_reset, pg_postmaster_start_time())), 1))::bigint as "writesAnHour"
       from pg_class left join pg_stat_user_tables on pg_stat_user_tables.relid = pg_class.oid
         left join pg_stat_database on datname = current_database()
       where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
    ),
  )
  return new Map(counted.map(({ table, ...use }) => [table, use]))
}

const run = async <Row>(owner: EngineTransaction, sql: string): Promise<Row[]> => (await owner.execute<Row>(CompiledQuery.raw(sql))).rows
