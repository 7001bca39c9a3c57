import type { Clock } from '../platform/clock.ts'

/** Numbers of one organisation, and when they were counted. */
export interface Counted<Numbers> {
  numbers: Numbers
  at: Date
}

/** The numbers of organisations that were counted within the last minute. */
export interface RecentCounts<Numbers> {
  /** Counts, unless another request has done so within the last minute or is doing so now. */
  of(organisationId: string, count: () => Promise<Counted<Numbers>>): Promise<Counted<Numbers>>
}

const storedMilliseconds = 60_000
const organisationsMax = 1_000

/** @param isCostly whether numbers are worth storing: small organisations are counted each time, and so exact */
export function createRecentCounts<Numbers>(clock: Clock, isCostly: (numbers: Numbers) => boolean): RecentCounts<Numbers> {
  const stored = new Map<string, { promise: Promise<Counted<Numbers>>; until: number }>()
  return {
    async of(organisationId, count) {
      const now = clock.now().getTime()
      const recent = stored.get(organisationId)
      if (recent && recent.until > now) return recent.promise

      const entry = { promise: count(), until: now + storedMilliseconds }
      stored.delete(organisationId)
      stored.set(organisationId, entry)
      const [oldest = organisationId] = stored.keys()
      if (stored.size > organisationsMax) stored.delete(oldest)
      const forget = () => stored.get(organisationId) === entry && stored.delete(organisationId)
      try {
        const counted = await entry.promise
        if (!isCostly(counted.numbers)) forget()
        return counted
      } catch (error) {
        forget()
        throw error
      }
    },
  }
}
