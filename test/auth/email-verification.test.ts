import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const subject = 'Confirm your e-mail address'

async function aUser() {
  const { owner } = await service().given.organisation()
  const user = await service().given.userWith(owner, [])
  return { owner, user }
}

const verify = (token: string) => service().anonymous.post('/v1/auth/email/verify', { token })
const invalidToken = { status: 400, body: { detail: 'Invalid or expired token' } }

describe('a new user', () => {
  it('with a password is mailed a link that verifies the address, once', async () => {
    const { owner, user } = await aUser()
    const token = await service().mailbox.tokenTo(user.email, subject)
    expect((await user.get('/v1/me/profile')).body.emailVerified).toBe(false)

    expect(await verify(token)).toMatchObject({ status: 200, body: { message: expect.any(String) } })

    expect((await user.get('/v1/me/profile')).body.emailVerified).toBe(true)
    expect(await verify(token)).toMatchObject(invalidToken)
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=auth.email_verified`)
    expect(body.data).toMatchObject([{ actorId: user.id }])
  })

  it('has a day to use it', async () => {
    const { user } = await aUser()
    const token = await service().mailbox.tokenTo(user.email, subject)
    service().clock.advance({ days: 1 })

    expect(await verify(token)).toMatchObject(invalidToken)
    expect(await verify('made-up')).toMatchObject(invalidToken)
  })
})

describe('POST /v1/me/email/verification', () => {
  it('sends another link, and the one before stops working', async () => {
    const { user } = await aUser()
    const first = await service().mailbox.tokenTo(user.email, subject)

    expect(await user.post('/v1/me/email/verification')).toMatchObject({ status: 202, body: { message: expect.any(String) } })

    const second = await service().mailbox.tokenTo(user.email, subject)
    expect(await verify(first)).toMatchObject(invalidToken)
    expect(await verify(second)).toMatchObject({ status: 200 })
  })

  it('sends none when the address is verified, and at most five an hour', async () => {
    const { owner, user } = await aUser()
    for (let request = 1; request <= 5; request++) await user.post('/v1/me/email/verification')
    expect(await user.post('/v1/me/email/verification')).toMatchObject({ status: 429 })

    // The owner's address was verified by the link of the welcome mail.
    expect(await owner.post('/v1/me/email/verification')).toMatchObject({ status: 202 })
    const { body } = await owner.get('/v1/admin/audit-logs?action=auth.email_verification_requested')
    expect(body.data).toHaveLength(5)
  })
})

describe('a link', () => {
  it('for one purpose does not serve another', async () => {
    const { owner, user } = await aUser()
    const verification = await service().mailbox.tokenTo(user.email, subject)
    await owner.post(`/v1/admin/users/${user.id}/password-reset`)
    const reset = await service().mailbox.tokenTo(user.email, 'Choose a new password')

    expect(await verify(reset)).toMatchObject(invalidToken)
    const password = 'another long passphrase'
    expect(await service().anonymous.post('/v1/auth/password/reset', { token: verification, password })).toMatchObject(invalidToken)
    await service().given.signIn(user.email)
  })
})
