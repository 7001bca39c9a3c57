import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { cookieOf } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function aUser() {
  const { given, database } = service()
  const { owner, id } = await given.organisation()
  const user = await given.userWith(owner, [])
  return { owner, user, tenant: database.tenant(id) }
}
type Setting = Awaited<ReturnType<typeof aUser>>

const complete = (mfaToken: string, code: string) => service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code })

async function startSignIn({ user: { email, password } }: Setting): Promise<Answer> {
  const login = await service().anonymous.post('/v1/auth/login', { email, password })
  expect(login.status).toBe(200)
  return login
}

async function storedOf({ tenant }: Setting, login: Answer) {
  const session = tenant.selectFrom('sessions').select(['provenFactors', 'authenticationMethods', 'authenticatedAt'])
  return session.where('id', '=', login.body.session.id).executeTakeFirstOrThrow()
}

const minutesBetween = (one: string | Date, other: string | Date) => (new Date(other).getTime() - new Date(one).getTime()) / 60_000

describe('a session', () => {
  it('stores the password that was proven, and when', async () => {
    const setting = await aUser()

    const stored = await storedOf(setting, await startSignIn(setting))

    expect(stored).toMatchObject({ provenFactors: [{ factor: 'password' }], authenticationMethods: ['pwd'] })
    expect(stored.provenFactors?.[0]?.provenAt).toBe(stored.authenticatedAt.toISOString())
  })

  it('stores each factor with its own time', async () => {
    const setting = await aUser()
    const { authenticator } = await enrolAuthenticator(setting.user, service().clock)
    const { mfaToken } = (await startSignIn(setting)).body
    service().clock.advance({ minutes: 3 })

    const { provenFactors, authenticationMethods } = await storedOf(setting, await complete(mfaToken, authenticator.nextCode()))

    expect(provenFactors).toMatchObject([{ factor: 'password' }, { factor: 'totp' }])
    expect(minutesBetween(provenFactors?.[0]?.provenAt ?? '', provenFactors?.[1]?.provenAt ?? '')).toBeGreaterThan(3)
    expect(authenticationMethods).toEqual(['pwd', 'otp', 'mfa'])
  })

  it('stores a backup code as its own factor', async () => {
    const setting = await aUser()
    const { backupCodes } = await enrolAuthenticator(setting.user, service().clock)

    const done = await complete((await startSignIn(setting)).body.mfaToken, backupCodes[0] ?? '')

    expect(await storedOf(setting, done)).toMatchObject({
      provenFactors: [{ factor: 'password' }, { factor: 'backup_code' }],
      authenticationMethods: ['pwd', 'otp', 'mfa'],
    })
  })
})

describe('a row of the previous release, which stored no factors', () => {
  it('is a started sign-in that a second factor completes', async () => {
    const setting = await aUser()
    const { authenticator } = await enrolAuthenticator(setting.user, service().clock)
    const { mfaToken } = (await startSignIn(setting)).body
    await setting.tenant.updateTable('mfaChallenges').set({ provenFactors: null }).execute()

    const done = await complete(mfaToken, authenticator.nextCode())

    expect(done).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    expect(await storedOf(setting, done)).toMatchObject({
      provenFactors: [{ factor: 'password' }, { factor: 'totp' }],
      authenticationMethods: ['pwd', 'otp', 'mfa'],
    })
  })

  it.each([true, false])('is a session that becomes a full one by enrolling (written before: %s)', async (writtenBefore) => {
    const setting = await aUser()
    await setting.owner.patch('/v1/admin/organisation', { requireMfa: true })
    const login = await startSignIn(setting)
    if (writtenBefore) await setting.tenant.updateTable('sessions').set({ provenFactors: null }).execute()
    const limited = service().anonymous.with({ cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })

    await enrolAuthenticator(limited, service().clock)

    const stored = await storedOf(setting, login)
    expect(stored).toMatchObject({
      provenFactors: [{ factor: 'password', provenAt: stored.authenticatedAt.toISOString() }, { factor: 'totp' }],
      authenticationMethods: ['pwd', 'otp', 'mfa'],
    })
  })
})
