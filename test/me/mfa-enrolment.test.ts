import { describe, expect, it } from 'vitest'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { cookieOf, SignedInUser } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()
const newPassword = 'another long passphrase'
const notStarted = { status: 400, body: { code: 'mfa-enrollment-not-started' } }

async function aUser() {
  const organisation = await service().given.organisation()
  return { organisation, user: await service().given.userWith(organisation.owner, []) }
}

const begin = async (user: SignedInUser) => new Authenticator((await user.post('/v1/me/mfa/enable')).body.secret, service().clock)

/** Signs in where a second factor has to be enrolled first. */
async function signInToEnrol({ email, password }: { email: string; password: string }): Promise<SignedInUser> {
  const login = await service().anonymous.post('/v1/auth/login', { email, password })
  expect(login).toMatchObject({ status: 200, body: { status: 'mfa_enrollment_required' } })
  return new SignedInUser(service().origin, login, { email, password })
}

/** A browser that has the session of the user. */
async function browserOf({ email, password }: { email: string; password: string }, path = '/login') {
  const browser = new PageVisitor(service().origin)
  const signedIn = await browser.submit(path, { email, password })
  expect(signedIn).toMatchObject({ status: 303 })
  return { browser, cookie: cookieOf(signedIn) }
}

const credentialsOf = (organisationId: string) =>
  service().database.tenant(organisationId).selectFrom('mfaCredentials').select(['id', 'verifiedAt']).execute()
const secretIn = (body: string) => /class="secret">([A-Z2-7 ]+)</.exec(body)?.[1]?.replaceAll(' ', '')

describe('a pending enrolment', () => {
  it('is not completed by another session of the user, nor restarted by it', async () => {
    const { user } = await aUser()
    const other = await service().given.signIn(user.email)
    const authenticator = await begin(user)

    expect(await other.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject(notStarted)
    expect((await user.get('/v1/me/profile')).body.mfaEnabled).toBe(false)

    const others = await begin(other)
    expect(await other.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({
      status: 400,
      body: { code: 'invalid-verification-code' },
    })
    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({ status: 200 })
    expect(await other.post('/v1/me/mfa/verify', { token: others.code() })).not.toMatchObject({ status: 200 })
  })

  it('is not completed by a method that the organisation no longer allows', async () => {
    const { organisation, user } = await aUser()
    const authenticator = await begin(user)
    const allow = (...allowedMfaMethods: string[]) => organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods })
    expect(await allow('sms')).toMatchObject({ status: 200 })

    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({
      status: 400,
      body: { code: 'mfa-method-not-allowed', detail: 'The organisation does not allow the MFA method totp' },
    })
    expect((await user.get('/v1/me/profile')).body.mfaEnabled).toBe(false)
    await allow('totp', 'sms')
    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({ status: 200 })
  })

  it('by text message is not completed by another session', async () => {
    const { organisation, user } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms'] })
    const other = await service().given.signIn(user.email)
    const phone = '+4915112345990'
    await user.post('/v1/me/mfa/enable', { method: 'sms', phone })

    const token = service().phones.codeTo(phone)
    expect(await other.post('/v1/me/mfa/verify', { token })).toMatchObject(notStarted)
    expect(await user.post('/v1/me/mfa/verify', { token })).toMatchObject({ status: 200 })
  })

  it('is deleted by a change of the password, even for the session that changed it', async () => {
    const { organisation, user } = await aUser()
    const authenticator = await begin(user)

    expect(await user.post('/v1/me/password', { currentPassword: user.password, newPassword })).toMatchObject({ status: 204 })

    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject(notStarted)
    expect(await credentialsOf(organisation.id)).toEqual([])
  })

  it('is deleted by a reset of the password', async () => {
    const { organisation, user } = await aUser()
    await begin(user)
    await organisation.owner.post(`/v1/admin/users/${user.id}/password-reset`)
    await service().given.setPassword(user.email, newPassword, 'Choose a new password')

    expect(await credentialsOf(organisation.id)).toEqual([])
  })

  it('is deleted by a sign-in into enrolment', async () => {
    const { organisation, user } = await aUser()
    const stale = await begin(user)
    await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })

    const enrolling = await signInToEnrol(user)

    expect(await credentialsOf(organisation.id)).toEqual([])
    expect(await user.post('/v1/me/mfa/verify', { token: stale.code() })).toMatchObject(notStarted)
    expect(await enrolling.post('/v1/me/mfa/verify', { token: stale.code() })).toMatchObject(notStarted)
    const authenticator = await begin(enrolling)
    expect(await enrolling.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({ status: 200 })
  })
})

describe('GET /mfa/enroll', () => {
  it('creates nothing until it is submitted, nor do HEAD and a reload', async () => {
    const { organisation, user } = await aUser()
    const { browser, cookie } = await browserOf(user)
    const entries = async () => (await organisation.owner.audit({ targetId: user.id })).length
    const before = await entries()

    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await service().anonymous.request(method, '/mfa/enroll', { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(secretIn(answer.body ?? '')).toBeUndefined()
    }
    expect(await credentialsOf(organisation.id)).toEqual([])
    expect(await entries()).toBe(before)

    expect(await browser.submit('/mfa/enroll/method', {}, {}, '/mfa/enroll')).toMatchObject({ status: 303 })
    const shown = secretIn((await browser.open('/mfa/enroll')).body)
    expect(shown).toMatch(/^[A-Z2-7]{32}$/)
    expect(secretIn((await browser.open('/mfa/enroll')).body)).toBe(shown)
    expect(await entries()).toBe(before + 1)
  })

  it('never shows an enrolment of another session', async () => {
    const { organisation, user } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })
    // An attacker who knows the password has a session of their own.
    const attacker = await browserOf(user)
    const victim = await browserOf(user)
    await victim.browser.submit('/mfa/enroll/method', {}, {}, '/mfa/enroll')
    const secret = secretIn((await victim.browser.open('/mfa/enroll')).body)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)

    expect((await attacker.browser.open('/mfa/enroll')).body).not.toContain('class="secret"')
    await attacker.browser.submit('/mfa/enroll/method', {}, {}, '/mfa/enroll')
    const theirs = secretIn((await attacker.browser.open('/mfa/enroll')).body)
    expect(theirs).toMatch(/^[A-Z2-7]{32}$/)
    expect(theirs).not.toBe(secret)
    const code = new Authenticator(secret as string, service().clock).code()
    expect(await victim.browser.submit('/mfa/enroll', { code })).toMatchObject({ status: 200 })
  })

  it('offers a link for the phone that shows the code', async () => {
    const { user } = await aUser()
    const { browser } = await browserOf(user)
    await browser.submit('/mfa/enroll/method', {}, {}, '/mfa/enroll')

    const { body } = await browser.open('/mfa/enroll')

    const link = /href="(otpauth:[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(new URL(link).searchParams.get('secret')).toBe(secretIn(body))
  })
})

describe('an authenticator that is replaced', () => {
  it('works until the new one is proven, and not afterwards', async () => {
    const { organisation, user } = await aUser()
    const { authenticator: old } = await enrolAuthenticator(user, service().clock)
    const other = await signInWithCode(user, old.nextCode())

    const wrong = { method: 'totp', token: old.wrongCode(), replace: true }
    expect(await user.post('/v1/me/mfa/enable', wrong)).toMatchObject({ status: 400, body: { code: 'invalid-verification-code' } })
    expect(await user.post('/v1/me/mfa/enable', { method: 'totp', replace: true })).toMatchObject({
      status: 400,
      body: { code: 'mfa-already-enabled' },
    })
    const begun = await user.post('/v1/me/mfa/enable', { method: 'totp', token: old.nextCode(), replace: true })
    expect(begun).toMatchObject({ status: 200, body: { secret: expect.any(String) } })
    const renewed = new Authenticator(begun.body.secret, service().clock)
    expect(await user.post('/v1/me/mfa/check', { token: old.nextCode() })).toMatchObject({ body: { valid: true } })
    expect(await user.post('/v1/me/mfa/check', { token: renewed.code() })).toMatchObject({ body: { valid: false } })
    expect(await other.post('/v1/me/mfa/verify', { token: renewed.code() })).not.toMatchObject({ status: 200 })

    const verified = await user.post('/v1/me/mfa/verify', { token: renewed.code() })

    expect(verified).toMatchObject({ status: 200, body: { backupCodes: expect.any(Array) } })
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await user.post('/v1/me/mfa/check', { token: old.nextCode() })).toMatchObject({ body: { valid: false } })
    expect(await user.post('/v1/me/mfa/check', { token: renewed.code() })).toMatchObject({ body: { valid: true } })
    expect(await credentialsOf(organisation.id)).toHaveLength(1)
  })

  it('is replaced at /account, too', async () => {
    const { user } = await aUser()
    const { browser } = await browserOf(user)
    await browser.submit('/mfa/enroll/method', {}, {}, '/mfa/enroll')
    const secret = secretIn((await browser.open('/mfa/enroll')).body) as string
    const old = new Authenticator(secret, service().clock)
    await browser.submit('/mfa/enroll', { code: old.code() })

    const begun = await browser.submit('/account/second-factor', { action: 'replace', code: old.nextCode() })

    expect(begun).toMatchObject({ status: 303 })
    expect(begun.headers.get('location')).toContain('/mfa/enroll')
    const next = secretIn((await browser.open('/mfa/enroll')).body) as string
    expect(next).toMatch(/^[A-Z2-7]{32}$/)
    expect(next).not.toBe(secret)
    const code = new Authenticator(next, service().clock).code()
    expect(await browser.submit('/mfa/enroll', { code })).toMatchObject({ status: 200 })
  })
})

async function signInWithCode({ email, password }: SignedInUser, code: string): Promise<SignedInUser> {
  const { anonymous, origin } = service()
  const { mfaToken } = (await anonymous.post('/v1/auth/login', { email, password })).body
  const login = await anonymous.post('/v1/auth/login/mfa', { mfaToken, code })
  return new SignedInUser(origin, login, { email, password })
}
