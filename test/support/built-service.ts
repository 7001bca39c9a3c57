import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** The command as a user starts it: processes of the tests run what `npm start` runs. */
export const builtService = fileURLToPath(new URL('../../dist/gatehouse.js', import.meta.url))

/** Builds the service unless the build is up to date. Vitest runs it once, before all tests. */
export default function buildService(): void {
  execFileSync(process.execPath, ['tools/build.js', '--if-stale'], { cwd: checkout, stdio: 'inherit' })
}
