import { describe, expect, it } from 'vitest'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { cookieOf, type SignedInUser } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function aUser() {
  const organisation = await service().given.organisation()
  return { organisation, user: await service().given.userWith(organisation.owner, []) }
}

async function aUserWithMfa() {
  const { organisation, user } = await aUser()
  return { organisation, user, ...(await enrolAuthenticator(user, service().clock)) }
}

const invalidCode = { status: 400, body: { title: 'Bad Request', detail: 'Invalid verification code' } }
const mfaEnabledOf = async (user: SignedInUser) => (await user.get('/v1/me/profile')).body.mfaEnabled
const actionsOf = async (owner: SignedInUser, user: SignedInUser) =>
  (await owner.audit({ targetId: user.id }))
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action.startsWith('mfa.'))

describe('POST /v1/me/mfa/enable', () => {
  it('issues a secret and the address that an authenticator app scans', async () => {
    const { organisation, user } = await aUser()

    const enabled = await user.post('/v1/me/mfa/enable')

    expect(enabled).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^[A-Z2-7]{32}$/), message: expect.any(String) } })
    expect(Object.keys(enabled.body).sort()).toEqual(['message', 'qrCodeUri', 'secret'])
    const uri = new URL(enabled.body.qrCodeUri)
    expect(uri.protocol).toBe('otpauth:')
    expect(decodeURIComponent(uri.pathname)).toContain(user.email)
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: enabled.body.secret,
      issuer: organisation.name,
      digits: '6',
      period: '30',
    })
    expect(await mfaEnabledOf(user)).toBe(false)
  })

  it('stores the secret encrypted', async () => {
    const { organisation, user } = await aUser()
    const { body } = await user.post('/v1/me/mfa/enable')

    const stored = await service().database.tenant(organisation.id).selectFrom('mfaCredentials').selectAll().execute()

    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(body.secret)
  })

  it('starts again when it is called again, and the first secret is deleted', async () => {
    const { user } = await aUser()
    const first = new Authenticator((await user.post('/v1/me/mfa/enable')).body.secret, service().clock)
    const second = new Authenticator((await user.post('/v1/me/mfa/enable')).body.secret, service().clock)

    expect(await user.post('/v1/me/mfa/verify', { token: first.code() })).toMatchObject(invalidCode)
    expect(await user.post('/v1/me/mfa/verify', { token: second.code() })).toMatchObject({ status: 200 })
  })

  it('is refused when MFA is enabled', async () => {
    const { user } = await aUserWithMfa()

    expect(await user.post('/v1/me/mfa/enable', {})).toMatchObject({ status: 400, body: { detail: 'MFA is already enabled' } })
  })

  it('is refused when the organisation does not allow the method', async () => {
    const { organisation, user } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['sms'] })

    expect(await user.post('/v1/me/mfa/enable')).toMatchObject({
      status: 400,
      body: { detail: 'The organisation does not allow the MFA method totp' },
    })
  })
})

describe('POST /v1/me/mfa/verify', () => {
  it('enables MFA and returns ten backup codes, which are stored hashed', async () => {
    const { organisation, user, verified, backupCodes } = await aUserWithMfa()

    expect(verified.body).toEqual({ message: expect.any(String), backupCodes, warning: expect.any(String) })
    expect(verified.headers.getSetCookie()).toEqual([])
    expect(new Set(backupCodes).size).toBe(10)
    expect(await mfaEnabledOf(user)).toBe(true)
    const stored = await service().database.tenant(organisation.id).selectFrom('mfaBackupCodes').selectAll().execute()
    expect(stored).toHaveLength(10)
    for (const code of backupCodes) expect(JSON.stringify(stored)).not.toContain(code)
    expect(await actionsOf(organisation.owner, user)).toEqual(['mfa.enabled', 'mfa.enrolment_started'])
  })

  it.each([
    ['12345', 'too_small'],
    ['1234567', 'too_big'],
    ['', 'too_small'],
  ])('refuses the token %j as %s', async (token, code) => {
    const { user } = await aUser()

    expect(await user.post('/v1/me/mfa/verify', { token })).toMatchObject({
      status: 400,
      body: { detail: 'Invalid input', errors: [{ code, path: ['token'] }] },
    })
  })

  it('refuses a wrong code, one without an enrolment, and one when MFA is enabled', async () => {
    const { user } = await aUser()
    expect(await user.post('/v1/me/mfa/verify', { token: '123456' })).toMatchObject({
      status: 400,
      body: { detail: 'MFA enrollment has not been started' },
    })
    const { secret } = (await user.post('/v1/me/mfa/enable')).body
    const authenticator = new Authenticator(secret, service().clock)
    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.wrongCode() })).toMatchObject(invalidCode)
    expect(await mfaEnabledOf(user)).toBe(false)
    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({ status: 200 })
    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.nextCode() })).toMatchObject({
      status: 400,
      body: { detail: 'MFA is already enabled' },
    })
  })

  it('called twice at the same moment, enables once', async () => {
    const { user } = await aUser()
    const authenticator = new Authenticator((await user.post('/v1/me/mfa/enable')).body.secret, service().clock)
    const token = authenticator.code()

    const answers = await Promise.all([user.post('/v1/me/mfa/verify', { token }), user.post('/v1/me/mfa/verify', { token })])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('POST /v1/me/mfa/check', () => {
  it('says whether a code is valid, and changes nothing', async () => {
    const { user, authenticator } = await aUserWithMfa()
    const token = authenticator.nextCode()

    expect(await user.post('/v1/me/mfa/check', { token: authenticator.wrongCode() })).toMatchObject({ status: 200, body: { valid: false } })
    expect(await user.post('/v1/me/mfa/check', { token })).toMatchObject({ status: 200, body: { valid: true } })
    expect(await user.post('/v1/me/mfa/check', { token })).toMatchObject({ status: 200, body: { valid: true } })
    expect(await user.post('/v1/me/mfa/disable', { token })).toMatchObject({ status: 200 })
  })

  it('refuses a user without MFA', async () => {
    const { user } = await aUser()
    expect(await user.post('/v1/me/mfa/check', { token: '123456' })).toMatchObject({ status: 200, body: { valid: false } })
  })
})

describe('POST /v1/me/mfa/disable', () => {
  it('disables MFA, so that the next sign-in requires the password alone', async () => {
    const { organisation, user, authenticator } = await aUserWithMfa()

    expect(await user.post('/v1/me/mfa/disable', { token: authenticator.wrongCode() })).toMatchObject(invalidCode)
    expect(await user.post('/v1/me/mfa/disable', { token: authenticator.nextCode() })).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    })

    expect(await mfaEnabledOf(user)).toBe(false)
    await service().given.signIn(user.email)
    const tenant = service().database.tenant(organisation.id)
    expect(await tenant.selectFrom('mfaCredentials').select('id').execute()).toEqual([])
    expect(await tenant.selectFrom('mfaBackupCodes').select('codeHash').execute()).toEqual([])
    expect((await actionsOf(organisation.owner, user))[0]).toBe('mfa.disabled')
  })

  it('accepts no code that has been used', async () => {
    const { user, authenticator } = await aUserWithMfa()
    // The enrolment has used this code.
    expect(await user.post('/v1/me/mfa/disable', { token: authenticator.code() })).toMatchObject(invalidCode)
    expect(await mfaEnabledOf(user)).toBe(true)
  })
})

describe('POST /v1/me/mfa/backup-codes', () => {
  it('returns new codes and invalidates the old ones', async () => {
    const { user, authenticator, backupCodes } = await aUserWithMfa()

    expect(await user.post('/v1/me/mfa/backup-codes', { token: authenticator.wrongCode() })).toMatchObject(invalidCode)
    const replaced = await user.post('/v1/me/mfa/backup-codes', { token: authenticator.nextCode() })

    expect(replaced).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect(replaced.body.backupCodes).toHaveLength(10)
    const { anonymous } = service()
    const { mfaToken } = (await anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).body
    expect(await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: backupCodes[0] })).toMatchObject(invalidCode)
    expect(await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: replaced.body.backupCodes[0] })).toMatchObject({ status: 200 })
  })

  it('called twice with the same code at the same moment, returns codes to one caller', async () => {
    const { user, authenticator } = await aUserWithMfa()
    const token = authenticator.nextCode()

    const answers = await Promise.all([1, 2, 3].map(() => user.post('/v1/me/mfa/backup-codes', { token })))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })
})

describe('wrong codes', () => {
  it('count together on all routes: five in five minutes', async () => {
    const { user, authenticator } = await aUserWithMfa()
    const { anonymous, clock } = service()
    const token = authenticator.wrongCode()
    const { mfaToken } = (await anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).body
    await anonymous.post('/v1/auth/login/mfa', { mfaToken, code: token })
    for (const path of ['check', 'disable', 'backup-codes', 'check']) await user.post(`/v1/me/mfa/${path}`, { token })

    for (const path of ['check', 'disable', 'backup-codes', 'verify']) {
      const limited = await user.post(`/v1/me/mfa/${path}`, { token: authenticator.code() })
      expect(limited).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } })
      expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(300)
    }
    clock.advance({ minutes: 5 })
    expect(await user.post('/v1/me/mfa/disable', { token: authenticator.code() })).toMatchObject({ status: 200 })
  })
})

describe('an organisation that requires MFA', () => {
  it('lets the next sign-in reach the enrolment alone, and afterwards everything', async () => {
    const { organisation, user } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })
    const { anonymous, clock } = service()
    expect(await user.get('/v1/me/sessions')).toMatchObject({ status: 200 })

    const login = await anonymous.post('/v1/auth/login', { email: user.email, password: user.password })
    expect(login).toMatchObject({
      status: 200,
      body: {
        status: 'mfa_enrollment_required',
        user: { id: user.id },
        session: { id: expect.any(String) },
        csrfToken: expect.any(String),
      },
    })
    const limited = anonymous.with({ cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })
    const refused = { status: 403, body: { detail: 'MFA enrollment required' } }
    expect(await limited.get('/v1/me/sessions')).toMatchObject(refused)
    expect(await limited.patch('/v1/me/profile', { firstName: 'Eve' })).toMatchObject(refused)
    expect(await limited.post('/v1/me/password', {})).toMatchObject(refused)
    expect(await limited.get('/v1/me/profile')).toMatchObject({ status: 200 })

    const { verified } = await enrolAuthenticator(limited, clock)
    expect(await limited.get('/v1/me/profile')).toMatchObject({ status: 401 })
    const full = anonymous.with({ cookie: cookieOf(verified), 'x-csrf-token': verified.body.csrfToken })
    expect(await full.get('/v1/me/sessions')).toMatchObject({ status: 200 })
  })
})

describe('PATCH /v1/admin/users/:id with mfaEnabled false', () => {
  it("removes another user's second factors, ends the sessions and mails the user", async () => {
    const { organisation, user } = await aUserWithMfa()

    expect(await organisation.owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: false })).toMatchObject({
      status: 200,
      body: { mfaEnabled: false },
    })

    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    await service().mailbox.mailTo(user.email, 'Two-factor authentication has been switched off')
    await service().given.signIn(user.email)
    const tenant = service().database.tenant(organisation.id)
    expect(await tenant.selectFrom('mfaCredentials').select('id').execute()).toEqual([])
    expect((await actionsOf(organisation.owner, user))[0]).toBe('mfa.disabled')
  })

  it("is refused for the owner's factors, except to the owner", async () => {
    const { organisation } = await aUser()
    const { owner } = organisation
    await enrolAuthenticator(owner, service().clock)
    const administrator = await service().given.userWith(owner, ['users:update'])

    expect(await administrator.patch(`/v1/admin/users/${owner.id}`, { mfaEnabled: false })).toMatchObject({ status: 403 })
    expect(await mfaEnabledOf(owner)).toBe(true)
    expect(await owner.patch(`/v1/admin/users/${owner.id}`, { mfaEnabled: false })).toMatchObject({ status: 200 })
    expect(await mfaEnabledOf(owner)).toBe(false)
  })

  it('mails administrators who remove their own', async () => {
    const { owner } = (await aUser()).organisation
    await enrolAuthenticator(owner, service().clock)

    expect(await owner.patch(`/v1/admin/users/${owner.id}`, { mfaEnabled: false })).toMatchObject({ status: 200 })

    const { text } = await service().mailbox.mailTo(owner.email, 'Two-factor authentication has been switched off')
    expect(text).toContain('/password/forgot')
  })

  it('cannot enable MFA: only the user can', async () => {
    const { organisation, user } = await aUser()

    expect(await organisation.owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: true })).toMatchObject({
      status: 400,
      body: { detail: 'MFA can only be enabled by the user' },
    })
  })
})
