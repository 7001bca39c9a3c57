import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()

describe('GET /v1/admin/audit-logs', () => {
  it('lists entries newest first, with actor and origin', async () => {
    const { owner } = await service().given.organisation()
    const program = owner.with({ 'user-agent': 'audit-test/1.0' })
    const { body: role } = await program.post('/v1/admin/roles', { name: 'Support', slug: 'support' })
    const { headers } = await program.patch(`/v1/admin/roles/${role.id}`, { name: 'Help desk' })

    const list = await owner.get('/v1/admin/audit-logs')

    expect(list.status).toBe(200)
    expect(list.body.data[0]).toEqual({
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      action: 'role.updated',
      actorType: 'user',
      actorId: owner.id,
      targetType: 'role',
      targetId: role.id,
      ipAddress: '127.0.0.1',
      userAgent: 'audit-test/1.0',
      changes: { name: { from: 'Support', to: 'Help desk' } },
      metadata: null,
      actorName: expect.any(String),
      actorEmail: owner.email,
      targetName: 'Help desk',
      targetEmail: null,
      actor: { id: owner.id, type: 'user', name: expect.any(String), email: owner.email },
      target: { id: role.id, type: 'role', name: 'Help desk' },
      requestId: headers.get('x-request-id'),
      signInId: expect.stringMatching(/^sgn_[0-9a-z]{26}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(list.body.data[1]).toMatchObject({ action: 'role.created', targetId: role.id })
    expect(list.body).toHaveProperty('nextCursor', null)
  })

  it('pages with limit and cursor until nextCursor is null', async () => {
    const { owner } = await service().given.organisation()
    for (const slug of ['a', 'b', 'c']) await owner.post('/v1/admin/roles', { name: slug, slug })
    const whole = (await owner.get('/v1/admin/audit-logs')).body.data

    const paged = []
    let cursor = ''
    do {
      const { body } = await owner.get(`/v1/admin/audit-logs?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(body.data.length).toBeLessThanOrEqual(2)
      paged.push(...body.data)
      cursor = body.nextCursor
    } while (cursor)

    expect(paged).toEqual(whole)
  })

  it.each(['limit=0', 'limit=1001', 'cursor=%00', 'cursor=nonsense!', 'from=yesterday', `action=${'x'.repeat(300)}`])(
    'refuses %.20s',
    async (query) => {
      const { owner } = await service().given.organisation()

      expect(await owner.get(`/v1/admin/audit-logs?${query}`)).toMatchObject({ status: 400 })
    },
  )

  it('needs audit:read', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['users:read'])

    expect(await user.get('/v1/admin/audit-logs')).toMatchObject({
      status: 403,
      body: { detail: 'Missing required permission: audit:read' },
    })
  })
})

describe('an audit entry', () => {
  it('cannot be changed or deleted through the tenant handle of its organisation', async () => {
    const organisation = await service().given.organisation()
    const { database } = service()
    const before = (await organisation.owner.get('/v1/admin/audit-logs')).body.data

    const attempts = [
      sql`update audit_logs set action = 'nothing'`,
      sql`delete from audit_logs`,
      sql`truncate audit_logs`,
      sql`insert into audit_logs select * from audit_logs on conflict (organisation_id, id) do update set action = 'nothing'`,
    ]
    for (const attempt of attempts) {
      await expect(database.transaction(organisation.id, (tenant) => attempt.execute(tenant))).rejects.toThrow(/permission denied/)
    }

    expect((await organisation.owner.get('/v1/admin/audit-logs')).body.data).toEqual(before)
  })

  it('lists the fields of a record that was created or deleted', async () => {
    const { owner } = await service().given.organisation()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe', description: 'Who works there' })
    await owner.delete(`/v1/admin/teams/${team.id}`)

    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${team.id}`)).body

    const fields = { name: 'Europe', slug: 'europe', description: 'Who works there', createdAt: team.createdAt }
    const sides = (side: (value: string) => object) =>
      Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, side(value)]))
    expect(data).toMatchObject([{ action: 'team.deleted' }, { action: 'team.created' }])
    expect(data[0].changes).toEqual(sides((from) => ({ from, to: null })))
    expect(data[1].changes).toEqual(sides((to) => ({ from: null, to })))
  })

  it('is not written for a change that was refused', async () => {
    const { owner } = await service().given.organisation()
    await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })
    const before = (await owner.get('/v1/admin/audit-logs')).body.data.length

    expect(await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })).toMatchObject({ status: 409 })
    expect(await owner.post('/v1/admin/roles', { name: '', slug: 'other' })).toMatchObject({ status: 400 })

    expect((await owner.get('/v1/admin/audit-logs')).body.data).toHaveLength(before)
  })
})
