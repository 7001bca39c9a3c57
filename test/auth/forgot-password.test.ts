import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const forgot = (email: string) => service().anonymous.post('/v1/auth/password/forgot', { email })
const subject = 'Choose a new password'
const mailsTo = (address: string) => service().mailbox.mails.filter(({ to, subject: actual }) => to === address && actual === subject)

describe('POST /v1/auth/password/forgot', () => {
  it('mails a link that sets a password once', async () => {
    const { owner, name } = await service().given.organisation()
    const user = await service().given.user(owner)

    expect(await forgot(` ${user.email.toUpperCase()} `)).toMatchObject({ status: 202, body: { message: expect.any(String) } })

    const mail = await service().mailbox.mailTo(user.email, subject)
    const token = await service().mailbox.tokenTo(user.email, subject)
    expect(mail.text).toContain(`http://gatehouse.test/password/reset?token=${token}`)
    expect(mail.html).toContain(name)
    const reset = { token, password: 'another long passphrase' }
    expect(await service().anonymous.post('/v1/auth/password/reset', reset)).toMatchObject({ status: 200 })
    expect(await service().anonymous.post('/v1/auth/password/reset', reset)).toMatchObject({
      status: 400,
      body: { detail: 'Invalid or expired token' },
    })
    await service().given.signIn(user.email, 'another long passphrase')
  })

  it('responds the same for every address, and mails nothing when there is no user to mail', async () => {
    const { owner } = await service().given.organisation()
    const known = await service().given.user(owner)
    const blocked = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: new Date().toISOString() })
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)
    const suspended = await service().given.organisation()
    await service().operator.patch(`/v1/system/organisations/${suspended.id}/suspend`, { reason: 'unpaid' })
    const silent = [`nobody-${unique()}@example.test`, 'not an address', blocked.email, deleted.email, suspended.owner.email]

    const answers = []
    for (const email of [...silent, known.email]) answers.push(await forgot(email))

    await service().mailbox.mailTo(known.email, subject)
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    for (const email of silent) expect(mailsTo(email)).toEqual([])
  })

  it('mails a link to a user who has no password yet', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner, { password: undefined })

    await forgot(user.email)

    await service().mailbox.mailTo(user.email, subject)
    await service().given.setPassword(user.email, 'another long passphrase')
    await service().given.signIn(user.email, 'another long passphrase')
  })

  it('mails the same link again within ten minutes, whether or not the first mail arrived', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await forgot(user.email)
    await expect.poll(() => mailsTo(user.email).length).toBe(1)
    service().clock.advance({ minutes: 9 })
    await forgot(user.email)
    await expect.poll(() => mailsTo(user.email).length).toBe(2)

    const [first, second] = mailsTo(user.email).map(({ text }) => /token=([\w-]+)/.exec(text)?.[1])
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(second).toBe(first)
    const stored = await service().database.system().selectFrom('actionLinks').selectAll().where('userId', '=', user.id).execute()
    expect(JSON.stringify(stored)).not.toContain(first)
    const reset = { token: second, password: 'another long passphrase' }
    expect(await service().anonymous.post('/v1/auth/password/reset', reset)).toMatchObject({ status: 200 })

    await forgot(user.email)
    await expect.poll(() => mailsTo(user.email).length).toBe(3)
    expect(mailsTo(user.email).at(-1)?.text).not.toContain(first)
  })

  it('mails no link that works for longer than the mail says, such as that of a welcome', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner, { password: undefined })
    const welcome = await service().mailbox.tokenTo(user.email)
    service().clock.advance({ minutes: 5 })
    await forgot(user.email)

    const token = await service().mailbox.tokenTo(user.email, subject)
    expect(token).not.toBe(welcome)
    const { body } = await service().anonymous.get(`/v1/auth/password/reset?token=${token}`)
    expect(Date.parse(body.expiresAt) - service().clock.now().getTime()).toBeLessThanOrEqual(3_600_000)
  })

  it('accepts only the newest link', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await forgot(user.email)
    const first = await service().mailbox.tokenTo(user.email, subject)
    service().clock.advance({ minutes: 10 })
    await forgot(user.email)
    await expect.poll(() => mailsTo(user.email).length).toBe(2)
    const second = await service().mailbox.tokenTo(user.email, subject)

    const password = 'another long passphrase'
    expect(await service().anonymous.post('/v1/auth/password/reset', { token: first, password })).toMatchObject({ status: 400 })
    expect(await service().anonymous.post('/v1/auth/password/reset', { token: second, password })).toMatchObject({ status: 200 })
  })

  it('accepts five requests an hour for one address, registered or not', async () => {
    service().clock.advance({ hours: 1 })
    const email = `nobody-${unique()}@example.test`
    for (let request = 1; request <= 5; request++) expect(await forgot(email)).toMatchObject({ status: 202 })

    const limited = await forgot(email.toUpperCase())

    expect(limited).toMatchObject({ status: 429 })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await forgot(`other-${email}`)).toMatchObject({ status: 202 })
    service().clock.advance({ hours: 1 })
    expect(await forgot(email)).toMatchObject({ status: 202 })
  })

  it('accepts twenty requests an hour from one caller, for any addresses', async () => {
    service().clock.advance({ hours: 1 })
    const many = Array.from({ length: 20 }, (_, index) => `nobody-${index}-${unique()}@example.test`)
    for (const email of many) expect(await forgot(email)).toMatchObject({ status: 202 })
    const { owner } = await service().given.organisation()
    const before = mailsTo(owner.email).length

    const limited = await forgot(owner.email)

    expect(limited).toMatchObject({ status: 429, body: { code: 'too-many-password-links' } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_000)
    await service().settled()
    expect(mailsTo(owner.email)).toHaveLength(before)
    service().clock.advance({ hours: 1 })
    expect(await forgot(owner.email)).toMatchObject({ status: 202 })
  })

  it('writes an audit entry without an actor', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await forgot(user.email)
    await service().mailbox.mailTo(user.email, subject)

    const { body } = await owner.get('/v1/admin/audit-logs?action=auth.password_reset_requested')
    expect(body.data).toMatchObject([{ actorId: null, targetId: user.id }])
  })

  it('names the field when there is no address', async () => {
    expect(await service().anonymous.post('/v1/auth/password/forgot', {})).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_type', path: ['email'], message: 'Required' }] },
    })
  })
})
