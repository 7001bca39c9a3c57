import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { firstStepsOf } from '../../src/app/greeting.ts'
import { createDatabase } from '../../src/platform/database/database.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import { findFirstSteps } from '../../src/provisioning/first-steps.ts'
import { runProcess } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import type { Answer } from '../support/http-client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'
import { TestClock } from '../support/test-clock.ts'

async function home({ empty = false } = {}) {
  const made = await processHome({ empty })
  onTestFinished(() => made.remove())
  return made.environment
}

async function started(environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(environment)
  onTestFinished(() => service.end('SIGKILL').then(() => {}))
  return service
}

/** On one installation: a start whose database is unreachable, the first one that succeeds, and the next, which is killed. */
let made: ProcessHome
let [failing, first, again]: ServiceProcess[] = []
const printed = { line: '', email: '', password: '', systemApiKey: '', firstSteps: {} }
const signIns: Answer[] = []
let organisations: Answer
beforeAll(async () => {
  made = await processHome({ empty: true })
  const { environment } = made
  const unreachable = { DATABASE_URL: 'postgres://gatehouse@127.0.0.1:1/gatehouse', DATABASE_WAIT_SECONDS: '0' }
  failing = await ServiceProcess.start({ ...environment, ...unreachable })
  expect(await failing.exitCode()).toBe(1)

  first = await (await ServiceProcess.start(environment)).ready()
  const [line, email = '', password = ''] = await first.printed(/sign in as (\S+) with the password (\S+)/)
  const [, systemApiKey = ''] = await first.printed(/System API key: (\S+)/)
  Object.assign(printed, { line, email, password, systemApiKey })
  signIns.push(await first.anonymous.post('/v1/auth/login', { email, password }))
  await first.printed(/Keys: /)
  Object.assign(printed, { firstSteps: await runProcess(environment, 'first-steps') })
  expect(await first.end()).toBe(0)

  again = await (await ServiceProcess.start(environment)).ready()
  signIns.push(await again.anonymous.post('/v1/auth/login', { email, password }))
  organisations = await again.anonymous.with({ authorization: `Bearer ${systemApiKey}` }).get('/v1/system/organisations')
  await again.printed(/Keys: /)
  await again.end('SIGKILL')
})
afterAll(async () => {
  for (const service of [first, again]) await service?.end('SIGKILL')
  await made.remove()
})

describe('a first start', () => {
  it('prints a valid password once, and stores its Argon2id hash and the system key for the next start', async () => {
    const { DATA_DIR = '', DATABASE_URL } = made.environment
    for (const signIn of signIns) expect(signIn).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    expect(organisations.body).toMatchObject({ total: 1, data: [{ slug: 'acme', status: 'active' }] })
    expect(again?.output).not.toContain('with the password')
    const block = /─{80}\n([^─]*)─{80}\n/.exec(first?.output ?? '')?.[1]
    expect(block).toContain(printed.line)
    // What was printed is found again: no line for each request is between.
    expect(first?.output).not.toContain('"msg":"request completed"')
    expect(printed.firstSteps).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^Organisation acme: open \\S+/console and sign in as ${printed.email} with the password that the first start has shown\nOnly its hash is stored. When it is lost: \\S+/password/forgot, `,
        ),
      ),
    })
    expect(block).toMatch(/The password is shown this once\. When it is lost: \S+\/password\/forgot, whose mail is at \S+\/dev\/mail\n/)
    expect(again?.output).not.toContain(printed.systemApiKey)
    for (const output of [first?.output, again?.output]) {
      expect(output).toMatch(/Console: http:\/\/localhost:\d+\/console\n/)
      expect(output).toMatch(/Sign-in: http:\/\/localhost:\d+\/login\n/)
      expect(output).toMatch(/API: http:\/\/localhost:\d+\/docs\n/)
      expect(output).toMatch(/Mails: http:\/\/localhost:\d+\/dev\/mail\n/)
      expect(output).toContain(`Keys: ${DATA_DIR}/system-api-key (system API), ${DATA_DIR}/secret-key (encryption)\n`)
    }

    // OWASP's first choice of parameters.
    const engine = await openEngine({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR })
    const database = createDatabase(engine, new TestClock())
    const users = await database.system().selectFrom('users').select('passwordHash').execute()
    // As a change of the password does.
    await database.system().updateTable('users').set({ passwordChangedAt: new Date() }).execute()
    const later = firstStepsOf(readConfig({}), await findFirstSteps(database))
    await database
      .system()
      .updateTable('users')
      .set(({ ref }) => ({ passwordChangedAt: ref('createdAt') }))
      .execute()
    await engine.close()
    expect(later[0]).toBe(`Organisation acme: ${printed.email} no longer has the password of the first start`)
    expect(users).toEqual([{ passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }])
  })
})

describe('a first start that fails', () => {
  it('leaves the system key to be printed by the next one', () => {
    expect(failing?.output).not.toContain('System API key')
    expect(first?.output).toContain(`System API key: ${printed.systemApiKey}`)
    expect(organisations).toMatchObject({ status: 200 })
    expect(again?.output).not.toContain('System API key')
  })

  it("leaves the first owner's password to be printed by the next one, when it was killed before it could", async () => {
    const unprinted = join(made.environment.DATA_DIR as string, 'owner-password.unprinted')
    for (const { left, isPrinted } of [
      { left: printed.password, isPrinted: true },
      { left: 'of another organisation', isPrinted: false },
    ]) {
      await writeFile(unprinted, left)
      const next = await (await started(made.environment)).ready()
      await next.printed(/Keys: /)
      expect(next.output.includes(printed.line)).toBe(isPrinted)
      expect(await next.end()).toBe(0)
      await expect(readFile(unprinted)).rejects.toThrow('ENOENT')
    }
  })
})

/** What a start says of its settings, it says whatever its database is. One on PostgreSQL takes less time. */
const ofSettings = it.runIf(databaseKind() === 'postgres')

describe('in production', () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', SECRET_KEY: randomBytes(32).toString('base64') }
  const warningsOf = ({ logLines }: TestService) =>
    logLines.map((line) => JSON.parse(line)).flatMap(({ level, code, msg }) => (level === 40 ? [[code, msg]] : []))
  const ofDatabase =
    databaseKind() === 'postgres'
      ? ['superuser', expect.stringMatching(/^The role in DATABASE_URL is a superuser or bypasses/)]
      : ['embedded-database', expect.stringMatching(/^The database is the embedded one, .*DATABASE_URL/)]

  it('a start warns of each missing or dangerous setting, and explains the remedy', async () => {
    const service = await startTestService({ environment: production })
    onTestFinished(() => service.stop())

    expect(warningsOf(service)).toEqual([
      [
        'no-organisation',
        expect.stringMatching(/^No user can sign in yet: there is no organisation. .*BOOTSTRAP_OWNER_EMAIL.*SYSTEM_API_KEY/),
      ],
      ['no-mail-server', expect.stringMatching(/^There is no mail server: .*Set SMTP_URL$/)],
      ofDatabase,
    ])
  })

  ofSettings('a start warns of a mail server and a Redis that cannot be reached, without their passwords', async () => {
    const port = await freePort()
    const environment = { SMTP_URL: `smtp://user:very-secret@127.0.0.1:${port}`, REDIS_URL: `redis://:very-secret@127.0.0.1:${port}` }
    const service = await startTestService({ environment: { ...production, ...environment } })
    onTestFinished(() => service.stop())

    const ofServers = () => warningsOf(service).filter(([code]) => String(code).endsWith('-unreachable'))
    await expect.poll(() => ofServers().length).toBe(2)
    expect(ofServers()).toEqual([
      [
        'mail-server-unreachable',
        `SMTP_URL: the mail server at 127.0.0.1:${port} cannot be reached (ECONNREFUSED). Mails wait, and are tried again for two days. Start it, or correct the address`,
      ],
      [
        'redis-unreachable',
        `REDIS_URL: the Redis at 127.0.0.1:${port} cannot be reached (ECONNREFUSED). Each process counts rate limits by itself. Start it, or correct the address`,
      ],
    ])
    expect(service.logLines.join('')).not.toContain('very-secret')
  })

  ofSettings('a start warns of variables that are nearly ours, and of no others', async () => {
    const near = { REDIS_URI: 'x', GATEHOUSE_SMTP_URL: 'x', smtp_url: 'x', HOSTNAME: 'x', PGHOST: 'x' }
    const besidesOurs = { TRUST_PROXYS: 'x', TRUST_PROXY: 'loopback' }
    const service = await started({ ...(await home()), ...near, ...besidesOurs })
    await service.printed(/"code":"unknown-variable".*"smtp_url is set/)
    const warned = service.output.split('\n').flatMap((line) => /"unknown-variable","msg":"(.*)"/.exec(line)?.[1] ?? [])
    const line = (name: string, meant: string) => `${name} is set and means nothing here: if ${meant} is meant, rename it`
    expect(warned.sort()).toEqual([line('GATEHOUSE_SMTP_URL', 'SMTP_URL'), line('REDIS_URI', 'REDIS_URL'), line('smtp_url', 'SMTP_URL')])
  })

  it('a start does not warn of settings that are present', async () => {
    const bootstrap = { BOOTSTRAP_OWNER_EMAIL: 'owner@example.com', BOOTSTRAP_OWNER_PASSWORD: 'chosen by the operator' }
    const server = await TestSmtpServer.start()
    onTestFinished(() => server.stop())
    const environment = { ...production, ...bootstrap, SMTP_URL: `smtp://127.0.0.1:${server.port}` }
    const service = await startTestService({ environment })
    onTestFinished(() => service.stop())

    expect(warningsOf(service)).toEqual([ofDatabase])
  })
})

describe('a start that cannot succeed', () => {
  ofSettings('prints a line for each mistake, and exits with 1', async () => {
    const service = await started({ ...(await home()), PORT: 'http', SIGNUP: 'maybe', SECRET_KEY: 'too-short' })
    expect(await service.exitCode()).toBe(1)
    expect(service.output.trim().split('\n').sort()).toEqual([
      'PORT is "http" and must be a whole number from 0 to 65535',
      'SECRET_KEY is not usable and must be 32 bytes in base64, as `openssl rand -base64 32` prints them',
      'SIGNUP is "maybe" and must be one of open, closed',
    ])
  })

  ofSettings('explains what is wrong with the password of the first owner, as for any chosen one', async () => {
    const environment = await home()
    for (const [password, mistake] of [
      ['password123', 'Password is one of the most common passwords'],
      ['owner@acme1', 'Password must not be made of the name or the e-mail address'],
    ] as const) {
      const service = await started({ ...environment, BOOTSTRAP_OWNER_PASSWORD: password })
      expect(await service.exitCode()).toBe(1)
      expect(service.output.trim().split('\n').at(-1)).toBe(`Gatehouse could not start: BOOTSTRAP_OWNER_PASSWORD is not usable: ${mistake}`)
      expect(service.output).not.toContain(password)
    }
    const service = await (await started({ ...environment, BOOTSTRAP_OWNER_PASSWORD: 'a better one by far' })).ready()
    const credentials = { email: 'owner@acme.test', password: 'a better one by far' }
    expect(await service.anonymous.post('/v1/auth/login', credentials)).toMatchObject({ status: 200 })
  })
})

describe.runIf(databaseKind() === 'pglite')('a second process on the same embedded database', () => {
  it('is refused in one line and does not disturb the first', async () => {
    const environment = await home()
    const first = await (await started(environment)).ready()

    const second = await started(environment)
    expect(await second.exitCode()).toBe(1)
    expect(second.output).toBe(
      `DATA_DIR is "${environment.DATA_DIR}", where process ${first.child.pid} has the database open: stop that process, or set DATABASE_URL to run several\n`,
    )
    await writeFile(join(environment.DATA_DIR as string, 'database.pid'), '')
    const third = await started(environment)
    expect(await third.exitCode()).toBe(1)
    expect(third.output).toContain(', where another process has the database open: ')
    expect(await first.anonymous.get('/readyz')).toMatchObject({ status: 200 })
  })
})

describe.runIf(databaseKind() === 'pglite')('an embedded database whose lock names a process that runs', () => {
  it('is opened: the id belongs to another process by now, as after a restart or in a container', async () => {
    const environment = await home()
    for (const lock of [String(process.pid), '1', '']) {
      await mkdir(environment.DATA_DIR as string, { recursive: true })
      await writeFile(`${environment.DATA_DIR}/database.lock`, lock)
      const service = await (await started(environment)).ready()
      await service.end('SIGKILL')
    }
  })
})

describe.runIf(databaseKind() === 'postgres')('processes that start together on an empty database', () => {
  it('migrate it once and create the first organisation once', async () => {
    const environment = { ...(await home({ empty: true })), SECRET_KEY: randomBytes(32).toString('base64'), SYSTEM_API_KEY: 'k'.repeat(32) }
    const services = await Promise.all(Array.from({ length: 4 }, () => started(environment)))
    await Promise.all(services.map((service) => service.ready()))
    const [service] = await Promise.all(services.map((one) => one.printed(/Gatehouse is ready/).then(() => one)))

    expect(services.filter(({ output }) => output.includes('migrated the database'))).toHaveLength(1)
    const told = await service?.until(async () => services.find(({ output }) => output.includes('with the password')))
    expect(services.filter(({ output }) => output.includes('with the password'))).toEqual([told])
    const [, email, password] = /sign in as (\S+) with the password (\S+)/.exec(told?.output ?? '') ?? []
    for (const one of services) {
      expect(await one.anonymous.post('/v1/auth/login', { email, password })).toMatchObject({ status: 200 })
      const operator = one.anonymous.with({ authorization: `Bearer ${'k'.repeat(32)}` })
      expect((await operator.get('/v1/system/organisations')).body).toMatchObject({ total: 1 })
    }
  })
})
