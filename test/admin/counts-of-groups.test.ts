import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { foldCounts } from '../../src/platform/database/stored-counts.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { acceptance, invite } from '../support/invite.ts'
import { useService } from '../support/service.ts'

const service = useService()

const userCountOf = async (owner: SignedInUser, roleId: string): Promise<number> =>
  (await owner.get(`/v1/admin/roles/${roleId}`)).body.userCount

/** Compares the stored numbers of users with the users, role by role and team by team. */
async function expectExactCounts({ id, owner }: TestOrganisation): Promise<void> {
  const groups = await sql<{ groupId: string; count: number }>`
    select group_id, count(*) as count from (
      select organisation_id, user_id, role_id as group_id from user_roles
      union all select organisation_id, user_id, team_id from team_members) held
    join users on users.organisation_id = held.organisation_id and users.id = held.user_id and users.deleted_at is null
    where held.organisation_id = ${id} group by group_id`.execute(service().database.system())
  const counts = new Map(groups.rows.map(({ groupId, count }) => [groupId, count]))
  const { data: teams } = (await owner.get('/v1/admin/teams')).body
  for (const team of teams)
    expect({ team: team.slug, count: team.memberCount }).toEqual({ team: team.slug, count: counts.get(team.id) ?? 0 })
  const { data: roles } = (await owner.get('/v1/admin/roles')).body
  for (const role of roles) expect({ role: role.slug, count: role.userCount }).toEqual({ role: role.slug, count: counts.get(role.id) ?? 0 })
}

describe('userCount of a role', () => {
  it('is the number of its users, in the list, alone, and in the response to a change', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    expect((await owner.post('/v1/admin/roles', { name: 'New', slug: 'new' })).body.userCount).toBe(0)
    for (const _ of [1, 2]) await service().given.user(owner, { roleIds: [role.id] })

    expect(await userCountOf(owner, role.id)).toBe(2)
    const { data } = (await owner.get('/v1/admin/roles?limit=50')).body
    const counts = Object.fromEntries(
      data.map(({ id, slug, userCount }: Record<string, string>) => [id === role.id ? 'own' : slug, userCount]),
    )
    expect(counts).toEqual({ owner: 1, admin: 0, member: 0, new: 0, own: 2 })
    expect((await owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Renamed' })).body.userCount).toBe(2)
    expect((await owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Renamed' })).body.userCount).toBe(2)
  })

  it('follows users who are given the role, lose it, are deleted and restored, or accept an invitation', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const user = await service().given.user(owner)
    const path = `/v1/admin/users/${user.id}`

    await owner.post(`${path}/roles`, { roleId: role.id })
    await owner.post(`${path}/roles`, { roleId: role.id })
    expect(await userCountOf(owner, role.id)).toBe(1)
    await owner.delete(path)
    await owner.delete(path)
    expect(await userCountOf(owner, role.id)).toBe(0)
    await owner.post(`${path}/restore`)
    expect(await userCountOf(owner, role.id)).toBe(1)
    await owner.delete(`${path}/roles`, { roleId: role.id })
    await owner.delete(`${path}/roles`, { roleId: role.id })
    expect(await userCountOf(owner, role.id)).toBe(0)
    const { token } = await invite(service(), owner, { roleId: role.id })
    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))).toMatchObject({ status: 201 })
    expect(await userCountOf(owner, role.id)).toBe(1)
  })

  it('is exact after any number of concurrent changes, before and after folding', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const role = await service().given.role(owner)
    const gone = await service().given.role(owner)
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'T', slug: `t-${unique()}` })
    const users = await Promise.all(
      Array.from({ length: 8 }, () => service().given.user(owner, { roleIds: [role.id, gone.id], teamIds: [team.id] })),
    )

    await Promise.all([
      ...users.map(({ id }, index) => {
        const path = `/v1/admin/users/${id}`
        if (index % 4 === 0) return owner.delete(path)
        if (index % 4 === 1) return owner.delete(`${path}/roles`, { roleId: role.id })
        return owner.delete(`/v1/admin/teams/${team.id}/members`, { userId: id })
      }),
      owner.delete(`/v1/admin/roles/${gone.id}`),
      foldCounts(service().database.system()),
    ])
    await expectExactCounts(organisation)
    await Promise.all(users.map(({ id }) => owner.post(`/v1/admin/users/${id}/restore`)))

    await expectExactCounts(organisation)
    while (await foldCounts(service().database.system()));
    await expectExactCounts(organisation)
    expect(await userCountOf(owner, role.id)).toBe(6)
  })

  it('counts no user of another organisation, and is in no event and no audit entry', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const role = await service().given.role(owner)
    await service().given.user(other.owner)

    await service().given.user(owner, { roleIds: [role.id] })
    await owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Renamed' })

    expect((await owner.get(`/v1/admin/roles?q=${role.slug}`)).body.data).toMatchObject([{ userCount: 1 }])
    expect((await other.owner.get(`/v1/admin/roles/${role.id}`)).status).toBe(404)
    expect(JSON.stringify((await owner.get(`/v1/admin/audit-logs?targetId=${role.id}`)).body)).not.toContain('userCount')
  })
})
