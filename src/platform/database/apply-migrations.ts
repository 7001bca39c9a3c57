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
import type { Engine, EngineTransaction } from './engine.ts'
import { advisoryLocks } from './locks-and-channels.ts'

/** Applies the pending migrations, all or none. Of processes that start together, one runs it while the others wait. */
export async function applyMigrations(engine: Engine, files: ReadonlyMap<string, URL>): Promise<string[]> {
  return engine.ownerTransaction(async (connection) => {
    const { transaction, explain } = remembersFirstFailure(connection)
    // Held until the end of the transaction, so nothing needs releasing, even if the process is killed.
    await transaction.execute(CompiledQuery.raw(`select pg_advisory_xact_lock(${advisoryLocks.migrations})`))
    const migrator = new Migrator({ db: databaseOf(transaction), provider: migrationsIn(files) })
    const { error, results = [] } = await migrator.migrateToLatest({ disableTransactions: true })
    if (error) throw explain(error)
    return results.map(({ migrationName }) => migrationName)
  })
}

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

const migrationsIn = (files: ReadonlyMap<string, URL>): MigrationProvider => ({
  async getMigrations() {
    const entries = [...files].map(async ([name, file]) => [name, (await import(file.href)) as Migration] as const)
    return Object.fromEntries(await Promise.all(entries))
  },
})

/** Remembers the first error: later statements only report that the transaction is aborted. */
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
