/**
 * Imports users into both databases by the built command, and prints how many a second: the check and the writing together, and the start
 * of the command. `npm run bench:import`; `USERS` says how many, `DATABASE_URL` names another server.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { promisify } from 'node:util'
import buildService, { builtService } from '../test/support/built-service.ts'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startPostgres } from '../test/support/postgres-server.ts'

const userCount = Number(process.env.USERS ?? 50_000)
const goal = 2_000
const bcrypt = '$2b$06$CCCCCCCCCCCCCCCCCCCCC.LSAABKenFgzRMNFXayddkd7FDChAeL.'

buildService()
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const server = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL, stop: async () => {} } : await startPostgres({ ages: true })
const name = `bench_import_${process.pid}`
try {
  const file = join(folder, 'users.jsonl')
  await writeFile(file, Array.from({ length: userCount }, (_, index) => `${JSON.stringify(userOf(index))}\n`).join(''))
  await onServer(server.url, `create database ${name}`)
  await measure('PostgreSQL', file, { DATABASE_URL: urlOf(server.url, name), DATA_DIR: join(folder, 'postgres') })
  await measure('embedded', file, { DATA_DIR: join(folder, 'embedded') })
} finally {
  await onServer(server.url, `drop database if exists ${name} with (force)`)
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

function userOf(index: number): object {
  const email = `user${index}@bench.test`
  return { email, firstName: 'Anna', lastName: `Berg ${index}`, externalId: `${index}`, roles: ['member'], passwordHash: bcrypt }
}

async function measure(database: string, file: string, environment: Record<string, string>): Promise<void> {
  const gatehouse = (...words: string[]) =>
    promisify(execFile)(process.execPath, [builtService, ...words], { env: { PATH: process.env.PATH, ...environment } })
  await gatehouse('migrate', 'up')
  const of = ['--email', 'it@bench.test', '--owner-email', 'owner@bench.test']
  await gatehouse('organisation', 'create', '--name', 'Bench', '--slug', 'bench', ...of)
  await gatehouse('organisation', 'activate', 'bench')
  const startedAt = performance.now()
  await gatehouse('import', 'users', file, '--organisation', 'bench')
  const seconds = (performance.now() - startedAt) / 1_000
  const rate = userCount / seconds
  const verdict = rate >= goal ? 'holds' : 'DOES NOT HOLD'
  process.stdout.write(`${database}: ${userCount} users in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} a second; ${verdict}: ${goal}\n`)
  if (rate < goal) process.exitCode = 1
}
