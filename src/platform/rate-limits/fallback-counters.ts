import type { Counters } from './counters.ts'

/** Uses the second counters while the first fail, so that people can sign in when the first are unreachable. */
export function countWithFallback(first: Counters, second: Counters, onChange: (error: unknown | undefined) => void): Counters {
  let failing = false

  async function tryFirst<T>(work: (counters: Counters) => Promise<T>): Promise<T> {
    try {
      const result = await work(first)
      if (failing) onChange(undefined)
      failing = false
      return result
    } catch (error) {
      if (!failing) onChange(error)
      failing = true
      return work(second)
    }
  }

  return {
    take: (key, limit) => tryFirst((counters) => counters.take(key, limit)),
    fullUntil: (key, limit) => tryFirst((counters) => counters.fullUntil(key, limit)),
    release: (key) => tryFirst((counters) => counters.release(key)),
    fill: (key, limit, until) => tryFirst((counters) => counters.fill(key, limit, until)),
    // Forget both: otherwise, counts from an outage of the first would return with its next outage.
    forget: async (key) => {
      await Promise.all([tryFirst((counters) => counters.forget(key)), second.forget(key)])
    },
    close: async () => {
      await Promise.all([first.close(), second.close()])
    },
  }
}
