import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const password = 'another long passphrase'
const reset = (token: string, chosen = password) => service().anonymous.post('/v1/auth/password/reset', { token, password: chosen })
const inspect = (token: string) => service().anonymous.get(`/v1/auth/password/reset?token=${token}`)

/** A user with a link that sets a password. */
async function userWithLink(passwordPolicy?: Record<string, unknown>) {
  const { given, mailbox } = service()
  const organisation = await given.organisation()
  const user = await given.userWith(organisation.owner, [])
  if (passwordPolicy) await organisation.owner.patch('/v1/admin/organisation', { passwordPolicy })
  expect(await organisation.owner.post(`/v1/admin/users/${user.id}/password-reset`)).toMatchObject({ status: 202 })
  return { organisation, user, token: await mailbox.tokenTo(user.email, 'Choose a new password') }
}

/** Sets a password by a new link. */
async function resetAnew(email: string, chosen: string) {
  const mails = () => service().mailbox.mails.filter(({ to, subject }) => to === email && subject === 'Choose a new password').length
  // Within ten minutes the same link would be mailed again.
  service().clock.advance({ minutes: 10 })
  const before = mails()
  await service().anonymous.post('/v1/auth/password/forgot', { email })
  await expect.poll(mails).toBe(before + 1)
  return reset(await service().mailbox.tokenTo(email, 'Choose a new password'), chosen)
}

describe('GET /v1/auth/password/reset', () => {
  it("shows how long the link works and the organisation's password policy as it was set", async () => {
    const { token } = await userWithLink({ minLength: 12, requireNumber: true })

    const answer = await inspect(token)

    expect(answer).toMatchObject({
      status: 200,
      body: { valid: true, expiresAt: expect.stringMatching(/Z$/), passwordPolicy: { minLength: 12, requireNumber: true } },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await inspect(token)).toMatchObject({ body: { valid: true } })
  })

  it('calls a used, expired or forged link invalid and says no more', async () => {
    const invalidLink = { status: 200, body: { valid: false, expiresAt: null, passwordPolicy: null } }
    const { token } = await userWithLink()
    const { token: late } = await userWithLink()
    await reset(token)
    expect(await inspect(token)).toMatchObject(invalidLink)
    expect(await inspect('made-up')).toMatchObject(invalidLink)
    service().clock.advance({ hours: 1 })
    expect(await inspect(late)).toMatchObject(invalidLink)
    expect(await reset(late)).toMatchObject({ status: 400, body: { detail: 'Invalid or expired token' } })
  })

  it('names the field when there is no token', async () => {
    expect(await service().anonymous.get('/v1/auth/password/reset')).toMatchObject({ status: 400, body: { errors: [{ path: ['token'] }] } })
  })
})

describe('POST /v1/auth/password/reset', () => {
  it('says once that the address is verified, also when the welcome mail holds the link', async () => {
    const { given, mailbox } = service()
    const { owner } = await given.organisation()
    const { body: user } = await owner.post('/v1/admin/users', {
      email: `new-${unique()}@example.test`,
      firstName: 'New',
      lastName: 'User',
    })
    const verified = () => owner.audit({ action: 'auth.email_verified', targetId: user.id })
    expect(await verified()).toEqual([])

    expect(await reset(await mailbox.tokenTo(user.email, 'Your account at'))).toMatchObject({ status: 200 })

    expect(await verified()).toMatchObject([{ actorId: user.id, targetType: 'user' }])
    expect(await resetAnew(user.email, 'yet another passphrase')).toMatchObject({ status: 200 })
    expect(await verified()).toHaveLength(1)
  })

  it('verifies the address for the link that was mailed for it, too', async () => {
    const { user, token, organisation } = await userWithLink()
    const verification = await service().mailbox.tokenTo(user.email, 'Confirm your e-mail address')
    await reset(token)
    const before = (await organisation.owner.get(`/v1/admin/users/${user.id}`)).body
    expect(before.emailVerifiedAt).not.toBeNull()

    expect(await service().anonymous.post('/v1/auth/email/verify', { token: verification })).toMatchObject({ status: 200 })

    expect((await organisation.owner.get(`/v1/admin/users/${user.id}`)).body).toEqual(before)
    expect(await organisation.owner.audit({ action: 'auth.email_verified', targetId: user.id })).toHaveLength(1)
  })

  it('sets the password, ends all sessions, verifies the address and mails the user', async () => {
    const { user, token, organisation } = await userWithLink()
    await service().given.signIn(user.email)

    expect(await reset(token)).toMatchObject({ status: 200, body: { message: expect.any(String) } })

    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect((await organisation.owner.get(`/v1/admin/users/${user.id}/sessions`)).body.total).toBe(0)
    expect((await organisation.owner.get(`/v1/admin/users/${user.id}`)).body.emailVerifiedAt).not.toBeNull()
    await service().mailbox.mailTo(user.email, 'Your password has been changed')
    await service().given.signIn(user.email, password)
    const old = { email: user.email, password: user.password }
    expect(await service().anonymous.post('/v1/auth/login', old)).toMatchObject({ status: 401 })
  })

  it('checks the password by the policy, and the link stays valid for another try', async () => {
    const { token } = await userWithLink({ requireUppercase: true })

    expect(await reset(token)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['password'], message: 'Password must contain an upper-case letter' }] },
    })
    expect(await reset(token, 'seven')).toMatchObject({ status: 400, body: { errors: [{ code: 'too_small', path: ['password'] }] } })
    expect(await reset(token, 'Another long passphrase')).toMatchObject({ status: 200 })
  })

  it('called twice at the same moment, sets one of the passwords', async () => {
    const { user, token } = await userWithLink()

    const answers = await Promise.all([reset(token, 'the first of two'), reset(token, 'the second of two')])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = answers[0]?.status === 200 ? 'the first of two' : 'the second of two'
    await service().given.signIn(user.email, winner)
  })
})

describe('preventReuse', () => {
  it('refuses the current password and as many former ones', async () => {
    const { user, token } = await userWithLink({ preventReuse: 2 })
    const used = { status: 400, body: { errors: [{ code: 'custom', path: ['password'], message: 'Password has been used before' }] } }
    expect(await reset(token, user.password)).toMatchObject(used)
    expect(await reset(token, 'the second passphrase')).toMatchObject({ status: 200 })
    expect(await resetAnew(user.email, 'the third passphrase')).toMatchObject({ status: 200 })
    expect(await resetAnew(user.email, user.password)).toMatchObject(used)
    expect(await resetAnew(user.email, 'the fourth passphrase')).toMatchObject({ status: 200 })

    expect(await resetAnew(user.email, user.password)).toMatchObject({ status: 200 })
  })

  it('unset, allows former passwords and stores none', async () => {
    const { user, token, organisation } = await userWithLink()
    expect(await reset(token, user.password)).toMatchObject({ status: 200 })

    expect(await service().database.tenant(organisation.id).selectFrom('formerPasswords').select('userId').execute()).toEqual([])
  })
})

describe('maxAge', () => {
  const expired = { status: 403, body: { detail: 'Password has expired', resetToken: expect.any(String), expiresAt: expect.any(String) } }

  it('makes a sign-in return a token that sets another password', async () => {
    const { given, anonymous, clock } = service()
    const { owner } = await given.organisation()
    const { email } = await given.user(owner)
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 30 } })
    const credentials = { email, password: 'correct horse battery' }
    clock.advance({ days: 29 })
    await given.signIn(email)
    clock.advance({ days: 1 })

    const refused = await anonymous.post('/v1/auth/login', credentials)

    expect(refused).toMatchObject(expired)
    expect(refused.headers.getSetCookie()).toEqual([])
    const { resetToken } = refused.body
    expect(await reset(resetToken, credentials.password)).toMatchObject({ status: 400, body: { errors: [{ path: ['password'] }] } })
    expect(await reset(resetToken)).toMatchObject({ status: 200 })
    const user = await given.signIn(email, password)
    expect((await user.get('/v1/me/profile')).body.emailVerified).toBe(false)
  })

  it('does not reveal it to a caller with a wrong password or without the second factor', async () => {
    const { given, anonymous, clock } = service()
    const { owner } = await given.organisation()
    const user = await given.userWith(owner, [])
    const { authenticator } = await enrolAuthenticator(user, clock)
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 1 } })
    clock.advance({ days: 2 })

    expect(await anonymous.post('/v1/auth/login', { email: user.email, password: 'a wrong one' })).toMatchObject({ status: 401 })
    const login = await anonymous.post('/v1/auth/login', { email: user.email, password: user.password })
    expect(login).toMatchObject({ status: 200, body: { status: 'mfa_required' } })
    const { mfaToken } = login.body
    expect(await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.wrongCode() })).toMatchObject({ status: 400 })
    expect(await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.code() })).toMatchObject(expired)
  })
})
