import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { PasskeyDevice, passkeyProof, registerPasskey, tryPasskey } from '../support/passkeys.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService()
const related = 'https://portal.example.org'

describe('/.well-known/passkey-endpoints', () => {
  it('leads to the page of passkeys', async () => {
    const page = 'http://gatehouse.test/account/passkeys'
    expect(await service().anonymous.get('/.well-known/passkey-endpoints')).toMatchObject({
      status: 200,
      body: { enroll: page, manage: page },
    })
  })
})

describe('/.well-known/webauthn', () => {
  it('names the origins of PASSKEY_ORIGINS, if there are any', async () => {
    expect(await service().anonymous.get('/.well-known/webauthn')).toMatchObject({ status: 404, body: { code: 'no-related-origins' } })
    const other = await startTestService({ environment: { PASSKEY_ORIGINS: related } })

    expect(await other.anonymous.get('/.well-known/webauthn')).toMatchObject({ status: 200, body: { origins: [related] } })
    const { owner } = await other.given.organisation()
    const device = new PasskeyDevice()
    await registerPasskey(owner, device)
    const { flowToken, options } = (await other.anonymous.post('/v1/auth/passkey/options')).body
    const credential = device.get(options, related, [related])
    expect(await other.anonymous.post('/v1/auth/passkey', { flowToken, credential })).toMatchObject({ status: 200 })
    expect(await service().anonymous.post('/v1/auth/passkey', { flowToken, credential })).toMatchObject({ status: 401 })
    await other.stop()
  })
})

describe('another PASSKEY_RP_ID', () => {
  it('ends the passkeys of the former one, and the start says how many there are', async () => {
    const engine = await freshEngine()
    const secretKey = randomBytes(32)
    const publicUrl = 'http://id.gatehouse.test'
    const device = new PasskeyDevice({ origin: publicUrl })
    const before = await startTestService({
      engine: { ...engine, close: async () => {} },
      secretKey,
      environment: { PUBLIC_URL: publicUrl },
    })
    const { owner } = await before.given.organisation()
    await registerPasskey(owner, device)
    expect(await tryPasskey(before.anonymous, device)).toMatchObject({ status: 200 })
    const proof = await passkeyProof(before.anonymous, device)
    expect(before.logLines.join()).not.toContain('PASSKEY_RP_ID')
    await before.stop()

    const after = await startTestService({ engine, secretKey, environment: { PUBLIC_URL: publicUrl, PASSKEY_RP_ID: 'gatehouse.test' } })

    expect(after.logLines.join()).toContain(
      '1 passkey was registered for another PASSKEY_RP_ID and cannot be used: it is gatehouse.test now',
    )
    const answer = await after.anonymous.post('/v1/auth/passkey', proof)
    expect(answer).toMatchObject({ status: 401, body: { code: 'passkey-not-recognised' } })
    expect(answer.body).not.toHaveProperty('unknownCredential')
    await after.stop()
  })
})

describe('a service without a host name', () => {
  it('has no passkeys', async () => {
    const other = await startTestService({ environment: { PUBLIC_URL: 'http://127.0.0.1:3000' } })
    const { owner } = await other.given.organisation()

    const refused = { status: 400, body: { code: 'passkeys-not-possible' } }
    expect(await other.anonymous.post('/v1/auth/passkey/options')).toMatchObject(refused)
    expect(await owner.post('/v1/me/passkeys/options')).toMatchObject(refused)
    expect(await other.given.signIn(owner.email)).toBeDefined()
    await other.stop()
  })
})
