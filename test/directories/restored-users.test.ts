import { describe, expect, it } from 'vitest'
import { type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { insertConnection } from '../support/domains.ts'
import { useService } from '../support/service.ts'
import { unequalRows } from '../support/sources.ts'

const service = useService()

/** The ids of the roles and teams that a directory gives a user. */
const givenTo = async ({ id: directoryId, organisation }: GivenDirectory, userId: string) => {
  const { body } = await organisation.owner.get(`/v1/admin/users/${userId}`)
  type Held = { id: string; sources: { id: string | null }[] }
  const ofDirectory = (held: Held[]) => held.filter(({ sources }) => sources.some(({ id }) => id === directoryId)).map(({ id }) => id)
  return { roles: ofDirectory(body.roles), teams: ofDirectory(body.teams) }
}

/** A directory that gives the members of Sales a role and a team, and the user who is one. */
async function withMember() {
  const organisation = await service().given.organisation()
  const role = await service().given.role(organisation.owner, { permissions: ['roles:read'] })
  const { body: team } = await organisation.owner.post('/v1/admin/teams', { name: 'Mapped', slug: 'mapped' })
  const mapping = { group: { displayName: 'Sales' }, roleIds: [role.id], teamIds: [team.id] }
  const directory = await givenDirectory(service(), { organisation, groupMappings: [mapping] })
  const { body: user } = await directory.scim.post('/Users', person(directory.address()))
  const { body: group } = await directory.scim.post('/Groups', { displayName: 'Sales', members: [{ value: user.id }] })
  const change = (groupMappings: unknown[]) => organisation.owner.patch(`/v1/admin/directories/${directory.id}`, { groupMappings })
  const path = `/v1/admin/users/${user.id}`
  return { organisation, directory, role, team, mapping, user, group, change, path }
}

describe('a restored user', () => {
  it('has what the groups of the directory give, whatever has changed while they were deleted', async () => {
    const { organisation, directory, role, team, mapping, user, change, path } = await withMember()
    const { owner } = organisation
    const given = { roles: [role.id], teams: [team.id] }
    expect(await givenTo(directory, user.id)).toEqual(given)

    await owner.delete(path)
    const another = { group: { displayName: 'Buyers' }, roleIds: [role.id], teamIds: [] }
    expect((await change([mapping, another])).status).toBe(200)
    expect(await owner.post(`${path}/restore`)).toMatchObject({ status: 200, body: { id: user.id } })
    expect(await givenTo(directory, user.id)).toEqual(given)

    await owner.delete(path)
    expect((await change([])).status).toBe(200)
    expect(await owner.post(`${path}/restore`)).toMatchObject({ status: 200 })
    expect((await givenTo(directory, user.id)).roles).toEqual([])
    expect(await unequalRows(service().database.system())).toEqual([])
  })

  it('is blocked, without what the directory gives, if it has deleted them while they were deleted here', async () => {
    const { organisation, directory, user, path } = await withMember()
    const { owner } = organisation
    await owner.delete(path)
    for (const _ of [1, 2]) expect((await directory.scim.delete(`/Users/${user.id}`)).status).toBe(404)
    expect((await owner.get(path)).status).toBe(404)

    expect(await owner.post(`${path}/restore`)).toMatchObject({ status: 200 })
    const { body } = await owner.get(path)
    expect(body).toMatchObject({ managedBy: null, blockedAt: expect.any(String), blockedReason: expect.stringMatching(/^Deactivated by /) })
    expect(await givenTo(directory, user.id)).toEqual({ roles: [], teams: [] })
    expect(await owner.audit({ action: 'directory.user_deprovisioned' })).toMatchObject([{ targetId: user.id, actorId: directory.id }])
    expect((await directory.scim.get(`/Users/${user.id}`)).status).toBe(404)

    // The block is the directory's own.
    expect(await directory.scim.post('/Users', person(body.email))).toMatchObject({ status: 201, body: { id: user.id, active: true } })
    expect((await owner.get(path)).body.blockedAt).toBeNull()
    expect(await unequalRows(service().database.system())).toEqual([])
  })

  it('is blocked if the directory has deactivated them while they were deleted, unless it has activated them again', async () => {
    const { organisation, directory, role, team, user, path } = await withMember()
    const { owner } = organisation
    const say = (active: unknown) =>
      directory.scim.patch(
        `/Users/${user.id}`,
        operations({ op: 'replace', path: 'active', value: active }, { op: 'add', path: 'title', value: 'X' }),
      )
    const restored = async () => {
      expect(await owner.post(`${path}/restore`)).toMatchObject({ status: 200 })
      return (await owner.get(path)).body
    }
    await owner.delete(path)
    for (const active of [false, false]) expect((await say(active)).status).toBe(404)
    expect(await restored()).toMatchObject({
      managedBy: { id: directory.id },
      blockedAt: expect.any(String),
      blockedReason: expect.stringMatching(/^Deactivated by /),
    })
    expect(await givenTo(directory, user.id)).toEqual({ roles: [role.id], teams: [team.id] })
    const noted = await owner.audit({ action: 'directory.user_updated' })
    expect(noted).toMatchObject([{ targetId: user.id, actorId: directory.id, metadata: { attributes: ['active'] } }])

    // The block is the directory's own, deleted or not.
    expect(await say(true)).toMatchObject({ status: 200, body: { active: true } })
    await owner.delete(path)
    for (const active of [false, true]) expect((await say(active)).status).toBe(404)
    expect((await restored()).blockedAt).toBeNull()
  })

  it('is blocked as an administrator has blocked them, whatever the directory has said while they were deleted', async () => {
    const { organisation, directory, user, path } = await withMember()
    const { owner } = organisation
    const block = { blockedAt: '2026-01-01T00:00:00.000Z', blockedReason: 'Lost the laptop' }
    expect((await owner.patch(path, block)).status).toBe(200)
    await owner.delete(path)
    const say = (operation: Record<string, unknown>) => directory.scim.patch(`/Users/${user.id}`, operations(operation))
    for (const value of [false, true]) expect((await say({ op: 'replace', path: 'active', value })).status).toBe(404)
    expect((await say({ op: 'remove', path: 'userName' })).status).toBe(404)

    await owner.post(`${path}/restore`)
    expect((await owner.get(path)).body).toMatchObject({ ...block, managedBy: { id: directory.id } })
  })

  it('is restored by no caller who lacks what the directory gives by then', async () => {
    const { organisation, role, mapping, change, path } = await withMember()
    const { owner } = organisation
    const admin = await service().given.userWith(owner, ['users:create', 'users:read'])
    await change([])
    await owner.delete(path)
    await change([mapping])

    expect(await admin.post(`${path}/restore`)).toMatchObject({ status: 403, body: { code: 'cannot-grant' } })
    expect((await owner.get(path)).status).toBe(404)
    expect(await owner.post(`${path}/restore`)).toMatchObject({
      status: 200,
      body: { roles: expect.arrayContaining([{ id: role.id, name: role.name, slug: role.slug }]) },
    })
  })

  it('is linked again with the account that their externalId names', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const sent = person(address())
    const { body: user } = await scim.post('/Users', sent)
    const linked = () =>
      service()
        .database.tenant(organisation.id)
        .selectFrom('identities')
        .select(['userId', 'subject'])
        .where('connectionId', '=', connectionId)
        .execute()
    const isLinked = [{ userId: user.id, subject: sent.externalId }]
    await owner.delete(`/v1/admin/users/${user.id}`)
    expect(await owner.post(`/v1/admin/users/${user.id}/restore`)).toMatchObject({ status: 200 })
    expect(await linked()).toEqual(isLinked)

    // As a reset of the password ends it.
    await service().database.tenant(organisation.id).deleteFrom('identities').where('userId', '=', user.id).execute()
    expect(await scim.patch(`/Users/${user.id}`, operations({ op: 'add', path: 'title', value: 'Head' }))).toMatchObject({ status: 200 })
    expect(await linked()).toEqual(isLinked)
  })

  it('is a user whom the directory still changes where another has the account by now', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const sent = person(address())
    const { body: user } = await scim.post('/Users', sent)
    const other = await service().given.user(organisation.owner)
    const tenant = service().database.tenant(organisation.id)
    await tenant.updateTable('identities').set({ userId: other.id }).where('userId', '=', user.id).execute()

    expect(await scim.patch(`/Users/${user.id}`, operations({ op: 'add', path: 'title', value: 'Head' }))).toMatchObject({ status: 200 })
    expect(await tenant.selectFrom('identities').select('userId').where('connectionId', '=', connectionId).execute()).toEqual([
      { userId: other.id },
    ])
  })
})
