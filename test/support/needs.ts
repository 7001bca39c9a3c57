import process from 'node:process'
import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What this machine lacks when the test is skipped. */
    needs?: string
  }
}

/** The programs without which the run must fail, such as `redis-server go`. `.ci/run` names those that it installs. */
const required = (process.env.REQUIRE_PROGRAMS ?? '').split(' ')

/** Options of a test that runs only where something is there that npm does not bring. */
export function needs(what: string, isThere: boolean): TestOptions {
  if (!isThere && required.includes(what)) throw new Error(`REQUIRE_PROGRAMS names ${what}, and it is not there`)
  // Named only where it is lacking: a test that is skipped for another reason must not hide behind what it has.
  return isThere ? {} : { skip: true, meta: { needs: what } }
}
