import { CompiledQuery } from 'kysely'
import { type Blocker, MigrationBlocked, type MigrationWaiting, type ServerEngine, watched } from './contended-migration.ts'

/**
 * An index on an existing table, which a migration declares as `concurrentIndexes`. It is built before `up` without blocking writers; so a
 * new column that it covers needs an earlier migration of its own.
 */
export interface ConcurrentIndex {
  name: string
  /** The table, the columns and the rest, such as `users (organisation_id, email) where deleted_at is null`. */
  on: string
  isUnique?: boolean
}

const tellEveryMilliseconds = 5_000
/** The least time for which short-lived transactions are waited for. */
const waitMillisecondsMin = 1_000

/** Creates the index in a plain statement, for a table without other users. */
export const createIndex = ({ name, on, isUnique = false }: ConcurrentIndex, how = '') =>
  CompiledQuery.raw(`create ${isUnique ? 'unique ' : ''}index ${how}${name} on ${on}`)

/**
 * Builds an index outside of a transaction. An unfinished one from an earlier attempt is dropped and built again.
 *
 * @param migration the migration that declares the index
 */
export async function buildConcurrently(
  migration: string,
  index: ConcurrentIndex,
  engine: ServerEngine,
  { seconds, onBlocked }: MigrationWaiting,
): Promise<void> {
  const state = `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('${index.name}')`
  const [found] = (await engine.ownerStatement<{ isValid: boolean }>(CompiledQuery.raw(state))).rows
  if (found?.isValid) return
  let since: number | undefined
  let toldAt = 0
  let isGivenUp = false
  let last: readonly Blocker[] = []

  /**
   * Reports transactions that may still see the table as it was. The build
   * waits for them and blocks no reader or writer, so it is not retried.
   */
  async function onLook(by: readonly Blocker[]): Promise<void> {
    const now = performance.now()
    if (by.length === 0) {
      since = undefined
      return
    }
    last = by
    since ??= now
    const left = Math.max(seconds * 1_000, waitMillisecondsMin) - (now - since)
    if (left <= 0) {
      isGivenUp = true
      await engine.ownerStatement(CompiledQuery.raw(cancelBuilding, [index.name]))
    } else if (now - toldAt >= tellEveryMilliseconds) {
      toldAt = now
      onBlocked?.({ name: migration, by, secondsLeft: Math.ceil(left / 1_000) })
    }
  }
  async function build(): Promise<void> {
    if (found) await engine.ownerStatement(CompiledQuery.raw(`drop index concurrently ${index.name}`))
    await engine.ownerStatement(createIndex(index, 'concurrently '))
  }
  await watched(engine, build, onLook).catch((error: unknown) => {
    throw isGivenUp ? new MigrationBlocked(migration, last, { cause: error }) : error
  })
}

const cancelBuilding = `select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and query like '%index concurrently ' || $1 || '%' and pid <> pg_backend_pid()`
