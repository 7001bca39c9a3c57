import type { Engine } from './engine.ts'

// Renamed, dropped, or its password changed: the operator has to fix it, while the service keeps trying.
const wrongAddress = ['ENOTFOUND', '3D000', '28000', '28P01']
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
  '53300',
  // A full disk: nothing is written until there is room.
  '53100',
  '08000',
  '08001',
  '08003',
  '08006',
  ...wrongAddress,
])

/** Whether the connection to the database failed, not the statement. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && connectionErrors.has(String(error.code))) return true
  return /connection (terminated|error)|timeout exceeded when trying to connect|timeout expired|not queryable|server closed the connection|not currently accepting connections/i.test(
    error.message,
  )
}

/** Whether the database may be back in a moment, such as while it starts, without anybody who corrects its address. */
export const isDatabaseAway = (error: unknown): boolean =>
  isDatabaseGone(error) && !wrongAddress.includes(String((error as { code?: unknown }).code))

const partOfOutage = Symbol('part of an outage')

/** Whether an error comes from an outage that was reported when it began. */
export const isPartOfOutage = (error: unknown): boolean => error instanceof Error && (partOfOutage in error || isPartOfOutage(error.cause))

export interface OutageReport {
  began(error: Error): void
  ended(milliseconds: number): void
}

/** An engine that reports once when the database becomes unreachable and once when it is reachable again. */
export function reportOutages(engine: Engine, report: OutageReport): Engine {
  const { listRead } = engine
  let downSince: number | undefined

  async function watch<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await work
      if (downSince !== undefined) {
        report.ended(Math.round(performance.now() - downSince))
        downSince = undefined
      }
      return value
    } catch (error) {
      if (error instanceof Error && isDatabaseGone(error)) {
        Object.defineProperty(error, partOfOutage, { value: true })
        if (downSince === undefined) {
          downSince = performance.now()
          report.began(error)
        }
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
