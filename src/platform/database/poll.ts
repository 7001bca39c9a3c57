import type { Listener } from './listener.ts'

const pollMilliseconds = 2_000

/** Replaces a connection that listens: calls back every few seconds, since a notice may have been missed. */
export function createPoll(): Listener {
  const callbacks = new Set<() => void>()
  const timer = setInterval(() => {
    for (const callback of callbacks) callback()
  }, pollMilliseconds)
  timer.unref()
  return {
    async listen(_channel, onNotice) {
      callbacks.add(onNotice)
    },
    async close() {
      clearInterval(timer)
    },
  }
}
