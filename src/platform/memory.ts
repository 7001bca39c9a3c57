import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Requests that waited for the start come first.
const settledAfterMilliseconds = 2_000

/**
 * Gives back, once the start is over, what this thread needed only for it: some 40 MB that V8 would otherwise keep until it is
 * short of memory.
 */
export function releaseMemoryOfStart(): void {
  setTimeout(collectGarbage, settledAfterMilliseconds).unref()
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
