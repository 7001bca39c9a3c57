import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { runCommand, runProcess, startCommand } from '../support/command.ts'
import { dropDatabase, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { cookieOf } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { basic, givenApplication, postForm } from '../support/oauth.ts'
import { ordinaryRole } from '../support/ordinary-role.ts'
import { useReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
import { TestClock } from '../support/test-clock.ts'
import { createEndpoint } from '../support/webhooks.ts'

const tablesOf = (url: string) =>
  onServer(url, "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace")

const entries = `select action, actor_type, actor_id, metadata, (select count(*)::int from organisations) as organisations
  from audit_logs where action like 'database.%'`
/** What the entry of each of the two organisations says. */
const entriesOf = (from: string) =>
  Array.from({ length: 2 }, () => ({
    action: 'database.moved',
    actor_type: 'system',
    actor_id: 'cli',
    metadata: { from, to: 'postgres', operatingSystemUser: userInfo().username },
    organisations: 2,
  }))

describe('gatehouse database move', async () => {
  const receiver = await useReceiver()
  const secretKey = randomBytes(32)
  const clock = new TestClock()
  const settings = { secretKey, clock, webhooks: receiver.reachable, environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' } }
  let folder: string
  let role: Awaited<ReturnType<typeof ordinaryRole>>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-move-'))
    role = await ordinaryRole()
  })
  afterAll(async () => {
    await role.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function openEmbeddedIn(dataDir: string): Promise<Engine> {
    await mkdir(dataDir)
    return openEmbedded(join(dataDir, 'database'))
  }

  /** Two organisations with records of most kinds, some of them in the middle of something. */
  async function inhabit(engine: Engine) {
    const service = await startTestService({ engine, ...settings })
    try {
      const { given } = service
      const organisation = await given.organisation()
      await given.organisation()
      const { owner } = organisation
      const name = 'Zoë "the \\ one", {null} (,)'
      const user = await given.signIn((await given.user(owner, { firstName: name })).email)
      const { authenticator } = await enrolAuthenticator(await given.userWith(owner, []), clock)
      const application = await givenApplication(service, { organisation, grantTypes: ['authorization_code', 'refresh_token'] })
      const tokens = await application.signIn({ scope: 'openid offline_access' })
      const apiKey = (await owner.post('/v1/admin/api-keys', { name: 'Backup', permissions: ['users:read'] })).body
      const hook = receiver.hook()
      hook.answer = () => ({ status: 503 })
      const endpoint = await createEndpoint(owner, { url: hook.url, events: ['user.created'] })
      const late = await given.user(owner)
      await service.deliverDueWebhooks()
      await hook.request()
      return { organisation, owner, user, name, authenticator, application, tokens, apiKey, hook, endpoint, late }
    } finally {
      await service.stop()
    }
  }

  /** Nothing of what was before is lost or changed, and nothing that was valid has ended. */
  async function expectAllThere(url: string, before: Awaited<ReturnType<typeof inhabit>>) {
    const service = await startTestService({ engine: openPostgres(url, { poolSize: 10 }), ...settings })
    try {
      const { anonymous } = service
      const owner = new HttpClient(service.origin, before.owner.headers)
      expect(await owner.get(`/v1/admin/users/${before.user.id}`)).toMatchObject({ status: 200, body: { firstName: before.name } })
      expect((await owner.get('/v1/admin/users?limit=1')).body).toMatchObject({ total: 4 })
      expect((await service.operator.get('/v1/system/organisations')).body).toMatchObject({ total: 2 })
      const { email, password } = before.user
      const login = await anonymous.post('/v1/auth/login', { email, password })
      expect(login).toMatchObject({ status: 200, body: { status: 'authenticated' } })
      expect(cookieOf(login)).not.toBe(before.user.cookie)
      const { id, secret } = before.application
      const refreshed = await postForm(
        anonymous,
        '/oauth2/token',
        { grant_type: 'refresh_token', refresh_token: before.tokens.refresh_token },
        { authorization: basic(id, secret ?? '') },
      )
      expect(refreshed).toMatchObject({ status: 200 })
      const byKey = anonymous.with({ authorization: `Bearer ${before.apiKey.key}` })
      expect(await byKey.get('/v1/admin/users')).toMatchObject({ status: 200 })
      before.hook.answer = () => ({ status: 200 })
      clock.advance({ seconds: 61 })
      const earlier = before.hook.requests.length
      await service.deliverDueWebhooks()
      expect(JSON.parse((await before.hook.request(earlier + 1)).body)).toMatchObject({ data: { user: { id: before.late.id } } })
      // Counts, roles and teams are kept by triggers, which work again.
      await service.given.user(owner)
      expect((await owner.get('/v1/admin/users?limit=1')).body).toMatchObject({ total: 5 })
    } finally {
      await service.stop()
    }
  }

  it('moves the embedded database to PostgreSQL, where all users continue', async () => {
    const environment = { DATA_DIR: join(folder, 'embedded') }
    const before = await inhabit(await openEmbeddedIn(environment.DATA_DIR))
    const move = ['database', 'move']
    Object.assign(environment, { DATABASE_MOVE_TO: role.url })

    const rehearsal = await runCommand(environment, [...move, '--dry-run'])
    expect(rehearsal).toMatchObject({ status: 0, stderr: 'Nothing was changed: this was a dry run\n' })
    expect(await tablesOf(role.url)).toEqual([])

    const { status, stdout, stderr } = await runProcess(environment, move)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(rehearsal.stdout).toMatch(/^Would copy \d{2,3} rows of \d{2} tables: /)
    expect(stdout).toMatch(
      /^Copied \d{2,3} rows of \d{2} tables\. Counts and checksums are equal\nChange in the environment of the service/,
    )
    expect(stdout).toContain(`\n  DATABASE_URL=${role.url.replace(':ordinary@', ':********@')}\n`)
    await expectAllThere(role.url, before)
    // In both, and in the former one none of the rehearsal.
    for (const engine of [openPostgres(role.url, { poolSize: 1 }), await openEmbedded(join(environment.DATA_DIR, 'database'))])
      expect((await engine.execute({ sql: entries, parameters: [] }).finally(() => engine.close())).rows).toEqual(entriesOf('pglite'))
  })

  it('moves between PostgreSQL servers, and names what belongs to the former one', async () => {
    const [from, to] = [await freshPostgresUrl(), await freshPostgresUrl({ empty: true })]
    const before = await inhabit(openPostgres(from, { poolSize: 10 }))
    // The service may have folded the counts of its sign-ins by now.
    await onServer(
      from,
      `insert into sign_in_count_changes (organisation_id, quarter_at, previous_at, succeeded, failed)
      select id, now(), now(), 1, 0 from organisations limit 1`,
    )
    // The migrations of the target are those of the release, not copies: all else is compared byte by byte.
    const tables = (await tablesOf(from)).map(({ relname }) => relname as string).filter((table) => !table.startsWith('kysely_'))

    // Several servers take it as one does.
    const several = to.replace('@', '@127.0.0.1:1,')
    const { status, stdout, stderr } = await runProcess(
      { DATABASE_URL: from, DATABASE_REPLICA_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: several },
      [...['database', 'move', '--json']],
    )

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const result = JSON.parse(stdout)
    expect(await onServer(to, entries)).toEqual(entriesOf('postgres'))
    expect(result).toMatchObject({ left: [], toReview: ['DATABASE_REPLICA_URL'] })
    expect(result.tables.map(({ table }: { table: string }) => table).sort()).toEqual(tables.sort())
    for (const table of tables) {
      const rows = `select md5(coalesce(string_agg(${table}::text, '' order by ${table}::text), '')) as rows from ${table}`
      expect([table, await onServer(to, rows)]).toEqual([table, await onServer(from, rows)])
    }
    const schema = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), null from pg_constraint where connamespace = 'public'::regnamespace
      union all select oid::regclass::text, relname, relrowsecurity::text, relforcerowsecurity::text from pg_class where relnamespace = 'public'::regnamespace
      union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal order by 1, 2, 3`
    expect(await onServer(to, schema)).toEqual(await onServer(from, schema))
    // A table that numbers its rows continues after the last number.
    const sequences = "select sequencename, last_value from pg_sequences where schemaname = 'public' and last_value is not null order by 1"
    const reached = new Map((await onServer(to, sequences)).map(({ sequencename, last_value }) => [sequencename, Number(last_value)]))
    const numbered = await onServer(to, 'select max(id)::int as last from sign_in_count_changes')
    expect(reached.get('sign_in_count_changes_id_seq')).toBe(numbered[0]?.last)
    await expectAllThere(to, before)
  })

  it('moves to a database whose locale knows no small letters but those of English', async () => {
    const from = await freshPostgresUrl()
    const before = await inhabit(openPostgres(from, { poolSize: 10 }))
    await onServer(from, "update users set last_name = 'ŽOFIE'")
    const name = `${new URL(from).pathname.slice(1)}_c`
    await onServer(from, `create database ${name} template template0 encoding 'UTF8' locale 'C'`)
    const to = Object.assign(new URL(from), { pathname: `/${name}` }).href
    onTestFinished(() => dropDatabase(to))

    const environment = { DATABASE_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: to }
    expect(await runProcess(environment, ['database', 'move', '--json'])).toMatchObject({ status: 0, stderr: '' })
    expect(await onServer(to, 'select distinct last_name from users')).toEqual([{ last_name: 'ŽOFIE' }])
    await expectAllThere(to, before)
  })

  it('leaves both as they are when it is killed, and can be run again', async () => {
    const [from, to] = [await freshPostgresUrl(), await freshPostgresUrl({ empty: true })]
    const service = await startTestService({ engine: openPostgres(from, { poolSize: 10 }), ...settings })
    await service.given.organisation()
    await service.stop()
    const environment = { DATABASE_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: to }
    const other = new pg.Client({ connectionString: from })
    await other.connect()
    await other.query('begin; lock table users')
    const child = startCommand(environment, ['database', 'move'])
    const waiting = "select from pg_locks where not granted and relation = 'users'::regclass"
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'close')
    await other.end()

    await expect.poll(() => tablesOf(to)).toEqual([])
    expect(await runProcess(environment, ['database', 'move'])).toMatchObject({ status: 0 })
    expect(await onServer(to, 'select count(*)::int from organisations')).toEqual([{ count: 1 }])
  })

  it('is refused while the service runs', async () => {
    const [from, to] = [await freshPostgresUrl(), await freshPostgresUrl({ empty: true })]
    const service = await startTestService({ engine: openPostgres(from, { poolSize: 10 }), ...settings })
    try {
      expect(await runCommand({ DATABASE_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: to }, ['database', 'move'])).toEqual({
        status: 1,
        stdout: '',
        stderr: 'The service is running on the database: stop all of its processes, run this again, and start them on the new one\n',
      })
    } finally {
      await service.stop()
    }

    const environment = { DATA_DIR: join(folder, 'held'), DATABASE_MOVE_TO: to }
    const engine = await openEmbeddedIn(environment.DATA_DIR)
    try {
      expect(await runCommand(environment, ['database', 'move'])).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/is in use by process \d+, which is probably the service: stop it/),
      })
    } finally {
      await engine.close()
    }
    expect(await tablesOf(to)).toEqual([])
  })

  it('holds out every process that writes while it copies, as a service behind a pooler, and names who does not let it', async () => {
    const [from, to] = [await freshPostgresUrl(), await freshPostgresUrl({ empty: true })]
    // Through a pooler it listens on no connection, and so holds no lock that says that it runs.
    const service = await startTestService({ engine: openPostgres(from, { poolSize: 10, pooler: 'transaction' }), ...settings })
    const writer = new pg.Client({ connectionString: from, application_name: 'a script' })
    try {
      const { owner } = await service.given.organisation()
      await writer.connect()
      await writer.query("begin; update organisations set name = name || ' Ltd'")
      const refused = await runProcess({ DATABASE_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: to, DATABASE_WAIT_SECONDS: '0' }, [
        'database',
        'move',
      ])
      expect(refused).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /for a lock that .*process \d+ \(a script\) holds, in a transaction since \d+ s.*\. Stop whatever writes/,
        ),
      })
      await writer.query('rollback')

      const child = startCommand({ DATABASE_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: to, DATABASE_WAIT_SECONDS: '60' }, [
        'database',
        'move',
        '--json',
      ])
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
      const ended = once(child, 'close')
      // Users are created all the time: each is copied, or is written after the copy has ended.
      let [isCopying, created] = [true, 0]
      void ended.then(() => {
        isCopying = false
      })
      while (isCopying) {
        await service.given.user(owner)
        created++
      }
      expect((await ended)[0]).toBe(0)
      const { tables } = JSON.parse(output) as { tables: { table: string; rows: number }[] }
      const copied = tables.find(({ table }) => table === 'users')?.rows as number
      expect(await onServer(to, 'select count(*)::int from users')).toEqual([{ count: copied }])
      expect(copied).toBeLessThanOrEqual(created + 1)
    } finally {
      await writer.end()
      await service.stop()
    }
  })

  it('keeps the service from starting meanwhile', async () => {
    const from = await freshPostgresUrl()
    const mover = new pg.Client({ connectionString: from })
    await mover.connect()
    await mover.query('begin; select pg_advisory_xact_lock(7161735426)')
    const start = startTestService({ engine: openPostgres(from, { poolSize: 10 }), ...settings })
    await expect(start).rejects.toThrow(
      /is at work on all of it: .* or `gatehouse database move`, after which the service starts on the new one/,
    )
    await mover.end()
  })

  it('says what is wrong with the target, without its password', async () => {
    const from = await freshPostgresUrl()
    const move = (to: string) => runCommand({ DATABASE_URL: from, DATA_DIR: folder, DATABASE_MOVE_TO: to }, ['database', 'move'])
    const [full, latin] = [await freshPostgresUrl(), await freshPostgresUrl({ empty: true })]
    expect(await move(full)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The target is not empty: it has action_links, api_keys, audit_logs and \d+ more\. Give it a database of its own\n$/,
      ),
    })
    expect((await move(from)).stderr).toMatch(/^The target is not empty: /)
    expect(await onServer(from, entries)).toEqual([])

    const wrong = new URL(latin)
    wrong.password = 'a-wrong-password'
    wrong.pathname = '/nowhere'
    const { status, stderr } = await move(wrong.href)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^DATABASE_MOVE_TO is "postgres(ql)?:\/\/.*": /)
    expect(stderr).not.toContain('a-wrong-password')
    expect(await move('mysql://localhost/gatehouse')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('DATABASE_MOVE_TO is wrong: it must be an address such as postgres://user@host:5432/name'),
    })
    // What stands in an argument, every user of the machine can read.
    const argument = ['database', 'move', '--to', wrong.href]
    expect(await runProcess({ DATABASE_URL: from, DATA_DIR: folder }, argument)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--to holds a password'),
    })
    wrong.password = ''
    const inEnvironment = await runProcess({ DATABASE_URL: from, DATA_DIR: folder, PGPASSWORD: 'another' }, [
      ...argument.slice(0, 3),
      wrong.href,
    ])
    expect(inEnvironment.stderr).toMatch(/^--to is "postgres/)
    const { serverUrl } = inject('database') as { serverUrl: string }
    const plain = `plain_${randomBytes(6).toString('hex')}`
    await onServer(serverUrl, `create role ${plain} login password 'plain'`)
    try {
      const url = new URL(latin)
      Object.assign(url, { username: plain, password: 'plain' })
      expect((await move(url.href)).stderr).toMatch(new RegExp(`^DATABASE_MOVE_TO is "postgres(ql)?://${plain}@.*": the role ${plain} `))
    } finally {
      await onServer(serverUrl, `drop role ${plain}`)
    }
  })
})
