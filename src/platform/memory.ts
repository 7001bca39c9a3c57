import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Requests that waited for the start come first.
const settledAfterMilliseconds = 2_000
/** How many collections V8 keeps compiled code that does not run, unless told otherwise. */
export const usualAge = 6

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
  // Also drops compiled code that ran only in the start. V8 would wait for six collections.
  setFlagsFromString('--bytecode-old-age=1')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString(`--bytecode-old-age=${usualAge}`)
}
