#!/usr/bin/env node
// The command. It imports nothing at once but what an older Node has too, which can then be told what is missing.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import * as modules from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import packageJson from '../../package.json' with { type: 'json' }

/** Each is loaded only when it is asked for. */
const commands: Record<string, (parameters: string[]) => Promise<unknown>> = {
  serve: async () => (await withCompileCache(() => import('./serve.ts'))).serveCommand(),
  migrate: async () => (await withCompileCache(() => import('./migrate.ts'))).migrateCommand(),
  'webhooks listen': async (parameters) => (await import('./webhook-receiver/listen.ts')).listenCommand(parameters),
}

const usage = `Usage: gatehouse [command]

  serve            starts the service (what is done without a command)
  migrate          brings the database up to date without starting the service
  webhooks listen  receives webhooks on this machine; --help says more
  --version        prints the release
`

if (!mayRunOn(process.versions.node)) {
  // The Node that comes with the development dependencies is first on the path of `npm start`.
  const isInCheckout = existsSync(new URL('../node_modules/.bin/node', import.meta.url))
  const remedy = isInCheckout && !process.env.npm_lifecycle_event ? 'start it with `npm start`' : 'install Node.js 24'
  fail(`Gatehouse needs Node.js ${packageJson.engines.node}, this is ${process.versions.node}: ${remedy}\n`, 1)
}
await run(process.argv.slice(2))

async function run(words: string[]): Promise<void> {
  if (words[0] === '--version') process.stdout.write(`${packageJson.version}\n`)
  else if (words[0] === '--help') process.stdout.write(usage)
  else {
    const name = words.length === 0 ? 'serve' : words[0] === 'webhooks' ? words.slice(0, 2).join(' ') : (words[0] as string)
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command) fail(`There is no command "${name}"\n\n${usage}`, 2)
    await command(words.slice(name.split(' ').length))
  }
}

/** Whether a release of Node is one of those that `engines` in package.json names. */
function mayRunOn(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}

/** Halves the time of the second start. Not in the system's temporary folder, where others could put code for us to run. */
async function withCompileCache<Module>(load: () => Promise<Module>): Promise<Module> {
  if (!process.env.NODE_COMPILE_CACHE) {
    const dataDir = process.env.DATA_DIR?.trim() || './data'
    await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => {})
    // The variable is for the threads.
    process.env.NODE_COMPILE_CACHE = join(dataDir, 'compile-cache')
    modules.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  }
  return load()
}

function fail(message: string, status: number): never {
  process.stderr.write(message)
  process.exit(status)
}
