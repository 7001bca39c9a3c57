import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import type { HttpClient } from '../support/http-client.ts'
import { givenApplication } from '../support/oauth.ts'
import { PasskeyDevice, passkeyProof, registerPasskey, signedInBy, tryPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function aUserWithPasskey() {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  const user = await service().given.userWith(owner, [])
  const device = new PasskeyDevice()
  return { organisation, owner, user, device, passkey: await registerPasskey(user, device) }
}

const setPolicy = (owner: HttpClient, signInPolicy: Record<string, unknown>) => owner.patch('/v1/admin/organisation', { signInPolicy })
const withPassword = ({ email, password }: { email: string; password: string }) =>
  service().anonymous.post('/v1/auth/login', { email, password })
const notRecognised = { status: 401, body: { detail: 'Passkey not recognised', code: 'passkey-not-recognised' } }

describe('passkeys that an organisation has switched off', () => {
  it('stop working at once, and stay stored', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    await setPolicy(owner, { passkeys: 'off' })

    expect(await tryPasskey(service().anonymous, device)).toMatchObject(notRecognised)
    expect(await user.post('/v1/me/passkeys/options')).toMatchObject({ status: 400, body: { code: 'passkeys-not-allowed' } })
    expect((await user.get('/v1/me/passkeys')).body.total).toBe(1)
    await setPolicy(owner, { passkeys: 'allowed' })
    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 200 })
  })
})

describe('passkeys that an organisation requires', () => {
  it('are registered by the next sign-in, whose session becomes a full one', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await setPolicy(owner, { passkeys: 'required' })

    const login = await withPassword({ ...user, password: owner.password })
    expect(login.body).toMatchObject({ status: 'mfa_enrollment_required' })
    const waiting = signedInBy(service().anonymous, login)
    expect(await waiting.get('/v1/me/sessions')).toMatchObject({ status: 403, body: { code: 'mfa-enrollment-required' } })
    const { flowToken, options } = (await waiting.post('/v1/me/passkeys/options')).body
    const device = new PasskeyDevice()
    const registered = await waiting.post('/v1/me/passkeys', { flowToken, credential: device.create(options) })

    expect(registered).toMatchObject({ status: 201, body: { canSignIn: true, csrfToken: expect.any(String) } })
    const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const full = service().anonymous.with({ cookie, 'x-csrf-token': registered.body.csrfToken })
    expect(await full.get('/v1/me/sessions')).toMatchObject({ status: 200 })
    expect(await waiting.get('/v1/me/passkeys')).toMatchObject({ status: 401 })
    expect((await withPassword({ ...user, password: owner.password })).body).toMatchObject({ status: 'authenticated' })
  })

  it('that cannot sign in leave the session waiting, and so does another factor', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await setPolicy(owner, { passkeys: 'required' })
    const waiting = signedInBy(service().anonymous, await withPassword({ ...user, password: owner.password }))

    expect(await registerPasskey(waiting, new PasskeyDevice({ verifiesUser: false }))).toMatchObject({ canSignIn: false })
    await enrolAuthenticator(waiting, service().clock)

    expect(await waiting.get('/v1/me/sessions')).toMatchObject({ status: 403, body: { code: 'mfa-enrollment-required' } })
    expect(await registerPasskey(waiting, new PasskeyDevice())).toMatchObject({ csrfToken: expect.any(String) })
  })

  it('are enough where MFA is required too, unless they do not stand for both factors', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { requireMfa: true, signInPolicy: { passkeys: 'required' } })
    const [one, other] = [await service().given.user(owner), await service().given.user(owner)]
    const device = new PasskeyDevice()
    const first = signedInBy(service().anonymous, await withPassword({ ...one, password: owner.password }))
    expect(await registerPasskey(first, device)).toMatchObject({ csrfToken: expect.any(String) })
    expect((await tryPasskey(service().anonymous, device)).body).toMatchObject({ status: 'authenticated' })

    await setPolicy(owner, { passkeySatisfiesMfa: false })
    const second = signedInBy(service().anonymous, await withPassword({ ...other, password: owner.password }))
    expect(await registerPasskey(second, new PasskeyDevice())).not.toHaveProperty('csrfToken')
    const { verified } = await enrolAuthenticator(second, service().clock)
    expect(verified.body).toMatchObject({ csrfToken: expect.any(String) })
  })
})

describe('the password of a user with a passkey, where MFA is required and they have none', () => {
  const completeBy = async (device: PasskeyDevice, mfaToken: string) => {
    const { body } = await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })
    return {
      options: body.options,
      completed: await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, credential: device.get(body.options) }),
    }
  }
  const aRequiringOrganisation = async (policy: Record<string, unknown> = {}) => {
    const found = await aUserWithPasskey()
    await found.owner.patch('/v1/admin/organisation', { requireMfa: true, signInPolicy: policy })
    return found
  }

  it('enrols nothing by itself: the passkey has to follow, and is enough', async () => {
    const { owner, user, device } = await aRequiringOrganisation()

    const login = await withPassword(user)
    expect(login.body).toMatchObject({ status: 'mfa_required', methods: ['passkey'] })
    expect(login.headers.getSetCookie()).toEqual([])
    const { mfaToken } = login.body
    expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: '123456' })).toMatchObject({ status: 400 })
    const { options, completed } = await completeBy(device, mfaToken)

    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [{ type: 'public-key' }] })
    expect(completed).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    const [entry] = await owner.audit({ action: 'login.success' })
    expect(entry.metadata.authenticationMethods).toEqual(['pwd', 'swk', 'user', 'mfa'])
  })

  it('asks for the passkey before the enrolment, where one does not stand for both factors', async () => {
    const { user, device } = await aRequiringOrganisation({ passkeySatisfiesMfa: false })

    const login = await withPassword(user)
    expect(login.body).toMatchObject({ status: 'mfa_required', methods: ['passkey'] })
    const { completed } = await completeBy(device, login.body.mfaToken)

    expect(completed.body).toMatchObject({ status: 'mfa_enrollment_required' })
    const { verified } = await enrolAuthenticator(signedInBy(service().anonymous, completed), service().clock)
    expect(verified.body).toMatchObject({ csrfToken: expect.any(String) })
    expect((await withPassword(user)).body).toMatchObject({ status: 'mfa_required', methods: ['totp'] })
  })

  it('enrols nothing in a session that it began before there was the passkey', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const waiting = signedInBy(service().anonymous, await withPassword(user))
    expect(await waiting.post('/v1/me/passkeys/options')).toMatchObject({ status: 200 })

    const device = new PasskeyDevice()
    const { id } = await registerPasskey(user, device)

    for (const path of ['/v1/me/passkeys/options', '/v1/me/mfa/enable']) expect(await waiting.post(path)).toMatchObject({ status: 401 })
    expect(await waiting.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 401 })
    expect(await user.get('/v1/me/passkeys')).toMatchObject({ status: 200, body: { total: 1 } })

    const elsewhere = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
    await registerPasskey(user, new PasskeyDevice())
    expect(await elsewhere.get('/v1/me/passkeys')).toMatchObject({ status: 200, body: { total: 2 } })
  })

  it('enrols nothing in a session that it began while passkeys were switched off', async () => {
    const { owner, user, device } = await aRequiringOrganisation({ passkeys: 'off' })
    const waiting = signedInBy(service().anonymous, await withPassword(user))
    expect(await waiting.post('/v1/me/mfa/enable')).toMatchObject({ status: 200 })

    await setPolicy(owner, { passkeys: 'allowed' })

    expect(await waiting.post('/v1/me/mfa/enable')).toMatchObject({ status: 401 })
    expect(await user.get('/v1/me/passkeys')).toMatchObject({ status: 200 })
    expect((await completeBy(device, (await withPassword(user)).body.mfaToken)).completed).toMatchObject({ status: 200 })
  })

  it('takes no passkey of another user, and none that does not verify its user', async () => {
    const { user } = await aRequiringOrganisation()
    const stranger = await aUserWithPasskey()
    const unverified = new PasskeyDevice({ verifiesUser: false })
    await registerPasskey(user, unverified)

    for (const device of [stranger.device, unverified]) {
      const { mfaToken } = (await withPassword(user)).body
      const { body } = await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })
      const credential = device.get({ ...body.options, allowCredentials: [], userVerification: 'discouraged' })
      expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, credential })).toMatchObject({ status: 400 })
    }
  })

  it.each([
    ['the passkey is a second factor only', { verifiesUser: false }, {}],
    ['the organisation has switched passkeys off', {}, { passkeys: 'off' }],
  ])('enrols as before where %s', async (_, options, policy) => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await registerPasskey(user, new PasskeyDevice(options))
    await owner.patch('/v1/admin/organisation', { requireMfa: true, signInPolicy: policy })

    expect((await withPassword(user)).body).toMatchObject({ status: 'mfa_enrollment_required' })
  })
})

describe('passwords that an organisation has disabled', () => {
  it('get what a wrong one gets, but never the owner', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    await setPolicy(owner, { password: 'disabled' })

    const right = await withPassword(user)
    const wrong = await withPassword({ ...user, password: 'not the password' })

    const { instance: _, ...problem } = wrong.body
    expect(right).toMatchObject({ status: 401, body: problem })
    await service().settled()
    expect((await owner.audit({ action: 'login.failed' })).map(({ metadata }: { metadata: unknown }) => metadata)).toEqual(
      expect.arrayContaining([{ reason: 'password disabled' }, { reason: 'wrong password' }]),
    )
    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 200 })
    expect(await withPassword(owner)).toMatchObject({ status: 200 })
  })

  it('need passkeys', async () => {
    const { owner } = await service().given.organisation()
    expect(await setPolicy(owner, { password: 'disabled', passkeys: 'off' })).toMatchObject({ status: 400 })
  })
})

describe('a password', () => {
  it('is removed after a sign-in by passkey, and by no other', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    expect(await user.delete('/v1/me/password')).toMatchObject({
      status: 403,
      body: { code: 'recent-sign-in-required', methods: ['passkey'] },
    })

    const signedIn = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
    expect(await signedIn.delete('/v1/me/password')).toMatchObject({ status: 204 })
    expect(await signedIn.delete('/v1/me/password')).toMatchObject({ status: 204 })

    expect(await withPassword(user)).toMatchObject({ status: 401 })
    expect(await owner.audit({ action: 'user.password_removed' })).toHaveLength(1)
    expect((await service().mailbox.mailTo(user.email, 'Your password has been removed')).text).toContain('passkeys alone sign in')
  })

  it('that is gone is set again by a mailed link, and MFA stays in force', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    const signedIn = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
    await enrolAuthenticator(signedIn, service().clock)
    await signedIn.delete('/v1/me/password')
    expect(owner.id).not.toBe(user.id)

    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    await service().given.setPassword(user.email, 'another horse battery', 'Choose a new password')

    expect((await withPassword({ ...user, password: 'another horse battery' })).body).toMatchObject({ status: 'mfa_required' })
  })

  it.each([{ preventReuse: 1 }, { maxAge: 30 }])('that is gone is not set again where the organisation has %j', async (passwordPolicy) => {
    const { owner, user, device } = await aUserWithPasskey()
    await owner.patch('/v1/admin/organisation', { passwordPolicy })
    const signedIn = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
    expect(await signedIn.delete('/v1/me/password')).toMatchObject({ status: 204 })
    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
    const reset = (password: string) => service().anonymous.post('/v1/auth/password/reset', { token, password })

    expect(await reset(user.password)).toMatchObject({ status: 400, body: { code: 'password-used-before' } })
    expect(await reset('another horse battery')).toMatchObject({ status: 200 })
  })
})

describe('the last passkey', () => {
  it('of a user without a password is not deleted by the user, but by an administrator, who ends the sessions', async () => {
    const { organisation, owner, user, device, passkey } = await aUserWithPasskey()
    const signedIn = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
    await signedIn.delete('/v1/me/password')
    expect(await signedIn.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 400, body: { code: 'last-way-to-sign-in' } })
    expect((await signedIn.get('/v1/me/passkeys')).body.total).toBe(1)
    const application = await givenApplication(service(), { organisation, requireConsent: false })
    const tokens = await application.signIn({ scope: 'openid offline_access' }, signedIn)

    expect(await owner.delete(`/v1/admin/users/${user.id}/passkeys/${passkey.id}`)).toMatchObject({ status: 204 })

    expect(await signedIn.get('/v1/me/profile')).toMatchObject({ status: 401 })
    // What applications hold does not come from the passkey alone.
    expect(await application.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
    expect(await owner.audit({ action: 'passkey.deleted' })).toMatchObject([
      { actorId: owner.id, targetId: passkey.id, metadata: { userId: user.id } },
    ])
    const mail = await service().mailbox.mailTo(user.email, 'Your passkey has been deleted')
    expect(mail.text).toContain('/password/reset?token=')
    await service().given.setPassword(user.email, 'another horse battery', 'Your passkey has been deleted')
    expect(await withPassword({ ...user, password: 'another horse battery' })).toMatchObject({ status: 200 })
  })

  it('of the owner is deleted by the owner alone', async () => {
    const { owner } = await service().given.organisation()
    const admin = await service().given.userWith(owner, ['users:read', 'users:update'])
    const { id } = await registerPasskey(owner, new PasskeyDevice())

    expect(await admin.delete(`/v1/admin/users/${owner.id}/passkeys/${id}`)).toMatchObject({
      status: 403,
      body: { code: 'owner-passkeys-only-by-the-owner' },
    })
    expect((await owner.get('/v1/me/passkeys')).body.total).toBe(1)
    expect(await owner.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 204 })
  })

  it('is told to its user by mail when it is deleted, and needs a recent sign-in', async () => {
    const { user, device, passkey } = await aUserWithPasskey()
    const proof = await passkeyProof(service().anonymous, device)
    expect(await user.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 204 })

    expect((await service().mailbox.mailTo(user.email, 'A passkey has been deleted')).text).toContain('The passkey Passkey of your account')
    expect(await service().anonymous.post('/v1/auth/passkey', proof)).toMatchObject({ ...notRecognised, body: { unknownCredential: true } })
    const { id } = await registerPasskey(user, new PasskeyDevice())
    service().clock.advance({ minutes: 16 })
    expect(await user.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 403, body: { code: 'recent-sign-in-required' } })
  })
})

describe('a passkey of a user who may not sign in', () => {
  it('reveals a block and a suspension only when it is right', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    const proof = await passkeyProof(service().anonymous, device)

    const forged = { ...proof, credential: { ...proof.credential, response: { ...proof.credential.response, signature: 'AAAA' } } }
    expect(await service().anonymous.post('/v1/auth/passkey', forged)).toMatchObject(notRecognised)
    expect(await service().anonymous.post('/v1/auth/passkey', proof)).toMatchObject({ status: 403, body: { code: 'user-blocked' } })
  })

  it('is not recognised once its user is deleted, without being called unknown', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    await owner.delete(`/v1/admin/users/${user.id}`)

    const answer = await tryPasskey(service().anonymous, device)

    expect(answer).toMatchObject(notRecognised)
    expect(answer.body).not.toHaveProperty('unknownCredential')
  })
})

describe('a passkey that is not recognised', () => {
  it('is called unknown only when no user anywhere has it', async () => {
    const { device, passkey, owner } = await aUserWithPasskey()
    const stranger = new PasskeyDevice()
    const { options } = (await owner.post('/v1/me/passkeys/options')).body
    stranger.create(options)
    const forged = await passkeyProof(service().anonymous, device)
    forged.credential.response.signature = 'AAAA'

    const unknown = await tryPasskey(service().anonymous, stranger)
    const wrong = await service().anonymous.post('/v1/auth/passkey', forged)
    await service().database.system().updateTable('passkeys').set({ rpId: 'other.test' }).where('id', '=', passkey.id).execute()
    const elsewhere = await tryPasskey(service().anonymous, device)

    const { unknownCredential, ...said } = unknown.body
    expect(unknownCredential).toBe(true)
    expect(wrong.body).toEqual(said)
    expect(elsewhere.body).toEqual(said)
    expect([unknown, wrong, elsewhere].map(({ status }) => status)).toEqual([401, 401, 401])
  })
})

describe('a passkey of another organisation', () => {
  it('can be neither seen nor deleted', async () => {
    const { user, passkey } = await aUserWithPasskey()
    const { owner } = await service().given.organisation()

    expect(await owner.get(`/v1/admin/users/${user.id}/passkeys`)).toMatchObject({ status: 404 })
    expect(await owner.delete(`/v1/admin/users/${user.id}/passkeys/${passkey.id}`)).toMatchObject({ status: 404 })
    expect(await owner.delete(`/v1/admin/users/${owner.id}/passkeys/${passkey.id}`)).toMatchObject({ status: 404 })
    expect(await owner.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 404 })
    expect(await owner.patch(`/v1/me/passkeys/${passkey.id}`, { name: 'Mine' })).toMatchObject({ status: 404 })
    expect((await user.get('/v1/me/passkeys')).body.data).toMatchObject([{ name: 'Passkey' }])
  })
})
