import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const newUser = () => ({ email: `user-${unique()}@example.test`, firstName: 'Carol', lastName: 'Shaw' })
const mailsTo = (address: string) => service().mailbox.mails.filter(({ to }) => to === address)

describe('a user who is created without a password', () => {
  it('is mailed a welcome with a link that sets one for seven days, and verifies the address', async () => {
    const { owner, name } = await service().given.organisation()
    const { email } = newUser()
    const created = await owner.post('/v1/admin/users', { ...newUser(), email })
    expect(created.status).toBe(201)

    const token = await service().mailbox.tokenTo(email, `Your account at ${name}`)
    const { body: link } = await service().anonymous.get(`/v1/auth/password/reset?token=${token}`)
    expect((Date.parse(link.expiresAt) - service().clock.now().getTime()) / 86_400_000).toBeCloseTo(7, 1)
    expect((await service().anonymous.post('/v1/auth/password/reset', { token, password: 'another horse battery' })).status).toBe(200)

    await service().given.signIn(email, 'another horse battery')
    expect((await owner.get(`/v1/admin/users/${created.body.id}`)).body.emailVerifiedAt).not.toBeNull()
  })

  it('gets no mail when the caller does not want it, and can still request a link', async () => {
    const { owner } = await service().given.organisation()
    const input = newUser()
    expect((await owner.post('/v1/admin/users', { ...input, sendWelcomeMail: false })).status).toBe(201)
    // By now, every mail is in the outbox. A mail to another user shows that the outbox has been emptied.
    const other = await service().given.user(owner, { password: undefined })
    await service().mailbox.mailTo(other.email)
    expect(mailsTo(input.email)).toEqual([])

    await service().anonymous.post('/v1/auth/password/forgot', { email: input.email })

    await service().given.setPassword(input.email, 'another horse battery', 'Choose a new password')
    await service().given.signIn(input.email, 'another horse battery')
  })

  it('is not created when the address is taken, and nothing is mailed to it', async () => {
    const { owner } = await service().given.organisation()
    const { email } = await service().given.user(owner)
    await service().mailbox.mailTo(email)

    expect((await owner.post('/v1/admin/users', { ...newUser(), email })).status).toBe(409)

    const other = await service().given.user(owner, { password: undefined })
    await service().mailbox.mailTo(other.email)
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('is refused a value for sendWelcomeMail that is neither true nor false', async () => {
    const { owner } = await service().given.organisation()

    expect(await owner.post('/v1/admin/users', { ...newUser(), sendWelcomeMail: 'no' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['sendWelcomeMail'] }] },
    })
  })
})

describe('a user who is created with a password', () => {
  it('is mailed no welcome, but the link that verifies the address', async () => {
    const { owner } = await service().given.organisation()
    const { email } = await service().given.user(owner)

    await service().mailbox.mailTo(email, 'Confirm your e-mail address')
    expect(mailsTo(email)).toHaveLength(1)
  })
})
