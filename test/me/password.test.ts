import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()
const newPassword = 'another long passphrase'

async function aUser() {
  const { owner } = await service().given.organisation()
  return { owner, user: await service().given.userWith(owner, []) }
}

describe('POST /v1/me/password', () => {
  it('changes the password, ends the other sessions and mails the user', async () => {
    const { user, owner } = await aUser()
    const other = await service().given.signIn(user.email)

    expect(await user.post('/v1/me/password', { currentPassword: user.password, newPassword })).toMatchObject({ status: 204, body: null })

    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200 })
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    await service().mailbox.mailTo(user.email, 'Your password has been changed')
    await service().given.signIn(user.email, newPassword)
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=user.password_changed`)
    expect(body.data).toHaveLength(1)
    expect(JSON.stringify(body)).not.toContain(newPassword)
  })

  it('refuses a wrong current password, which counts as a failed sign-in', async () => {
    const { user, owner } = await aUser()
    const wrong = { currentPassword: 'a wrong one', newPassword }
    for (let failure = 1; failure <= 10; failure++) {
      expect(await user.post('/v1/me/password', wrong)).toMatchObject({ status: 400, body: { detail: 'Current password is wrong' } })
    }

    expect(await user.post('/v1/me/password', { currentPassword: user.password, newPassword })).toMatchObject({ status: 429 })
    const credentials = { email: user.email, password: user.password }
    expect(await service().anonymous.post('/v1/auth/login', credentials)).toMatchObject({ status: 429 })
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=login.failed`)
    expect(body.data).toHaveLength(10)
  })

  it('checks the new one by the policy, and then changes nothing', async () => {
    const { user, owner } = await aUser()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { requireNumbers: true, preventReuse: 1 } })

    expect(await user.post('/v1/me/password', { currentPassword: user.password, newPassword })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['newPassword'], message: 'Password must contain a number' }] },
    })
    await service().given.signIn(user.email)
  })

  it('called twice at the same moment, changes it once', async () => {
    const { user } = await aUser()
    const change = (chosen: string) => user.post('/v1/me/password', { currentPassword: user.password, newPassword: chosen })

    const answers = await Promise.all([change('the first of two'), change('the second of two')])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    await service().given.signIn(user.email, answers[0]?.status === 204 ? 'the first of two' : 'the second of two')
  })

  it.each([
    ['no current password', { newPassword }, 'invalid_type', 'currentPassword'],
    ['a new one that is too short', { currentPassword: 'x', newPassword: 'seven c' }, 'too_small', 'newPassword'],
    ['a new one of 257 characters', { currentPassword: 'x', newPassword: 'x'.repeat(257) }, 'too_big', 'newPassword'],
  ])('refuses %s', async (_, body, code, field) => {
    const { user } = await aUser()
    expect(await user.post('/v1/me/password', body)).toMatchObject({ status: 400, body: { errors: [{ code, path: [field] }] } })
  })
})
