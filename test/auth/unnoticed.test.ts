import { afterEach, describe, expect, it } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import { freshEngine } from '../support/database.ts'
import { unique } from '../support/given.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A delay that ends when the test says so, or when the service stops. */
function heldDelay() {
  const held: (() => void)[] = []
  return {
    delay: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        held.push(resolve)
        signal.addEventListener('abort', () => resolve())
      }),
    waiting: () => held.length,
    release: () => {
      for (const resolve of held.splice(0)) resolve()
    },
  }
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function aService(options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> {
  const service = await startTestService(options)
  stops.push(() => service.stop())
  return service
}

const failuresOf = async (service: TestService, organisationId: string) =>
  (await service.database.tenant(organisationId).selectFrom('auditLogs').select('id').where('action', '=', 'login.failed').execute()).length
const mailsTo = ({ mailbox }: TestService, address: string) =>
  mailbox.mails.filter(({ to, subject }) => to === address && subject === 'Choose a new password').length

describe('the work after a response that must not reveal an account', () => {
  it('waits for its time after the response, whether or not there is anything to do', async () => {
    const { delay, release, waiting } = heldDelay()
    const service = await aService({ delayAfterResponse: delay })
    const { given, anonymous, mailbox } = service
    const organisation = await given.organisation()
    const user = await given.user(organisation.owner, { password: undefined })
    const { email } = organisation.owner

    expect(await anonymous.post('/v1/auth/login', { email, password: 'a wrong one' })).toMatchObject({ status: 401 })
    expect(await anonymous.post('/v1/auth/login', { email: `nobody-${email}`, password: 'a wrong one' })).toMatchObject({ status: 401 })
    expect(await anonymous.post('/v1/auth/password/forgot', { email: user.email })).toMatchObject({ status: 202 })
    expect(await anonymous.post('/v1/auth/password/forgot', { email: `nobody-${email}` })).toMatchObject({ status: 202 })
    await expect.poll(waiting).toBe(4)
    expect(await failuresOf(service, organisation.id)).toBe(0)
    expect(mailsTo(service, user.email)).toBe(0)

    release()
    await service.settled()

    expect(await failuresOf(service, organisation.id)).toBe(1)
    await mailbox.mailTo(user.email, 'Choose a new password')
  })

  it('is done before a clean stop, however long it would have waited otherwise', async () => {
    const engine = await freshEngine()
    const { delay, waiting } = heldDelay()
    const service = await startTestService({ engine: { ...engine, close: async () => {} }, delayAfterResponse: delay })
    stops.push(() => engine.close())
    const { given, anonymous } = service
    const { id, owner } = await given.organisation()
    await anonymous.post('/v1/auth/login', { email: owner.email, password: 'a wrong one' })
    await anonymous.post('/v1/auth/password/forgot', { email: owner.email })
    await expect.poll(waiting).toBe(2)

    await service.stop()

    const entries = await createDatabase(engine, service.clock).tenant(id).selectFrom('auditLogs').select('action').execute()
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['login.failed', 'auth.password_reset_requested']))
    expect(service.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })

  it('is the same work for an unknown address, and leaves nothing behind', async () => {
    const engine = recordingEngine(await freshEngine())
    const service = await aService({ engine })
    const { given, anonymous, database } = service
    // For an unknown address, the same work is done for any account.
    await given.organisation()
    const { owner } = await given.organisation()
    const tables = ['auditLogs', 'actionLinks', 'mails'] as const
    const count = async () =>
      Promise.all(tables.map(async (table) => (await database.system().selectFrom(table).select('id').execute()).length))
    const forgot = (email: string) => workOf(engine, service, () => anonymous.post('/v1/auth/password/forgot', { email }))
    const fail = (email: string) => workOf(engine, service, () => anonymous.post('/v1/auth/login', { email, password: 'a wrong one' }))

    const known = [await forgot(owner.email), await fail(owner.email)]
    const before = await count()
    const unknown = [await forgot(`nobody-${unique()}@example.test`), await fail(`nobody-${unique()}@example.test`)]

    expect(unknown).toEqual(known)
    expect(known.flat().join()).toMatch(/insert into "?mails/)
    expect(known.flat().join()).toMatch(/insert into audit_logs/)
    expect(await count()).toEqual(before)
    expect(mailsTo(service, owner.email)).toBeLessThanOrEqual(1)
  })
})

/** The statements that a request and the work after it run. */
async function workOf(engine: RecordingEngine, service: TestService, request: () => Promise<unknown>): Promise<string[]> {
  await service.settled()
  engine.statements.length = 0
  await request()
  await service.settled()
  return engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
}
