import { beforeAll, describe, expect, it } from 'vitest'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const person = () => ({ email: `user-${unique()}@example.test`, firstName: 'Test', lastName: 'User' })

describe('a body that names a role, a team or a permission by its slug', () => {
  let organisation: TestOrganisation
  let owner: SignedInUser
  let role: { id: string; slug: string }
  let team: { id: string; slug: string }
  beforeAll(async () => {
    organisation = await service().given.organisation()
    owner = organisation.owner
    role = await service().given.role(owner, { permissions: ['users:read'] })
    team = (await owner.post('/v1/admin/teams', { name: 'Europe', slug: `team-${unique()}` })).body
  })
  const slugsOf = (records: { slug: string }[]) => records.map(({ slug }) => slug)

  it('creates a user with them, each once, also when ids stand among them', async () => {
    const created = await owner.post('/v1/admin/users', {
      ...person(),
      roleIds: [role.slug, role.id, 'member'],
      teamIds: [team.slug, team.id],
    })
    expect(created.status).toBe(201)
    expect(slugsOf(created.body.roles).sort()).toEqual(['member', role.slug].sort())
    expect(slugsOf(created.body.teams)).toEqual([team.slug])
  })

  it('assigns and removes a role, and records its id', async () => {
    const user = await service().given.user(owner, { roleIds: ['member'] })
    const path = `/v1/admin/users/${user.id}`
    expect(await owner.post(`${path}/roles`, { roleId: role.slug })).toMatchObject({ status: 200 })
    expect(slugsOf((await owner.get(path)).body.roles)).toContain(role.slug)
    expect(await owner.delete(`${path}/roles`, { roleId: role.slug })).toMatchObject({ status: 200 })
    expect(slugsOf((await owner.get(path)).body.roles)).toEqual(['member'])
    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=role.unassigned`)).body
    expect(data).toMatchObject([{ metadata: { roleId: role.id, roleSlug: role.slug } }])
  })

  it('invites with them, and the invitation holds their ids', async () => {
    const email = `invited-${unique()}@example.test`
    const sent = await owner.post('/v1/admin/invitations', { email, roleId: role.slug, teamIds: [team.slug] })
    expect(sent).toMatchObject({ status: 201, body: { roleId: role.id, teamIds: [team.id] } })
  })

  it('creates and changes roles', async () => {
    const { body } = await owner.post('/v1/admin/roles', {
      name: 'R',
      slug: `r-${unique()}`,
      permissionIds: ['users:read', 'api_keys:read'],
    })
    expect(slugsOf(body.permissions)).toEqual(['api_keys:read', 'users:read'])
    const same = await owner.patch(`/v1/admin/roles/${body.id}`, { permissionIds: ['users:read', body.permissions[0].id] })
    expect(same.body).toEqual(body)
    const changed = await owner.patch(`/v1/admin/roles/${body.id}`, { permissionIds: ['users:read'] })
    expect(slugsOf(changed.body.permissions)).toEqual(['users:read'])
  })

  it('is refused for unknown slugs, each by its position, and for those of another organisation', async () => {
    const foreign = await service().given.organisation()
    const foreignRole = await service().given.role(foreign.owner)
    const foreignTeam = (await foreign.owner.post('/v1/admin/teams', { name: 'F', slug: `team-${unique()}` })).body
    const refused = await owner.post('/v1/admin/users', { ...person(), roleIds: [role.slug, foreignRole.slug, 'none'] })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['roleIds', 1] }, { path: ['roleIds', 2] }] } })
    const teams = await owner.post('/v1/admin/users', { ...person(), teamIds: [foreignTeam.slug] })
    expect(teams).toMatchObject({ status: 400, body: { errors: [{ path: ['teamIds', 0] }] } })
    expect(await owner.post(`/v1/admin/users/${owner.id}/roles`, { roleId: foreignRole.slug })).toMatchObject({ status: 404 })
    const invited = await owner.post('/v1/admin/invitations', { email: person().email, roleId: foreignRole.slug })
    expect(invited).toMatchObject({ status: 404, body: { detail: 'Role not found' } })
  })

  it("refers to the organisation's own record when another organisation has one of the same slug", async () => {
    const slug = `shared-${unique()}`
    const own = await service().given.role(owner, { slug, permissions: ['users:read'] })
    const foreign = await service().given.organisation()
    await service().given.role(foreign.owner, { slug })
    const created = await owner.post('/v1/admin/users', { ...person(), roleIds: [slug] })
    expect(created.body.roles).toMatchObject([{ id: own.id }])
  })

  it('grants no more by a slug than by an id', async () => {
    const strong = await service().given.role(owner, { permissions: ['users:delete'] })
    const admin = await service().given.userWith(owner, ['users:create', 'users:update', 'invitations:create', 'roles:create'])
    const refusal = { status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } }
    expect(await admin.post('/v1/admin/users', { ...person(), roleIds: [strong.slug] })).toMatchObject(refusal)
    expect(await admin.post(`/v1/admin/users/${admin.id}/roles`, { roleId: strong.slug })).toMatchObject(refusal)
    expect(await admin.post('/v1/admin/invitations', { email: person().email, roleId: strong.slug })).toMatchObject(refusal)
    expect(await admin.post('/v1/admin/roles', { name: 'X', slug: `x-${unique()}`, permissionIds: ['users:delete'] })).toMatchObject(
      refusal,
    )
    const takesOwnerRole = await owner.delete(`/v1/admin/users/${owner.id}/roles`, { roleId: 'owner' })
    expect(takesOwnerRole).toMatchObject({ status: 400, body: { code: 'owner-cannot-lose-owner-role' } })
  })
})

describe('GET /', () => {
  it('redirects a signed-out browser to the sign-in and a program to the description of the API', async () => {
    const ask = async (accept?: string) => {
      const { status, headers } = await service().anonymous.get('/', accept ? { headers: { accept } } : {})
      return [status, headers.get('location')]
    }
    expect(await ask('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual([302, '/login'])
    for (const accept of ['application/json', '*/*', undefined]) expect(await ask(accept)).toEqual([302, '/openapi.json'])
    expect((await service().anonymous.get('/')).headers.get('vary')).toMatch(/accept/i)
  })
})
