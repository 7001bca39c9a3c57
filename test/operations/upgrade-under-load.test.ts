/**
 * The release before serves while this one migrates its database and takes over. `npm run test:upgrades` comes from older ones besides,
 * which are stopped before.
 */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onServer } from '../support/database-server.ts'
import { formerRelease, needsHistory } from '../support/former-release.ts'
import { cookieOf, type TestOrganisation } from '../support/given.ts'
import { type Answer, HttpClient } from '../support/http-client.ts'
import { encode, TestApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const former = 'a76710da'
const older = process.env.UPGRADE_FROM?.split(' ') ?? []

const shownSafe = '../../src/platform/database/shown-safe.json'

const password = 'correct horse battery'
const owner = { email: 'owner@acme.test', password }
/** What a request may have to wait. */
const longestSeconds = 3

const receiver = await useReceiver()

describe(`an upgrade from ${former} under sign-ins, refreshes, changes and webhooks`, needsHistory(former), () => {
  it.for([
    ['with no other process', false],
    ['beside a transaction that has read every table', true],
  ] as const)('loses no request and nothing that was there, %s', async ([, hasReader]) => {
    const { url, role, serve, hook } = await installation()
    const before = await (await serve(formerRelease(former))).ready()
    await role.inherit()
    const used = await prepare(before, hook.url)
    const rows = await rowsOf(url)
    const applied = await migrationsOf(url)
    const waits = watchLockWaits(url)
    const load = startLoad(before.origin, used)
    await load.rounds(2)

    const reader = hasReader ? await readEverything(url) : undefined
    const now = await serve()
    const isReady = now.ready().then(() => true)
    // As a dump that takes its time: until the new release has made way for it a few times, and with it has tried the former one's patience.
    if (reader) {
      await Promise.race([isReady, now.until(async () => (now.output.match(/"code":"migration-blocked"/g) ?? []).length >= 3)])
      await load.rounds(2)
      await reader.end()
    }
    await isReady
    // The former release continues without it, under the same load.
    expect(await role.inherits()).toBe(false)
    await load.rounds(2)
    load.moveTo(now.origin)
    // Each is with the new one as soon as it has asked it once.
    await load.rounds(2)
    await before.end()
    await load.rounds(2)
    await load.stop()

    expect(load.failures).toEqual([])
    expect(await waits.stop()).toBeLessThan(longestSeconds)
    await expect.poll(() => load.created.filter((id) => !hook.requests.some(({ body }) => body.includes(id)))).toEqual([])
    expect(changedRows(rows, await rowsOf(url), used)).toEqual([])
    for (const service of [before, now]) expect(service.output).not.toMatch(/"level":[56]0/)
    // What `gatehouse migrate status` calls safe. Written anew by `--update`.
    const shown = { endsWith: applied.at(-1), migrations: (await migrationsOf(url)).slice(applied.length) }
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(shownSafe)
  })
})

describe.for(older)('an upgrade from %s, which is stopped before', needsHistory(former), (commit) => {
  it('loses nothing that was there', async () => {
    const { url, role, serve, hook } = await installation()
    const before = await (await serve(formerRelease(commit))).ready()
    await role.inherit()
    const used = await prepare(before, hook.url)
    const rows = await rowsOf(url)
    await before.end()

    const now = await (await serve()).ready()
    expect(await role.inherits()).toBe(false)
    const load = startLoad(now.origin, used)
    await load.rounds(2)
    await load.stop()

    expect(load.failures).toEqual([])
    expect(changedRows(rows, await rowsOf(url), used)).toEqual([])
    for (const service of [before, now]) expect(service.output).not.toMatch(/"level":[56]0/)
  })
})

/** An empty database of a role that is none but its owner, and what both releases are started with. */
async function installation() {
  const home = await processHome({ empty: true })
  onTestFinished(() => home.remove())
  const url = home.environment.DATABASE_URL as string
  const role = await upgradedRole(url)
  const hook = receiver.hook()
  const ca = join(home.folder, 'ca.pem')
  await writeFile(ca, receiver.ca)
  const environment = {
    ...home.environment,
    DATABASE_URL: role.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_OWNER_EMAIL: owner.email,
    BOOTSTRAP_OWNER_PASSWORD: owner.password,
    RATE_LIMIT: 'off',
    NODE_EXTRA_CA_CERTS: ca,
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
    DATABASE_WAIT_SECONDS: '600',
    // The service's own address is that of whichever release serves.
    PUBLIC_URL: 'http://localhost:3000',
  }
  const serve = async (release?: ReturnType<typeof formerRelease>) => {
    const service = await ServiceProcess.start(environment, release)
    onTestFinished(async () => void (await service.end('SIGKILL')))
    return service
  }
  return { url, role, serve, hook }
}

/** The owner of a database that came all the way from the first releases, which had it inherit the two roles of the service. */
async function upgradedRole(url: string) {
  const name = `upgraded_${randomBytes(6).toString('hex')}`
  await onServer(url, `create role ${name} login password 'upgraded' createrole nosuperuser nobypassrls`)
  const [version] = await onServer(url, 'show server_version_num')
  const isAttribute = Number(version?.server_version_num) < 160_000
  const administered = isAttribute ? 'with admin option' : 'with admin true, inherit false'
  await onServer(url, `grant gatehouse_tenant, gatehouse_system to ${name} ${administered}`)
  await onServer(url, `alter database ${new URL(url).pathname.slice(1)} owner to ${name}`)
  onTestFinished(async () => {
    await onServer(url, `drop owned by ${name} cascade`)
    await onServer(url, `alter database ${new URL(url).pathname.slice(1)} owner to current_user`)
    await onServer(url, `drop role ${name}`)
  })
  const its = new URL(url)
  its.username = name
  its.password = 'upgraded'
  return {
    url: its.href,
    async inherit() {
      const itself = 'grant gatehouse_tenant, gatehouse_system to current_user with inherit true'
      await (isAttribute ? onServer(url, `alter role ${name} inherit`) : onServer(its.href, itself))
    },
    async inherits() {
      const [row] = await onServer(url, `select pg_has_role('${name}', 'gatehouse_system', 'usage') as inherits`)
      return row?.inherits as unknown as boolean
    },
  }
}

interface Used {
  session: Record<string, string>
  apiKey: string
  application: TestApplication
  refreshToken: string
  /** Records that the load changes. */
  touched: string[]
}

/** One of everything that an installation has. */
async function prepare(service: ServiceProcess, receiverUrl: string): Promise<Used> {
  const login = await service.anonymous.post('/v1/auth/login', owner)
  expect(login).toMatchObject({ status: 200 })
  const session = { cookie: cookieOf(login) }
  const administrator = service.anonymous.with({ ...session, 'x-csrf-token': login.body.csrfToken })
  const created = async (path: string, body: object) => {
    const answer = await administrator.post(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { data } = (await administrator.get('/v1/admin/permissions')).body as { data: { id: string; slug: string }[] }
  const reading = data.filter(({ slug }) => slug.endsWith(':read')).map(({ id }) => id)
  const role = await created('/v1/admin/roles', { name: 'Readers', slug: 'readers', permissionIds: reading })
  await created('/v1/admin/teams', { name: 'Northern sales', slug: 'north' })
  for (let number = 0; number < 3; number++) {
    const body = { email: `quiet-${number}@acme.test`, firstName: 'Quiet', lastName: 'One', password, roleIds: [role.id] }
    await created('/v1/admin/users', body)
  }
  const endpoint = await created('/v1/admin/webhooks', { url: receiverUrl, events: ['user.created'] })
  const client = await created('/v1/admin/clients', {
    name: 'Portal',
    clientType: 'confidential',
    redirectUris: ['https://portal.example.test/callback'],
    grantTypes: ['authorization_code', 'refresh_token'],
  })
  const apiKey = await created('/v1/admin/api-keys', { name: 'Provisioning', permissions: ['users:create', 'users:update', 'users:read'] })
  const application = new TestApplication(
    service.anonymous,
    { owner: administrator } as unknown as TestOrganisation,
    client.client ?? client,
  )
  const tokens = await application.signIn({ scope: 'openid offline_access' })
  return {
    session,
    apiKey: apiKey.key ?? apiKey.apiKey,
    application,
    refreshToken: tokens.refresh_token,
    touched: [login.body.user?.id, apiKey.id ?? apiKey.apiKey?.id, application.id, (endpoint.webhook ?? endpoint).id],
  }
}

/** Users of the service, each asking again as soon as there is an answer. */
function startLoad(origin: string, { session, apiKey, application, refreshToken }: Used) {
  let http = new HttpClient(origin)
  let isStopped = false
  let token = refreshToken
  const failures: string[] = []
  const created: string[] = []
  const rounds = new Map<string, number>()
  const progress = new EventTarget()

  async function ask(name: string, expected: number, request: () => Promise<Answer>): Promise<Answer['body']> {
    const answer = await request().catch((error: Error) => ({ status: 0, body: `${error.message}: ${error.cause}` }))
    if (answer.status !== expected) failures.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  async function user(name: string, round: (number: number) => Promise<unknown>): Promise<void> {
    for (let number = 0; !isStopped && failures.length === 0; number++) {
      await round(number)
      rounds.set(name, number + 1)
      progress.dispatchEvent(new Event('round'))
      // The machine has others to serve.
      await pause(20)
    }
  }
  const byKey = { authorization: `Bearer ${apiKey}` }
  const users: Record<string, (number: number) => Promise<unknown>> = {
    'sign-in': () => ask('sign-in', 200, () => http.post('/v1/auth/login', owner)),
    session: async () => {
      // Of one release: a token of the other may be made in another way.
      const same = http.with(session)
      const { csrfToken } = (await ask('token of the session', 200, () => same.get('/v1/auth/csrf'))) ?? {}
      await ask('session', 200, () => same.get('/v1/me/profile', { headers: { 'x-csrf-token': csrfToken } }))
    },
    refresh: async () => {
      const form = encode({ grant_type: 'refresh_token', refresh_token: token })
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...application.authorization }
      token = (await ask('refresh', 200, () => http.post('/oauth2/token', form, { headers })))?.refresh_token ?? token
    },
    changes: async (number) => {
      const body = { email: `user-${number}@acme.test`, firstName: 'Ann', lastName: 'Lee', password }
      const { id } = (await ask('create', 201, () => http.post('/v1/admin/users', body, { headers: byKey }))) ?? {}
      created.push(id)
      await ask('change', 200, () => http.patch(`/v1/admin/users/${id}`, { firstName: 'Anna' }, { headers: byKey }))
      await ask('list', 200, () => http.get('/v1/admin/users', { headers: byKey }))
    },
  }
  onTestFinished(() => {
    isStopped = true
  })
  const running = Promise.all(Object.entries(users).map(([name, round]) => user(name, round)))
  return {
    failures,
    created,
    moveTo(next: string) {
      http = new HttpClient(next)
    },
    /** Resolves when each has done so many more rounds, or one has failed. */
    async rounds(more: number) {
      const aims = Object.keys(users).map((name) => [name, (rounds.get(name) ?? 0) + more] as const)
      const lags = () => failures.length === 0 && aims.some(([name, aim]) => (rounds.get(name) ?? 0) < aim)
      while (lags()) await new Promise((resolve) => progress.addEventListener('round', resolve, { once: true }))
      expect(failures).toEqual([])
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Holds a transaction open that has read every table, as a dump does. */
async function readEverything(url: string): Promise<pg.Client> {
  const reader = new pg.Client({ connectionString: url, application_name: 'a dump' })
  reader.on('error', () => {})
  await reader.connect()
  await reader.query('begin isolation level repeatable read read only')
  const { rows } = await reader.query("select tablename from pg_tables where schemaname = 'public'")
  for (const { tablename } of rows) await reader.query(`select count(*) from "${tablename}"`)
  return reader
}

/** Looks how long statements of the service wait for locks. What they wait for besides is the machine, which this test is not about. */
function watchLockWaits(url: string) {
  let longest = 0
  let isStopped = false
  onTestFinished(() => {
    isStopped = true
  })
  const watching = (async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'watches' })
    client.on('error', () => {})
    await client.connect()
    while (!isStopped) {
      const { rows } = await client.query(
        `select coalesce(max(extract(epoch from clock_timestamp() - waitstart)), 0)::float8 as seconds
         from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database() and application_name = 'gatehouse'`,
      )
      longest = Math.max(longest, rows[0].seconds)
      await pause(50)
    }
    await client.end()
  })()
  // Awaited at the end of a test that gets there.
  watching.catch(() => {})
  return {
    async stop() {
      isStopped = true
      await watching
      return longest
    },
  }
}

const migrationsOf = async (url: string): Promise<string[]> =>
  (await onServer(url, 'select name from kysely_migration order by name')).map(({ name }) => name as string)

type Rows = Map<string, Record<string, unknown>>

const compared = [
  'organisations',
  'users',
  'roles',
  'user_roles',
  'role_permissions',
  'teams',
  'clients',
  'api_keys',
  'webhook_endpoints',
  'audit_logs',
  'permissions',
]

async function rowsOf(url: string): Promise<Rows> {
  const rows: Rows = new Map()
  const there = await onServer(url, "select tablename from pg_tables where schemaname = 'public'")
  for (const table of compared) {
    expect(there).toContainEqual({ tablename: table })
    for (const { row } of (await onServer(url, `select to_jsonb(t) as row from "${table}" t`)) as unknown as {
      row: Record<string, unknown>
    }[])
      rows.set([table, row.id ?? `${row.user_id ?? row.role_id}/${row.user_id ? row.role_id : row.permission_id}`].join(' '), row)
  }
  return rows
}

/**
 * The rows that are gone or have other values in the columns that they had. An owner role holds every permission, so it gains those of a new
 * release, and none but those.
 */
function changedRows(before: Rows, after: Rows, { touched }: Used): string[] {
  const slugs = [...before].filter(([key]) => key.startsWith('permissions ')).map(([, { slug }]) => slug)
  const seen = (row: Record<string, unknown> | undefined, column: string) => {
    const value = row?.[column]
    const isOfOwner = column === 'permission_slugs' && row?.is_owner === true
    return JSON.stringify(isOfOwner ? (value as string[]).filter((slug) => slugs.includes(slug)) : value)
  }
  return [...before].flatMap(([key, row]) => {
    if (touched.some((id) => key.endsWith(` ${id}`))) return []
    const now = after.get(key)
    const changed = Object.keys(row).filter((column) => seen(row, column) !== seen(now, column))
    return changed.map((column) => `${key}.${column}: ${seen(row, column)} is ${seen(now, column)}`)
  })
}
