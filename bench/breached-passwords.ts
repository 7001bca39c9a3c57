/**
 * Measures the file of breached passwords: `npm run bench:breached-passwords`.
 *
 * It writes a list of ten million passwords as Have I Been Pwned publishes it, makes the file of it, looks ten million others up to
 * count false positives, and then measures a look-up in the file, and setting a password with and without it, in turns, in one
 * process. `PASSWORDS=1000000` takes fewer.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import pino from 'pino'
import { FilterBuilder, openFilter } from '../src/passwords/breached-filter.ts'
import { openBreachedPasswords } from '../src/passwords/breached-passwords.ts'
import { importBreachedPasswords } from '../src/passwords/import-breached-passwords.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createPasswordHasher } from '../src/platform/crypto/password-hasher.ts'

const passwords = Number(process.env.PASSWORDS ?? 10_000_000)
const [rounds, lookUps] = [20, 1_000]
const chosen = 400
const atOnce = 100_000

if (process.argv[2] === 'import') {
  const [, , , source = '', target = ''] = process.argv
  const { bytes } = await importBreachedPasswords({ source, target, minCount: 1 })
  say(`import: file ${mebibytes(bytes)}, most memory ${mebibytes(process.resourceUsage().maxRSS * 1024)}`)
  process.exit()
}

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-breached-'))
const [source, target] = [join(folder, 'list.txt'), join(folder, 'list.filter')]
try {
  await pipeline(listOfHashes(), createWriteStream(source))
  say(`list: ${passwords} lines, ${mebibytes((await stat(source)).size)}`)

  const started = performance.now()
  // In a process of its own, whose memory holds nothing else.
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, 'import', source, target])
  say(`${stdout.trim()}, ${((performance.now() - started) / 1_000).toFixed(1)} s`)

  await countFalsePositives()
  await measureLookUps()
  await measureChoosing()
} finally {
  await rm(folder, { recursive: true })
}

/** Whatever a password is, its hash is as random as these; each was seen one to a thousand times. */
async function* listOfHashes() {
  for (let left = passwords; left > 0; left -= atOnce) {
    const count = Math.min(left, atOnce)
    const bytes = randomBytes(20 * count)
    let lines = ''
    for (let index = 0; index < count; index++)
      lines += `${bytes.toString('hex', 20 * index, 20 * (index + 1)).toUpperCase()}:${1 + (index % 1_000)}\r\n`
    yield lines
  }
}

/** In memory, by the same arithmetic: ten million reads of the file would take minutes. */
async function countFalsePositives() {
  const filter = new FilterBuilder(passwords)
  let rest = ''
  let first: Buffer | undefined
  for await (const chunk of createReadStream(source, { encoding: 'latin1', highWaterMark: 1024 * 1024 })) {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const sha1 = Buffer.from(line.slice(0, 40), 'hex')
      first ??= sha1
      filter.add(sha1)
    }
  }
  const file = await openFilter(target)
  if (!first || !(await file.has(first))) throw new Error('The file misses a password')
  await file.close()
  let wrong = 0
  for (let asked = 0; asked < passwords; asked += atOnce) {
    const bytes = randomBytes(20 * atOnce)
    for (let index = 0; index < atOnce; index++) if (filter.has(bytes.subarray(20 * index, 20 * (index + 1)))) wrong++
  }
  say(`false positives: ${wrong} of ${passwords} (${(wrong / passwords).toExponential(1)})`)
}

async function open() {
  const settings = { source: { kind: 'file', path: target }, whenUnreachable: 'refuse', atSignIn: 'off' } as const
  return openBreachedPasswords(settings, { clock: systemClock, logger: pino({ enabled: false }) })
}

/** In rounds, of whose p99 the least and the median are printed: on a busy machine a look-up waits for its turn more than for the file. */
async function measureLookUps() {
  const breached = await open()
  const all: number[] = []
  const ofRounds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const milliseconds: number[] = []
    for (let index = 0; index < lookUps; index++) {
      const password = createHash('sha1').update(`${round} ${index}`).digest('hex')
      const before = performance.now()
      await breached.isBreached(password)
      milliseconds.push(performance.now() - before)
    }
    all.push(...milliseconds)
    ofRounds.push(quantile(milliseconds, 0.99))
  }
  const [least, middle] = [Math.min(...ofRounds), quantile(ofRounds, 0.5)].map((one) => one.toFixed(3))
  say(`look-up: ${quantiles(all)}; p99 of rounds of ${lookUps}: least ${least} ms, median ${middle} ms`)
  await breached.close()
}

/** What setting a password takes without the database: the hash, after the look-up or not, in turns. */
async function measureChoosing() {
  const breached = await open()
  const hasher = createPasswordHasher()
  const without: number[] = []
  const withFile: number[] = []
  const choose = async (looksUp: boolean, into: number[]) => {
    const password = randomBytes(16).toString('hex')
    const before = performance.now()
    if (looksUp) await breached.isBreached(password)
    await hasher.hash(password)
    into.push(performance.now() - before)
  }
  for (let round = 0; round < chosen; round++) {
    await choose(false, without)
    await choose(true, withFile)
  }
  say(`hash of a password, without: ${quantiles(without)}`)
  say(`hash of a password, with:    ${quantiles(withFile)}`)
  await breached.close()
}

function quantile(milliseconds: number[], share: number): number {
  const sorted = milliseconds.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
}

function quantiles(milliseconds: number[]): string {
  const at = (share: number) => quantile(milliseconds, share).toFixed(3)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms (${milliseconds.length})`
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
