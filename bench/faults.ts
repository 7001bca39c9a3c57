/**
 * Lets something go wrong while the service is used, and prints what became of it: nothing that was acknowledged may be
 * missing, and the service recovers by itself. `npm run bench:faults` for all, `npm run bench:faults -- database` for one:
 * each file of bench/faults is one. `mixed` lasts for `--minutes 10`, and writes its table into docs/reliability.md with `--write`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { clock } from './faults/clock.ts'
import { codes } from './faults/codes.ts'
import { database } from './faults/database.ts'
import { disk } from './faults/disk.ts'
import type { Fault } from './faults/fault.ts'
import { idle } from './faults/idle.ts'
import { mail } from './faults/mail.ts'
import { mixed } from './faults/mixed.ts'
import { network } from './faults/network.ts'
import { redis } from './faults/redis.ts'
import { slow } from './faults/slow.ts'

const faults: Record<string, Fault> = { database, network, disk, mail, redis, slow, idle, clock, codes, mixed }

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, write: { type: 'boolean', default: false } },
})
const [asked] = positionals
if (asked && !faults[asked]) throw new Error(`There is no fault called ${asked}: ${Object.keys(faults).join(', ')}`)
for (const [name, fault] of Object.entries(faults)) {
  if (asked && asked !== name) continue
  const { rows, holds, document } = await fault({ minutes: Number(options.minutes) })
  const lines = Object.entries({ ...rows, verdict: holds ? 'holds' : 'DOES NOT HOLD' })
  process.stdout.write(`${name}\n${lines.map(([what, value]) => `  ${what}: ${value}\n`).join('')}`)
  if (!holds) process.exitCode = 1
  if (document && options.write) await writeTable(name, document)
}
process.exit()

async function writeTable(name: string, lines: readonly string[]): Promise<void> {
  const file = 'docs/reliability.md'
  const text = await readFile(file, 'utf8')
  const between = new RegExp(`(?<=<!-- bench:faults ${name} -->\n)[\\s\\S]*?(?=<!-- /bench:faults ${name} -->)`)
  await writeFile(file, text.replace(between, `\n${lines.join('\n')}\n\n`))
}
