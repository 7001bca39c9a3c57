// Plain JavaScript, for two reasons: an older Node reads it and can be told what is missing, and the compile cache is on
// before Node meets TypeScript, so that from the second start it need not even load its type stripper (0.2 s).
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import * as modules from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

const requiredNode = 24
if (Number(process.versions.node.split('.')[0]) < requiredNode) {
  // The Node that comes with the development dependencies is first on the path of `npm start`.
  const isInstalled = existsSync(new URL('node', new URL('../node_modules/.bin/', import.meta.url)))
  const remedy =
    isInstalled && !process.env.npm_lifecycle_event
      ? 'start it with `npm start`'
      : `install Node.js ${requiredNode}, or run \`npm ci\` without --omit=dev, which brings one for \`npm start\``
  process.stderr.write(`Gatehouse needs Node.js ${requiredNode} or later, this is ${process.versions.node}: ${remedy}\n`)
  process.exit(1)
}

if (process.argv[2] === '--version') {
  process.stdout.write(`${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}\n`)
  process.exit(0)
}

// Halves the time of the second start. Not in the system's temporary folder, where others could put code for us to run.
if (!process.env.NODE_COMPILE_CACHE) {
  const dataDir = process.env.DATA_DIR?.trim() || './data'
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => {})
  // The variable is for the threads.
  process.env.NODE_COMPILE_CACHE = join(dataDir, 'compile-cache')
  modules.enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

await import('./module-resolution.js')
await import('./main.ts')
