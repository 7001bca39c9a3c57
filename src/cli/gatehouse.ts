#!/usr/bin/env node
// The command. Its static imports exist in older releases of Node, too, so that it can tell their users what is missing.
import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import * as modules from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { whyUnusable } from '../platform/system-errors.ts'
import { userCache } from '../platform/user-cache.ts'
import { loadEnvFiles } from './env-file.ts'

const folderMilliseconds = 1_000

/** Commands that are run often and must start quickly bypass the library of commands. */
const direct: Record<string, () => Promise<unknown>> = {
  serve: async () => (await withCompileCache(ownDataDir, () => import('./serve.ts'))).serveCommand(),
  migrate: async () => (await withCompileCache(ownDataDir, () => import('./migrate.ts'))).migrateCommand(),
}

if (!mayRunOn(process.versions.node)) {
  // The Node that comes with the development dependencies is first on the path of `npm start`.
  const isInCheckout = existsSync(new URL('../node_modules/.bin/node', import.meta.url))
  const remedy = isInCheckout && !process.env.npm_lifecycle_event ? 'start it with `npm start`' : 'install Node.js 24'
  process.stderr.write(`Gatehouse needs Node.js ${packageJson.engines.node}, this is ${process.versions.node}: ${remedy}\n`)
  process.exit(1)
}
const [command, ...parameters] = withoutEnvFiles(process.argv.slice(2))
if (command === undefined) await (await import('./program.ts')).runProgram([])
else if (parameters.length === 0 && Object.hasOwn(direct, command)) await direct[command]?.()
else if (command === 'test-mode') {
  // Each start has a DATA_DIR of its own.
  await (
    await withCompileCache(
      () => userCache(process.env),
      () => import('./program.ts'),
    )
  ).runProgram([command, ...parameters])
} else await (await import('./program.ts')).runProgram([command, ...parameters])

/** Whether a release of Node is one that `engines` in package.json allows. */
function mayRunOn(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}

/** Removes each `--env-file` after loading the variables: the environment precedes, then the last file, as with Node's own option. */
function withoutEnvFiles(given: readonly string[]): string[] {
  const words = [...given]
  const files: string[] = []
  const indexOfNext = () => words.findIndex((word) => word === '--env-file' || word.startsWith('--env-file='))
  for (let at = indexOfNext(); at !== -1; at = indexOfNext()) {
    const option = words[at] as string
    const [, next = ''] = words.splice(at, option.includes('=') ? 1 : 2)
    files.push(option.includes('=') ? option.slice(option.indexOf('=') + 1) : next)
  }
  try {
    if (files.includes('')) throw new Error('it names no file')
    loadEnvFiles(files)
  } catch (error) {
    process.stderr.write(`--env-file cannot be used: ${whyUnusable(error)}\n`)
    process.exit(2)
  }
  return words
}

/** Halves the time of later starts. The cache is not in the system's temporary folder, where others could plant code for us to run. */
async function withCompileCache<Module>(folderOf: () => Promise<string | undefined>, load: () => Promise<Module>): Promise<Module> {
  if (!process.env.NODE_COMPILE_CACHE) {
    // If the folder does not respond, do without it: other code reports what is wrong with it later.
    const waiting = new AbortController()
    const folder = await Promise.race([folderOf(), pause(folderMilliseconds, undefined, waiting).catch(() => undefined)])
    waiting.abort()
    if (folder) {
      // The variable passes the cache on to threads.
      process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache')
      modules.enableCompileCache(process.env.NODE_COMPILE_CACHE)
    }
  }
  return load()
}

/** Returns undefined for a folder that cannot be used, and for root in a folder of another user, who could not overwrite files of root. */
async function ownDataDir(): Promise<string | undefined> {
  const dataDir = process.env.DATA_DIR?.trim() || './data'
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return process.getuid?.() !== 0 || (await stat(dataDir)).uid === 0 ? dataDir : undefined
  } catch {
    return undefined
  }
}
