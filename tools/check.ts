/**
 * `npm run check`: format, lint, types, import rules, unused code. As many run beside each other as there are processors, the longest
 * first, and all of them to the end, so that one run names everything that no longer fits.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'

/** The console's types are made of the API's description. */
const before = ['node tools/openapi/generate.js']

const checks = [
  'tsc',
  'tsc -p console',
  'biome check .',
  'knip',
  'tsc -p src/pages/browser',
  'node tools/check-imports.ts',
  'node tools/check-tables.ts',
  'node tools/check-distribution.ts',
  'node tools/check-module-state.ts',
  'node tools/check-sentences.ts',
  'node tools/check-words.ts',
]

/** Runs a line of words to its end, and then prints all that it has said. */
async function run(line: string): Promise<void> {
  const [program = '', ...parameters] = line.split(' ')
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject).once('close', resolve)
  const status = await promise
  process.stdout.write(Buffer.concat(said))
  if (status === 0) return
  process.stdout.write(`${line}: failed\n`)
  process.exitCode = 1
}

for (const line of before) await run(line)
const waiting = checks.values()
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const line of waiting) await run(line)
  }),
)
