import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import type { SignedInUser } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

const restore = (admin: SignedInUser, id: string) => admin.post(`/v1/admin/users/${id}/restore`)

async function deletedUser(owner: SignedInUser, permissions: string[] = []) {
  const user = await service().given.userWith(owner, permissions)
  expect((await owner.delete(`/v1/admin/users/${user.id}`)).status).toBe(204)
  return user
}

describe('POST /v1/admin/users/:id/restore', () => {
  it('restores a deleted user unchanged, but signed out', async () => {
    const { owner } = await service().given.organisation()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const role = await service().given.role(owner)
    const { id, email } = await service().given.user(owner, { roleIds: [role.id], teamIds: [team.id] })
    const user = await service().given.signIn(email)
    const { backupCodes } = await enrolAuthenticator(user, service().clock)
    await owner.delete(`/v1/admin/users/${id}`)
    expect((await owner.get('/v1/admin/users?status=deleted')).body.data).toMatchObject([{ id }])

    expect(await restore(owner, id)).toMatchObject({
      status: 200,
      body: { id, deletedAt: null, mfaEnabled: true, roles: [{ id: role.id }], teams: [{ id: team.id }] },
    })

    expect((await owner.get(`/v1/admin/users/${id}`)).status).toBe(200)
    expect((await owner.get('/v1/admin/users')).body.total).toBe(2)
    expect((await owner.get('/v1/admin/users?status=deleted')).body.total).toBe(0)
    expect((await user.get('/v1/me/profile')).status).toBe(401)
    const login = await service().anonymous.post('/v1/auth/login', { email, password: 'correct horse battery' })
    expect(login.body).toMatchObject({ status: 'mfa_required' })
    const { mfaToken } = login.body
    expect((await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: backupCodes[0] })).status).toBe(200)
    expect(await owner.audit({ targetId: id, action: 'user.restored' })).toMatchObject([
      { actorId: owner.id, changes: { deletedAt: { from: expect.any(String), to: null } } },
    ])
  })

  it('does not make earlier mailed links valid again', async () => {
    const { owner } = await service().given.organisation()
    const { id, email } = await service().given.user(owner, { password: undefined })
    const token = await service().mailbox.tokenTo(email, 'Your account at')
    await owner.delete(`/v1/admin/users/${id}`)
    await restore(owner, id)

    expect((await service().anonymous.post('/v1/auth/password/reset', { token, password: 'another horse battery' })).status).toBe(400)
  })

  it('makes neither the proof of an address nor a code by mail valid again', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const { id, email } = await service().given.user(owner)
    const token = await service().mailbox.tokenTo(email, 'Confirm')
    const proof = await emailCodeFor(service(), email)
    await owner.delete(`/v1/admin/users/${id}`)
    expect((await restore(owner, id)).status).toBe(200)

    expect((await service().anonymous.post('/v1/auth/email/verify', { token })).status).toBe(400)
    expect((await service().anonymous.post('/v1/auth/email-code/verify', proof)).status).toBe(400)
  })

  it('does not make earlier API keys valid again', async () => {
    const { owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['api_keys:create', 'users:read'])
    const { body } = await creator.post('/v1/admin/api-keys', { name: 'Sync', permissions: ['users:read'] })
    const byKey = service().anonymous.with({ authorization: `Bearer ${body.key}` })
    expect((await byKey.get('/v1/admin/users')).status).toBe(200)
    await owner.delete(`/v1/admin/users/${creator.id}`)

    expect((await restore(owner, creator.id)).status).toBe(200)

    expect((await byKey.get('/v1/admin/users')).status).toBe(401)
    expect(await owner.audit({ targetId: body.id, action: 'api_key.deleted' })).toMatchObject([
      { actorId: owner.id, metadata: { because: 'user.deleted' } },
    ])
  })

  it('does nothing, and records nothing, for a user who is not deleted', async () => {
    const { owner } = await service().given.organisation()
    const { id, email } = await service().given.user(owner)

    expect(await restore(owner, id)).toMatchObject({ status: 200, body: { id, email } })

    expect(await owner.audit({ targetId: id, action: 'user.restored' })).toEqual([])
  })

  it('grants no permission that the caller lacks', async () => {
    const { owner } = await service().given.organisation()
    const user = await deletedUser(owner, ['users:delete'])
    const admin = await service().given.userWith(owner, ['users:create', 'users:read'])

    expect(await restore(admin, user.id)).toMatchObject({ status: 403, body: { code: 'cannot-grant' } })

    expect((await owner.get(`/v1/admin/users/${user.id}`)).status).toBe(404)
    expect((await restore(owner, user.id)).status).toBe(200)
  })

  it('respects the limit of a trial', async () => {
    const { id, owner } = await service().given.organisation({ status: 'trial' })
    const user = await deletedUser(owner)
    const tenant = service().database.tenant(id)
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    const numbers = Array.from({ length: 99 }, (_, number) => `usr_${id.slice(4, 20)}${number}`)
    await tenant
      .insertInto('users')
      .values(numbers.map((number) => ({ id: number, email: `${number}@example.test`, firstName: 'N', lastName: 'N', ...times })))
      .execute()

    expect(await restore(owner, user.id)).toMatchObject({ status: 403, body: { code: 'trial-limit-reached' } })
  })

  it('requires users:create, and finds no user of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const user = await deletedUser(owner)
    const updater = await service().given.userWith(owner, ['users:update', 'users:delete'])

    expect((await restore(updater, user.id)).status).toBe(403)
    expect((await restore(other.owner, user.id)).status).toBe(404)
    expect((await restore(owner, 'usr_unknown')).status).toBe(404)
  })
})
