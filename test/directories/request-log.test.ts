import { describe, expect, it } from 'vitest'
import { removeOldDirectoryRequests, reportSilentDirectories } from '../../src/directories/scim/report-failing.ts'
import { filter, type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const requestsOf = async ({ organisation, id }: GivenDirectory) => {
  await service().settled()
  return service()
    .database.tenant(organisation.id)
    .selectFrom('directoryRequests')
    .selectAll()
    .where('directoryId', '=', id)
    .orderBy('id')
    .execute()
}
const rowOf = ({ organisation, id }: GivenDirectory) =>
  service().database.tenant(organisation.id).selectFrom('directories').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const statusOf = async ({ organisation: { owner }, id }: GivenDirectory) => (await owner.get(`/v1/admin/directories/${id}`)).body.status
const reported = ({ organisation, id }: GivenDirectory) =>
  service()
    .database.tenant(organisation.id)
    .selectFrom('auditLogs')
    .select('id')
    .where('action', '=', 'directory.failing')
    .where('targetId', '=', id)
    .execute()

describe('the log of a directory', () => {
  const order = ({ method, status }: { method: string; status: number }) =>
    ['POST 201', 'GET 200', 'PATCH 400', 'POST 400', 'GET 404'].indexOf(`${method} ${status}`)

  it('has each authenticated request, with its form and without its values', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const email = address()
    const { body: user } = await scim.post('/Users', person(email, { title: 'Countess' }))
    await scim.get(`/Users${filter(`userName eq "${email}"`)}`)
    await scim.patch(`/Users/${user.id}`, operations({ op: 'Replace', path: 'unknown', value: 'secret text' }))
    await scim.post('/Users', '{')
    await scim.get('/Users/someone@else.example')
    await scim.with({ authorization: 'Bearer scim_wrong' }).get('/Users')

    // Those of one millisecond have no order.
    const requests = (await requestsOf(directory)).sort((one, other) => order(one) - order(other))
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/Users',
        status: 201,
        scimType: null,
        detail: null,
        requestId: expect.any(String),
        ipAddress: expect.any(String),
      },
      { method: 'GET', path: '/Users', filter: 'userName eq "***"', status: 200, requestBody: null },
      { method: 'PATCH', path: `/Users/${user.id}`, status: 400, scimType: 'invalidPath', detail: expect.stringContaining('unknown') },
      { method: 'POST', path: '/Users', status: 400, scimType: 'invalidSyntax' },
      { method: 'GET', path: '/Users/***', status: 404 },
    ])
    expect(JSON.parse(requests[2]?.requestBody ?? '')).toMatchObject({ Operations: [{ op: 'Replace', path: 'unknown', value: '***' }] })
    await scim.get(`/Users${filter(`userName eq ${email} or title eq 'Countess'`)}`)
    await scim.patch(`/Users/${user.id}`, operations({ op: 'add', path: 'pets[name eq Lovelace]', value: 'x' }))
    await scim.post('/Users', person(email, { status: 'secret text', name: { op: 'secret text', detail: 'secret text' } }))
    await scim.get(`/${email}/${user.id}`)
    const later = (await requestsOf(directory)).slice(requests.length)
    expect(later.map(({ path, filter: asked, detail }) => [path, asked, detail]).sort()).toEqual(
      [
        ['/Users', `userName eq *** or title eq '***'`, expect.anything()],
        [`/Users/${user.id}`, null, 'There is no attribute pets[name eq ***]'],
        ['/Users', null, expect.anything()],
        [`/***/${user.id}`, null, expect.anything()],
      ].sort(),
    )
    const everything = JSON.stringify([...requests, ...later])
    for (const value of [email, 'Countess', 'Lovelace', 'secret text', 'someone']) expect(everything).not.toContain(value)
  })

  it('is removed after a week', async () => {
    const directory = await givenDirectory(service())
    await directory.scim.get('/Users')
    await service().clock.advance({ days: 6 })
    await removeOldDirectoryRequests.run(service().database)
    expect(await requestsOf(directory)).toHaveLength(1)
    await service().clock.advance({ days: 2 })
    await removeOldDirectoryRequests.run(service().database)
    expect(await requestsOf(directory)).toEqual([])
  })
})

describe('a directory', () => {
  it('says why its last request was refused, by a code and without a value', async () => {
    const directory = await givenDirectory(service())
    const { body: user } = await directory.scim.post('/Users', person(directory.address()))
    // A success that is noted after a refusal would end it.
    await service().settled()
    const refusals = [
      [operations({ op: 'add', path: 'pets[name eq "Rex"]', value: 'x' }), 'There is no attribute pets[name eq "***"]'],
      [operations({ op: 'add', path: 'title', value: 'x'.repeat(20_000) }), 'The attributes of a user have at most 16 KiB'],
      ['{', expect.stringContaining('JSON')],
    ] as const
    const reasons = []
    for (const [body, error] of refusals) {
      expect(await directory.scim.patch(`/Users/${user.id}`, body)).toMatchObject({ status: 400 })
      await service().settled()
      const status = await statusOf(directory)
      expect(status).toMatchObject({ state: 'ok', error })
      reasons.push(status.reason)
    }
    expect(reasons).toEqual([
      { code: 'unknown-attribute', expected: null, received: 'pets[name eq "***"]' },
      { code: 'attributes-too-long', expected: null, received: null },
      { code: 'invalid-json', expected: null, received: null },
    ])
    expect(JSON.stringify(await requestsOf(directory))).not.toContain('Rex')
    await directory.scim.get('/Users')
    await service().settled()
    expect(await statusOf(directory)).toMatchObject({ error: null, reason: null })
  })

  it('shows what the former release has stored of a refusal', async () => {
    const directory = await givenDirectory(service())
    const tenant = service().database.tenant(directory.organisation.id)
    await tenant.updateTable('directories').set({ lastError: 'userName is required' }).where('id', '=', directory.id).execute()
    expect(await statusOf(directory)).toMatchObject({ error: 'userName is required', reason: null })
  })

  it('is failing after 20 refused requests in a row, which is reported once and ends with a success', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const refuse = async (times: number) => {
      for (let refused = 0; refused < times; refused++) {
        expect(await scim.post('/Users', {})).toMatchObject({ status: 400 })
        await service().settled()
      }
    }
    const succeed = async () => {
      expect(await scim.get('/Users')).toMatchObject({ status: 200 })
      await service().settled()
    }
    await refuse(19)
    expect(await rowOf(directory)).toMatchObject({
      refusedInARow: 19,
      failingSince: null,
      lastSuccessAt: null,
      lastRequestAt: expect.any(Date),
    })
    await succeed()
    const { body: user } = await scim.post('/Users', person(directory.address()))
    await service().settled()
    await refuse(19)
    // Directories ask for what may not be there, or may have changed.
    expect(await scim.get('/Users/usr_unknown')).toMatchObject({ status: 404 })
    const stale = { headers: { 'if-match': 'W/"0"' } }
    expect(await scim.request('DELETE', `/Users/${user.id}`, stale)).toMatchObject({ status: 412 })
    await service().settled()
    expect(await reported(directory)).toEqual([])
    await refuse(5)
    expect(await rowOf(directory)).toMatchObject({ refusedInARow: 24, failingSince: expect.any(Date) })
    const status = {
      state: 'failing',
      since: expect.any(String),
      error: 'userName is required',
      reason: { code: 'required', expected: 'userName', received: null },
    }
    expect(await statusOf(directory)).toEqual(status)
    expect(await reported(directory)).toHaveLength(1)
    await succeed()
    expect(await rowOf(directory)).toMatchObject({ refusedInARow: 0, failingSince: null, lastError: null, lastSuccessAt: expect.any(Date) })
  })

  it('is failing when it has worked and then is not heard of for a week', async () => {
    const [heard, silent] = [await givenDirectory(service()), await givenDirectory(service())]
    await heard.scim.get('/Users')
    await service().settled()
    await service().clock.advance({ days: 6 })
    await reportSilentDirectories.run(service().database)
    expect(await reported(heard)).toEqual([])
    await service().clock.advance({ days: 2 })
    await reportSilentDirectories.run(service().database)
    await reportSilentDirectories.run(service().database)
    const { failingSince, lastError } = await rowOf(heard)
    expect(failingSince).toEqual(expect.any(Date))
    const reason = { code: 'silent', expected: '7', received: null }
    expect(JSON.parse(lastError ?? '')).toEqual({ error: 'No request for 7 days', reason })
    expect((await rowOf(silent)).failingSince).toBeNull()
    await heard.scim.get('/Users')
    await service().settled()
    expect((await rowOf(heard)).failingSince).toBeNull()
  })

  it('and cannot be reported holds no other one up', async () => {
    const silent = [await givenDirectory(service()), await givenDirectory(service())].sort((one, other) => (one.id < other.id ? -1 : 1))
    for (const { scim } of silent) await scim.get('/Users')
    await service().settled()
    const asOwner = (text: string) => service().engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    await asOwner(`alter table directories add constraint directories_stays check (id <> '${silent[0]?.id}' or failing_since is null)`)
    await service().clock.advance({ days: 8 })

    await expect(reportSilentDirectories.run(service().database)).rejects.toThrow(`${silent[0]?.id} of ${silent[0]?.organisation.id}`)
    const failing = async () => Promise.all(silent.map(async (one) => (await rowOf(one)).failingSince !== null))
    expect(await failing()).toEqual([false, true])
    await asOwner('alter table directories drop constraint directories_stays')
    await reportSilentDirectories.run(service().database)
    expect(await failing()).toEqual([true, true])
  })

  it('is not failing as soon as it is switched on again after a pause, but for a week of silence from then on', async () => {
    const directory = await givenDirectory(service())
    const { owner } = directory.organisation
    const path = `/v1/admin/directories/${directory.id}`
    await directory.scim.get('/Users')
    await service().settled()
    expect(await owner.patch(path, { isActive: false })).toMatchObject({ status: 200 })
    await service().clock.advance({ days: 8 })
    const again = await service().given.signIn(owner.email)
    expect(await again.patch(path, { isActive: true })).toMatchObject({ status: 200 })
    await service().clock.advance({ days: 6 })
    await reportSilentDirectories.run(service().database)
    expect((await rowOf(directory)).failingSince).toBeNull()
    await service().clock.advance({ days: 2 })
    await reportSilentDirectories.run(service().database)
    expect((await rowOf(directory)).failingSince).toEqual(expect.any(Date))
  })

  it('is not failing as soon as its cancelled organisation is restored, but for a week of silence from then on', async () => {
    const directory = await givenDirectory(service())
    const { id, owner } = directory.organisation
    await directory.scim.get('/Users')
    await service().settled()
    expect(await owner.delete('/v1/admin/organisation')).toMatchObject({ status: 204 })
    await service().clock.advance({ days: 8 })
    expect(await service().operator.post(`/v1/system/organisations/${id}/restore`)).toMatchObject({ status: 200 })
    await reportSilentDirectories.run(service().database)
    expect((await rowOf(directory)).failingSince).toBeNull()
    await service().clock.advance({ days: 8 })
    await reportSilentDirectories.run(service().database)
    expect((await rowOf(directory)).failingSince).toEqual(expect.any(Date))
  })

  it('is not failing for what is refused because its organisation is suspended, or it awaits activation', async () => {
    const [awaiting, suspended] = [await givenDirectory(service()), await givenDirectory(service())]
    await service().operator.patch(`/v1/system/organisations/${suspended.organisation.id}/suspend`, { reason: 'Unpaid' })
    const tenant = service().database.tenant(awaiting.organisation.id)
    await tenant.updateTable('directories').set({ isActive: false, awaitsActivation: true }).where('id', '=', awaiting.id).execute()
    for (const [directory, code] of [
      [awaiting, 'not-activated'],
      [suspended, 'organisation-suspended'],
    ] as const) {
      for (let refused = 0; refused < 21; refused++) {
        expect(await directory.scim.post('/Users', person(directory.address()))).toMatchObject({ status: 403 })
        await service().settled()
      }
      const { failingSince, refusedInARow, lastError } = await rowOf(directory)
      expect([failingSince, refusedInARow, JSON.parse(lastError ?? '').reason.code]).toEqual([null, 0, code])
      expect(await reported(directory)).toEqual([])
    }
  })

  it('is not failing for what has failed here', async () => {
    const directory = await givenDirectory(service())
    const asOwner = (text: string) => service().engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    await asOwner(`alter table directory_groups add constraint directory_groups_fail check (directory_id <> '${directory.id}')`)
    for (let failed = 0; failed < 21; failed++) {
      expect(await directory.scim.post('/Groups', { displayName: `Group ${failed}` })).toMatchObject({ status: 500 })
      await service().settled()
    }
    await asOwner('alter table directory_groups drop constraint directory_groups_fail')

    expect(await rowOf(directory)).toMatchObject({ refusedInARow: 0, failingSince: null, lastError: null, lastRequestAt: expect.any(Date) })
    expect((await requestsOf(directory)).map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => 500))
    for (let asked = 0; asked < 2; asked++) expect(await directory.scim.post('/Bulk', {})).toMatchObject({ status: 501 })
    await service().settled()
    expect(await rowOf(directory)).toMatchObject({ refusedInARow: 2 })
  })

  it('is not failing for its silence while it is switched off, or its organisation is suspended', async () => {
    const [off, suspended] = [await givenDirectory(service()), await givenDirectory(service())]
    for (const { scim } of [off, suspended]) await scim.get('/Users')
    await service().settled()
    await off.organisation.owner.patch(`/v1/admin/directories/${off.id}`, { isActive: false })
    await service().operator.patch(`/v1/system/organisations/${suspended.organisation.id}/suspend`, { reason: 'Unpaid' })
    await service().clock.advance({ days: 8 })
    await reportSilentDirectories.run(service().database)
    for (const directory of [off, suspended]) expect((await rowOf(directory)).failingSince).toBeNull()
  })

  it('is not failing for resources that are gone, or have changed meanwhile', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const { body: user } = await scim.post('/Users', person(directory.address()))
    for (let asked = 0; asked < 11; asked++) {
      expect(await scim.get('/Users/usr_unknown')).toMatchObject({ status: 404 })
      expect(
        await scim.patch(`/Users/${user.id}`, operations({ op: 'add', path: 'title', value: 'x' }), { headers: { 'if-match': 'W/"9"' } }),
      ).toMatchObject({
        status: 412,
      })
      await service().settled()
    }
    expect(await rowOf(directory)).toMatchObject({ refusedInARow: 0, failingSince: null })
  })
})
