import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Requests that waited for the start come first.
const settledAfterMilliseconds = 2_000
/** The number of collections for which V8 retains compiled code that does not run, by default. */
export const usualAge = 6

/**
 * Releases the memory that this thread needed only for the start: some 40 MB that V8 would otherwise retain until it is short of memory.
 */
export function releaseMemoryOfStart(): void {
  setTimeout(collectGarbage, settledAfterMilliseconds).unref()
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  // Drop compiled code that ran only in the start, too. V8 would wait for six collections.
  setFlagsFromString('--bytecode-old-age=1')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString(`--bytecode-old-age=${usualAge}`)
}
