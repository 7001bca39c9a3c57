import { describe, expect, it, onTestFinished } from 'vitest'
import { freshEngine } from '../support/database.ts'
import type { HttpClient } from '../support/http-client.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService, useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/audit-logs/export'

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const entriesOf = (text: string) => linesOf(text).map((line) => JSON.parse(line))

async function createRole(admin: HttpClient, slug: string) {
  const created = await admin.post('/v1/admin/roles', { name: slug, slug })
  expect(created).toMatchObject({ status: 201 })
  return created.body.id as string
}

describe('GET /v1/admin/audit-logs/export', () => {
  it('sends every entry of the organisation as NDJSON, newest first, and no entry of others', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const foreign = await createRole(other.owner, 'foreign')
    await createRole(owner, 'first')
    await createRole(owner, 'second')

    const exported = await owner.get(`${path}?format=ndjson`)

    expect(exported.status).toBe(200)
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(exported.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-logs-\d{4}-\d\d-\d\d\.ndjson"$/)
    const { data } = (await owner.get('/v1/admin/audit-logs?limit=1000')).body
    expect(entriesOf(exported.body)).toEqual(data)
    expect(exported.body).not.toContain(foreign)
  })

  it('is NDJSON unless a format is given, and refuses an unknown format', async () => {
    const { owner } = await service().given.organisation()

    expect((await owner.get(path)).headers.get('content-type')).toContain('application/x-ndjson')
    expect(await owner.get(`${path}?format=xlsx`)).toMatchObject({ status: 400, body: { errors: [{ path: ['format'] }] } })
  })

  it('sends CSV with a header and the changes as JSON', async () => {
    const { owner } = await service().given.organisation()
    const id = await createRole(owner, 'support')
    await owner.patch(`/v1/admin/roles/${id}`, { name: 'Support, "first" line' })

    const exported = await owner.get(`${path}?format=csv&targetId=${id}&action=role.updated`)

    expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(exported.headers.get('content-disposition')).toMatch(/\.csv"$/)
    const [header, line, ...rest] = linesOf(exported.body)
    expect(header).toBe(
      'id,createdAt,action,actorType,actorId,targetType,targetId,ipAddress,userAgent,changes,metadata,actorName,actorEmail,targetName,targetEmail,requestId,signInId',
    )
    expect(line).toContain(`role.updated,user,${owner.id},role,${id}`)
    expect(line).toContain(`""to"":${JSON.stringify('Support, "first" line').replaceAll('"', '""')}`)
    expect(rest).toEqual([])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])('prevents a spreadsheet from running %s from a user agent', async (formula) => {
    const { owner } = await service().given.organisation()
    await createRole(owner.with({ 'user-agent': formula }), 'role')

    const exported = await owner.get(`${path}?format=csv&action=role.created&actorId=${owner.id}`)

    expect(linesOf(exported.body)[1]).toContain(`,'${formula},`)
  })

  it('accepts the filters of the list', async () => {
    const { owner } = await service().given.organisation()
    const id = await createRole(owner, 'kept')
    const between = new Date(service().clock.now().getTime() + 1_000).toISOString()
    service().clock.advance({ seconds: 2 })
    await createRole(owner, 'late')

    const ids = async (query: string) => entriesOf((await owner.get(`${path}?${query}`)).body ?? '').map(({ targetId }) => targetId)
    expect(await ids(`action=role.created&actorId=${owner.id}&to=${between}`)).toEqual([id])
    expect(await ids(`targetType=role&targetId=${id}`)).toEqual([id])
    expect(await ids(`from=${between}&action=role.created`)).not.toContain(id)
    expect(await ids('action=nothing')).toEqual([])
    expect(await owner.get(`${path}?from=yesterday`)).toMatchObject({ status: 400 })
  })

  /** Entries that fill several pages of an export, the oldest first. */
  async function longHistory({ database }: TestService, organisationId: string, actorId: string | null) {
    const tenant = database.tenant(organisationId)
    const rows = Array.from({ length: 1_700 }, (_, index) => ({
      id: `aud_${String(index).padStart(26, '0')}`,
      action: 'test.happened',
      actorType: 'system' as const,
      actorId,
      targetType: 'test',
      targetId: String(index),
      ipAddress: null,
      userAgent: null,
      changes: null,
      metadata: null,
      createdAt: tenant.now,
    }))
    await tenant.insertInto('auditLogs').values(rows).execute()
    return rows.map(({ id }) => id).reverse()
  }

  it('sends a long history whole, each entry once', async () => {
    const { id, owner } = await service().given.organisation()
    const ids = await longHistory(service(), id, null)

    const exported = await owner.get(`${path}?action=test.happened`)

    expect(entriesOf(exported.body).map((entry) => entry.id)).toEqual(ids)
  })

  it('looks for the users of an address once, among all changes of addresses, and not for each page', async () => {
    const engine = recordingEngine(await freshEngine())
    const recorded = await startTestService({ engine })
    onTestFinished(() => recorded.stop())
    const { id, owner } = await recorded.given.organisation()
    const ids = await longHistory(recorded, id, owner.id)
    engine.statements.length = 0

    const exported = await owner.get(`${path}?email=${owner.email}&action=test.happened`)

    expect(entriesOf(exported.body).map((entry) => entry.id)).toEqual(ids)
    expect(engine.statements.filter(({ query }) => query.sql.includes('{email,from}'))).toHaveLength(1)
  })

  it('needs audit:read', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['users:read'])

    expect(await user.get(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: audit:read' } })
  })
})
