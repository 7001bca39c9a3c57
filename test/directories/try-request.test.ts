import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { filter, type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const service = useService({ ofItsOwn: true })

const tryOf = ({ organisation, id }: GivenDirectory, request: Record<string, unknown>, by = organisation.owner) =>
  by.post(`/v1/admin/directories/${id}/requests/try`, request)

/** What is stored of an organisation, by table, without what changes by itself: sessions in use, and deliveries that are attempted. */
async function rowsOf({ organisation }: GivenDirectory): Promise<Record<string, string>> {
  const system = service().database.system()
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema and t.table_type = 'BASE TABLE'
    where c.table_schema = current_schema() and c.column_name = 'organisation_id'
      and c.table_name <> 'sessions' and c.table_name not like 'webhook_%'`.execute(system)
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows: found } = await sql<{ all: string | null }>`
      select string_agg(t::text, ' ' order by t::text) as all from ${sql.table(name)} t
      where organisation_id = ${organisation.id}`.execute(system)
    rows[name] = found[0]?.all ?? ''
  }
  return rows
}

const eventsOf = async ({ organisation }: GivenDirectory) =>
  service().database.tenant(organisation.id).selectFrom('webhookDeliveries').select(['id', 'event']).orderBy('id').execute()

const actionsOf = ({ changes }: { changes: { action: string }[] }) => changes.map(({ action }) => action)

describe('a request of a directory that is tried', () => {
  it('gets the response that SCIM would give, with what the audit log would record', async () => {
    const directory = await givenDirectory(service())
    const email = directory.address()

    const created = await tryOf(directory, { method: 'POST', path: '/Users', body: person(email) })
    expect(created).toMatchObject({
      status: 200,
      body: {
        response: { status: 201, headers: { etag: 'W/"1"', location: expect.any(String) }, body: { userName: email } },
        changes: [
          { action: 'user.created', targetType: 'user' },
          { action: 'role.assigned', targetType: 'user' },
        ],
      },
    })
    expect(await tryOf(directory, { method: 'GET', path: `/Users${filter(`userName eq "${email}"`)}` })).toMatchObject({
      body: { response: { status: 200, body: { totalResults: 0 } }, changes: [], changesTotal: 0 },
    })

    const { body: user } = await directory.scim.post('/Users', person(email))
    const off = { method: 'PATCH', path: `/Users/${user.id}`, body: operations({ op: 'Replace', path: 'active', value: 'False' }) }
    const { body: deactivated } = await tryOf(directory, off)
    expect(deactivated).toMatchObject({ response: { status: 200, body: { active: false } }, changesTotal: 1 })
    expect(deactivated.changes).toMatchObject([{ targetId: user.id, changes: { blockedAt: { from: null, to: expect.any(String) } } }])
    expect((await directory.scim.get(`/Users/${user.id}`)).body).toMatchObject({ active: true })
  })

  it('leaves nothing behind but the entry that it was tried, which has none of its content', async () => {
    const directory = await givenDirectory(service())
    const { organisation, scim, address } = directory
    await createEndpoint(organisation.owner, { url: 'https://hooks.example.test/', events: ['*'] })
    const { body: user } = await scim.post('/Users', person(address()))
    await scim.post('/Groups', { displayName: 'Support', members: [{ value: user.id }] })
    await service().settled()
    const { audit_logs: entries = '', ...before } = await rowsOf(directory)
    const events = await eventsOf(directory)
    expect(events).not.toEqual([])

    const moved = address()
    const tried = await tryOf(directory, {
      method: 'PATCH',
      path: `/Users/${user.id}`,
      body: operations({ op: 'replace', value: { active: false, title: 'Countess', 'emails[type eq "work"].value': moved } }),
    })
    expect(tried.body).toMatchObject({ response: { status: 200 } })
    expect(actionsOf(tried.body)).not.toEqual([])
    const group = await tryOf(directory, { method: 'POST', path: '/Groups', body: { displayName: 'Sales', members: [{ value: user.id }] } })
    expect(actionsOf(group.body)).toEqual(expect.arrayContaining(['directory.group_created', 'team.created', 'team.member_added']))
    await service().settled()

    const { audit_logs: now = '', ...after } = await rowsOf(directory)
    expect(after).toEqual(before)
    expect(await eventsOf(directory)).toEqual(events)
    expect(now).toContain(entries)
    const { data } = (await organisation.owner.get('/v1/admin/audit-logs?action=directory.request_tried')).body
    expect(data).toMatchObject([
      { actorId: organisation.owner.id, targetId: directory.id, metadata: { method: 'POST', path: '/Groups', status: 201 } },
      { metadata: { method: 'PATCH', path: `/Users/${user.id}`, status: 200 } },
    ])
    expect(JSON.stringify(data)).not.toMatch(/Countess|Sales/)
    expect(now.split('directory.request_tried')).toHaveLength(3)
  })

  it('is refused as SCIM would refuse it, and nothing would change', async () => {
    const directory = await givenDirectory(service())
    const refused = async (request: Record<string, unknown>, response: Record<string, unknown>) =>
      expect(await tryOf(directory, request)).toMatchObject({ status: 200, body: { response, changes: [], changesTotal: 0 } })
    await refused({ method: 'POST', path: '/Users', body: {} }, { status: 400, body: { scimType: 'invalidValue' } })
    await refused({ method: 'GET', path: '/Users?filter=unknown' }, { status: 400, body: { scimType: 'invalidFilter' } })
    await refused({ method: 'GET', path: '/Users/usr_unknown' }, { status: 404 })
    await refused({ method: 'GET', path: '/%zz' }, { status: 400 })
    await refused({ method: 'GET', path: 'https://elsewhere.example/Users' }, { status: 404 })
    await refused({ method: 'POST', path: '/Bulk', body: {} }, { status: 501 })
  })

  it('may be given by its whole address, and its headers count', async () => {
    const directory = await givenDirectory(service())
    const { body: user } = await directory.scim.post('/Users', person(directory.address()))
    const path = `${service().services.publicUrl}/scim/v2/${directory.id}/Users/${user.id}`
    expect((await tryOf(directory, { method: 'GET', path })).body.response).toMatchObject({ status: 200, body: { id: user.id } })
    const slashed = `${service().services.publicUrl}/scim/v2/${directory.id}//Users/${user.id}/`
    expect((await tryOf(directory, { method: 'GET', path: slashed })).body.response).toMatchObject({ status: 200, body: { id: user.id } })
    const headers = { 'If-Match': 'W/"99"' }
    expect((await tryOf(directory, { method: 'DELETE', path, headers })).body.response).toMatchObject({ status: 412 })
    expect((await tryOf(directory, { method: 'DELETE', path })).body.response).toMatchObject({ status: 204, body: null })
  })

  it('is refused while the directory is off, as its requests are', async () => {
    const directory = await givenDirectory(service())
    await directory.organisation.owner.patch(`/v1/admin/directories/${directory.id}`, { isActive: false })
    expect(await tryOf(directory, { method: 'GET', path: '/Users' })).toMatchObject({ body: { response: { status: 401 } } })
  })

  it('does not make the directory one that works, or fails', async () => {
    const directory = await givenDirectory(service())
    await tryOf(directory, { method: 'POST', path: '/Users', body: {} })
    await tryOf(directory, { method: 'GET', path: '/Users' })
    await service().settled()
    const { owner } = directory.organisation
    expect((await owner.get(`/v1/admin/directories/${directory.id}`)).body).toMatchObject({ lastRequestAt: null, status: { state: 'ok' } })
    expect((await owner.get(`/v1/admin/directories/${directory.id}/requests`)).body.data).toEqual([])
  })

  it('takes the permission to read users, whom its response has', async () => {
    const directory = await givenDirectory(service())
    const { owner } = directory.organisation
    const request = { method: 'GET', path: '/Users' }
    const both = await service().given.userWith(owner, ['directories:update', 'users:read'])
    expect(await tryOf(directory, request, both)).toMatchObject({ status: 200 })
    const without = await service().given.userWith(owner, ['directories:update'])
    expect(await tryOf(directory, request, without)).toMatchObject({ status: 403, body: { code: 'missing-permission' } })
    const { owner: stranger } = await service().given.organisation()
    expect(await tryOf(directory, request, stranger)).toMatchObject({ status: 404, body: { code: 'directory-not-found' } })
  })
})
