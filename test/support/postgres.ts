import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { onServer, urlOf } from './database-server.ts'
import { startPostgres } from './postgres-server.ts'

/**
 * Migrates one database of a real PostgreSQL, of which each test file gets a copy. `DATABASE_URL` names another server, on which
 * `KEEP_DATABASES=1` leaves what the tests have used.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startPostgres()
  const run = `test_${process.pid}_${Date.now().toString(36)}`
  const template = `${run}_template`
  await onServer(server.url, `create database ${template}`)
  const engine = openPostgres(urlOf(server.url, template), { poolSize: 1 })
  await migrate(engine)
  await engine.close()
  project.provide('database', { kind: 'postgres', serverUrl: server.url, run, template })
  return async () => {
    if (given) await endDatabases(server.url, run)
    await server.stop()
  }
}

async function endDatabases(serverUrl: string, run: string): Promise<void> {
  const names = await onServer(serverUrl, `select datname from pg_database where datname like '${run}%'`)
  for (const { datname = '' } of names) {
    const isKept = process.env.KEEP_DATABASES && !datname.endsWith('_template')
    if (isKept) process.stdout.write(`The tests have left the database ${datname}\n`)
    else await onServer(serverUrl, `drop database ${datname} with (force)`)
  }
}
