import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { verifications } from '../support/password-hashing.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService

beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine })
})
afterAll(() => service?.stop())

const doors: { door: string; status: number; signIn(email: string, password: string): Promise<Answer> }[] = [
  {
    door: 'POST /v1/auth/login',
    status: 401,
    signIn: (email, password) => service.anonymous.post('/v1/auth/login', { email, password }),
  },
  {
    door: 'the page /login',
    status: 401,
    signIn: (email, password) => new PageVisitor(service.origin).submit('/login', { email, password }),
  },
]

const kinds: { kind: string; email(): Promise<string> }[] = [
  { kind: 'an account that there is', email: async () => (await service.given.organisation()).owner.email },
  {
    kind: 'a blocked user',
    email: async () => {
      const { owner } = await service.given.organisation()
      const user = await service.given.user(owner)
      await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
      return user.email
    },
  },
  {
    kind: 'a user without a password',
    email: async () => (await service.given.user((await service.given.organisation()).owner, { password: undefined })).email,
  },
  {
    kind: 'a user of a suspended organisation',
    email: async () => {
      const { owner, id } = await service.given.organisation()
      await service.operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })
      return owner.email
    },
  },
  {
    kind: 'a user of a cancelled organisation',
    email: async () => {
      const { owner, id } = await service.given.organisation()
      await service.operator.delete(`/v1/system/organisations/${id}`)
      return owner.email
    },
  },
]

/** A refused sign-in whose audit entry cannot be written yet, and the work that was done before the response. */
async function refused(signIn: (email: string, password: string) => Promise<Answer>, email: string) {
  await service.settled()
  const release = engine.holdBack('insert into audit_logs')
  engine.statements.length = 0
  verifications.length = 0
  try {
    const { status } = await signIn(email, 'wrong password')
    const statements = engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
    return { status, statements, verifications: [...verifications] }
  } finally {
    release()
    await service.settled()
  }
}

const failuresOf = async (email: string) => {
  const { id, organisationId } = await service.database
    .system()
    .selectFrom('users')
    .select(['id', 'organisationId'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const tenant = service.database.tenant(organisationId)
  return tenant.selectFrom('auditLogs').select('metadata').where('action', '=', 'login.failed').where('targetId', '=', id).execute()
}

describe.each(doors)('a wrong password at $door', ({ status, signIn }) => {
  it.each(kinds)('responds for $kind after the same work as for an unknown address', async ({ email }) => {
    const unknown = await refused(signIn, `nobody-${unique()}@example.test`)
    const known = await refused(signIn, await email())

    expect(unknown).toMatchObject({ status, verifications: [expect.stringMatching(/^m=/)] })
    expect(unknown.statements.join('\n')).toContain('from "users"')
    expect(known).toEqual(unknown)
  })

  it('writes its entry after the response', async () => {
    const { owner } = await service.given.organisation()
    const release = engine.holdBack('insert into audit_logs')
    expect(await signIn(owner.email, 'wrong password')).toMatchObject({ status })

    release()
    await service.settled()

    expect(await failuresOf(owner.email)).toEqual([{ metadata: { reason: 'wrong password' } }])
  })
})

describe('the entry of a refused sign-in', () => {
  it('names a missing password as the reason', async () => {
    const { owner } = await service.given.organisation()
    const { email } = await service.given.user(owner, { password: undefined })

    await service.anonymous.post('/v1/auth/login', { email, password: 'wrong password' })
    await service.settled()

    expect(await failuresOf(email)).toEqual([{ metadata: { reason: 'no password set' } }])
  })

  it('is written also when the caller did not wait for the response', async () => {
    const { owner } = await service.given.organisation()
    const body = JSON.stringify({ email: owner.email, password: 'wrong password' })
    const request = `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const release = engine.holdBack('from "users"')
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    // The second waits for the response to the first, which never happens: it is not tried.
    socket.write(request + request)
    socket.destroySoon()
    await once(socket, 'close')
    release()

    await expect.poll(() => failuresOf(owner.email)).toHaveLength(1)
    await service.settled()
    expect(await failuresOf(owner.email)).toHaveLength(1)
  })

  it('is written before a stop completes', async () => {
    const ownEngine = recordingEngine(await freshEngine())
    const closed: number[] = []
    const { close } = ownEngine
    const own = await startTestService({
      engine: Object.assign(ownEngine, {
        close: () => {
          closed.push(ownEngine.statements.filter(({ query }) => query.sql.includes('insert into audit_logs')).length)
          return close()
        },
      }),
    })
    const { owner } = await own.given.organisation()
    const release = ownEngine.holdBack('insert into audit_logs')
    ownEngine.statements.length = 0
    await own.anonymous.post('/v1/auth/login', { email: owner.email, password: 'wrong password' })

    const stopped = own.stop()
    await expect
      .poll(() =>
        fetch(own.origin).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed')
    expect(closed).toEqual([])
    release()
    await stopped

    expect(closed).toEqual([1])
  })

  it('is reported in the log, under the request, when it cannot be written', async () => {
    const { owner } = await service.given.organisation()
    const release = engine.holdBack('insert into audit_logs')
    const answer = await service.anonymous.post('/v1/auth/login', { email: owner.email, password: 'wrong password' })

    await release.reached
    release(new Error('The disk is full'))
    await service.settled()

    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(lines.find(({ msg }) => msg === 'a failed sign-in could not be recorded')).toMatchObject({
      reqId: answer.headers.get('x-request-id'),
      err: { message: 'The disk is full' },
    })
    expect(await failuresOf(owner.email)).toEqual([])
  })
})
