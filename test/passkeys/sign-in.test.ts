import { describe, expect, it } from 'vitest'
import { PasskeyDevice, passkeyProof, registerPasskey, signedInBy, tryPasskey, tryToRegister } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function aUserWithPasskey(options: ConstructorParameters<typeof PasskeyDevice>[0] = {}) {
  const { owner, id: organisationId } = await service().given.organisation()
  const user = await service().given.userWith(owner, [])
  const device = new PasskeyDevice(options)
  const passkey = await registerPasskey(user, device)
  return { owner, organisationId, user, device, passkey }
}

describe('a passkey', () => {
  it('is registered by its user, who is told by mail', async () => {
    const { owner, user, passkey } = await aUserWithPasskey()

    expect(passkey).toMatchObject({
      id: expect.stringMatching(/^pk_/),
      name: 'Passkey',
      canSignIn: true,
      isSynced: true,
      transports: ['usb'],
      provider: null,
      lastUsedAt: null,
    })
    expect((await user.get('/v1/me/passkeys')).body).toEqual({ data: [passkey], total: 1 })
    expect((await owner.get(`/v1/admin/users/${user.id}/passkeys`)).body).toEqual({ data: [passkey], total: 1 })
    expect((await service().mailbox.mailTo(user.email, 'A passkey has been registered')).text).toContain('The passkey Passkey has been')
    expect(await owner.audit({ action: 'passkey.registered' })).toMatchObject([
      { actorId: user.id, targetId: passkey.id, targetName: 'Passkey' },
    ])
    // Alone it switches nothing on.
    expect((await user.get('/v1/me/mfa')).body).toMatchObject({ enabled: false })
  })

  it('has a user by a random handle, the same for all passkeys', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const handleOf = async (client: typeof user) => (await client.post('/v1/me/passkeys/options')).body.options.user.id as string

    const handles = await Promise.all([handleOf(user), handleOf(user), handleOf(user)])

    expect(new Set(handles).size).toBe(1)
    expect(Buffer.from(handles[0] as string, 'base64url')).toHaveLength(64)
    expect(await handleOf(owner)).not.toBe(handles[0])
  })

  it('signs its user in without a password, with one touch for both factors', async () => {
    const { owner, user, device, passkey } = await aUserWithPasskey()

    const login = await tryPasskey(service().anonymous, device)

    expect(login).toMatchObject({ status: 200, body: { status: 'authenticated', user: { id: user.id } } })
    const signedIn = signedInBy(service().anonymous, login)
    expect((await signedIn.get('/v1/me/profile')).body).toMatchObject({ id: user.id })
    const [entry] = await owner.audit({ action: 'login.success' })
    expect(entry).toMatchObject({ metadata: { authenticationMethods: ['swk', 'user', 'mfa'], passkeyId: passkey.id } })
    expect((await signedIn.get('/v1/me/passkeys')).body.data).toMatchObject([{ lastUsedAt: expect.any(String) }])
  })

  it('is given the same challenge by no two options, which say nothing of any user', async () => {
    const first = await service().anonymous.post('/v1/auth/passkey/options')
    const second = await service().anonymous.post('/v1/auth/passkey/options', {})

    expect(first).toMatchObject({
      status: 200,
      body: { options: { rpId: 'gatehouse.test', allowCredentials: [], userVerification: 'required', timeout: 300_000 } },
    })
    expect(Buffer.from(first.body.options.challenge, 'base64url')).toHaveLength(32)
    expect(second.body.options.challenge).not.toBe(first.body.options.challenge)
  })

  it('that did not verify its user at registration is a second factor only', async () => {
    const { owner, user } = await aUserWithPasskey()
    const device = new PasskeyDevice({ verifiesUser: false })
    expect(await registerPasskey(user, device)).toMatchObject({ canSignIn: false })

    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 401, body: { code: 'passkey-not-recognised' } })
    await service().settled()
    expect(await owner.audit({ action: 'login.success' })).toHaveLength(2)
  })

  it('works once for each challenge', async () => {
    const { device } = await aUserWithPasskey()
    const proof = await passkeyProof(service().anonymous, device)

    expect(await service().anonymous.post('/v1/auth/passkey', proof)).toMatchObject({ status: 200 })
    expect(await service().anonymous.post('/v1/auth/passkey', proof)).toMatchObject({
      status: 401,
      body: { detail: 'Passkey not recognised', code: 'passkey-not-recognised' },
    })
  })

  it('starts one session when it is used twenty times at once', async () => {
    const { organisationId, user, device } = await aUserWithPasskey({ signCounterIncrement: 0 })
    const proof = await passkeyProof(service().anonymous, device)

    const answers = await Promise.all(Array.from({ length: 20 }, () => service().anonymous.post('/v1/auth/passkey', proof)))

    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    expect(new Set(statuses.slice(1)).size).toBe(1)
    expect(statuses[1]).toBe(401)
    const sessions = await service()
      .database.tenant(organisationId)
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', user.id)
      .execute()
    expect(sessions).toHaveLength(2)
  })

  it('whose counter does not grow is refused, and its user is told that there may be a copy', async () => {
    const { owner, user, device, passkey } = await aUserWithPasskey()
    const early = await passkeyProof(service().anonymous, device)
    const late = await passkeyProof(service().anonymous, device)
    expect(await service().anonymous.post('/v1/auth/passkey', late)).toMatchObject({ status: 200 })

    expect(await service().anonymous.post('/v1/auth/passkey', early)).toMatchObject({
      status: 401,
      body: { code: 'passkey-not-recognised' },
    })

    expect(await owner.audit({ action: 'passkey.clone_suspected' })).toMatchObject([
      { actorId: null, targetId: passkey.id, metadata: { storedCounter: 2, receivedCounter: 1 } },
    ])
    expect((await service().mailbox.mailTo(user.email, 'Your passkey was refused')).text).toContain('There may be a copy of it')
    // It stays.
    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 200 })
  })

  it('can be registered once in the whole system', async () => {
    const { user, device } = await aUserWithPasskey()
    const other = await aUserWithPasskey()
    const { body } = await other.user.post('/v1/me/passkeys/options')
    const credential = device.create({ ...body.options, excludeCredentials: [] })
    expect(await other.user.post('/v1/me/passkeys', { flowToken: body.flowToken, credential })).toMatchObject({ status: 201 })

    const again = await other.user.post('/v1/me/passkeys', { flowToken: body.flowToken, credential })

    expect(again).toMatchObject({ status: 409, body: { detail: 'Passkey already registered', code: 'passkey-already-registered' } })
    expect((await user.get('/v1/me/passkeys')).body.total).toBe(1)
  })

  it('that is registered twenty times at once is registered once', async () => {
    const { owner } = await service().given.organisation()
    const { body } = await owner.post('/v1/me/passkeys/options')
    const credential = new PasskeyDevice().create(body.options)

    const registrations = Array.from({ length: 20 }, () => owner.post('/v1/me/passkeys', { flowToken: body.flowToken, credential }))
    const statuses = (await Promise.all(registrations)).map(({ status }) => status).sort()

    expect(statuses).toEqual([201, ...Array(19).fill(409)])
    expect((await owner.get('/v1/me/passkeys')).body.total).toBe(1)
  })

  it('cannot be registered without a recent sign-in', async () => {
    const { owner } = await service().given.organisation()
    service().clock.advance({ minutes: 16 })

    expect(await owner.post('/v1/me/passkeys/options')).toMatchObject({ status: 403, body: { code: 'recent-sign-in-required' } })
  })

  it('is one of at most twenty of a user', async () => {
    const { owner } = await service().given.organisation()
    for (let count = 0; count < 20; count++) await registerPasskey(owner, new PasskeyDevice())

    expect(await owner.post('/v1/me/passkeys/options')).toMatchObject({ status: 400, body: { code: 'too-many-passkeys' } })
  })

  it('is excluded from being registered again on the same device', async () => {
    const { owner } = await service().given.organisation()
    const device = new PasskeyDevice()
    await registerPasskey(owner, device)

    await expect(tryToRegister(owner, device)).rejects.toThrow()
  })
})
