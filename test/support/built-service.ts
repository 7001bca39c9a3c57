import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { unpackBrowser } from './browser-program.ts'
import { removeFolderInMemory } from './temporary-folder.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** The command as a user starts it: processes of the tests run what `npm start` runs. */
export const builtService = fileURLToPath(new URL('../../dist/gatehouse.js', import.meta.url))

/** The flags that `npm start` passes to Node. The image and the systemd unit pass the same. */
export const nodeFlags: readonly string[] = (/ node ((?:--\S+ )+)dist\//.exec(packageJson.scripts.start)?.[1] ?? '').trim().split(' ')

/** The settings of the memory allocator that `npm start` makes. The image and the systemd unit make the same. */
export const allocatorSettings: Readonly<Record<string, string>> = Object.fromEntries(
  [...packageJson.scripts.start.matchAll(/(MALLOC_\w+)=(\w+)/g)].map(([, name, value]) => [name, value]),
)

/**
 * Builds the service and the console unless the build is up to date, and unpacks the browser. Vitest runs it once, before all tests.
 * `WITHOUT_BUILD=1` is for tests that start no process.
 *
 * @returns what it runs after them
 */
export default async function prepareRun(): Promise<() => void> {
  if (process.env.WITHOUT_BUILD) return removeFolderInMemory
  execFileSync(process.execPath, ['tools/build.js', '--if-stale', '--console-optional'], { cwd: checkout, stdio: 'inherit' })
  await unpackBrowser()
  return removeFolderInMemory
}
