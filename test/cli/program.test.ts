/** How commands open and migrate the database, over the built command. */
import { mkdir, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { migrateDatabase } from '../../src/app/migrate-database.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { applyMigrations } from '../../src/platform/database/apply-migrations.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import shownSafe from '../../src/platform/database/shown-safe.json' with { type: 'json' }
import { recordsOf, runCommand, runProcess } from '../support/command.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const aHome = async (options?: { empty?: boolean; like?: ProcessHome }) => {
  const home = await processHome(options)
  onTestFinished(() => home.remove())
  return home
}

const migrations = new URL('../../src/platform/database/migrations/', import.meta.url)
const [pending = '', ...before] = (await readdir(migrations))
  .filter((name) => /^\d+-.*\.ts$/.test(name))
  .map((name) => name.replace('.ts', ''))
  .sort()
  .reverse()

type Environment = ProcessHome['environment']

async function onDatabase<Row>(
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' }: Environment,
  sql: string,
  prepare?: (engine: Engine) => Promise<unknown>,
) {
  const engine = await openEngine({ databaseUrl, dataDir })
  try {
    await prepare?.(engine)
    return (await engine.execute<Row>({ sql, parameters: [] })).rows
  } finally {
    await engine.close()
  }
}

/** Makes a database with an organisation, which lacks the last migration. */
async function prepareFormerRelease(environment: Environment): Promise<void> {
  await mkdir(environment.DATA_DIR as string, { recursive: true })
  const steps = before.toReversed().map((name) => [name, new URL(`${name}.ts`, migrations)] as const)
  await onDatabase(
    environment,
    `insert into organisations (id, name, slug, email, created_at, updated_at) values ('org_1', 'Acme', 'acme', 'acme@acme.test', now(), now())`,
    (engine) => applyMigrations(engine, new Map(steps)),
  )
}

/** It is made once, and copied. */
let model: Promise<ProcessHome> | undefined
const theModel = () =>
  (model ??= processHome({ empty: true }).then(async (home) => {
    await prepareFormerRelease(home.environment)
    return home
  }))
afterAll(async () => (await model)?.remove())

async function ofTheFormerRelease() {
  const { environment } = await aHome({ like: await theModel() })
  const entries = () => onDatabase(environment, 'select action, actor_type, actor_id, target_name, metadata from audit_logs')
  return { environment, entries }
}

describe('gatehouse migrate up', () => {
  it('says what it has applied, and a second time that there is nothing', async () => {
    const { environment } = await aHome({ empty: true })
    const rehearsed = await runProcess(environment, 'migrate up --dry-run --json')
    expect(JSON.parse(rehearsed.stdout).pending[0]).toMatch(/^0001-/)
    const first = await runProcess(environment, 'migrate up --json')
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(first.stdout).applied[0]).toMatch(/^0001-/)
    expect(await runProcess(environment, 'migrate up')).toEqual({ status: 0, stdout: 'Nothing to migrate\n', stderr: '' })
    expect(await runProcess(environment, 'migrate')).toEqual({ status: 0, stdout: 'Nothing to migrate\n', stderr: '' })
  })

  it('stands in the audit log of each organisation, by the command or by the service that starts', async () => {
    const [ofCommand, ofService] = [await ofTheFormerRelease(), await ofTheFormerRelease()]
    expect(await runProcess(ofCommand.environment, 'migrate up')).toMatchObject({ status: 0, stderr: '' })
    expect(await ofCommand.entries()).toEqual([
      {
        action: 'database.migrated',
        actor_type: 'system',
        actor_id: 'cli',
        target_name: 'Acme',
        metadata: { migrations: [pending], operatingSystemUser: userInfo().username },
      },
    ])

    const service = await ServiceProcess.start(ofService.environment)
    await service.ready()
    await service.end()
    expect(await ofService.entries()).toEqual([
      {
        action: 'database.migrated',
        actor_type: 'system',
        actor_id: null,
        target_name: 'Acme',
        metadata: { migrations: [pending] },
      },
    ])
  })

  it('stands there when the connection is lost between the migration and its entry', async () => {
    const { environment, entries } = await ofTheFormerRelease()
    const engine = recordingEngine(await openEngine({ databaseUrl: environment.DATABASE_URL, dataDir: environment.DATA_DIR ?? '' }))
    const fail = engine.holdBack('audit_logs')
    const waiting = { seconds: 30, onAway() {}, onBack() {} }
    const migrating = migrateDatabase(engine, systemActor, systemClock, waiting)
    await fail.reached
    fail(Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }))

    expect(await migrating).toEqual([pending])
    await engine.close()
    expect(await entries()).toMatchObject([{ action: 'database.migrated', metadata: { migrations: [pending] } }])
  })
})

describe('gatehouse migrate status', () => {
  it('says what is applied and what is pending, and whether that is safe', async () => {
    const { environment } = await aHome()
    const all = recordsOf(await runProcess(environment, 'migrate status --json'))
    expect(all[0]).toEqual({
      name: expect.stringMatching(/^0001-/),
      state: 'applied',
      appliedAt: expect.any(String),
      whileFormerReleaseRuns: null,
    })
    expect(await runCommand(environment, 'migrate status --pending')).toEqual({ status: 0, stdout: 'No migrations\n', stderr: '' })

    const engine = await openEngine({ databaseUrl: environment.DATABASE_URL, dataDir: environment.DATA_DIR ?? '' })
    const last = all.at(-1)?.name
    await engine.execute({ sql: 'delete from kysely_migration where name = $1', parameters: [last] })
    await engine.execute({ sql: "insert into kysely_migration values ('9999-later', now()::text)", parameters: [] })
    await engine.close()
    expect(await runCommand(environment, 'organisation list')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The database is of a newer release: it has the migration 9999-later, .*\n$/),
    })
    for (const command of ['migrate', 'migrate up']) {
      const { status, stdout, stderr } = await runProcess(environment, command)
      expect([command, status, stdout]).toEqual([command, 1, ''])
      expect(stderr).toMatch(/The database is of a newer release: it has the migration 9999-later, .*\n$/)
    }

    const again = await openEngine({ databaseUrl: environment.DATABASE_URL, dataDir: environment.DATA_DIR ?? '' })
    await again.execute({ sql: "delete from kysely_migration where name = '9999-later'", parameters: [] })
    await again.close()
    expect(await runCommand(environment, 'organisation list')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('`gatehouse migrate up` first'),
    })
    expect((await runCommand(environment, 'migrate status --pending')).stdout).toMatch(/^NAME .*\n\S+ +pending +- +safe\n$/)

    const older = await openEngine({ databaseUrl: environment.DATABASE_URL, dataDir: environment.DATA_DIR ?? '' })
    await older.execute({ sql: 'delete from kysely_migration where name = $1', parameters: [shownSafe.endsWith] })
    await older.close()
    const shown = recordsOf(await runCommand(environment, 'migrate status --pending --json'))
    expect(shown.map(({ name, whileFormerReleaseRuns }) => [name, whileFormerReleaseRuns])).toEqual(
      [shownSafe.endsWith, last].map((name) => [
        name,
        `stop its processes first: shown to be safe only beside the release that ends with ${shownSafe.endsWith}`,
      ]),
    )
    expect(await runCommand(environment, 'migrate status --nonsense')).toMatchObject({ status: 2 })
  })
})
