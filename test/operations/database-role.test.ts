import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { setUpWarnings } from '../../src/operations/start-warnings.ts'
import { databaseOf } from '../../src/platform/database/apply-migrations.ts'
import { up as distinctNames } from '../../src/platform/database/migrations/0066-distinct-organisation-names.ts'
import { asSystem } from '../../src/platform/database/migrations/as-system.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { exportCancelledOrganisations } from '../../src/system/export-cancelled-organisations.ts'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { runProcess } from '../support/command.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { wrongByCommand } from '../support/doctor.ts'
import { run } from '../support/languages.ts'
import { needs } from '../support/needs.ts'
import { ordinaryRole } from '../support/ordinary-role.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'
import { startSystemPostgres, systemPostgres } from '../support/system-postgres.ts'

describe('a database role with no privileges but the two roles of the service', () => {
  let account: Awaited<ReturnType<typeof ordinaryRole>>
  let service: TestService

  beforeAll(async () => {
    account = await ordinaryRole()
    service = await startTestService({ engine: openPostgres(account.url, { poolSize: 5 }) })
  })
  afterAll(async () => {
    await service.stop()
    await account.remove()
  })

  it('can migrate and run the service', async () => {
    const one = await service.given.organisation()
    const other = await service.given.organisation()
    const user = await service.given.user(one.owner)

    expect((await one.owner.get('/v1/admin/users')).body.total).toBe(2)
    expect((await other.owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(await other.owner.get(`/v1/admin/users/${user.id}`)).toMatchObject({ status: 404 })
    expect((await one.owner.get('/v1/admin/audit-logs')).body.data.length).toBeGreaterThan(0)
    expect((await service.operator.get('/v1/system/organisations')).body.total).toBe(2)
    expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 200 })
  })

  it('can export and purge an organisation', async () => {
    const { id, owner } = await service.given.organisation()
    expect(await owner.delete('/v1/admin/organisation')).toMatchObject({ status: 204 })
    await exportCancelledOrganisations(service.dataDir).run(service.database)
    service.clock.advance({ days: 31 })
    const purge = purgeOrganisations({ retentionDays: 30, onPurged: () => {} })
    while (await purge.run(service.database)) {
      // One more batch.
    }

    expect(await service.operator.get(`/v1/system/organisations/${id}`)).toMatchObject({ status: 404 })
  })

  it('sees no organisation without naming it', async () => {
    await service.given.organisation()
    const { rows } = await service.engine.transaction(
      (connection) => connection.execute<{ count: number }>(sql`select count(*) as count from users`.compile(compilerOf(service))),
      sql`select set_config('role', 'gatehouse_tenant', true)`.compile(compilerOf(service)),
    )

    expect(rows[0]?.count).toBe(0)
  })
})

describe('a server that Gatehouse has not been on', () => {
  let server: PostgresServer
  let home: ProcessHome
  beforeAll(async () => {
    server = await startPostgres()
    home = await processHome({ empty: true })
  })
  afterAll(async () => {
    await home.remove()
    await server.stop()
  })
  const wrong = (DATABASE_URL: string) => wrongByCommand({ ...home.environment, DATABASE_URL })
  const as = (user: string, database: string) => {
    const url = new URL(urlOf(server.url, database))
    Object.assign(url, { username: user, password: 'secret' })
    return url.href
  }

  it('lacks the roles of the service: the doctor says so, and that migrating creates them', async () => {
    await onServer(server.url, 'create database first')
    const DATABASE_URL = urlOf(server.url, 'first')
    expect(await wrong(DATABASE_URL)).toEqual([
      expect.objectContaining({
        name: 'database-reachable',
        seen: expect.stringMatching(/: its server lacks the roles of the service: role "gatehouse_system" does not exist/),
        remedy: expect.stringMatching(/^Run `gatehouse migrate up`, which creates them/),
      }),
    ])
    expect(await runProcess({ ...home.environment, DATABASE_URL }, 'migrate up')).toMatchObject({ status: 0 })
    expect((await wrong(DATABASE_URL)).map(({ name }) => name)).not.toContain('database-reachable')
  })

  it('with tables of a superuser serves another role, which may also create tables, once done what the doctor says', async () => {
    await onServer(server.url, `create role dba superuser login password 'secret'`)
    await onServer(server.url, 'create database yours owner dba')
    const before = as('dba', 'yours')
    expect(await runProcess({ ...home.environment, DATABASE_URL: before }, 'migrate up')).toMatchObject({ status: 0 })
    const { remedy } = (await wrong(before)).find(({ name }) => name === 'database-role') ?? {}
    const statements = (remedy ?? '')
      .replaceAll(/\bgatehouse\b/g, 'served')
      .replace('…', 'secret')
      .replace('<yours>', 'yours')
      .replace('<the present role>', 'dba')
      .replace(/ \(from the role postgres.*\)/, '')
      .split('; ')
    for (const statement of statements.filter((one) => /^[A-Z]{5}/.test(one))) await onServer(before, statement)

    const after = as('served', 'yours')
    expect((await wrong(after)).map(({ name }) => name)).not.toContain('database-role')
    await onServer(after, 'create table of_a_later_migration ()')
  })
})

describe('a dump by the role that docs/operations.md has for it', () => {
  it('has all rows, and is restored as the page says', needs('pg_dump', systemPostgres !== undefined), async () => {
    const server = await startSystemPostgres(systemPostgres as string)
    onTestFinished(() => server.stop())
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-dump-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const page = await readFile('docs/operations.md', 'utf8')
    const [, section = ''] = /^## Backup and restore\n([\s\S]*?)^## /m.exec(page) ?? []
    const blocksOf = (text: string, language: string) =>
      [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)
    const shell = (script: string) =>
      run('bash', ['-euo', 'pipefail', '-c', script.replace('db.example.com', new URL(server.url).host)], {
        cwd: folder,
        env: { PATH: `${systemPostgres}:${process.env.PATH}` },
      })
    const [dump = '', restore = ''] = blocksOf(section, 'sh')
    const ofVersion15 = blocksOf(page, 'sql').find((block) => block.includes('noinherit')) ?? ''
    const secretKey = randomBytes(32)
    const start = () => startTestService({ engine: openPostgres(asService, { poolSize: 5 }), secretKey })
    const makeDatabase = async (roles: string) => {
      const [inServer = '', inDatabase = ''] = `${roles}${ofVersion15}`.split('\\c gatehouse')
      // One by one: a database is not created in a transaction.
      for (const statement of inServer.split(';').filter((one) => one.trim())) await onServer(server.url, statement)
      await onServer(urlOf(server.url, 'gatehouse'), inDatabase)
    }
    const asService = urlOf(server.url, 'gatehouse').replace('postgres@', 'gatehouse@')

    await makeDatabase('create role gatehouse_tenant nologin; create role gatehouse_system nologin;')
    const before = await start()
    const [{ owner }, other] = [await before.given.organisation(), await before.given.organisation()]
    await before.stop()
    await expect(shell(dump.replace('gatehouse_backup', 'gatehouse'))).rejects.toThrow(/row-level security/)
    await onServer(server.url, blocksOf(section, 'sql').join(''))
    await shell(dump)
    for (const statement of ['drop database gatehouse', 'drop role gatehouse_backup, gatehouse, gatehouse_tenant, gatehouse_system'])
      await onServer(server.url, statement)

    await makeDatabase('create role gatehouse_tenant nologin; create role gatehouse_system nologin;')
    await shell(restore)
    const after = await start()
    onTestFinished(() => after.stop())
    const signedIn = await after.given.signIn(owner.email)
    expect((await signedIn.get('/v1/admin/users')).body).toMatchObject({ total: 1, data: [{ email: owner.email }] })
    expect((await signedIn.get(`/v1/admin/users/${other.owner.id}`)).status).toBe(404)
  })
})

describe('a database role that may not create tables', () => {
  it('gets an error that names the cause', async () => {
    const account = await ordinaryRole()
    try {
      await account.takeDatabase()

      const engine = openPostgres(account.url, { poolSize: 2 })
      await expect(startTestService({ engine })).rejects.toThrow(/^permission denied for schema public$/)
      await engine.close()
    } finally {
      await account.remove()
    }
  })
})

describe('the role that logs in, by itself', () => {
  let account: Awaited<ReturnType<typeof ordinaryRole>>
  let service: TestService
  let client: pg.Client

  beforeAll(async () => {
    account = await ordinaryRole()
    service = await startTestService({ engine: openPostgres(account.url, { poolSize: 5 }) })
    client = new pg.Client({ connectionString: account.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await service.stop()
    await account.remove()
  })

  it('sees no row of any organisation, even when it names one', async () => {
    const { id } = await service.given.organisation()
    await client.query("select set_config('app.organisation_id', $1, false)", [id])

    for (const table of ['organisations', 'users', 'sessions', 'clients', 'audit_logs']) {
      expect((await client.query(`select count(*)::int as count from ${table}`)).rows).toEqual([{ count: 0 }])
    }
    await client.query('reset app.organisation_id')
  })

  it('writes no row', async () => {
    const { id, owner } = await service.given.organisation()

    expect((await client.query("update users set email = 'thief@example.com'")).rowCount).toBe(0)
    expect((await client.query('delete from sessions')).rowCount).toBe(0)
    const role = "insert into roles (organisation_id, id, slug, name, created_at, updated_at) values ($1, 'rol_x', 'x', 'X', now(), now())"
    await expect(client.query(role, [id])).rejects.toThrow(/row-level security/)
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200, body: { email: owner.email } })
  })

  it('causes no warning', async () => {
    const warnings = await setUpWarnings(service.database, { production: true, smtpUrl: 'smtp://127.0.0.1', systemApiKey: undefined })
    expect(warnings.filter(({ message }) => message.includes('DATABASE_URL'))).toEqual([])
  })

  it('migrates rows by taking on the system role', async () => {
    const [{ id }, alike] = [await service.given.organisation(), await service.given.organisation()]
    await service.engine.ownerTransaction(async (transaction) => {
      const database = databaseOf(transaction)
      await sql`alter table organisations drop column distinct_name, drop column looks_like_another`.execute(database)
      await asSystem(database, () =>
        sql`update organisations set name = 'Twin' || repeat(${'\u200b'}, (id = ${alike.id})::int) where id in (${id}, ${alike.id})`.execute(
          database,
        ),
      )
      await sql`set constraints all immediate`.execute(database)
    })
    await service.engine.ownerTransaction((transaction) => distinctNames(databaseOf(transaction)))

    const alikes = await service.database.system().selectFrom('organisations').select('id').where('looksLikeAnother', '=', true).execute()
    expect(alikes).toEqual([{ id: alike.id }])
  })
})

const compilerOf = ({ database }: TestService) => database.system()
