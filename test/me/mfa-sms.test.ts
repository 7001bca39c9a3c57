import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RateLimit } from '../../src/platform/rate-limits/rate-limit.ts'
import { fileSender, gatewaySender } from '../../src/platform/sms/senders.ts'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
/** Counts as if so much had been sent. */
const countUntil = async (limit: RateLimit, key: string, times: number) => {
  for (let time = 0; time < times; time++) await limit.count(key)
}
const aPhone = () => `+4915${randomInt(100_000_000, 999_999_999)}`

async function aUser() {
  const organisation = await service().given.organisation()
  await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms'] })
  return { organisation, user: await service().given.userWith(organisation.owner, []) }
}

async function aUserWithPhone() {
  const { organisation, user } = await aUser()
  const phone = aPhone()
  expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
  const verified = await user.post('/v1/me/mfa/verify', { token: service().phones.codeTo(phone) })
  expect(verified).toMatchObject({ status: 200 })
  return { organisation, user, phone, backupCodes: verified.body.backupCodes as string[] }
}

const startedSignIn = async ({ email, password }: { email: string; password: string }) =>
  (await service().anonymous.post('/v1/auth/login', { email, password })).body
const complete = (mfaToken: string, code: string) => service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code })

describe('a phone as second factor', () => {
  it('is enrolled with the code that is sent to it', async () => {
    const { organisation, user } = await aUser()
    const phone = aPhone()
    const typed = `${phone.slice(0, 3)} (${phone.slice(3, 6)}) ${phone.slice(6)}`

    const enabled = await user.post('/v1/me/mfa/enable', { method: 'sms', phone: typed })

    expect(enabled).toMatchObject({ status: 200, body: { phone, message: expect.any(String) } })
    const { text } = service().phones.messages.at(-1) ?? { text: '' }
    expect(text).toContain(organisation.name)
    expect(JSON.stringify(enabled.body)).not.toContain(service().phones.codeTo(phone))
    expect((await user.get('/v1/me/profile')).body.mfaEnabled).toBe(false)
    expect(await user.post('/v1/me/mfa/verify', { token: service().phones.codeTo(phone) })).toMatchObject({
      status: 200,
      body: { backupCodes: expect.any(Array) },
    })
    expect((await user.get('/v1/me/mfa')).body).toEqual({
      enabled: true,
      methods: [{ method: 'sms', phone, verifiedAt: expect.any(String) }],
      backupCodesLeft: 10,
    })
  })

  it('gets a code at sign-in, which works once', async () => {
    const { user, phone } = await aUserWithPhone()

    const login = await startedSignIn(user)

    expect(login).toMatchObject({ status: 'mfa_required', methods: ['sms'] })
    const code = service().phones.codeTo(phone)
    expect(await complete(login.mfaToken, code)).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    service().phones.messages.length = 0
    const { mfaToken } = await startedSignIn(user)
    expect(await complete(mfaToken, code)).toMatchObject({ status: 400 })
  })

  it('gets another code on request; the previous one stops working, and each expires after five minutes', async () => {
    const { user, phone } = await aUserWithPhone()
    const { mfaToken } = await startedSignIn(user)
    const first = service().phones.codeTo(phone)
    expect(await service().anonymous.post('/v1/auth/login/mfa/code', { mfaToken })).toMatchObject({ status: 202 })
    const second = service().phones.codeTo(phone)

    if (first !== second) expect(await complete(mfaToken, first)).toMatchObject({ status: 400 })
    service().clock.advance({ minutes: 4 })
    const { mfaToken: later } = await startedSignIn(user)
    const third = service().phones.codeTo(phone)
    service().clock.advance({ minutes: 5 })
    expect(await user.post('/v1/me/mfa/check', { token: third })).toMatchObject({ body: { valid: false } })
    expect(await user.post('/v1/me/mfa/disable', { token: third })).toMatchObject({ status: 400 })
    expect(await complete(later, third)).toMatchObject({ status: 401 })
  })

  it('is sent no more than ten codes in an hour by users who would have it, and those of its own user even so', async () => {
    const { user: holder, phone } = await aUserWithPhone()
    const answers: number[] = []
    for (let other = 0; other < 3; other++) {
      const { user } = await aUser()
      for (let request = 0; request < 4; request++) answers.push((await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).status)
    }

    expect(answers).toEqual([...Array(9).fill(200), ...Array(3).fill(429)])
    expect(await holder.post('/v1/me/mfa/code')).toMatchObject({ status: 202 })
    service().clock.advance({ hours: 1 })
    const { user } = await aUser()
    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
  })

  it('is sent no code for a request that is refused, which uses up none of the codes of its owner', async () => {
    const { organisation, user: stranger } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp'] })
    const { user: enrolled } = await aUser()
    const { authenticator } = await enrolAuthenticator(enrolled, service().clock)
    const phone = aPhone()
    for (let request = 0; request < 6; request++) {
      expect(await stranger.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 400 })
      expect(await enrolled.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 400 })
    }
    const token = authenticator.wrongCode()
    expect(await enrolled.post('/v1/me/mfa/enable', { method: 'sms', phone, token })).toMatchObject({ status: 400 })

    expect(service().phones.countTo(phone)).toBe(0)
    const { user } = await aUser()
    for (let request = 0; request < 5; request++)
      expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
    await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['sms'] })
    for (let request = 0; request < 5; request++)
      expect(await stranger.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
  })

  it('is sent no more than fifteen codes in an hour, of all users who have confirmed it', async () => {
    const { user, phone } = await aUserWithPhone()
    await countUntil(service().services.limits.smsByPhone, phone, 14)

    expect(await user.post('/v1/me/mfa/code')).toMatchObject({ status: 202 })
    expect(await user.post('/v1/me/mfa/code')).toMatchObject({ status: 429, body: { code: 'too-many-codes-sent' } })
    expect(service().phones.countTo(phone)).toBe(2)
  })

  it('is sent no more than five codes in a quarter of an hour', async () => {
    const { user, phone } = await aUserWithPhone()
    for (let request = 2; request <= 5; request++) expect(await user.post('/v1/me/mfa/code')).toMatchObject({ status: 202 })

    const limited = await user.post('/v1/me/mfa/code')

    expect(limited).toMatchObject({ status: 429 })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    // The sign-in continues: the last code still works.
    const { mfaToken } = await startedSignIn(user)
    expect(service().phones.countTo(phone)).toBe(5)
    expect(await complete(mfaToken, service().phones.codeTo(phone))).toMatchObject({ status: 200 })
  })

  it('disables MFA with a code that is sent for it', async () => {
    const { user, phone } = await aUserWithPhone()
    await user.post('/v1/me/mfa/code')

    expect(await user.post('/v1/me/mfa/disable', { token: service().phones.codeTo(phone) })).toMatchObject({ status: 200 })

    expect((await user.get('/v1/me/mfa')).body).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 })
  })

  it('is not needed by a user with a backup code', async () => {
    const { user, backupCodes } = await aUserWithPhone()
    const { mfaToken } = await startedSignIn(user)

    expect(await complete(mfaToken, backupCodes[0] ?? '')).toMatchObject({ status: 200 })
  })

  it('stores its codes so that they cannot be recovered from the database', async () => {
    const { organisation, user, phone } = await aUserWithPhone()
    await user.post('/v1/me/mfa/code')

    const stored = await service().database.tenant(organisation.id).selectFrom('mfaSentCodes').selectAll().execute()

    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(service().phones.codeTo(phone))
  })
})

describe('the text messages of an organisation', () => {
  const tooMany = { status: 429, body: { code: 'too-many-codes-sent' } }

  it('name it without what looks like an address', async () => {
    const organisation = await service().given.organisation()
    const name = `Win at https://evil.example/${unique()}`
    await organisation.owner.patch('/v1/admin/organisation', { name, allowedMfaMethods: ['sms'] })
    const user = await service().given.userWith(organisation.owner, [])
    const phone = aPhone()

    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
    expect(await user.post('/v1/me/mfa/verify', { token: service().phones.codeTo(phone) })).toMatchObject({ status: 200 })
    await user.post('/v1/me/mfa/code')

    const texts = service().phones.messages.flatMap(({ to, text }) => (to === phone ? [text] : []))
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).toMatch(/^\d{6} is your code for Win at\. It works/)
  })

  it('are 200 a day while it is on trial', async () => {
    const { owner, id } = await service().given.organisation({ status: 'trial' })
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['sms'] })
    await countUntil(service().services.limits.smsOfTrialOrganisation, id, 198)
    const [user, other] = [await service().given.userWith(owner, []), await service().given.userWith(owner, [])]
    const phone = aPhone()
    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
    expect(await user.post('/v1/me/mfa/verify', { token: service().phones.codeTo(phone) })).toMatchObject({ status: 200 })
    expect(await user.post('/v1/me/mfa/code')).toMatchObject({ status: 202 })

    expect(await user.post('/v1/me/mfa/code')).toMatchObject(tooMany)
    expect(await other.post('/v1/me/mfa/enable', { method: 'sms', phone: aPhone() })).toMatchObject(tooMany)

    await service().operator.patch(`/v1/system/organisations/${id}/activate`)
    expect(await user.post('/v1/me/mfa/code')).toMatchObject({ status: 202 })
    expect(await other.post('/v1/me/mfa/enable', { method: 'sms', phone: aPhone() })).toMatchObject({ status: 200 })
  })

  it('to numbers that no user has confirmed are 5,000 a day once it is in use, and those to its users as many as they need', async () => {
    const { organisation, user } = await aUserWithPhone()
    const other = await service().given.userWith(organisation.owner, [])
    const { limits } = service().services
    const inADay = new Date(service().clock.now().getTime() + 24 * 3_600_000)
    await expect(limits.smsOfOrganisation.useUp(organisation.id, inADay)).rejects.toMatchObject({ code: 'too-many-codes-sent' })

    expect(await other.post('/v1/me/mfa/enable', { method: 'sms', phone: aPhone() })).toMatchObject(tooMany)
    expect(await user.post('/v1/me/mfa/code')).toMatchObject({ status: 202 })
  })
})

describe('a second kind of factor', () => {
  it('is added with a code of the first, and both are named at sign-in', async () => {
    const { user } = await aUser()
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const phone = aPhone()
    const refused = { status: 400, body: { detail: 'MFA is already enabled' } }

    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject(refused)
    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone, token: authenticator.wrongCode() })).toMatchObject({
      status: 400,
      body: { detail: 'Invalid verification code' },
    })
    expect(service().phones.countTo(phone)).toBe(0)
    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone, token: authenticator.nextCode() })).toMatchObject({ status: 200 })
    expect(await user.post('/v1/me/mfa/verify', { token: service().phones.codeTo(phone) })).toMatchObject({ status: 200 })

    expect(await user.post('/v1/me/mfa/enable', { method: 'totp', token: authenticator.nextCode() })).toMatchObject(refused)
    const { mfaToken, methods } = await startedSignIn(user)
    expect(methods).toEqual(['totp', 'sms'])
    // Messages are sent only on request: each costs money.
    expect(service().phones.countTo(phone)).toBe(1)
    expect(await complete(mfaToken, authenticator.nextCode())).toMatchObject({ status: 200 })
  })

  it('may be an app beside a phone', async () => {
    const { user, phone } = await aUserWithPhone()
    await user.post('/v1/me/mfa/code')
    const enabled = await user.post('/v1/me/mfa/enable', { method: 'totp', token: service().phones.codeTo(phone) })
    expect(enabled).toMatchObject({ status: 200, body: { secret: expect.any(String) } })
    const authenticator = new Authenticator(enabled.body.secret, service().clock)
    expect(await user.post('/v1/me/mfa/verify', { token: authenticator.code() })).toMatchObject({ status: 200 })

    expect(await startedSignIn(user)).toMatchObject({ methods: ['totp', 'sms'] })
  })
})

describe('an enrolment of a phone', () => {
  it.each([
    ['without a number', {}],
    ['with a national number', { phone: '0151 12345678' }],
    ['with something else', { phone: '+49 call me' }],
  ])('is refused %s', async (_, fields) => {
    const { user } = await aUser()
    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', ...fields })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['phone'] }] },
    })
  })

  it('is refused when the organisation does not allow it, and sends nothing', async () => {
    const { organisation, user } = await aUser()
    await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp'] })
    const phone = aPhone()

    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({
      status: 400,
      body: { detail: 'The organisation does not allow the MFA method sms' },
    })
    expect(service().phones.countTo(phone)).toBe(0)
  })

  it('reports a failure of the gateway, and can be started again', async () => {
    const { user } = await aUser()
    const phone = aPhone()
    service().phones.failing = true
    const failed = await user.post('/v1/me/mfa/enable', { method: 'sms', phone })
    service().phones.failing = false

    expect(failed).toMatchObject({ status: 503, body: { detail: 'The code could not be sent, try again later' } })
    expect(service().logLines.some((line) => line.includes('a text message could not be sent'))).toBe(true)
    expect(await user.post('/v1/me/mfa/enable', { method: 'sms', phone })).toMatchObject({ status: 200 })
  })
})

describe('the gateway', () => {
  it('gets a POST of JSON with the token, and counts as successful only when it responds 2xx', async () => {
    const requests: { authorization: string | undefined; body: unknown }[] = []
    let status = 202
    const gateway = createServer(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
      requests.push({ authorization: request.headers.authorization, body })
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/messages`
    const sender = gatewaySender({ url, token: 'a-token', from: 'Acme' })
    const message = { to: '+4915112345678', text: '123456 is your code' }

    await sender.send(message)
    expect(requests).toEqual([{ authorization: 'Bearer a-token', body: { from: 'Acme', ...message } }])
    status = 500
    await expect(sender.send(message)).rejects.toThrow('500')
    gateway.close()
    gateway.closeAllConnections()
    await expect(sender.send(message)).rejects.toThrow()
  })

  it('is replaced by files in development', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'gatehouse-sms-')), 'sms')
    await fileSender(folder).send({ to: '+4915112345678', text: '123456 is your code' })

    const [file = ''] = await readdir(folder)
    expect(file).toMatch(/4915112345678\.txt$/)
    expect(await readFile(join(folder, file), 'utf8')).toBe('To: +4915112345678\n\n123456 is your code\n')
  })
})
