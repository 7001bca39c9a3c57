import { describe, expect, it } from 'vitest'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import type { SignedInUser } from '../support/given.ts'
import { enrolPasskey, PasskeyDevice, registerPasskey, tryPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const password = 'correct horse battery'

const impactOf = async (by: SignedInUser, changes: object) => {
  const answer = await by.post('/v1/admin/organisation/impact', changes)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data as Record<string, unknown>[]
}
const summary = ({ id, name, email }: { id: string; name: string; email: string }) => ({ id, name, email })
const signIn = (email: string) => service().anonymous.post('/v1/auth/login', { email, password })
const client = async (owner: SignedInUser, fields: object) =>
  (await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'confidential', redirectUris: ['https://a.test/cb'], ...fields }))
    .body

describe('the impact of a change of the organisation', () => {
  it('says nothing of what stays as it is or has no such effect, and changes nothing', async () => {
    const { owner } = await service().given.organisation()
    const before = (await owner.get('/v1/admin/organisation')).body

    expect(await impactOf(owner, {})).toEqual([])
    expect(await impactOf(owner, { name: 'Other', metadata: { plan: 'gold' }, requireMfa: before.requireMfa })).toEqual([])
    expect(await impactOf(owner, { requireMfa: true, sessionLifetime: 60 })).toHaveLength(2)
    expect((await owner.get('/v1/admin/organisation')).body).toEqual(before)
  })

  it('counts the users who then must enrol a second factor', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const enrolled = await given.userWith(owner, [])
    const { body } = await enrolled.post('/v1/me/mfa/enable')
    await enrolled.post('/v1/me/mfa/verify', { token: new Authenticator(body.secret, clock).code() })
    const withPhone = await given.user(owner)
    await owner.patch(`/v1/admin/users/${withPhone.id}`, { phone: '+44 20 7946 0000' })
    const without = await given.user(owner)
    const blocked = await given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    await owner.delete(`/v1/admin/users/${(await given.user(owner)).id}`)

    const changes = { requireMfa: true, allowedMfaMethods: ['sms'] }
    const found = await impactOf(owner, changes)
    expect(found).toMatchObject([
      { field: 'requireMfa', effect: 'must-enrol', users: 3, detail: '3 users must enrol a second factor at their next sign-in' },
      { field: 'requireMfa', effect: 'no-phone-for-sms', users: 2 },
      { field: 'allowedMfaMethods', effect: 'factors-stay', users: 1, sample: [{ id: enrolled.id }] },
    ])
    expect(found[0]?.sample).toEqual(expect.arrayContaining([withPhone, without].map(summary)))

    await owner.patch('/v1/admin/organisation', changes)
    for (const { email } of [withPhone, without]) expect((await signIn(email)).body.status).toBe('mfa_enrollment_required')
    expect((await signIn(enrolled.email)).body.status).toBe('mfa_required')
    expect(await impactOf(owner, { requireMfa: false })).toMatchObject([{ effect: 'need-not-enrol', users: 3 }])
  })

  it('counts the users who then cannot sign in, or are asked for a passkey or for more', async () => {
    const { given, anonymous, clock } = service()
    const { owner } = await given.organisation()
    const set = (changes: object) => owner.patch('/v1/admin/organisation', changes)
    await set({ allowedMfaMethods: ['totp', 'passkey'] })
    const user = async (firstName: string, device?: PasskeyDevice) => {
      const signedIn = await given.signIn((await given.user(owner, { firstName, lastName: 'Shaw' })).email)
      if (device) await registerPasskey(signedIn, device)
      return signedIn
    }
    const device = new PasskeyDevice()
    const bare = await user('Bare')
    const holder = await user('Holder', device)
    const touched = await user('Touched', new PasskeyDevice({ verifiesUser: false }))
    const careful = await user('Careful', new PasskeyDevice())
    await enrolAuthenticator(careful, clock)
    const another = await user('Another', new PasskeyDevice())
    const invited = await given.user(owner, { password: undefined })
    const blocked = await user('Blocked', new PasskeyDevice())
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: '2026-01-01T00:00:00Z' })

    const found = async (signInPolicy: object) =>
      (await impactOf(owner, { signInPolicy })).map(({ field, effect, users, sample }) => ({
        field: (field as string).replace('signInPolicy.', ''),
        effect,
        users,
        who: (sample as { id: string }[]).map(({ id }) => id).sort(),
      }))
    const who = (...users: { id: string }[]) => ({ users: users.length, who: users.map(({ id }) => id).sort() })

    expect(await found({ password: 'allowed', passkeys: 'allowed' })).toEqual([])
    expect(await found({ password: 'disabled' })).toEqual([{ field: 'password', effect: 'cannot-sign-in', ...who(bare, touched, invited) }])
    expect(await found({ passkeys: 'required' })).toEqual([
      { field: 'passkeys', effect: 'must-register-passkey', ...who(owner, bare, touched, invited) },
    ])
    expect(await found({ password: 'disabled', passkeys: 'required' })).toEqual([
      { field: 'password', effect: 'cannot-sign-in', ...who(bare, touched, invited) },
      { field: 'passkeys', effect: 'must-register-passkey', ...who(owner) },
    ])
    expect(await found({ passkeys: 'off' })).toEqual([
      { field: 'passkeys', effect: 'cannot-sign-in', ...who() },
      { field: 'passkeys', effect: 'passkeys-stop', ...who(holder, touched, careful, another) },
    ])
    expect(await found({ passkeySatisfiesMfa: false })).toEqual([
      { field: 'passkeySatisfiesMfa', effect: 'second-factor-too', ...who(careful) },
    ])
    expect(await found({ emailCode: 'allowed' })).toEqual([])
    expect(await found({ password: 'disabled', emailCode: 'allowed' })).toEqual([{ field: 'password', effect: 'cannot-sign-in', ...who() }])

    await set({ requireMfa: true })
    expect(await found({ passkeySatisfiesMfa: false })).toEqual([
      { field: 'passkeySatisfiesMfa', effect: 'second-factor-too', ...who(careful) },
      { field: 'passkeySatisfiesMfa', effect: 'must-enrol', ...who(holder, another) },
    ])
    expect(await impactOf(owner, { requireMfa: false })).toMatchObject([{ effect: 'need-not-enrol', users: 4 }])

    // It is as it says.
    await set({ requireMfa: false, signInPolicy: { password: 'disabled' } })
    for (const { email } of [bare, touched]) expect(await signIn(email)).toMatchObject({ status: 401 })
    expect(await tryPasskey(anonymous, device)).toMatchObject({ status: 200 })
    expect(await found({ password: 'allowed' })).toEqual([
      { field: 'password', effect: 'can-sign-in-again', ...who(bare, touched, invited) },
      { field: 'password', effect: 'must-set-password', ...who(invited) },
    ])
    await set({ signInPolicy: { password: 'allowed', passkeys: 'required' } })
    for (const { email } of [bare, touched]) expect((await signIn(email)).body.status).toBe('mfa_enrollment_required')
    expect((await signIn(holder.email)).body.status).toBe('authenticated')
    expect(await found({ passkeys: 'allowed' })).toEqual([
      { field: 'passkeys', effect: 'need-no-passkey', ...who(owner, bare, touched, invited) },
    ])
    await set({ signInPolicy: { passkeys: 'off' } })
    expect(await tryPasskey(anonymous, device)).toMatchObject({ status: 401 })
    expect(await found({ passkeys: 'allowed' })).toEqual([
      { field: 'passkeys', effect: 'passkeys-work-again', ...who(holder, touched, careful, another) },
    ])
  })

  it('counts those to whom nothing but a passkey is left', async () => {
    const { given, anonymous, database } = service()
    const { owner, id } = await given.organisation()
    const set = (changes: object) => owner.patch('/v1/admin/organisation', changes)
    await set({ allowedMfaMethods: ['passkey'] })
    const device = new PasskeyDevice()
    const second = await given.userWith(owner, [])
    await registerPasskey(second, device)
    await enrolPasskey(second, device)
    const first = await given.userWith(owner, [])
    await registerPasskey(first, new PasskeyDevice())
    await database.tenant(id).updateTable('users').set({ passwordHash: null }).where('id', '=', first.id).execute()

    const off = { signInPolicy: { passkeys: 'off' } }
    // A backup code still follows the password.
    expect(await impactOf(owner, off)).toMatchObject([
      { effect: 'cannot-sign-in', users: 0 },
      {
        effect: 'must-set-password',
        users: 1,
        sample: [{ id: first.id }],
        detail: '1 user without a password must set one by a mailed link to sign in',
      },
      { effect: 'passkeys-stop', users: 2 },
    ])
    await database.tenant(id).deleteFrom('mfaBackupCodes').where('userId', '=', second.id).execute()
    expect(await impactOf(owner, off)).toMatchObject([
      { effect: 'cannot-sign-in', users: 1, sample: [{ id: second.id }] },
      { effect: 'must-set-password', users: 1 },
      { effect: 'passkeys-stop', users: 2 },
    ])
    await set(off)
    const { body } = await signIn(second.email)
    expect(body).toMatchObject({ status: 'mfa_required', methods: [] })
    expect(await anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken: body.mfaToken })).toMatchObject({ status: 400 })
  })

  it('counts the users whose password is then too old, and no users for other rules of passwords', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const old = await given.user(owner)
    clock.advance({ days: 31 })
    const signedIn = await given.signIn(owner.email)
    const recent = await given.user(signedIn)

    expect(await impactOf(signedIn, { passwordPolicy: { minLength: 14, requireNumber: true, maxAge: 30 } })).toMatchObject([
      { field: 'passwordPolicy.minLength', effect: 'for-new-passwords', figures: { from: 8, to: 14 }, users: 0, sample: [] },
      { field: 'passwordPolicy.requireNumbers', effect: 'for-new-passwords', figures: { from: 0, to: 1 }, users: 0 },
      { field: 'passwordPolicy.maxAge', effect: 'password-expires', figures: { to: 30 }, users: 2 },
    ])
    expect(await impactOf(signedIn, { passwordPolicy: { refuseBreached: false } })).toMatchObject([
      { field: 'passwordPolicy.refuseBreached', effect: 'for-new-passwords', figures: { from: 1, to: 0 }, users: 0 },
    ])
    await signedIn.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 30 } })
    expect(await signIn(old.email)).toMatchObject({ status: 403, body: { resetToken: expect.any(String) } })
    expect((await signIn(recent.email)).body.status).toBe('authenticated')
    expect(await impactOf(signedIn, { passwordPolicy: { maxAge: 31 } })).toMatchObject([
      { effect: 'password-no-longer-expires', figures: { from: 30, to: 31 }, users: 0 },
    ])
    expect(await impactOf(signedIn, { passwordPolicy: { maxAge: 32 } })).toMatchObject([{ users: 2 }])
    expect(await impactOf(signedIn, { passwordPolicy: null })).toMatchObject([{ figures: { from: 30 }, users: 2 }])
  })

  it('says that sessions keep the time that they began with', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const other = await given.userWith(owner, [])

    const found = await impactOf(owner, { sessionIdleTimeout: 60 })
    expect(found).toMatchObject([{ field: 'sessionIdleTimeout', effect: 'for-new-sessions', figures: { to: 60 }, users: 2 }])
    await owner.patch('/v1/admin/organisation', { sessionIdleTimeout: 60 })
    clock.advance({ minutes: 2 })
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('names the applications that are then outside a list of addresses, and those that follow a lifetime', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const inside = await client(owner, {})
    const outside = await client(owner, { name: 'Outside', redirectUris: ['https://b.test/cb'], accessTokenLifetime: 60 })
    await owner.delete(`/v1/admin/clients/${(await client(owner, { redirectUris: ['https://c.test/cb'] })).id}`)

    const changes = { allowedCallbackUrls: ['https://a.test/cb'] }
    expect(await impactOf(owner, changes)).toMatchObject([
      {
        field: 'allowedCallbackUrls',
        effect: 'clients-outside',
        clients: 1,
        sampleOfClients: [{ id: outside.id, name: 'Outside' }],
        detail: 'Addresses of 1 application are not in the list: they still work, and a change of them would be refused',
        users: 0,
      },
    ])
    await owner.patch('/v1/admin/organisation', changes)
    const same = (id: string, redirectUris: string[]) => owner.patch(`/v1/admin/clients/${id}`, { redirectUris })
    expect(await same(outside.id, ['https://b.test/cb'])).toMatchObject({ status: 400 })
    expect(await same(inside.id, ['https://a.test/cb'])).toMatchObject({ status: 200 })
    // It is outside already: nothing would change for it.
    expect(await impactOf(owner, { allowedCallbackUrls: ['https://a.test/cb', 'https://d.test/cb'] })).toMatchObject([{ clients: 0 }])

    expect(await impactOf(owner, { tokenLifetimePolicy: { accessToken: 900 } })).toMatchObject([
      {
        field: 'tokenLifetimePolicy.accessToken',
        effect: 'for-new-tokens',
        figures: { from: 3600, to: 900 },
        clients: 1,
        sampleOfClients: [{ id: inside.id }],
      },
    ])
    await owner.patch('/v1/admin/organisation', { allowedOrigins: ['https://one.test', 'https://two.test'] })
    expect(await impactOf(owner, { allowedOrigins: ['https://two.test'] })).toMatchObject([
      { effect: 'origins-removed', figures: { origins: 1 } },
    ])
  })

  it('is refused as the change would be, and names no user whom the caller may not read', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await client(owner, {})
    const path = '/v1/admin/organisation/impact'

    expect(await owner.post(path, { requireMfa: true, allowedMfaMethods: [] })).toMatchObject({ status: 400 })
    expect(await owner.post(path, { sessionLifetime: 1 })).toMatchObject({ status: 400 })
    expect(await owner.post(path, { branding: { logoUrl: 'http://pictures.test/a.png' } })).toMatchObject({ status: 400 })
    expect(await (await given.userWith(owner, ['organisation:read'])).post(path, {})).toMatchObject({ status: 403 })
    expect(await owner.post(path, { signInPolicy: { password: 'disabled', passkeys: 'off' } })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: 'no-way-to-sign-in', path: ['signInPolicy', 'password'] }] },
    })
    const updater = await given.userWith(owner, ['organisation:update'])
    expect(await impactOf(updater, { requireMfa: true, allowedCallbackUrls: ['https://z.test/'] })).toMatchObject([
      { users: 3, sample: [] },
      { clients: 1, sampleOfClients: [] },
    ])
  })
})
