/** Applies the pending migrations to a copy of the schema. Loaded only on demand. */
import { randomBytes } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Engine, EngineTransaction } from './engine.ts'

export interface RehearsedMigration {
  name: string
  milliseconds: number
  /** The strongest lock on each existing table, without locks that block no statement. Held until this migration is applied. */
  locks: HeldLock[]
  /** Indexes that are built without blocking writers. */
  concurrentIndexes: string[]
  /** Why it cannot be applied; later migrations were not tried. */
  failure: string | null
}

export interface HeldLock {
  table: string
  /** The mode as PostgreSQL names it, such as `ShareRowExclusiveLock`. */
  mode: string
  /** The statements that the lock blocks. */
  holdsUp: 'writes' | 'reads and writes'
  /** The number of rows in the table, as PostgreSQL estimates it; null when it has no estimate. */
  rows: number | null
  /** The number of rows written per hour since PostgreSQL has counted; null when it has not. */
  writesAnHour: number | null
}

const prefix = 'gatehouse_rehearsal_'
/** The modes that block statements of the service, from the weakest. */
const strength = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/**
 * Creates a copy of the schema by the migrations that the database has, applies the pending ones
 * to it, each in a transaction of its own, and removes the copy. It takes no lock on any table of
 * the service, nor any other that the service waits for, and leaves the roles unchanged.
 *
 * @param files the files of this release's migrations, by name
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
    // Grant this, since every role may use the schema of the service.
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

/** Skips statements whose effect goes beyond the copy: roles belong to the whole server, and advisory locks to the service. */
function harmless(owner: EngineTransaction): EngineTransaction {
  const reachesBeyond =
    /^\s*select pg_advisory_xact_lock\b|\b(create|alter|drop) role\b|\bgrant ("?gatehouse_\w+"?(, )?)+ to (current_user|%I)/i
  return { execute: async (query) => (reachesBeyond.test(query.sql) ? { rows: [] } : owner.execute(query)) }
}

/** Removes the leftovers of a killed rehearsal. A running one has begun less than an hour ago. */
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
