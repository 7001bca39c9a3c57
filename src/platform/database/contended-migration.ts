import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Engine } from './engine.ts'
import { isConflict } from './retry.ts'

/** A process that holds a lock which a migration waits for. It never contains a query, which may contain values. */
export interface Blocker {
  /** The id of the server's process; 0 for a prepared transaction. */
  pid: number
  /** The application name of the connection, such as `pg_dump`; empty when it has set none. */
  application: string
  /** The age of its transaction; null when the role may not see it. */
  seconds: number | null
}

export interface BlockedMigration {
  name: string
  /** Empty when the wait was too short to find out. */
  by: readonly Blocker[]
  secondsLeft: number
}

/** An engine whose database may have other users. */
export type ServerEngine = Engine & Required<Pick<Engine, 'ownerStatement'>>

export interface MigrationWaiting {
  /** The time for which each migration is retried while other processes hold what it locks; 0 tries once. */
  seconds: number
  /** Called each time that a migration has given way. */
  onBlocked?(blocked: BlockedMigration): void
}

/** The migration found no moment in which its tables were unlocked. */
export class MigrationBlocked extends Error {
  constructor(name: string, by: readonly Blocker[], options: ErrorOptions) {
    super(`${textOfBlocked({ name, by })}. End that transaction, or raise DATABASE_WAIT_SECONDS, and start again`, options)
  }
}

export const textOfBlocked = ({ name, by }: Pick<BlockedMigration, 'name' | 'by'>): string =>
  `The migration ${name} waits for a lock that ${textOfBlockers(by)}`

/** The words that follow "a lock that". */
export const textOfBlockers = (by: readonly Blocker[]): string =>
  by.length > 0 ? by.map(textOfBlocker).join(', and ') : 'other transactions hold'

function textOfBlocker({ pid, application, seconds }: Blocker): string {
  if (pid === 0) return 'a prepared transaction holds (pg_prepared_xacts)'
  return `process ${pid}${application && ` (${application})`} holds${seconds === null ? '' : `, in a transaction since ${seconds} s`}`
}

const lockNotAvailable = '55P03'

/** Whether work has failed because of concurrent work. */
export const isContention = (error: unknown): boolean =>
  isConflict(error) || (error as { code?: unknown } | undefined)?.code === lockNotAvailable

const firstPauseMilliseconds = 1_000
const pauseMillisecondsMax = 5_000
const lookEveryMilliseconds = 250

export const migratorName = 'gatehouse migrate'

/**
 * Applies a migration, and retries it while other processes hold what it locks. It releases its locks between two attempts, for longer
 * each time, so that queued statements run.
 *
 * @throws MigrationBlocked after `seconds`
 */
export async function whenUncontended<T>(
  name: string,
  engine: ServerEngine,
  { seconds, onBlocked }: MigrationWaiting,
  attempt: () => Promise<T>,
): Promise<T> {
  let since: number | undefined
  for (let wait = firstPauseMilliseconds; ; wait = Math.min(wait * 2, pauseMillisecondsMax)) {
    let by: readonly Blocker[] = []
    try {
      return await watched(engine, attempt, (blockers) => {
        if (blockers.length > 0) by = blockers
      })
    } catch (error) {
      if (!isContention(error)) throw error
      since ??= performance.now()
      const left = seconds * 1_000 - (performance.now() - since)
      if (left <= 0) throw new MigrationBlocked(name, by, { cause: error })
      onBlocked?.({ name, by, secondsLeft: Math.ceil(left / 1_000) })
      await pause(Math.min(wait, left))
    }
  }
}

/** Checks periodically which processes block the work, until it ends. */
export async function watched<T>(
  engine: ServerEngine,
  work: () => Promise<T>,
  onLook: (blockers: readonly Blocker[]) => void | Promise<void>,
): Promise<T> {
  const ended = new AbortController()
  async function look(): Promise<void> {
    for (;;) {
      await pause(lookEveryMilliseconds, undefined, { signal: ended.signal }).catch(() => {})
      if (ended.signal.aborted) return
      await onLook(await blockersOf(engine))
    }
  }
  const looking = look()
  // Awaited below.
  looking.catch(() => {})
  try {
    return await work()
  } finally {
    ended.abort()
    await looking
  }
}

/** Uses a transaction of its own each time: an index that is built concurrently waits for every transaction that has a snapshot. */
async function blockersOf(engine: ServerEngine): Promise<Blocker[]> {
  const { rows } = await engine.ownerStatement<Blocker>(
    CompiledQuery.raw(
      `select blocking.pid, coalesce(activity.application_name, '') as application,
         floor(extract(epoch from clock_timestamp() - coalesce(activity.xact_start, activity.query_start)))::int as seconds
       from pg_stat_activity waiting
         cross join lateral (select distinct pid from unnest(pg_blocking_pids(waiting.pid)) pid) blocking
         left join pg_stat_activity activity on activity.pid = blocking.pid
       where waiting.datname = current_database() and waiting.application_name = $1 and waiting.wait_event_type = 'Lock'
         and blocking.pid <> pg_backend_pid()
       order by blocking.pid`,
      [migratorName],
    ),
  )
  return rows
}
