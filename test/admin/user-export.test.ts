import { describe, expect, it } from 'vitest'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/users/export'

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const recordsIn = (text: string) => linesOf(text).map((line) => JSON.parse(line))
const listed = async (owner: SignedInUser, query: string) => (await owner.get(`/v1/admin/users?${query}`)).body.data

describe('GET /v1/admin/users/export', () => {
  it('sends what the list shows as NDJSON, and no user of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const foreign = await service().given.user(other.owner)
    await service().given.user(owner)

    const exported = await owner.get(path)

    expect(exported.status).toBe(200)
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(exported.headers.get('content-disposition')).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.ndjson"$/)
    expect(recordsIn(exported.body)).toEqual(await listed(owner, ''))
    expect(exported.body).not.toContain(foreign.id)
  })

  it('takes the filters, the search and the order of the list', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner, { permissions: ['users:delete'] })
    for (const firstName of ['Carol', 'Carla', 'Dan']) await service().given.user(owner, { firstName, roleIds: [role.id] })
    const gone = await service().given.user(owner, { firstName: 'Gone' })
    await owner.delete(`/v1/admin/users/${gone.id}`)

    for (const query of [
      'sort=-name',
      `roleId=${role.id}&q=car&sort=name`,
      'permission=users:delete&status=active',
      'status=never_signed_in&mfaEnabled=false',
      'status=deleted',
      'createdTo=2020-01-01T00:00:00Z',
    ]) {
      expect(recordsIn((await owner.get(`${path}?${query}`)).body ?? '')).toEqual(await listed(owner, query))
    }
    expect((await owner.get(`${path}?status=asleep`)).status).toBe(400)
    expect(await owner.get(`${path}?format=xlsx`)).toMatchObject({ status: 400, body: { errors: [{ path: ['format'] }] } })
  })

  it('sends CSV with a header, and prevents a spreadsheet from running names as formulas', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const user = await service().given.user(owner, {
      firstName: '=1+1',
      lastName: 'Say "hi", twice',
      roleIds: [role.id, 'member'],
      teamIds: [team.id],
    })
    await owner.patch(`/v1/admin/users/${user.id}`, { phone: '+44 20' })

    const exported = await owner.get(`${path}?format=csv&roleId=${role.id}`)

    expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [header, line, ...rest] = linesOf(exported.body)
    expect(header).toBe(
      'id,email,firstName,lastName,name,phone,emailVerifiedAt,mfaEnabled,blockedAt,blockedReason,lastLoginAt,lockedUntil,createdAt,updatedAt,deletedAt,roles,teams,metadata',
    )
    expect(line).toContain(`${user.id},${user.email},'=1+1,"Say ""hi"", twice","'=1+1 Say ""hi"", twice",'+44 20,,false,,,,,`)
    expect(line).toMatch(new RegExp(`,(${role.slug} member|member ${role.slug}),europe,{}$`))
    expect(rest).toEqual([])
  })

  it('sends very many users whole, each once, in any order', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const users = Array.from({ length: 1_234 }, (_, index) => ({
      id: `usr_${unique()}${index}`,
      email: `many-${unique()}-${index}@example.test`,
      firstName: index % 2 ? 'Odd' : 'Even',
      lastName: 'User',
      createdAt: tenant.now,
      updatedAt: tenant.now,
    }))
    await tenant.insertInto('users').values(users).execute()

    for (const [query, count] of [
      ['', 1_235],
      ['sort=-name&q=odd', 617],
    ] as const) {
      const ids = recordsIn((await owner.get(`${path}?${query}`)).body ?? '').map((user: { id: string }) => user.id)
      expect(new Set(ids).size).toBe(count)
      expect(ids).toHaveLength(count)
    }
  })

  it('needs users:read', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['audit:read'])

    expect(await user.get(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: users:read' } })
  })
})
