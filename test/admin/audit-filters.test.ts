import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/audit-logs'

interface Entry {
  id: string
  action: string
  targetId: string
  actorId: string
  ipAddress: string
  requestId: string
}

async function entriesOf(reader: HttpClient, query: string): Promise<Entry[]> {
  const list = await reader.get(`${path}?limit=1000&${query}`)
  expect(list).toMatchObject({ status: 200 })
  const exported = await reader.get(`${path}/export?${query}`)
  const lines: string[] = (exported.body ?? '').split('\n').slice(0, -1)
  expect(lines.slice(0, 1_000).map((line) => JSON.parse(line))).toEqual(list.body.data)
  return list.body.data
}

const actionsOf = (entries: Entry[]) => entries.map(({ action }) => action)

/** An organisation in which a few different things have happened. */
async function history() {
  const { given } = service()
  const { id, owner } = await given.organisation()
  const user = await given.user(owner, { firstName: 'Carol' })
  await owner.patch(`/v1/admin/users/${user.id}`, { firstName: 'Caroline' })
  const role = (await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })).body
  await owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Help desk' })
  await owner.delete(`/v1/admin/users/${user.id}`)
  return { id, owner, user, role, whole: await entriesOf(owner, '') }
}

describe('the filter action, of the list and the export,', () => {
  it('may be repeated', async () => {
    const { owner, whole } = await history()

    const found = await entriesOf(owner, 'action=role.created&action=user.updated&action=role.created')

    expect(actionsOf(found)).toEqual(['role.created', 'user.updated'])
    expect(found).toEqual(whole.filter(({ action }) => ['role.created', 'user.updated'].includes(action)))
  })

  it('takes user.* for every action that begins with user., and no other', async () => {
    const { owner, whole } = await history()

    expect(actionsOf(await entriesOf(owner, 'action=user.*'))).toEqual(['user.deleted', 'user.updated', 'user.created'])
    const both = await entriesOf(owner, 'action=user.*&action=role.updated')
    expect(both).toEqual(whole.filter(({ action }) => action.startsWith('user.') || action === 'role.updated'))
    expect(await entriesOf(owner, 'action=us.*')).toEqual([])
    expect(await entriesOf(owner, 'action=*')).toEqual([])
    expect(await entriesOf(owner, 'action=')).toEqual(whole)
  })

  it('goes with every other filter', async () => {
    const { owner, user, role, whole } = await history()
    const find = (query: string) => entriesOf(owner, `action=user.*&action=role.*&${query}`)

    expect(actionsOf(await find(`targetId=${user.id}`))).not.toContain('role.created')
    expect(actionsOf(await find(`targetId=${role.id}`))).toEqual(['role.updated', 'role.created'])
    expect(actionsOf(await find('targetType=role'))).toEqual(['role.updated', 'role.created'])
    expect(await find('targetType=team')).toEqual([])
    expect(await find(`actorId=${user.id}`)).toEqual([])
    expect(actionsOf(await find(`email=${encodeURIComponent(user.email)}`))).not.toContain('role.created')
    expect(await find('ipAddress=127.0.0.1')).toHaveLength(5 + actionsOf(whole).filter((action) => action.startsWith('role.as')).length)
    expect(await find('to=2020-01-01T00:00:00Z')).toEqual([])
  })

  it('is paged without losing or repeating an entry', async () => {
    const { owner } = await history()
    const expected = await entriesOf(owner, 'action=user.*&action=role.*')

    const paged: Entry[] = []
    let cursor = ''
    do {
      const { body } = await owner.get(`${path}?action=user.*&action=role.*&limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...body.data)
      cursor = body.nextCursor
    } while (cursor)

    expect(expected.length).toBeGreaterThan(4)
    expect(paged).toEqual(expected)
  })

  it('refuses more than a hundred names, and a text that cannot be a name', async () => {
    const { owner } = await service().given.organisation()

    const many = Array.from({ length: 101 }, () => 'action=user.created').join('&')
    expect(await owner.get(`${path}?${many}`)).toMatchObject({ status: 400, body: { errors: [{ path: ['action'] }] } })
    expect(await owner.get(`${path}/export?action=a&action=%00`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['action', 1] }] },
    })
  })
})

describe('the filters ipAddress and requestId, of the list and the export,', () => {
  it('find what came from an address', async () => {
    const { id, owner } = await service().given.organisation()
    await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })
    await service()
      .database.system()
      .updateTable('auditLogs')
      .set({ ipAddress: '203.0.113.7' })
      .where('organisationId', '=', id)
      .where('action', '=', 'role.created')
      .execute()

    expect(actionsOf(await entriesOf(owner, 'ipAddress=203.0.113.7'))).toContain('role.created')
    expect(actionsOf(await entriesOf(owner, 'ipAddress=127.0.0.1'))).toEqual(['login.success'])
    expect(await entriesOf(owner, 'ipAddress=203.0.113.7&action=login.success')).toEqual([])
    expect(await entriesOf(owner, 'ipAddress=203.0.113.')).toEqual([])
  })

  it('find all entries of one request, by the X-Request-Id of its response', async () => {
    const { owner } = await service().given.organisation()
    const role = (await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })).body
    const input = { email: `carol-${role.id}@example.test`, firstName: 'Carol', lastName: 'Shaw', roleIds: [role.id] }
    const { headers, body: user } = await owner.post('/v1/admin/users', input)

    const requestId = headers.get('x-request-id') as string
    const found = await entriesOf(owner, `requestId=${requestId}`)

    expect(actionsOf(found).sort()).toEqual(['role.assigned', 'user.created'])
    expect(found.map(({ targetId }) => targetId)).toEqual([user.id, user.id])
    expect((await entriesOf(owner, '')).filter((entry) => entry.requestId === requestId)).toEqual(found)
    const other = await service().given.organisation()
    expect(await entriesOf(other.owner, `requestId=${requestId}`)).toEqual([])
  })
})

describe('several filters', () => {
  it('find what is older than the newest 5,000 entries of each of them', async () => {
    const { id, owner } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    // Every hundredth entry is both of the actor and from the address, but none of the newest 5,900.
    await sql`
      insert into audit_logs (id, action, actor_type, actor_id, target_type, target_id, ip_address, created_at)
      select 'aud_0' || lpad(n::text, 25, '0'), case when n % 2 = 0 then 'team.created' else 'team.updated' end, 'user', 'usr_busy', 'team',
        'tem_' || n, case when n <= 300 and n % 100 = 0 then '203.0.113.7' else '198.51.100.7' end, ${tenant.now}
      from generate_series(1, 6200) n`.execute(tenant)

    for (const query of ['actorId=usr_busy', 'targetType=team', 'action=team.*', 'actorId=usr_busy&targetType=team&action=team.created']) {
      const found = (await owner.get(`${path}?limit=2&ipAddress=203.0.113.7&${query}`)).body
      expect(found.data.map(({ targetId }: Entry) => targetId)).toEqual(['tem_300', 'tem_200'])
      const next = (await owner.get(`${path}?limit=2&ipAddress=203.0.113.7&${query}&cursor=${found.nextCursor}`)).body
      expect(next).toMatchObject({ data: [{ targetId: 'tem_100' }], nextCursor: null })
    }
    const both = await entriesOf(owner, 'actorId=usr_busy&action=team.created&action=team.updated')
    expect(both).toHaveLength(1_000)
  })
})

describe('GET /v1/admin/audit-logs/{id}', () => {
  it('shows an entry as the list does', async () => {
    const { owner, whole } = await history()

    expect(await owner.get(`${path}/${whole[0]?.id}`)).toMatchObject({ status: 200, body: whole[0] })
  })

  it("is 404 for an unknown entry and for another organisation's", async () => {
    const { whole } = await history()
    const other = await service().given.organisation()

    for (const id of [whole[0]?.id, 'aud_01kahm3z9n4v7f2t8q6w5r1y0x', '%27'])
      expect(await other.owner.get(`${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'audit-entry-not-found' } })
  })

  it('needs audit:read', async () => {
    const { owner, whole } = await history()
    const user = await service().given.userWith(owner, ['users:read'])

    expect(await user.get(`${path}/${whole[0]?.id}`)).toMatchObject({ status: 403 })
  })
})

describe('GET /v1/admin/audit-logs/actions', () => {
  it('lists every action that an entry can have, with its kind of target and its events', async () => {
    const { owner, whole } = await history()

    const { status, body } = await owner.get(`${path}/actions`)

    expect(status).toBe(200)
    const actions: string[] = body.data.map(({ action }: Entry) => action)
    expect(body.total).toBe(actions.length)
    expect(actions).toEqual(actions.toSorted())
    expect(actions).toEqual(expect.arrayContaining(actionsOf(whole)))
    expect(body.data).toContainEqual({
      action: 'user.blocked',
      targetType: 'user',
      events: ['user.updated', 'user.blocked'],
      undoRefusal: null,
    })
    // Reported, and never written to the audit log.
    expect(actions).not.toContain('oauth2.token.issued')
  })

  it('needs audit:read', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['users:read'])

    expect(await user.get(`${path}/actions`)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: audit:read' } })
  })
})
