/** Migrations of a database that others use meanwhile. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { applyMigrations, type MigrationOptions } from '../../src/platform/database/apply-migrations.ts'
import type { BlockedMigration } from '../../src/platform/database/contended-migration.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { dropDatabase, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'

/** A migrated database, and the next release's migrations: `up` is one statement. */
async function nextRelease(migrations: Record<string, { up: string; concurrentIndexes?: object[] }>) {
  const url = await freshPostgresUrl()
  onTestFinished(() => dropDatabase(url))
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const ours = new URL('../../src/platform/database/migrations/', import.meta.url)
  const files = new Map<string, URL>()
  for (const file of (await readdir(ours)).filter((name) => /^\d{4}-.*\.ts$/.test(name)).sort()) {
    files.set(file.replace('.ts', ''), new URL(file, ours))
  }
  for (const [name, { up, concurrentIndexes = [] }] of Object.entries(migrations)) {
    const file = join(folder, `${name}.mjs`)
    const query = `{ sql: ${JSON.stringify(up)}, parameters: [], query: { kind: 'RawNode' } }`
    await writeFile(
      file,
      `export const up = (database) => database.executeQuery(${query})\nexport const concurrentIndexes = ${JSON.stringify(concurrentIndexes)}\n`,
    )
    files.set(name, pathToFileURL(file))
  }
  function migrate(options?: MigrationOptions, openOptions: { url?: string; pooler?: 'transaction' } = {}): Promise<string[]> {
    const engine = openPostgres(openOptions.url ?? url, { poolSize: 2, pooler: openOptions.pooler })
    return applyMigrations(engine, files, options).finally(() => engine.close())
  }
  const applied = async () =>
    (await onServer(url, "select name from kysely_migration where name like '9%' order by name")).map(({ name }) => name)
  return { url, migrate, applied }
}

/** Another user of the database. */
async function another(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  // Ended by the test, or with the database.
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

/** Who has been named as blocking, in the order in which it was told. */
function blockings(seconds = 600) {
  const told: BlockedMigration[] = []
  return { told, options: { seconds, onBlocked: (blocked: BlockedMigration) => void told.push(blocked) } }
}

const columnOfUsers = { '9001-column': { up: 'alter table users add column favourite text' } }

describe('a migration', () => {
  it('makes way for a transaction that has read its table, says who it is, and is applied when that one has ended', async () => {
    const { url, migrate, applied } = await nextRelease(columnOfUsers)
    const [reader, service] = [await another(url, 'a report'), await another(url, 'gatehouse')]
    await reader.query('begin; select count(*) from users')
    const { told, options } = blockings()

    const migrating = migrate(options)
    await expect.poll(() => told.flatMap(({ by }) => by)).toContainEqual(expect.objectContaining({ application: 'a report' }))
    // Behind a migration that waits for ever, no request would be answered.
    await service.query('insert into users (organisation_id, id, email) select id, $1, $1 from organisations', ['nobody'])
    await service.query('select count(*) from users')
    expect(await applied()).toEqual([])

    await reader.query('commit')
    expect(await migrating).toEqual(['9001-column'])
    expect(JSON.stringify(told)).not.toContain('count(*)')
  })

  it('that finds no such moment within DATABASE_WAIT_SECONDS ends with a line that says so, and is applied by the next start', async () => {
    const { url, migrate } = await nextRelease(columnOfUsers)
    const reader = await another(url, 'a report')
    await reader.query('begin; select count(*) from users')
    await expect(migrate()).rejects.toThrow(
      /^The migration 9001-column waits for a lock that (process \d+ \(a report\) holds, in a transaction since \d+ s|other transactions hold)\. End that transaction, or raise DATABASE_WAIT_SECONDS, and start again$/,
    )
    await reader.query('commit')
    expect(await migrate()).toEqual(['9001-column'])
  })

  it('stays when one after it fails or is killed, and the next start continues there', async () => {
    const { url, migrate, applied } = await nextRelease({
      '9001-made': { up: 'create table made (id int)' },
      ...{ '9002-column': columnOfUsers['9001-column'] },
    })
    const reader = await another(url, 'a report')
    await reader.query('begin; select count(*) from users')
    const { told, options } = blockings()
    const killed = expect(migrate(options)).rejects.toThrow()
    await expect.poll(() => told.length).toBeGreaterThan(0)
    await onServer(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'gatehouse migrate'",
    )
    await killed
    expect(await applied()).toEqual(['9001-made'])

    await reader.query('rollback')
    expect(await migrate()).toEqual(['9002-column'])
  })
})

describe('an index that a migration builds concurrently', () => {
  const index = { name: 'users_favourite_index', on: 'users (organisation_id, first_name)' }
  const withIndex = { '9001-index': { up: 'select 1', concurrentIndexes: [index] } }
  const isValid = "select indisvalid as valid from pg_index where indexrelid = 'users_favourite_index'::regclass"

  it('waits for those who have read the table, while others write to it', async () => {
    const { url, migrate, applied } = await nextRelease(withIndex)
    const [reader, service] = [await another(url, 'a report'), await another(url, 'gatehouse')]
    await reader.query('begin isolation level repeatable read; select count(*) from users')
    const { told, options } = blockings()
    const migrating = migrate(options)
    await expect.poll(() => told.flatMap(({ by }) => by)).toContainEqual(expect.objectContaining({ application: 'a report' }))
    await service.query("set lock_timeout = '20s'; update users set first_name = 'Ann'")
    expect(await applied()).toEqual([])

    await reader.query('commit')
    expect(await migrating).toEqual(['9001-index'])
    expect(await onServer(url, isValid)).toEqual([{ valid: true }])
  })

  it('is given up with a line that says who holds it up, and built again where an attempt has left half of it', async () => {
    const { url, migrate } = await nextRelease(withIndex)
    const reader = await another(url, 'a report')
    await reader.query('begin isolation level repeatable read; select count(*) from users')
    await expect(migrate()).rejects.toThrow(/^The migration 9001-index waits for a lock that process \d+ \(a report\) holds/)
    expect(await onServer(url, isValid)).toEqual([{ valid: false }])
    await reader.query('commit')

    expect(await migrate()).toEqual(['9001-index'])
    expect(await onServer(url, isValid)).toEqual([{ valid: true }])
  })
})

describe('of processes that start together', () => {
  const migrations = {
    '9001-made': { up: 'create table made (id int)' },
    '9002-index': { up: 'select 1', concurrentIndexes: [{ name: 'users_favourite_index', on: 'users (organisation_id, first_name)' }] },
    '9003-made': { up: 'create table made_later (id int)' },
  }

  it('one migrates, while the others wait', async () => {
    const { migrate } = await nextRelease(migrations)
    const results = await Promise.all([migrate(), migrate(), migrate()])
    expect(results.sort((left, right) => right.length - left.length)).toEqual([Object.keys(migrations), [], []])
  })

  it('one migrates, also where a pooler lends the connections', needsPgBouncer, async () => {
    const { url, migrate } = await nextRelease(migrations)
    const pooler = await startPgBouncer(url, 3)
    onTestFinished(() => pooler.stop())
    const through = () => migrate(undefined, { url: pooler.url, pooler: 'transaction' })
    const results = await Promise.all([through(), through(), through()])
    expect(results.sort((left, right) => right.length - left.length)).toEqual([Object.keys(migrations), [], []])
  })
})
