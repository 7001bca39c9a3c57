/**
 * `npm run test:databases` writes test/both-databases.json: the tests that run on both databases, so that each statement of the service
 * does. It runs the files on PostgreSQL to record their statements, and caches them in node_modules/.cache. Words after `--` are the
 * prefixes of files to run again; without them it runs those that have changed since they were last recorded. `-- --remembered` runs none.
 * A file that the cache lacks keeps its lines: they hold as long as it has these tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import bothDatabases from '../test/both-databases.json' with { type: 'json' }
import { filesToRecord, namesOf } from '../test/one-database.ts'
import { coverOf, type RecordedTests } from './cover-statements.ts'

const folder = 'node_modules/.cache'
const recordFile = `${folder}/sent-statements.jsonl`

/** The record of a file in the report of a run. */
export interface SeenFile extends RecordedTests {
  file: string
  /** The start of the run, in milliseconds since 1970. */
  at: number
  passed: boolean
}

/** The last record of each file in which all of its tests passed. */
function remembered(): Map<string, SeenFile> {
  const lines = existsSync(recordFile) ? readFileSync(recordFile, 'utf8').split('\n').filter(Boolean) : []
  const seen = lines.map((line): SeenFile => JSON.parse(line)).filter(({ passed }) => passed)
  return new Map(seen.map((one) => [one.file, one]))
}

const words = process.argv.slice(2)
const files = filesToRecord()
const isNamed = (file: string) => words.some((word) => file.startsWith(word))
const before = remembered()
const isDue = (file: string) => (words.length > 0 ? isNamed(file) : statSync(file).mtimeMs > (before.get(file)?.at ?? 0))
const due = words.includes('--remembered') ? [] : files.filter(isDue)
if (due.length > 0) {
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, RECORD_STATEMENTS: recordFile }
  const { status } = spawnSync('vitest', ['run', '--project', 'postgres', ...due], { stdio: 'inherit', env })
  process.exitCode = status ?? 1
}

const seen = remembered()
const known = files.flatMap((file) => seen.get(file) ?? [])
const kept = Object.entries(bothDatabases).filter(([file]) => !seen.has(file) && files.includes(file))
const records = new Map(known.map((one) => [one.file, one]))
const chosen = [...coverOf(records)].map(([file, { tests, onBoth }]) => {
  const names = namesOf(records.get(file)?.tests.map(({ name }) => name) ?? [])
  return [file, { tests, names, onBoth }] as const
})
const covers = [...kept, ...chosen].sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync('test/both-databases.json', `${JSON.stringify(Object.fromEntries(covers), undefined, 2)}\n`)

const all = covers.map(([, cover]) => cover)
const tests = all.reduce((sum, { tests }) => sum + tests, 0)
const onBoth = all.map(({ onBoth }) => Object.keys(onBoth).length)
process.stdout.write(
  `${onBoth.reduce((sum, count) => sum + count, 0)} of ${tests} tests run on both databases, in ${onBoth.filter(Boolean).length} of ${all.length} files\n`,
)
const written = new Set(covers.map(([file]) => file))
for (const file of files) if (!written.has(file)) process.stdout.write(`Not seen yet, and so whole on both: ${file}\n`)
