/**
 * What operations cost in a database of 100,000 organisations with 2,000,000 users, 20,000,000 audit entries and 5,000,000 families of
 * tokens, one of them with 500,000 users, against what they cost in one hundredth of it: `npm run bench:scale`. A cost is the CPU time of
 * the service and of its database for one operation. `--share 0.1` takes one tenth, and one thousandth. Linux.
 *
 * The PostgreSQL is its own. `--folder` names where its data lie, and are left for the next run, which fills nothing; otherwise they are
 * in a temporary folder and removed. The whole takes 45 GB. `--only 'refresh,doctor, of the database'` measures operations whose names
 * begin so, `--rounds 5` says how often, and `--statements` shows the statements that read most pages. `--write` writes the table of docs/scaling.md.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import buildService from '../test/support/built-service.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween } from './support/database-load.ts'
import { median } from './support/percentiles.ts'
import { openScale, type ScaleDatabase } from './support/scale-database.ts'
import { sizesOf } from './support/scale-fill.ts'
import { type ScaleOperation, scaleOperations } from './support/scale-operations.ts'

const { values: options } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    statements: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const share = Number(options.share)
const rounds = Number(options.rounds)
const goal = 1.3
const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'gatehouse-scale-')))
const settings = [
  'shared_buffers=2GB',
  'max_wal_size=8GB',
  // Nothing but the CPU time counts, which no other process may spend for a backend.
  'max_parallel_workers_per_gather=0',
  'autovacuum=off',
  'jit=off',
  // While it fills.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'shared_preload_libraries=pg_stat_statements',
  // Counting takes time: it is enabled for one round of each operation, whose time does not count.
]
buildService()
const postgres = await startPostgres({ durable: true, lasting: folder, flags: settings.flatMap((setting) => ['-c', setting]) })
const observer = new pg.Client({ connectionString: postgres.url })
await observer.connect()
await observer.query('create extension if not exists pg_stat_statements')
await track('none')
try {
  const small = await openScale(postgres.url, folder, share / 100)
  const large = await openScale(postgres.url, folder, share)
  const rows: Row[] = []
  for (const [name, operation] of Object.entries(scaleOperations)) {
    if (!options.only.split(',').some((beginning) => name.startsWith(beginning))) continue
    const costs = new Map<ScaleDatabase, number[]>([small, large].map((one) => [one, []]))
    const pages: number[] = []
    for (const one of costs.keys()) {
      // The first time warms up.
      await measure(one, operation)
      pages.push(await countPages(one, operation))
    }
    for (let round = 0; round < rounds; round++) {
      // Alternately, so that a busy machine concerns both.
      for (const [one, measured] of costs) measured.push(await measure(one, operation))
    }
    const [before = 0, after = 0] = [...costs.values()].map(median)
    const [pagesBefore = 0, pagesAfter = 0] = pages
    const row = { name, before, after, pagesBefore, pagesAfter }
    rows.push(row)
    process.stdout.write(`${lineOf(row)}\n`)
    if (options.write) await writeTable(rows)
  }
  await Promise.all([small.stop(), large.stop()])
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
} finally {
  await observer.end()
  await postgres.stop()
  if (!options.folder) await rm(folder, { recursive: true, force: true })
}
process.exit()

interface Row {
  name: string
  /** CPU milliseconds in one hundredth. */
  before: number
  after: number
  /** Pages of the database that one operation reads, in one hundredth. */
  pagesBefore: number
  pagesAfter: number
}

/** @returns CPU milliseconds of one operation */
async function measure(of: ScaleDatabase, { prepare, isOurs = false, isOfOneThread }: ScaleOperation): Promise<number> {
  const { count, work } = await prepare(of)
  const own = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const spent = isOurs ? own : () => cpuMillisecondsOf(of.service.pid, isOfOneThread ? [of.service.pid] : undefined)
  const backends = async () => {
    const { rows } = await observer.query("select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'", [
      new URL(of.databaseUrl).pathname.slice(1),
    ])
    return new Map(rows.map(({ pid }) => [pid, cpuMillisecondsOf(pid)]))
  }
  const before = { process: spent(), backends: await backends() }
  await work()
  const after = { process: spent(), backends: await backends() }
  return (after.process - before.process + spentBetween(before.backends, after.backends)) / count
}

/** Those that read most. */
async function statementsOf(of: ScaleDatabase, count: number): Promise<string> {
  const { rows } = await observer.query(
    `select query, (shared_blks_hit + shared_blks_read)::float8 as pages, calls::int from pg_stat_statements
     where dbid = (select oid from pg_database where datname = $1) order by pages desc limit 5`,
    [new URL(of.databaseUrl).pathname.slice(1)],
  )
  return rows
    .map(
      ({ query, pages, calls }) =>
        `    ${of.share}: ${Math.round(pages / count)} pages, ${calls / count} calls: ${query.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
    )
    .join('\n')
}

async function track(what: 'none' | 'top'): Promise<void> {
  await observer.query(`alter system set pg_stat_statements.track = '${what}'`)
  await observer.query('select pg_reload_conf()')
  // Each backend reads it when it gets a signal.
  await sleep(200)
}

/** @returns the pages that one operation reads, from memory or not: a number on which other processes have no influence */
async function countPages(of: ScaleDatabase, { prepare }: ScaleOperation): Promise<number> {
  const { count, work } = await prepare(of)
  await track('top')
  await observer.query('select pg_stat_statements_reset()')
  await work()
  const { rows } = await observer.query(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as pages from pg_stat_statements
     where dbid = (select oid from pg_database where datname = $1)`,
    [new URL(of.databaseUrl).pathname.slice(1)],
  )
  if (options.statements) process.stdout.write(`${await statementsOf(of, count)}\n`)
  await track('none')
  return rows[0].pages / count
}

function lineOf({ name, before, after, pagesBefore, pagesAfter }: Row): string {
  const ratio = after / before
  return `| ${name} | ${before.toFixed(2)} | ${after.toFixed(2)} | ${ratio.toFixed(2)}${ratio > goal ? ' (above)' : ''} | ${Math.round(pagesBefore)} | ${Math.round(pagesAfter)} |`
}

/** After each operation, so that a run that is ended early has written what it measured. Lines of others stay as an earlier run wrote them. */
async function writeTable(rows: readonly Row[]): Promise<void> {
  const file = 'docs/scaling.md'
  const text = await readFile(file, 'utf8')
  const replaced = text.replace(/(?<=<!-- bench:scale -->\n)[\s\S]*?(?=<!-- \/bench:scale -->)/, (former) => {
    const lines = Object.keys(scaleOperations).flatMap((name) => {
      const row = rows.find((row) => row.name === name)
      return row ? lineOf(row) : former.split('\n').filter((line) => line.startsWith(`| ${name} |`))
    })
    const head = `| | CPU ms, in ${saidOf(share / 100)} | CPU ms, in ${saidOf(share)} | times | pages | pages |`
    return `\n${[head, '|---|---|---|---|---|---|', ...lines].join('\n')}\n\n`
  })
  await writeFile(file, replaced)
}

function saidOf(share: number): string {
  return `${sizesOf(share).users.toLocaleString('en')} users`
}
