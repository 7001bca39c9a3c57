import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Engine } from './engine.ts'
import { isConflict } from './retry.ts'

/** Whoever holds a lock that a migration waits for. Never its query, which may hold values. */
export interface Blocker {
  /** Of the server's process; 0 for a prepared transaction. */
  pid: number
  /** As it calls itself, such as `pg_dump`; empty when it says nothing. */
  application: string
  /** How long its transaction has lasted; null when the role may not see it. */
  seconds: number | null
}

export interface BlockedMigration {
  name: string
  /** Empty when it has waited too shortly to ask. */
  by: readonly Blocker[]
  secondsLeft: number
}

/** One that others may use, too. */
export type ServerEngine = Engine & Required<Pick<Engine, 'ownerStatement'>>

export interface MigrationWaiting {
  /** For how long each migration is tried again while others hold what it locks; 0 tries once. */
  seconds: number
  /** Called each time that a migration has made way. */
  onBlocked?(blocked: BlockedMigration): void
}

/** The migration found no moment in which nobody else held its tables. */
export class MigrationBlocked extends Error {
  constructor(name: string, by: readonly Blocker[], options: ErrorOptions) {
    super(`${textOfBlocked({ name, by })}. End that transaction, or raise DATABASE_WAIT_SECONDS, and start again`, options)
  }
}

export const textOfBlocked = ({ name, by }: Pick<BlockedMigration, 'name' | 'by'>): string =>
  `The migration ${name} waits for a lock that ${textOfBlockers(by)}`

/** What goes on after "a lock that". */
export const textOfBlockers = (by: readonly Blocker[]): string =>
  by.length > 0 ? by.map(textOfBlocker).join(', and ') : 'other transactions hold'

function textOfBlocker({ pid, application, seconds }: Blocker): string {
  if (pid === 0) return 'a prepared transaction holds (pg_prepared_xacts)'
  return `process ${pid}${application && ` (${application})`} holds${seconds === null ? '' : `, in a transaction since ${seconds} s`}`
}

const lockNotAvailable = '55P03'

/** Whether work has failed by what others do at the moment. */
export const isContention = (error: unknown): boolean =>
  isConflict(error) || (error as { code?: unknown } | undefined)?.code === lockNotAvailable

const firstPauseMilliseconds = 1_000
const pauseMillisecondsMax = 5_000
const lookEveryMilliseconds = 250

/** The name under which the connections of the migrator are known to the server. */
export const migratorName = 'gatehouse migrate'

/**
 * Applies a migration, again and again while others hold what it locks. It gives its locks up between two attempts, for longer each
 * time: whoever waits behind it is served then.
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

/** Looks every moment who blocks the work, until it ends. */
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

/** In a transaction of its own, each time: an index that is built concurrently waits for every one that has looked at anything. */
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
