import { type Clock, isWithin, secondsAfter } from '../clock.ts'
import type { Counters, Limit } from './counters.ts'

const windowsMax = 100_000
/** How many are freed at a time: a walk over all of them for each new key would cost more than what the keys guard. */
const freedAtOnce = windowsMax / 10
const looksEveryMilliseconds = 1_000

/** Counters of one process: for an embedded database, and while Redis cannot be reached. */
export function countInProcess(clock: Clock): Counters {
  const windows = new Map<string, { count: number; endsAt: Date }>()
  let lookedAt = Number.NEGATIVE_INFINITY

  function open(key: string) {
    const window = windows.get(key)
    return window && window.endsAt > clock.now() ? window : undefined
  }

  /** Returns the open window of a key. One that ends later than one that opens now was opened before the clock was set back. */
  function openFor(key: string, { windowSeconds }: Limit) {
    const window = open(key)
    const latest = secondsAfter(clock.now(), windowSeconds)
    if (window && window.endsAt > latest) window.endsAt = latest
    return window
  }

  /** Frees memory, which made-up keys must not fill: first the ended windows, then the oldest. */
  function makeRoom() {
    if (windows.size < windowsMax) return
    const now = clock.now()
    if (!isWithin(looksEveryMilliseconds, lookedAt, now.getTime())) {
      lookedAt = now.getTime()
      for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
    }
    if (windows.size < windowsMax) return
    for (const key of windows.keys().take(freedAtOnce)) windows.delete(key)
  }

  return {
    async take(key, limit) {
      const { max, windowSeconds } = limit
      const window = openFor(key, limit)
      if (window && window.count >= max) return { fullUntil: window.endsAt }
      if (window) {
        window.count += 1
        return { count: window.count }
      }
      makeRoom()
      windows.delete(key)
      windows.set(key, { count: 1, endsAt: secondsAfter(clock.now(), windowSeconds) })
      return { count: 1 }
    },
    async fullUntil(key, limit) {
      const window = openFor(key, limit)
      return window && window.count >= limit.max ? window.endsAt : undefined
    },
    async release(key) {
      const window = open(key)
      if (!window) return
      window.count -= 1
      // The next failure opens a window of its own.
      if (window.count === 0) windows.delete(key)
    },
    async fill(key, { max }, endsAt) {
      makeRoom()
      windows.delete(key)
      windows.set(key, { count: max, endsAt })
    },
    async forget(key) {
      windows.delete(key)
    },
    forgetAll: () => windows.clear(),
    async close() {},
  }
}
