import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import type { SignedInUser } from '../support/given.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/v1/me/reauthenticate'

async function aUserWithPasskey(device = new PasskeyDevice()) {
  const { owner } = await service().given.organisation()
  const user = await service().given.userWith(owner, [])
  const passkey = await registerPasskey(user, device)
  return { owner, user, device, passkey }
}

/** What the device responds with to the options for the user. */
async function proofOf(user: SignedInUser, device: PasskeyDevice) {
  const { status, body } = await user.post(`${path}/options`)
  expect(status).toBe(200)
  return { flowToken: body.flowToken as string, credential: device.get(body.options) }
}

const notRecognised = { status: 400, body: { code: 'wrong-passkey' } }
const later = () => service().clock.advance({ seconds: 901 })
/** Registering a passkey asks for a recent sign-in. */
const refusalOf = async (user: SignedInUser) => (await user.post('/v1/me/passkeys/options')).body

describe('re-authentication by passkey', () => {
  it('is offered, and takes a passkey that verifies its user', async () => {
    const { owner, user, device, passkey } = await aUserWithPasskey()
    later()
    expect(await refusalOf(user)).toMatchObject({ code: 'recent-sign-in-required', methods: ['password', 'passkey'], maxAgeSeconds: 900 })
    const { body } = await user.post(`${path}/options`)
    expect(body.options).toMatchObject({
      userVerification: 'required',
      allowCredentials: [expect.objectContaining({ type: 'public-key' })],
    })

    expect(await user.post(path, await proofOf(user, device))).toMatchObject({ status: 200 })

    expect(await refusalOf(user)).not.toHaveProperty('code')
    const entries = await owner.audit({ actorId: user.id, action: 'session.reauthenticated' })
    expect(entries).toMatchObject([{ metadata: { factor: expect.stringMatching(/^verified_/), passkeyId: passkey.id } }])
    // The session is what it was: applications learn nothing of it.
    const { authenticationMethods } = await service()
      .database.tenant((await owner.get('/v1/admin/organisation')).body.id)
      .selectFrom('sessions')
      .select('authenticationMethods')
      .where('id', '=', user.sessionId)
      .executeTakeFirstOrThrow()
    expect(authenticationMethods).toEqual(['pwd'])
  })

  it('is not offered with a passkey of a former relying party', async () => {
    const { user, passkey } = await aUserWithPasskey()
    await service().database.system().updateTable('passkeys').set({ rpId: 'former.test' }).where('id', '=', passkey.id).execute()
    later()
    expect(await refusalOf(user)).toMatchObject({ code: 'recent-sign-in-required', methods: ['password'] })
  })

  it('stands for the second factor of those who have one', async () => {
    const { user, device } = await aUserWithPasskey()
    await enrolAuthenticator(user, service().clock)
    later()
    expect(await refusalOf(user)).toMatchObject({ methods: ['code', 'passkey'] })

    expect(await user.post(path, await proofOf(user, device))).toMatchObject({ status: 200 })
  })

  it('lets the password be removed, which a password does not', async () => {
    const { user, device } = await aUserWithPasskey()
    await user.post(path, { password: user.password })
    expect(await user.delete('/v1/me/password')).toMatchObject({ status: 403, body: { methods: ['passkey'] } })

    await user.post(path, await proofOf(user, device))

    expect(await user.delete('/v1/me/password')).toMatchObject({ status: 204 })
  })

  it('refuses a device that does not verify its user, another user, another purpose, an expired flow and a changed one', async () => {
    const silent = await aUserWithPasskey(new PasskeyDevice({ verifiesUser: false }))
    const { user, device } = await aUserWithPasskey()
    const other = await aUserWithPasskey()
    later()
    const { body } = await silent.user.post(`${path}/options`)
    const unverified = silent.device.get({ ...body.options, userVerification: 'discouraged' })
    expect(await silent.user.post(path, { flowToken: body.flowToken, credential: unverified })).toMatchObject(notRecognised)

    expect(await user.post(path, await proofOf(other.user, other.device))).toMatchObject(notRecognised)
    const signIn = (await service().anonymous.post('/v1/auth/passkey/options')).body
    expect(await user.post(path, { flowToken: signIn.flowToken, credential: device.get(signIn.options) })).toMatchObject(notRecognised)
    const own = await proofOf(user, device)
    const flowToken = `${own.flowToken.slice(0, -1)}${own.flowToken.endsWith('A') ? 'B' : 'A'}`
    expect(await user.post(path, { ...own, flowToken })).toMatchObject(notRecognised)
    service().clock.advance({ minutes: 6 })
    expect(await user.post(path, own)).toMatchObject(notRecognised)

    expect(await refusalOf(user)).toMatchObject({ code: 'recent-sign-in-required' })
  })

  it('takes one response once, of twenty that use it at once', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    const proof = await proofOf(user, device)

    const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(path, proof)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect(await owner.audit({ actorId: user.id, action: 'session.reauthenticated' })).toHaveLength(1)
  })

  it('is off where the organisation switches passkeys off, and the password where it disables passwords', async () => {
    const { owner, user, device } = await aUserWithPasskey()
    const proof = await proofOf(user, device)
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })
    expect(await user.post(path, proof)).toMatchObject(notRecognised)

    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'allowed', password: 'disabled' } })
    later()
    expect(await refusalOf(user)).toMatchObject({ methods: ['passkey'] })
    expect(await user.post(path, { password: user.password })).toMatchObject({ status: 400, body: { code: 'wrong-password' } })
    expect(await refusalOf(user)).toMatchObject({ code: 'recent-sign-in-required' })
  })
})
