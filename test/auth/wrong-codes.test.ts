import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { drainUndescribed } from '../support/described-answers.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { enrolPasskey, PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { startTestService, type TestService } from '../support/service.ts'

const environment = { TRUST_PROXY: '127.0.0.1' }
const secretKey = randomBytes(32)
let service: TestService
/** Another process on the same database. */
let other: TestService

beforeAll(async () => {
  const engine = await freshEngine()
  service = await startTestService({ engine, secretKey, environment })
  const { mailbox, clock } = service
  other = await startTestService({ engine: { ...engine, close: async () => {} }, secretKey, environment, clock, mailTransport: mailbox })
})
afterAll(async () => {
  await other?.stop()
  await service?.stop()
})

/** A user with an authenticator app. */
class Target {
  readonly owner: SignedInUser
  readonly organisationId: string
  readonly user: SignedInUser
  readonly authenticator: Authenticator
  readonly backupCodes: string[]

  constructor(owner: SignedInUser, organisationId: string, user: SignedInUser, enrolled: Awaited<ReturnType<typeof enrolAuthenticator>>) {
    this.owner = owner
    this.organisationId = organisationId
    this.user = user
    this.authenticator = enrolled.authenticator
    this.backupCodes = enrolled.backupCodes
  }

  async signInUntilCode(on = service): Promise<string> {
    const { email, password } = this.user
    const login = await on.anonymous.post('/v1/auth/login', { email, password })
    expect(login).toMatchObject({ status: 200, body: { status: 'mfa_required' } })
    return login.body.mfaToken
  }

  async enter(code: string, on = service): Promise<Answer> {
    return on.anonymous.post('/v1/auth/login/mfa', { mfaToken: await this.signInUntilCode(on), code })
  }

  /** Enters a number of wrong codes, at most five in five minutes. */
  async fail(times: number): Promise<void> {
    for (let attempt = 0; attempt < times; attempt++) {
      if (attempt % 5 === 0) service.clock.advance({ minutes: 5 })
      expect(await this.enter(this.authenticator.wrongCode())).toMatchObject({ status: 400, body: { code: 'invalid-verification-code' } })
    }
  }

  async entries(action: string) {
    const entries = service.database.tenant(this.organisationId).selectFrom('auditLogs').selectAll()
    return entries.where('targetId', '=', this.user.id).where('action', '=', action).orderBy('createdAt', 'desc').execute()
  }

  async mails(): Promise<number> {
    await service.settled()
    return service.mailbox.mails.filter(({ to, subject }) => to === this.user.email && subject === 'Wrong codes for your account').length
  }

  async state() {
    const tenant = service.database.tenant(this.organisationId)
    return tenant.selectFrom('users').select(['wrongCodes', 'codesRefusedUntil']).where('id', '=', this.user.id).executeTakeFirstOrThrow()
  }
}

async function aTarget(): Promise<Target> {
  const { owner, id } = await service.given.organisation()
  const user = await service.given.userWith(owner, [])
  return new Target(owner, id, user, await enrolAuthenticator(user, service.clock))
}

const refused = { status: 429, body: { code: 'too-many-wrong-codes', detail: 'Too many wrong codes, try again later' } }
const minutesToWait = (answer: Answer) => Number(answer.headers.get('retry-after')) / 60

describe('right codes', () => {
  it('use nothing up of the limit of five codes in five minutes', async () => {
    const target = await aTarget()
    for (let time = 0; time < 6; time++) expect(await target.enter(target.authenticator.nextCode())).toMatchObject({ status: 200 })
  })
})

describe('wrong codes in a row', () => {
  it('are merely refused before the tenth, and reset by a right one', async () => {
    const target = await aTarget()
    await target.fail(9)
    service.clock.advance({ minutes: 5 })
    expect(await target.enter(target.authenticator.nextCode())).toMatchObject({ status: 200 })

    await target.fail(9)

    service.clock.advance({ minutes: 5 })
    expect(await target.enter(target.authenticator.nextCode())).toMatchObject({ status: 200 })
    expect(await target.entries('login.locked')).toEqual([])
    expect(await target.mails()).toBe(0)
  })

  it('cause, with the tenth, 15 minutes in which codes are refused on every route', async () => {
    const target = await aTarget()
    await target.fail(10)
    const { user, authenticator, backupCodes } = target

    const atSignIn = await target.enter(authenticator.nextCode())
    expect(atSignIn).toMatchObject(refused)
    expect(minutesToWait(atSignIn)).toBeGreaterThan(14)
    expect(minutesToWait(atSignIn)).toBeLessThanOrEqual(15)
    expect(await target.enter(backupCodes[0] ?? '')).toMatchObject(refused)
    for (const path of ['check', 'disable', 'backup-codes', 'enable']) {
      const answer = await user.post(`/v1/me/mfa/${path}`, { method: 'totp', replace: true, token: authenticator.code() })
      expect(answer).toMatchObject(refused)
      expect(minutesToWait(answer)).toBeGreaterThan(14)
    }
    service.clock.advance({ minutes: 13 })
    expect(await target.enter(authenticator.nextCode())).toMatchObject(refused)

    service.clock.advance({ minutes: 1 })
    expect(await target.enter(authenticator.nextCode())).toMatchObject({ status: 200 })
    expect(await target.enter(backupCodes[0] ?? '')).toMatchObject({ status: 200 })
    expect(await target.state()).toEqual({ wrongCodes: 0, codesRefusedUntil: null })
  })

  it('are mailed to the user once, and recorded with every wait', async () => {
    const target = await aTarget()
    await target.fail(9)
    expect(await target.mails()).toBe(0)

    await target.fail(1)
    const mail = await service.mailbox.mailTo(target.user.email, 'Wrong codes for your account')
    expect(mail.text).toContain('Ten wrong codes in a row')
    expect(mail.text).toContain('15 minutes')
    expect(mail.text).toContain('/password/forgot')
    const { codesRefusedUntil } = await target.state()
    const first = { because: 'wrong codes', wrongCodes: 10, lockedUntil: codesRefusedUntil?.toISOString() }
    expect(await target.entries('login.locked')).toMatchObject([{ actorId: null, ipAddress: expect.any(String), metadata: first }])

    service.clock.advance({ minutes: 15 })
    await target.fail(5)
    expect(await target.mails()).toBe(1)
    expect(await target.entries('login.locked')).toMatchObject([{ metadata: { wrongCodes: 15 } }, { metadata: first }])
    expect(await target.entries('login.failed')).toHaveLength(15)
  })

  it('double the wait with every further five, up to a day, until a right one ends it', async () => {
    // The waits are compared to the minute.
    service.clock.stop()
    const target = await aTarget()
    await target.fail(5)
    const waits: number[] = []
    const doubled = [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440]
    for (const minutes of doubled) {
      await target.fail(5)
      const answer = await target.enter(target.authenticator.nextCode())
      expect(answer).toMatchObject(refused)
      waits.push(Math.round(minutesToWait(answer)))
      service.clock.advance({ minutes })
    }
    expect(waits).toEqual(doubled)
    expect(await target.mails()).toBe(1)

    expect(await target.enter(target.authenticator.nextCode())).toMatchObject({ status: 200 })
    await target.fail(10)
    expect(Math.round(minutesToWait(await target.enter(target.authenticator.nextCode())))).toBe(15)
    expect(await target.mails()).toBe(2)
  })

  it('include backup codes, and codes on the routes of the signed-in user, who is then named in the entry', async () => {
    const target = await aTarget()
    await target.fail(5)
    service.clock.advance({ minutes: 5 })
    for (let attempt = 0; attempt < 2; attempt++) expect(await target.enter('0000-0000-0000-0000')).toMatchObject({ status: 400 })
    const { user, authenticator } = target
    const token = authenticator.wrongCode()
    expect(await user.post('/v1/me/mfa/check', { token })).toMatchObject({ status: 200, body: { valid: false } })
    expect(await user.post('/v1/me/mfa/disable', { token })).toMatchObject({ status: 400 })

    expect(await user.post('/v1/me/mfa/backup-codes', { token })).toMatchObject({ status: 400 })

    expect(await target.enter(authenticator.nextCode())).toMatchObject(refused)
    expect(await target.entries('login.locked')).toMatchObject([{ actorId: user.id }])
  })

  it('are not counted without a second factor to guess', async () => {
    const { owner, id } = await service.given.organisation()
    const user = await service.given.userWith(owner, [])
    await user.post('/v1/me/mfa/enable')
    for (let attempt = 0; attempt < 12; attempt++) {
      if (attempt % 4 === 0) service.clock.advance({ minutes: 5 })
      await user.post(`/v1/me/mfa/${attempt % 2 ? 'check' : 'verify'}`, { token: '000000' })
    }

    const users = service.database.tenant(id).selectFrom('users').select('wrongCodes').where('id', '=', user.id)
    expect(await users.executeTakeFirst()).toEqual({ wrongCodes: 0 })
    expect(await user.post('/v1/me/mfa/check', { token: '000000' })).toMatchObject({ status: 200 })
  })
})

describe('a failed check of a code', () => {
  it('counts as no wrong code when a factor is enrolled, as at a sign-in', async () => {
    const { owner, id } = await service.given.organisation()
    const user = await service.given.userWith(owner, [])
    const { secret } = (await user.post('/v1/me/mfa/enable')).body
    const ofUser = () => service.database.tenant(id)
    const stored = await ofUser()
      .selectFrom('mfaCredentials')
      .select('secretEncrypted')
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow()
    const store = (secretEncrypted: string | null) =>
      ofUser().updateTable('mfaCredentials').set({ secretEncrypted }).where('userId', '=', user.id).execute()
    await store('unreadable')
    for (let attempt = 0; attempt < 6; attempt++) {
      expect(await user.post('/v1/me/mfa/verify', { token: '000000' })).toMatchObject({ status: 500 })
    }
    // No description has what only a defect leads to.
    expect(drainUndescribed()).toHaveLength(6)

    await store(stored.secretEncrypted)
    const token = new Authenticator(secret, service.clock).code()
    expect(await user.post('/v1/me/mfa/verify', { token })).toMatchObject({ status: 200 })
  })
})

async function aUserWithKey() {
  const { owner, id } = await service.given.organisation()
  const user = await service.given.userWith(owner, [])
  await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'] })
  const key = new PasskeyDevice({ verifiesUser: false })
  expect(await registerPasskey(user, key)).toMatchObject({ canSignIn: false })
  expect(await enrolPasskey(user, key)).toMatchObject({ status: 200 })
  const begin = async () => {
    const { mfaToken } = (await service.anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).body
    const { options } = (await service.anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })).body
    return { mfaToken, credential: key.get(options) }
  }
  const complete = (proof: object) => service.anonymous.post('/v1/auth/login/mfa', proof)
  const wrongCodes = async () => {
    const users = service.database.tenant(id).selectFrom('users').select('wrongCodes').where('id', '=', user.id)
    return (await users.executeTakeFirstOrThrow()).wrongCodes
  }
  return { owner, user, begin, complete, wrongCodes }
}

describe('a passkey as second factor', () => {
  it('is accepted while codes are refused, and leaves the wait as it is', async () => {
    const { begin, complete, wrongCodes } = await aUserWithKey()
    for (let attempt = 0; attempt < 10; attempt++) {
      if (attempt % 5 === 0) service.clock.advance({ minutes: 5 })
      const { mfaToken } = await begin()
      expect(await complete({ mfaToken, code: '000000' })).toMatchObject({ status: 400 })
    }
    const { mfaToken, credential } = await begin()
    expect(await complete({ mfaToken, code: '000000' })).toMatchObject(refused)

    expect(await complete({ mfaToken, credential })).toMatchObject({ status: 200, body: { status: 'authenticated' } })

    expect(await wrongCodes()).toBe(10)
    expect(await complete({ mfaToken: (await begin()).mfaToken, code: '000000' })).toMatchObject(refused)
  })

  it('is no code when it is wrong, and counts in its own sign-in or session alone', async () => {
    const { user, begin, complete, wrongCodes } = await aUserWithKey()
    const { mfaToken, credential } = await begin()
    const forged = { ...credential, response: { ...credential.response, signature: 'AAAA' } }
    for (let attempt = 0; attempt < 5; attempt++) expect(await complete({ mfaToken, credential: forged })).toMatchObject({ status: 400 })
    expect((await complete({ mfaToken, credential })).status).toBeGreaterThanOrEqual(400)
    const flowToken = (await user.post('/v1/me/mfa/passkey/options')).body.flowToken
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await user.post('/v1/me/mfa/disable', { flowToken, credential: forged })).toMatchObject({ status: 400 })
    expect(await user.post('/v1/me/mfa/disable', { flowToken, credential: forged })).toMatchObject(refused)

    expect(await wrongCodes()).toBe(0)
    expect(await complete(await begin())).toMatchObject({ status: 200, body: { status: 'authenticated' } })
  })
})

describe('a wrong passkey', () => {
  it('is recorded five times in five minutes, however many sign-ins it comes in, and refuses and locks nothing', async () => {
    const { owner, user, begin, complete } = await aUserWithKey()
    const recorded = async () => (await owner.audit({ action: 'login.failed', targetId: user.id })).length
    const enterWrong = async () => {
      const { mfaToken, credential } = await begin()
      return complete({ mfaToken, credential: { ...credential, response: { ...credential.response, signature: 'AAAA' } } })
    }
    for (let attempt = 0; attempt < 7; attempt++) expect(await enterWrong()).toMatchObject({ status: 400 })

    expect(await recorded()).toBe(5)
    expect(await complete(await begin())).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({ lockedUntil: null })
    service.clock.advance({ minutes: 6 })
    await enterWrong()
    expect(await recorded()).toBe(6)
  })
})

describe('codes that are entered at the same moment, at two processes', () => {
  it('are checked up to the limit and no further', async () => {
    const target = await aTarget()
    await target.fail(9)
    service.clock.advance({ minutes: 5 })
    const wrong = target.authenticator.wrongCode()
    const tokens = await Promise.all([service, other, service, other].map((process) => target.signInUntilCode(process)))

    const answers = await Promise.all(
      tokens.flatMap((mfaToken, index) =>
        Array.from({ length: 5 }, () => (index % 2 ? other : service).anonymous.post('/v1/auth/login/mfa', { mfaToken, code: wrong })),
      ),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([400, ...Array(19).fill(429)])
    expect(await target.state()).toMatchObject({ wrongCodes: 10 })
    expect(await target.entries('login.locked')).toHaveLength(1)
    expect(await target.mails()).toBe(1)
  })
})

describe('the wait after wrong codes', () => {
  const waiting = async () => {
    const target = await aTarget()
    await target.fail(10)
    return target
  }

  it('applies on every process, also on one that was restarted', async () => {
    const target = await waiting()
    await sql`delete from rate_limits`.execute(service.database.system())

    const answer = await target.enter(target.authenticator.nextCode(), other)

    expect(answer).toMatchObject(refused)
    expect(minutesToWait(answer)).toBeGreaterThan(14)
  })

  it('applies when rate limits are disabled', async () => {
    const unlimited = await startTestService({ environment: { RATE_LIMIT: 'off' } })
    onTestFinished(() => unlimited.stop())
    const { owner } = await unlimited.given.organisation()
    const user = await unlimited.given.userWith(owner, [])
    const { authenticator } = await enrolAuthenticator(user, unlimited.clock)
    const check = (token: string) => user.post('/v1/me/mfa/check', { token })
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await check(authenticator.wrongCode())).toMatchObject({ status: 200, body: { valid: false } })
    }

    expect(await check(authenticator.nextCode())).toMatchObject(refused)
  })

  it('applies when a password is set by a mailed link', async () => {
    const target = await waiting()
    const { email } = target.user
    await service.anonymous.with({ 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}::1` }).post('/v1/auth/password/forgot', { email })
    const token = await service.mailbox.tokenTo(email, 'Choose a new password')
    const password = 'another horse battery'
    expect((await service.anonymous.post('/v1/auth/password/reset', { token, password })).status).toBe(200)

    const { mfaToken } = (await service.anonymous.post('/v1/auth/login', { email, password })).body
    expect(await service.anonymous.post('/v1/auth/login/mfa', { mfaToken, code: target.authenticator.nextCode() })).toMatchObject(refused)
  })

  it('is ended by an administrator, which is audited', async () => {
    const target = await waiting()

    expect((await target.owner.delete(`/v1/admin/users/${target.user.id}/lock`)).status).toBe(204)

    expect(await target.enter(target.authenticator.nextCode())).toMatchObject({ status: 200 })
    expect(await target.entries('login.unlocked')).toMatchObject([
      { actorId: target.owner.id, changes: null, metadata: { because: 'wrong codes' } },
    ])
  })

  it('is ended by the operator, which the response says', async () => {
    const target = await waiting()
    const path = `/v1/system/organisations/${target.organisationId}/users/${target.user.id}/recover`

    expect(await service.operator.post(path, { unlock: true })).toMatchObject({ status: 200, body: { done: ['unlock'] } })

    expect(await target.enter(target.authenticator.nextCode())).toMatchObject({ status: 200 })
    expect(await target.entries('login.unlocked')).toHaveLength(1)
    expect(await service.operator.post(path, { unlock: true })).toMatchObject({ status: 200, body: { done: [] } })
  })

  it.each([
    ['an administrator', (target: Target) => target.owner.patch(`/v1/admin/users/${target.user.id}`, { mfaEnabled: false })],
    [
      'the operator',
      (target: Target) =>
        service.operator.post(`/v1/system/organisations/${target.organisationId}/users/${target.user.id}/recover`, {
          removeSecondFactors: true,
        }),
    ],
  ])('ends with the factors that %s removes', async (_, take) => {
    const target = await waiting()

    expect(await take(target)).toMatchObject({ status: 200 })

    expect(await target.state()).toEqual({ wrongCodes: 0, codesRefusedUntil: null })
  })

  it('is removed with an erased user', async () => {
    const target = await waiting()
    const path = `/v1/system/organisations/${target.organisationId}/users/${target.user.id}/erase`

    expect((await service.operator.post(path)).status).toBeLessThan(300)

    expect(await target.state()).toEqual({ wrongCodes: 0, codesRefusedUntil: null })
  })
})
