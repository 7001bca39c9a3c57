import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { cookieOf, type SignedInUser, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { HttpClient } from '../support/http-client.ts'
import { acceptance, invite } from '../support/invite.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'

const rounds = (count: number) => Array.from({ length: count }, (_, round) => round)
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()

/** Waits until this many responses have arrived. */
function answered(answers: Promise<Answer>[], count: number): Promise<void> {
  if (count === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    let there = 0
    for (const answer of answers) answer.then(() => ++there === count && resolve(), reject)
  })
}

/** One of the services that can receive a request. */
interface Server {
  origin: string
  logLines(): string[]
  stop(): Promise<unknown>
}

function races(start: () => Promise<{ service: TestService; others: Server[] }>) {
  let service: TestService | undefined
  let servers: Server[] = []
  beforeAll(async () => {
    const started = await start()
    service = started.service
    const { origin, logLines } = service
    servers = [{ origin, logLines: () => logLines, stop: () => started.service.stop() }, ...started.others]
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  const first = () => service as TestService
  const last = () => servers.at(-1) as Server
  /** The same caller at the first and at the last service. */
  const both = ({ headers }: HttpClient) =>
    [first(), last()].map(({ origin }) => new HttpClient(origin, headers)) as [HttpClient, HttpClient]

  /** Tries to sign in six times at once, and calls `act` when this many responses have arrived. */
  async function signInsDuring(user: SignedInUser, count: number, act: () => Promise<Answer>) {
    const [one, other] = both(new HttpClient(first().origin))
    const credentials = { email: user.email, password: user.password }
    const tries = [one, other, one, other, one, other].map((caller) => caller.post('/v1/auth/login', credentials))
    await answered(tries, count)
    const acted = await act()
    return { acted, logins: await Promise.all(tries) }
  }

  async function expectAllSignedOut(logins: Answer[]) {
    for (const login of logins.filter(({ status }) => status === 200)) {
      for (const caller of both(new HttpClient(first().origin))) {
        const session = await caller.get('/v1/auth/csrf', { headers: { cookie: cookieOf(login) } })
        expect(session.status).toBe(401)
      }
    }
  }

  it('create one role for one slug', async () => {
    const { owner } = await first().given.organisation()
    const [one, other] = both(owner)
    for (const round of rounds(15)) {
      const slug = `role-${round}`
      const answers = await Promise.all([one, other, one, other].map((by) => by.post('/v1/admin/roles', { name: slug, slug })))

      expect(statusesOf(answers)).toEqual([201, 409, 409, 409])
      for (const { status, body } of answers) if (status === 409) expect(body.detail).toBe('Role slug already in use')
    }
    const { data } = (await owner.get('/v1/admin/audit-logs?action=role.created&limit=1000')).body
    expect(data.filter(({ actorId }: { actorId: string }) => actorId === owner.id)).toHaveLength(15)
    expect((await owner.get('/v1/admin/roles')).body.total).toBe(3 + 15)
  })

  it('create one user for one e-mail, whichever organisation is first', async () => {
    const [here, there] = [await first().given.organisation(), await first().given.organisation()]
    const [one] = both(here.owner)
    const [, other] = both(there.owner)
    for (const _ of rounds(15)) {
      const email = `user-${unique()}@example.test`
      const answers = await Promise.all(
        [one, other].map((by) => by.post('/v1/admin/users', { email, firstName: 'Carol', lastName: 'Shaw' })),
      )

      expect(statusesOf(answers)).toEqual([201, 409])
      expect(answers.find(({ status }) => status === 409)?.body.detail).toBe('Email already registered')
    }
    const totals = await Promise.all([one, other].map(async (by) => (await by.get('/v1/admin/users')).body.total))
    expect(totals[0] + totals[1]).toBe(2 + 15)
  })

  it('create one user for one invitation', async () => {
    const { owner } = await first().given.organisation()
    for (const _ of rounds(4)) {
      const { token } = await invite(first(), owner)
      const answers = await Promise.all(
        both(new HttpClient(first().origin)).map((by) => by.post('/v1/auth/invitations/accept', acceptance(token))),
      )

      expect(statusesOf(answers)).toEqual([201, 400])
    }
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1 + 4)
  })

  it('leave a blocked user signed out, at whatever moment of a sign-in the block comes', async () => {
    const { owner } = await first().given.organisation()
    for (const round of rounds(6)) {
      const user = await first().given.userWith(owner, [])
      const block = () => owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })

      const { acted, logins } = await signInsDuring(user, round, block)

      expect(acted.status).toBe(200)
      for (const { status, body } of logins)
        if (status !== 200) expect({ status, body }).toMatchObject({ status: 403, body: { detail: 'User is blocked' } })
      await expectAllSignedOut(logins)
    }
  })

  it('leave all users of a suspended organisation signed out, at whatever moment of a sign-in it comes', async () => {
    for (const round of rounds(6)) {
      const { id, owner } = await first().given.organisation()
      const suspend = () => first().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })

      const { acted, logins } = await signInsDuring(owner, round, suspend)

      expect(acted.status).toBe(200)
      for (const { status, body } of logins) {
        if (status !== 200) expect({ status, body }).toMatchObject({ status: 403, body: { detail: 'Organisation is suspended' } })
      }
      await expectAllSignedOut(logins)
    }
  })

  it('accept a backup code and a TOTP code once', async () => {
    const { owner } = await first().given.organisation()
    const user = await first().given.userWith(owner, [])
    const { authenticator, backupCodes } = await enrolAuthenticator(user, first().clock)
    for (const code of [...backupCodes.slice(0, 3), authenticator.nextCode()]) {
      const answers = await Promise.all(
        both(new HttpClient(first().origin)).map(async (by) => {
          const { body } = await by.post('/v1/auth/login', { email: user.email, password: user.password })
          return by.post('/v1/auth/login/mfa', { mfaToken: body.mfaToken, code })
        }),
      )
      expect(statusesOf(answers)).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)?.body.detail).toBe('Invalid verification code')
    }
  })

  it('never end in an error of the service', () => {
    const lines = servers.flatMap((server) => server.logLines())
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.filter((line) => /"status":5\d\d/.test(line) || JSON.parse(line).level >= 50)).toEqual([])
  })
}

describe('requests at the same moment to one service', () => {
  races(async () => ({ service: await startTestService(), others: [] }))
})

describe.runIf(databaseKind() === 'postgres')('requests at the same moment to two processes on one PostgreSQL', () => {
  races(async () => {
    const url = await freshPostgresUrl()
    const secretKey = randomBytes(32)
    const service = await startTestService({ engine: openPostgres(url, { poolSize: 10 }), secretKey })
    return { service, others: [await startOtherProcess(service, url, secretKey)] }
  })
})

/** The real program on the same database. Either process may send a mail, so both write mails where the tests look for them. */
async function startOtherProcess({ mailbox }: TestService, databaseUrl: string, secretKey: Buffer): Promise<Server> {
  const smtp = await TestSmtpServer.start({
    onMail: ({ to, subject = '', text = '', html = '' }) =>
      void mailbox.send({ to: to?.[0]?.address ?? '', language: 'en', subject, text, html }),
  })
  const home = await processHome()
  const program = await ServiceProcess.start({
    ...home.environment,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://gatehouse.test',
    ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
    SECRET_KEY: secretKey.toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  })
  await program.ready()
  return {
    origin: program.origin,
    // Statements from before it was ready do not matter.
    logLines: () =>
      program.output
        .split('Gatehouse is ready')
        .at(-1)
        ?.split('\n')
        .filter((line) => line.startsWith('{')) ?? [],
    async stop() {
      await program.end()
      await Promise.all([smtp.stop(), home.remove()])
    },
  }
}
