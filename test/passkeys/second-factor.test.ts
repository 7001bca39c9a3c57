import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import type { HttpClient } from '../support/http-client.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { enrolPasskey, PasskeyDevice, registerPasskey, signedInBy, tryPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function aUser(organisation: Record<string, unknown> = {}, device = new PasskeyDevice()) {
  const { owner } = await service().given.organisation()
  await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'], ...organisation })
  const user = await service().given.userWith(owner, [])
  return { owner, user, device }
}

const withPassword = (user: { email: string; password: string }) =>
  service().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })

async function completeBy(device: PasskeyDevice, mfaToken: string) {
  const { body } = await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })
  return service().anonymous.post('/v1/auth/login/mfa', { mfaToken, credential: device.get(body.options) })
}

describe('a passkey as second factor', () => {
  it('is enrolled with a passkey that the user has, and gives backup codes', async () => {
    const { owner, user, device } = await aUser()
    expect(await user.post('/v1/me/mfa/enable', { method: 'passkey' })).toMatchObject({ status: 400, body: { code: 'no-passkey' } })
    await registerPasskey(user, device)

    const enrolled = await enrolPasskey(user, device)

    expect(enrolled.body.backupCodes).toHaveLength(10)
    expect((await user.get('/v1/me/mfa')).body).toMatchObject({ enabled: true, methods: [{ method: 'passkey', phone: null }] })
    expect(await owner.audit({ action: 'mfa.enabled' })).toMatchObject([{ metadata: { method: 'passkey' } }])
    expect((await service().mailbox.mailTo(user.email, 'switched on')).text).toContain('now takes a passkey, too.')
  })

  it('follows the password, also when its device does not verify its user', async () => {
    const { owner, user, device } = await aUser({}, new PasskeyDevice({ verifiesUser: false }))
    const passkey = await registerPasskey(user, device)
    await enrolPasskey(user, device)

    const login = await withPassword(user)
    expect(login.body).toMatchObject({ status: 'mfa_required', methods: ['passkey'] })
    const { body } = await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken: login.body.mfaToken })
    expect(body.options).toMatchObject({ userVerification: 'discouraged', allowCredentials: [{ type: 'public-key' }] })
    expect(await completeBy(device, login.body.mfaToken)).toMatchObject({ status: 200, body: { status: 'authenticated' } })

    const [entry] = await owner.audit({ action: 'login.success' })
    expect(entry.metadata).toEqual({ authenticationMethods: ['pwd', 'swk', 'user', 'mfa'], passkeyId: passkey.id })
  })

  it('is not asked for after a passkey that has verified its user', async () => {
    const { user, device } = await aUser()
    await registerPasskey(user, device)
    await enrolPasskey(user, device)

    expect((await tryPasskey(service().anonymous, device)).body).toMatchObject({ status: 'authenticated' })
  })

  it('is not enrolled where the organisation does not allow it', async () => {
    const { user, device } = await aUser({ allowedMfaMethods: ['totp'] })
    await registerPasskey(user, device)

    expect(await user.post('/v1/me/mfa/enable', { method: 'passkey' })).toMatchObject({
      status: 400,
      body: { code: 'mfa-method-not-allowed' },
    })
  })

  it('ends with the last passkey, if the organisation requires none', async () => {
    const { owner, user, device } = await aUser()
    const { id } = await registerPasskey(user, device)
    await enrolPasskey(user, device)
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    expect(await user.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 400, body: { code: 'last-second-factor' } })
    expect((await user.get('/v1/me/mfa')).body).toMatchObject({ enabled: true, backupCodesLeft: 10 })

    await owner.patch('/v1/admin/organisation', { requireMfa: false })
    expect(await user.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 204 })

    expect((await user.get('/v1/me/mfa')).body).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 })
    expect((await withPassword(user)).body).toMatchObject({ status: 'authenticated' })
  })

  describe('whose relying party is a former one', () => {
    const moveAway = (id: string) =>
      service().database.system().updateTable('passkeys').set({ rpId: 'former.test' }).where('id', '=', id).execute()
    const aUserWithFormerOne = async () => {
      const found = await aUser()
      const { id } = await registerPasskey(found.user, found.device)
      const { backupCodes } = (await enrolPasskey(found.user, found.device)).body
      await moveAway(id)
      return { ...found, formerId: id as string, backupCodes: backupCodes as string[] }
    }

    it('is not asked for after the password: a backup code still completes the sign-in', async () => {
      const { user, backupCodes } = await aUserWithFormerOne()
      const { body } = await withPassword(user)
      expect(body).toMatchObject({ status: 'mfa_required', methods: [] })
      const { mfaToken } = body
      expect(await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })).toMatchObject({
        status: 400,
        body: { code: 'no-passkey' },
      })
      expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: backupCodes[0] })).toMatchObject({ status: 200 })
    })

    it('is not named by the page of the sign-in, which asks for a backup code', async () => {
      const { user, backupCodes } = await aUserWithFormerOne()
      const visitor = new PageVisitor(service().origin)
      const entered = await visitor.submit('/login', { email: user.email, password: user.password })
      expect(entered.status).toBe(303)

      const { body } = await visitor.open('/login/mfa')
      expect(body).toContain('Enter one of your backup codes.')
      expect(body).not.toMatch(/passkey|Lost your device/i)
      expect((await visitor.open('/login/mfa?ui_locales=de')).body).toContain('Geben Sie einen Ihrer Ersatzcodes ein.')

      expect(await visitor.submit('/login/mfa', { code: backupCodes[0] ?? '' })).toMatchObject({ status: 303 })
      expect(visitor.cookie).toContain('svc_session=')
    })

    it('does not take the place of the last one that works', async () => {
      const { owner, user, device, formerId } = await aUserWithFormerOne()
      const { id } = await registerPasskey(user, device)
      expect((await withPassword(user)).body).toMatchObject({ status: 'mfa_required', methods: ['passkey'] })
      await owner.patch('/v1/admin/organisation', { requireMfa: true })
      expect(await user.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 400, body: { code: 'last-second-factor' } })

      await owner.patch('/v1/admin/organisation', { requireMfa: false })
      expect(await user.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 204 })
      expect((await user.get('/v1/me/mfa')).body).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 })
      expect((await withPassword(user)).body).toMatchObject({ status: 'authenticated' })
      expect((await user.get('/v1/me/passkeys')).body.data).toMatchObject([{ id: formerId }])
    })

    it('ends nothing when it is deleted itself while another one works', async () => {
      const { user, device, formerId } = await aUserWithFormerOne()
      await registerPasskey(user, device)
      expect(await user.delete(`/v1/me/passkeys/${formerId}`)).toMatchObject({ status: 204 })
      expect((await user.get('/v1/me/mfa')).body).toMatchObject({ enabled: true, methods: [{ method: 'passkey' }] })
    })
  })

  describe('of a user who has no other', () => {
    const proofOf = async (user: HttpClient, device: PasskeyDevice) => {
      const { flowToken, options } = (await user.post('/v1/me/mfa/passkey/options')).body
      return { flowToken, credential: device.get(options) }
    }
    const aUserWithoutCodes = async () => {
      const found = await aUser()
      await registerPasskey(found.user, found.device)
      const { backupCodes } = (await enrolPasskey(found.user, found.device)).body
      return { ...found, backupCodes: backupCodes as string[] }
    }

    it('takes the place of the code for new backup codes', async () => {
      const { user, device, backupCodes } = await aUserWithoutCodes()
      const proof = await proofOf(user, device)

      const replaced = await user.post('/v1/me/mfa/backup-codes', proof)

      expect(replaced).toMatchObject({ status: 200 })
      expect(replaced.body.backupCodes).toHaveLength(10)
      expect(backupCodes.filter((code) => replaced.body.backupCodes.includes(code))).toEqual([])
      expect(await user.post('/v1/me/mfa/backup-codes', proof)).toMatchObject({ status: 400 })
    })

    it('takes its place to add an app, and to switch MFA off', async () => {
      const { user, device } = await aUserWithoutCodes()
      const added = await user.post('/v1/me/mfa/enable', { method: 'totp', ...(await proofOf(user, device)) })
      expect(added).toMatchObject({ status: 200, body: { secret: expect.any(String) } })
      expect(await user.post('/v1/me/mfa/enable', { method: 'totp' })).toMatchObject({ status: 400, body: { code: 'mfa-already-enabled' } })

      expect(await user.post('/v1/me/mfa/disable', await proofOf(user, device))).toMatchObject({ status: 200 })

      expect((await user.get('/v1/me/mfa')).body).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 })
    })

    it('changes nothing by a response for another purpose, or of another user', async () => {
      const { user, device } = await aUserWithoutCodes()
      const stranger = await aUserWithoutCodes()
      const { flowToken, options } = (await user.post('/v1/me/reauthenticate/options')).body
      const started = (await user.post('/v1/me/mfa/passkey/options')).body
      const foreign = { flowToken: started.flowToken, credential: stranger.device.get({ ...started.options, allowCredentials: [] }) }

      for (const proof of [{ flowToken, credential: device.get(options) }, foreign, await proofOf(stranger.user, stranger.device)]) {
        expect(await user.post('/v1/me/mfa/disable', proof)).toMatchObject({ status: 400, body: { code: 'invalid-verification-code' } })
      }
      expect((await user.get('/v1/me/mfa')).body.enabled).toBe(true)
    })
  })

  it('leaves an app in force when it ends', async () => {
    const { user, device } = await aUser()
    const { id } = await registerPasskey(user, device)
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const started = (await user.post('/v1/me/mfa/enable', { method: 'passkey', token: authenticator.nextCode() })).body
    const verified = { flowToken: started.flowToken, credential: device.get(started.options) }
    expect(await user.post('/v1/me/mfa/verify', verified)).toMatchObject({ status: 200 })
    expect((await withPassword(user)).body.methods).toEqual(['totp', 'passkey'])

    expect(await user.delete(`/v1/me/passkeys/${id}`)).toMatchObject({ status: 204 })

    expect((await user.get('/v1/me/mfa')).body).toMatchObject({ enabled: true, methods: [{ method: 'totp' }] })
  })
})

describe('an organisation where a passkey does not stand for both factors', () => {
  it('asks for another second factor, which no passkey is', async () => {
    const { user, device } = await aUser({ signInPolicy: { passkeySatisfiesMfa: false } })
    await registerPasskey(user, device)
    const { authenticator } = await enrolAuthenticator(user, service().clock)

    const login = await tryPasskey(service().anonymous, device)

    expect(login.body).toMatchObject({ status: 'mfa_required', methods: ['totp'] })
    const { mfaToken } = login.body
    expect(await service().anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken })).toMatchObject({ status: 400 })
    const completed = await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })
    expect(completed).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    const { data } = (await signedInBy(service().anonymous, completed).get('/v1/me/activity')).body
    expect(data.length).toBeGreaterThan(0)
  })
})
