import { type Clock, secondsAfter } from '../clock.ts'
import type { Counters } from './counters.ts'

const windowsMax = 100_000

/** Counters of one process: for an embedded database, and while Redis cannot be reached. */
export function countInProcess(clock: Clock): Counters {
  const windows = new Map<string, { count: number; endsAt: Date }>()

  function open(key: string) {
    const window = windows.get(key)
    return window && window.endsAt > clock.now() ? window : undefined
  }

  /** Made-up keys must not fill the memory: ended windows are removed first, then the oldest. */
  function makeRoom() {
    if (windows.size < windowsMax) return
    const now = clock.now()
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
    for (const key of windows.keys()) {
      if (windows.size < windowsMax) return
      windows.delete(key)
    }
  }

  return {
    async take(key, { max, windowSeconds }) {
      const window = open(key)
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
    async fullUntil(key, { max }) {
      const window = open(key)
      return window && window.count >= max ? window.endsAt : undefined
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
    async close() {},
  }
}
