import { describe, expect, it } from 'vitest'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const blockedAt = '2026-01-01T00:00:00Z'

/** The first names of the users in a list. */
async function found(owner: SignedInUser, query: string): Promise<string[]> {
  const { status, body } = await owner.get(`/v1/admin/users?${query}`)
  expect(status).toBe(200)
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ firstName }: { firstName: string }) => firstName)
}

describe('the list of users', () => {
  it('is filtered by a role, also for users with several roles', async () => {
    const { owner } = await service().given.organisation()
    const [support, billing] = [await service().given.role(owner), await service().given.role(owner)]
    await service().given.user(owner, { firstName: 'Both', roleIds: [support.id, billing.id] })
    await service().given.user(owner, { firstName: 'Billing', roleIds: [billing.id] })
    await service().given.user(owner, { firstName: 'None' })

    expect(await found(owner, `roleId=${support.id}`)).toEqual(['Both'])
    expect(await found(owner, `roleId=${billing.id}`)).toEqual(['Both', 'Billing'])
    expect(await found(owner, 'roleId=rol_unknown')).toEqual([])
  })

  it('is filtered by a team', async () => {
    const { owner } = await service().given.organisation()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    await service().given.user(owner, { firstName: 'In', teamIds: [team.id] })
    await service().given.user(owner, { firstName: 'Out' })

    expect(await found(owner, `teamId=${team.id}`)).toEqual(['In'])
  })

  it('is filtered by a permission, whichever role grants it', async () => {
    const { owner } = await service().given.organisation()
    const one = await service().given.role(owner, { permissions: ['users:delete'] })
    const other = await service().given.role(owner, { permissions: ['users:delete', 'teams:read'] })
    await service().given.user(owner, { firstName: 'Twice', roleIds: [one.id, other.id] })
    await service().given.user(owner, { firstName: 'None' })

    expect(await found(owner, 'permission=users:delete&sort=-createdAt')).toEqual(['Twice', 'owner'])
    expect(await found(owner, 'permission=teams:read&sort=-createdAt')).toEqual(['Twice', 'owner'])
    expect(await found(owner, 'permission=no:such')).toEqual([])
  })

  it('is filtered by the domain of the address, in any letter case and without the domains below it', async () => {
    const { owner } = await service().given.organisation()
    const domain = `${unique()}.test`
    await service().given.user(owner, { firstName: 'In', email: `ann@${domain}` })
    await service().given.user(owner, { firstName: 'Below', email: `ben@mail.${domain}` })
    await service().given.user(owner, { firstName: 'Beside', email: `cleo@x${domain}` })

    expect(await found(owner, `emailDomain=${domain.toUpperCase()}`)).toEqual(['In'])
    expect(await found(owner, `emailDomain=${domain}&status=blocked`)).toEqual([])
    expect(await found(owner, `emailDomain=@${domain}`)).toEqual([])
  })

  it('is filtered by the status', async () => {
    const { owner } = await service().given.organisation()
    const signedIn = await service().given.user(owner, { firstName: 'Present' })
    await service().given.signIn(signedIn.email)
    const blocked = await service().given.user(owner, { firstName: 'Blocked' })
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt })
    const deleted = await service().given.user(owner, { firstName: 'Deleted' })
    await owner.delete(`/v1/admin/users/${deleted.id}`)

    expect(await found(owner, 'status=active')).toEqual(['owner', 'Present'])
    expect(await found(owner, 'status=blocked')).toEqual(['Blocked'])
    expect(await found(owner, 'status=unverified')).toEqual(['Present', 'Blocked'])
    expect(await found(owner, 'status=never_signed_in')).toEqual(['Blocked'])
    expect(await found(owner, 'status=deleted')).toEqual(['Deleted'])
    expect(await owner.get('/v1/admin/users?status=asleep')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_enum_value', path: ['status'] }] },
    })
  })

  it('shows deleted users only on request, with the time of deletion', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { id } = await service().given.user(owner, { firstName: 'Deleted' })
    await owner.delete(`/v1/admin/users/${id}`)

    expect(await found(owner, '')).toEqual(['owner'])
    expect(await found(other.owner, 'status=deleted')).toEqual([])
    expect((await owner.get('/v1/admin/users?status=deleted')).body.data).toMatchObject([{ id, deletedAt: expect.any(String) }])
    expect((await owner.get('/v1/admin/users')).body.data).toMatchObject([{ deletedAt: null }])
    expect((await owner.get(`/v1/admin/users/${id}`)).status).toBe(404)
  })

  it('is filtered by the time of creation and of the last sign-in', async () => {
    const before = service().clock.now().toISOString()
    const { owner } = await service().given.organisation()
    service().clock.advance({ minutes: 1 })
    const middle = service().clock.now().toISOString()
    const { email } = await service().given.user(owner, { firstName: 'Late' })

    expect(await found(owner, `createdFrom=${middle}`)).toEqual(['Late'])
    expect(await found(owner, `createdTo=${middle}`)).toEqual(['owner'])
    expect(await found(owner, `createdTo=${before}`)).toEqual([])
    expect(await found(owner, `lastLoginBefore=${middle}`)).toEqual(['owner'])
    await service().given.signIn(email)
    service().clock.advance({ seconds: 1 })
    const later = service().clock.now().toISOString()
    expect(await found(owner, `lastLoginBefore=${later}&sort=-lastLoginAt`)).toEqual(['Late', 'owner'])
    expect((await owner.get('/v1/admin/users?createdFrom=yesterday')).status).toBe(400)
  })

  it('combines filters with each other, and with q, sort, limit and cursor', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: `team-${unique()}` })
    for (const firstName of ['Carol', 'Carla', 'Carmen', 'Dan']) {
      await service().given.user(owner, { firstName, roleIds: [role.id], teamIds: [team.id] })
    }
    await service().given.user(owner, { firstName: 'Cara', roleIds: [role.id] })
    const query = `roleId=${role.id}&teamId=${team.id}&status=active&mfaEnabled=false&q=car&sort=name`

    expect(await found(owner, query)).toEqual(['Carla', 'Carmen', 'Carol'])
    const { body: first } = await owner.get(`/v1/admin/users?${query}&limit=2`)
    expect(first).toMatchObject({ total: 3, data: [{ firstName: 'Carla' }, { firstName: 'Carmen' }] })
    const { body: second } = await owner.get(`/v1/admin/users?${query}&limit=2&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ total: 3, data: [{ firstName: 'Carol' }], nextCursor: null })
    expect(await found(owner, `roleId=${role.id}&mfaEnabled=true`)).toEqual([])
  })

  it('finds no user of another organisation by its role, team or permission', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const role = await service().given.role(other.owner, { permissions: ['users:read'] })
    await service().given.user(other.owner, { firstName: 'Foreign', roleIds: [role.id] })

    expect(await found(owner, `roleId=${role.id}`)).toEqual([])
    expect(await found(owner, 'permission=users:read')).toEqual(['owner'])
  })
})
