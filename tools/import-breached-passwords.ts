/**
 * Creates the file of `BREACHED_PASSWORDS=file:…` from the list that Have I Been Pwned publishes:
 * `npm run passwords:import -- <text file> --min-count 10 --out <file>`.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { importBreachedPasswords } from '../src/passwords/import-breached-passwords.ts'

const usage = 'npm run passwords:import -- <text file of Have I Been Pwned> --out <file> [--min-count 10]\n'
const minCountMax = 2 ** 32 - 1

try {
  const { source, target, minCount } = readParameters()
  const { passwords, bytes } = await importBreachedPasswords({ source, target, minCount })
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  process.stdout.write(`${passwords} passwords, ${size}: start the service with BREACHED_PASSWORDS=file:${target}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function readParameters() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, 'min-count': { type: 'string', default: '10' } },
  })
  const [source, ...others] = positionals
  const minCount = Number(values['min-count'])
  const isUsable = Number.isInteger(minCount) && minCount >= 1 && minCount <= minCountMax
  if (source === undefined || others.length > 0 || values.out === undefined || !isUsable) throw new Error(`Use ${usage}`)
  return { source, target: values.out, minCount }
}
