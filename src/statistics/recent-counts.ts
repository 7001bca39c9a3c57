import { type Clock, isWithin } from '../platform/clock.ts'

/** Numbers of one organisation, and when they were counted. */
export interface Counted<Numbers> {
  numbers: Numbers
  at: Date
}

/** The numbers of organisations that were counted within the last minute. */
export interface RecentCounts<Numbers> {
  /**
   * Counts, unless that was done within the last minute. Numbers older than half a minute are refreshed in the background, so that no
   * request waits while they are requested frequently.
   */
  of(organisationId: string, count: () => Promise<Counted<Numbers>>): Promise<Counted<Numbers>>
}

const usableMilliseconds = 60_000
const freshMilliseconds = 30_000
const organisationsMax = 1_000

interface Entry<Numbers> {
  last?: Counted<Numbers>
  /** The count that a request has started. */
  running?: Promise<Counted<Numbers>> | undefined
}

/** @param isCostly whether numbers are worth storing: small organisations are counted each time, and so exactly */
export function createRecentCounts<Numbers>(clock: Clock, isCostly: (numbers: Numbers) => boolean): RecentCounts<Numbers> {
  const stored = new Map<string, Entry<Numbers>>()

  async function run(organisationId: string, entry: Entry<Numbers>, count: () => Promise<Counted<Numbers>>): Promise<Counted<Numbers>> {
    stored.delete(organisationId)
    stored.set(organisationId, entry)
    const [oldest = organisationId] = stored.keys()
    if (stored.size > organisationsMax) stored.delete(oldest)
    try {
      const counted = await count()
      delete entry.last
      if (isCostly(counted.numbers)) entry.last = counted
      return counted
    } finally {
      entry.running = undefined
      if (!entry.last && stored.get(organisationId) === entry) stored.delete(organisationId)
    }
  }

  return {
    async of(organisationId, count) {
      const entry = stored.get(organisationId) ?? {}
      const isYoungerThan = (milliseconds: number) =>
        entry.last !== undefined && isWithin(milliseconds, entry.last.at.getTime(), clock.now().getTime())
      if (entry.last && isYoungerThan(freshMilliseconds)) return entry.last

      entry.running ??= run(organisationId, entry, count)
      if (!entry.last || !isYoungerThan(usableMilliseconds)) return entry.running
      // The awaiting request gets the error.
      entry.running.catch(() => {})
      return entry.last
    },
  }
}
