// Plain JavaScript, for two reasons: an older Node reads it and can be told what is missing, and the compile cache is on
// before Node meets TypeScript, so that from the second start it need not even load its type stripper (0.2 s).
import { mkdir } from 'node:fs/promises'
import * as modules from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

const requiredNode = 24
if (Number(process.versions.node.split('.')[0]) < requiredNode) {
  process.stderr.write(`Gatehouse needs Node.js ${requiredNode} or later, this is ${process.versions.node}: start it with \`npm start\`\n`)
  process.exit(1)
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
