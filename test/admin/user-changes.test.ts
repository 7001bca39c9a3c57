import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const unknownId = 'usr_01kahm3z9n4v7f2t8q6w5r1y0x'
const newUser = () => ({ email: `new-${unique()}@example.test`, firstName: 'New', lastName: 'User' })

describe('PATCH /v1/admin/users/{id}', () => {
  it('changes the fields that are sent, and the name with them', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const path = `/v1/admin/users/${user.id}`

    expect(await owner.patch(path, { firstName: 'Ada', phone: '+1', email: 'other@example.test', id: 'x' })).toMatchObject({
      status: 200,
      body: {
        id: user.id,
        firstName: 'Ada',
        lastName: 'User',
        name: 'Ada User',
        phone: '+1',
        email: user.email,
        roles: [{ slug: 'member' }],
      },
    })
    expect((await owner.patch(path, { phone: null })).body.phone).toBeNull()
    expect(await owner.patch(path)).toMatchObject({ status: 200, body: { name: 'Ada User' } })
    const { body } = await owner.get(`/v1/admin/audit-logs?action=user.updated&targetId=${user.id}`)
    expect(body.data.at(-1).changes).toEqual({
      firstName: { from: 'Test', to: 'Ada' },
      name: { from: 'Test User', to: 'Ada User' },
      phone: { from: null, to: '+1' },
    })
  })

  it('ends all sessions of a user who is blocked, at once, and allows sign-ins again when unblocked', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['users:read'])
    const path = `/v1/admin/users/${user.id}`

    const blockedAt = '2026-01-31T09:30:00.000Z'
    expect(await owner.patch(path, { blockedAt, blockedReason: 'Left' })).toMatchObject({
      status: 200,
      body: { blockedAt, blockedReason: 'Left' },
    })
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect((await owner.get('/v1/admin/users')).body.data.map(({ id }: { id: string }) => id)).toContain(user.id)

    expect(await owner.patch(path, { blockedAt: null })).toMatchObject({ status: 200, body: { blockedAt: null, blockedReason: null } })
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await (await service().given.signIn(user.email)).get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('stores the reason that is sent with the end of a block', async () => {
    const { owner } = await service().given.organisation()
    const path = `/v1/admin/users/${(await service().given.user(owner)).id}`
    await owner.patch(path, { blockedAt: '2026-01-31T09:30:00.000Z', blockedReason: 'On leave' })
    const back = { blockedAt: null, blockedReason: 'Back from leave' }
    expect(await owner.patch(path, back)).toMatchObject({ status: 200, body: back })
  })

  it.each([
    ['a time that is none', { blockedAt: 'yesterday' }, ['invalid_string', ['blockedAt']]],
    ['an empty name', { firstName: '' }, ['too_small', ['firstName']]],
    ['a name of 256 characters', { lastName: 'x'.repeat(256) }, ['too_big', ['lastName']]],
    ['control characters', { firstName: 'A\u0000b' }, ['custom', ['firstName']]],
    ['a number for a text', { phone: 7 }, ['invalid_type', ['phone']]],
  ])('refuses %s', async (_, changes, [code, path]) => {
    const { owner } = await service().given.organisation()
    const answer = await owner.patch(`/v1/admin/users/${owner.id}`, changes)
    expect(answer).toMatchObject({ status: 400, body: { detail: 'Invalid input', errors: [{ code, path, message: expect.any(String) }] } })
  })

  it('protects the owner, and leaves MFA to the user', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const block = { blockedAt: new Date().toISOString() }
    expect(await owner.patch(`/v1/admin/users/${owner.id}`, block)).toMatchObject({
      status: 400,
      body: { detail: 'The organisation owner cannot be blocked' },
    })
    expect(await owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: true })).toMatchObject({
      status: 400,
      body: { detail: 'MFA can only be enabled by the user' },
    })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})

describe('DELETE /v1/admin/users/{id}', () => {
  it('hides the user, ends the sessions, and reserves the e-mail and the id', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const path = `/v1/admin/users/${user.id}`

    expect(await owner.delete(path, '')).toMatchObject({ status: 204, body: null })
    expect(await owner.get(path)).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401, body: { detail: 'User not found' } })
    expect(await owner.delete(path)).toMatchObject({ status: 404 })
    expect(await owner.post('/v1/admin/users', { ...newUser(), email: user.email })).toMatchObject({ status: 409 })
    const successor = await owner.post('/v1/admin/users', { ...newUser(), id: user.id })
    expect(successor.body.id).toMatch(/^usr_[0-9a-z]{26}$/)
    expect(successor.body.id).not.toBe(user.id)
    expect(await owner.audit({ action: 'user.deleted' })).toMatchObject([{ targetId: user.id, actorId: owner.id }])
  })

  it('does not delete the owner', async () => {
    const { owner } = await service().given.organisation()
    const admin = await service().given.userWith(owner, ['users:delete'])
    expect(await admin.delete(`/v1/admin/users/${owner.id}`)).toMatchObject({
      status: 400,
      body: { detail: 'The organisation owner cannot be deleted' },
    })
  })
})

describe('the roles of a user', () => {
  it('can be assigned and removed repeatedly, and are recorded once', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner, { permissions: ['teams:read'] })
    const user = await service().given.userWith(owner, [])
    const path = `/v1/admin/users/${user.id}/roles`

    for (const _ of [1, 2])
      expect(await owner.post(path, { roleId: role.id })).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect((await user.get('/v1/me/profile')).body.permissions).toEqual(['teams:read'])
    await Promise.all([1, 2, 3].map(() => owner.delete(path, { roleId: role.id })))
    expect(await owner.delete(path, { roleId: role.id })).toMatchObject({ status: 200 })
    expect((await user.get('/v1/me/profile')).body.permissions).toEqual([])
    for (const action of ['role.assigned', 'role.unassigned']) {
      const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=${action}`)).body
      const ofRole = data.filter(({ metadata }: { metadata: { roleId: string } }) => metadata.roleId === role.id)
      expect([action, ofRole]).toEqual([action, [expect.anything()]])
    }
  })

  it('cannot hold permissions that the caller lacks, and the owner cannot lose the owner role', async () => {
    const { owner } = await service().given.organisation()
    const strong = await service().given.role(owner, { permissions: ['users:delete'] })
    const admin = await service().given.userWith(owner, ['users:update', 'users:create'])
    const { body } = await owner.get('/v1/admin/roles')
    const ownerRole = body.data.find(({ slug }: { slug: string }) => slug === 'owner')
    const refusal = { status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } }

    expect(await admin.post(`/v1/admin/users/${admin.id}/roles`, { roleId: strong.id })).toMatchObject(refusal)
    const user = newUser()
    expect(await admin.post('/v1/admin/users', { ...user, roleIds: [strong.id] })).toMatchObject(refusal)
    expect(await owner.post('/v1/admin/users', user)).toMatchObject({ status: 201 })
    expect(await owner.delete(`/v1/admin/users/${owner.id}/roles`, { roleId: ownerRole.id })).toMatchObject({
      status: 400,
      body: { detail: 'The organisation owner cannot lose the owner role' },
    })
  })

  it('must exist in the organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const foreign = await service().given.role(other.owner)
    for (const roleId of [foreign.id, 'rol_x', unknownId]) {
      for (const method of ['POST', 'DELETE']) {
        expect(await owner.request(method, `/v1/admin/users/${owner.id}/roles`, { body: { roleId } })).toMatchObject({
          status: 404,
          body: { detail: 'Role not found' },
        })
      }
    }
    expect(await owner.post(`/v1/admin/users/${owner.id}/roles`)).toMatchObject({ status: 400, body: { errors: [{ path: ['roleId'] }] } })
    const own = await service().given.role(owner)
    expect(await owner.post('/v1/admin/users', { ...newUser(), roleIds: [own.id, foreign.id] })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['roleIds', 1] }] },
    })
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
  })
})
