import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { buildConcurrently, type ConcurrentIndex, createIndex } from './concurrent-indexes.ts'
import { type MigrationWaiting, type ServerEngine, whenUncontended } from './contended-migration.ts'
import type { Engine, EngineTransaction } from './engine.ts'
import { tryLockUntilCommit } from './locks-and-channels.ts'
import migrationLocks from './migration-locks.json' with { type: 'json' }

/** The exports of a migration beside `up`. */
export interface DeclaredMigration extends Migration {
  /** Why every process of the former release has to be stopped first. */
  stopsFormerRelease?: string
  concurrentIndexes?: readonly ConcurrentIndex[]
}

export interface MigrationOptions extends MigrationWaiting {
  /** Called with each migration that is committed. */
  onApplied?(name: string): void
}

/**
 * The longest time for which statements of the service may queue behind a migration that is blocked itself. It is below a second, after
 * which PostgreSQL looks for deadlocks: so the migration is the one that gives way.
 */
const lockTimeoutMilliseconds = 800
const askAgainMilliseconds = 200
const once: MigrationOptions = { seconds: 0 }

/**
 * Applies the pending migrations. Of processes that start together, one applies them while the others wait.
 *
 * In an empty database, and in the embedded one, which has no other user, all of them are one transaction. Elsewhere each is a transaction
 * of its own, so that it holds its locks only briefly, and is retried while other transactions hold them. Migrations that were committed
 * before the process ended stay; the next process continues after them.
 */
export async function applyMigrations(
  engine: Engine,
  files: ReadonlyMap<string, URL>,
  options: MigrationOptions = once,
): Promise<string[]> {
  for (;;) {
    let atOnce: string[] = []
    const applied = await engine.ownerTransaction(async (guard) => {
      // An open transaction holds it, which a pooler in transaction mode leaves on one connection, and which ends with the process. Poll
      // for it: a process that waits within a statement has a snapshot, and an index that is built concurrently waits for those.
      if (!(await tryLockUntilCommit(guard, 'migrations'))) return undefined
      const former = await appliedIn(guard)
      const { ownerStatement } = engine
      if (former.size === 0 || !ownerStatement) {
        atOnce = await migrateAtOnce(guard, files)
        return atOnce
      }
      // It is idle while the migrations run on other connections.
      await guard.execute(CompiledQuery.raw('set local idle_in_transaction_session_timeout = 0'))
      const pending = [...files.keys()].filter((name) => !former.has(name))
      for (const name of pending) {
        await migrateOne(name, { ...engine, ownerStatement }, guard, files, options)
      }
      return pending
    })
    for (const name of atOnce) options.onApplied?.(name)
    if (applied) return applied
    await pause(askAgainMilliseconds)
  }
}

/** The strongest lock that each migration takes on each existing table and that blocks readers or writers, by table. */
const locksOf = (name: string): [table: string, mode: string][] =>
  Object.entries((migrationLocks as Record<string, Record<string, string>>)[name] ?? {}).sort()

async function migrateAtOnce(owner: EngineTransaction, files: ReadonlyMap<string, URL>): Promise<string[]> {
  const { transaction, explain } = remembersFirstFailure(owner)
  const migrator = migratorOf(transaction, files, { createsIndexes: true })
  const { error, results = [] } = await migrator.migrateToLatest({ disableTransactions: true })
  if (error) throw explain(error)
  return results.map(({ migrationName }) => migrationName)
}

async function migrateOne(
  name: string,
  engine: ServerEngine,
  guard: EngineTransaction,
  files: ReadonlyMap<string, URL>,
  options: MigrationOptions,
): Promise<void> {
  const { concurrentIndexes = [] } = await migrationIn(files, name)
  for (const index of concurrentIndexes) await buildConcurrently(name, index, engine, options)
  await whenUncontended(name, engine, options, async () => {
    // This throws when the lock was lost with its connection: another process may be migrating by now.
    await guard.execute(CompiledQuery.raw('select 1'))
    await engine.ownerTransaction(async (owner) => {
      const { transaction, explain } = remembersFirstFailure(owner)
      await transaction.execute(CompiledQuery.raw(`set local lock_timeout = ${lockTimeoutMilliseconds}`))
      // Lock all tables first and in one order: later statements would request more locks while the transaction holds some.
      for (const [table, mode] of locksOf(name)) await transaction.execute(CompiledQuery.raw(`lock table ${table} in ${mode} mode`))
      const { error } = await migratorOf(transaction, files).migrateTo(name, { disableTransactions: true })
      if (error) throw explain(error)
    })
  })
  options.onApplied?.(name)
}

async function appliedIn(owner: EngineTransaction): Promise<ReadonlySet<string>> {
  const [there] = await rowsOf<{ isThere: boolean }>(owner, `select to_regclass('kysely_migration') is not null as "isThere"`)
  if (!there?.isThere) return new Set()
  return new Set((await rowsOf<{ name: string }>(owner, 'select name from kysely_migration')).map(({ name }) => name))
}

const rowsOf = async <Row>(owner: EngineTransaction, sql: string): Promise<Row[]> => (await owner.execute<Row>(CompiledQuery.raw(sql))).rows

/** The database as a migration sees it. */
export const databaseOf = (transaction: EngineTransaction): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new LockedAdapter(),
      createDriver: () => new TransactionDriver(transaction),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })

export const migrationIn = async (files: ReadonlyMap<string, URL>, name: string): Promise<DeclaredMigration> =>
  import((files.get(name) as URL).href)

/** @param createsIndexes whether it creates the indexes that are otherwise built concurrently */
const migratorOf = (transaction: EngineTransaction, files: ReadonlyMap<string, URL>, { createsIndexes = false } = {}) =>
  new Migrator({ db: databaseOf(transaction), provider: migrationsIn(files, createsIndexes) })

const migrationsIn = (files: ReadonlyMap<string, URL>, createsIndexes: boolean): MigrationProvider => ({
  async getMigrations() {
    const entries = [...files.keys()].map(async (name) => {
      const migration = await migrationIn(files, name)
      return [name, createsIndexes ? { up: (database: Kysely<unknown>) => upWithIndexes(migration, database) } : migration] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  },
})

/** Applies a migration to tables that have no other user. */
export async function upWithIndexes({ up, concurrentIndexes = [] }: DeclaredMigration, database: Kysely<unknown>): Promise<void> {
  for (const index of concurrentIndexes) await database.executeQuery(createIndex(index))
  await up(database)
}

/** Stores the first error: later statements only report that the transaction is aborted. */
function remembersFirstFailure(connection: EngineTransaction) {
  let first: unknown
  const transaction: EngineTransaction = {
    async execute(query) {
      try {
        return await connection.execute(query)
      } catch (error) {
        first ??= error
        throw error
      }
    },
  }
  return { transaction, explain: (error: unknown) => first ?? error }
}

/** Takes the lock before the migrator reads the state: the migrator's own lock comes only after it has created its tables. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class TransactionDriver implements Driver {
  readonly #connection: DatabaseConnection
  constructor(transaction: EngineTransaction) {
    this.#connection = {
      executeQuery: (query) => transaction.execute(query),
      streamQuery: () => {
        throw new Error('Migrations do not stream')
      },
    }
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
