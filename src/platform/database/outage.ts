import type { Engine } from './engine.ts'
import { noPrimaryCode } from './no-primary.ts'
import { takenDatabaseCode } from './taken-database.ts'
import { untoldPoolerCode } from './untold-pooler.ts'

/** The SQLSTATE of a full disk: statements that need space fail until there is some. */
const diskFull = '53100'
/** The SQLSTATE of a write to a server that takes none, as a replica. */
const readOnlyTransaction = '25006'
/** The SQLSTATE of a server that takes no more connections. */
const tooManyConnections = '53300'
// The database was renamed or dropped, its password changed, a pooler is undeclared,
// or a command has taken the database: the operator has to fix it, while the service retries.
const wrongAddress = ['ENOTFOUND', '3D000', '28000', '28P01', readOnlyTransaction, untoldPoolerCode, takenDatabaseCode]
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  tooManyConnections,
  diskFull,
  '08000',
  '08001',
  '08003',
  '08006',
  noPrimaryCode,
  ...wrongAddress,
])

/**
 * Whether a pooler has ended the connection. PgBouncer does so with the SQLSTATE of a violated protocol, whatever the reason: its server is
 * gone, starts or stops, or no connection to it became free in time.
 */
const isEndedByPooler = (error: Error): boolean =>
  'code' in error && error.code === '08P01' && 'severity' in error && error.severity === 'FATAL'

/** What a pooler says of a mistake in its configuration or in the address. */
const mistakeAtPooler = /no such (database|user)|authentication failed|is disabled|bouncer config error/i

/** Whether the connection to the database failed, not the statement. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isEndedByPooler(error)) return true
  if ('code' in error && connectionErrors.has(String(error.code))) return true
  return /connection (terminated|error)|timeout exceeded when trying to connect|timeout expired|not queryable|calling end on the pool|server closed the connection|not currently accepting connections/i.test(
    error.message,
  )
}

/**
 * The SQLSTATEs of a statement that was ended from outside: an operator has cancelled it or set `statement_timeout`, `lock_timeout`,
 * `idle_in_transaction_session_timeout` or `transaction_timeout` (PostgreSQL, appendix A).
 */
const interruptions = new Set(['57014', '55P03', '25P03', '25P04'])

/** Whether the database has ended the statement before it was done, although it can be reached. The same may succeed the next time. */
export const isInterrupted = (error: unknown): boolean => interruptions.has(String((error as { code?: unknown } | undefined)?.code))

/** Whether the server takes no writes, as a replica. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === readOnlyTransaction

/** Whether the database may return in a moment, such as while it starts, without a correction of its address. */
export function isDatabaseAway(error: unknown): boolean {
  if (!isDatabaseGone(error)) return false
  const { code, message } = error as Error & { code?: unknown }
  return !wrongAddress.includes(String(code)) && !(isEndedByPooler(error as Error) && mistakeAtPooler.test(message))
}

const partOfOutage = Symbol('part of an outage')

/** Whether an error comes from an outage that was reported when it began. */
export const isPartOfOutage = (error: unknown): boolean => error instanceof Error && (partOfOutage in error || isPartOfOutage(error.cause))

interface Reported {
  began(error: Error): void
  ended(milliseconds: number): void
}

export interface OutageReport {
  /** The database cannot be reached. */
  away: Reported
  /** The database responds, but has no room for writes. */
  diskFull: Reported
}

/** Of these, other statements succeed: reads on a replica, and all on the connections that are open. */
const isPartial = (error: Error): boolean => [readOnlyTransaction, tooManyConnections].includes(String((error as { code?: unknown }).code))

/** On a full disk, statements that need no room still succeed, too: reads, and small writes beside larger ones that fail. */
const wholeAgainAfterMilliseconds = 30_000

/** An engine that reports once when the database becomes unreachable, or its disk full, and once when that has ended. */
export function reportOutages(engine: Engine, report: OutageReport): Engine {
  const { listRead } = engine
  let down: { since: number; last: number; isPartial: boolean } | undefined
  let full: { since: number; last: number } | undefined

  function noteSuccess(): void {
    const now = performance.now()
    if (down && (!down.isPartial || now - down.last >= wholeAgainAfterMilliseconds)) {
      report.away.ended(Math.round((down.isPartial ? down.last : now) - down.since))
      down = undefined
    }
    if (full && now - full.last >= wholeAgainAfterMilliseconds) {
      report.diskFull.ended(Math.round(full.last - full.since))
      full = undefined
    }
  }

  function noteFailure(error: Error): void {
    const now = performance.now()
    if ((error as { code?: unknown }).code === diskFull) {
      if (!full) report.diskFull.began(error)
      full = { since: full?.since ?? now, last: now }
    } else {
      if (!down) report.away.began(error)
      down = { since: down?.since ?? now, last: now, isPartial: isPartial(error) && (down?.isPartial ?? true) }
    }
  }

  async function watch<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await work
      if (down || full) noteSuccess()
      return value
    } catch (error) {
      if (error instanceof Error && isDatabaseGone(error)) {
        Object.defineProperty(error, partOfOutage, { value: true })
        noteFailure(error)
      }
      throw error
    }
  }

  return {
    ...engine,
    execute: (query, setUp) => watch(engine.execute(query, setUp)),
    pointRead: (query, setUp) => watch(engine.pointRead(query, setUp)),
    ...(listRead && { listRead: (query, setUp) => watch(listRead(query, setUp)) }),
    keyedWrite: (query, key) => watch(engine.keyedWrite(query, key)),
    transaction: (work, setUp) => watch(engine.transaction(work, setUp)),
  }
}
