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
    const everything = JSON.stringify(requests)
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
    await refuse(19)
    // Directories ask for what may not be there, or may have changed.
    expect(await scim.get('/Users/usr_unknown')).toMatchObject({ status: 404 })
    const stale = { headers: { 'if-match': 'W/"0"' } }
    expect(await scim.request('DELETE', `/Users/${user.id}`, stale)).toMatchObject({ status: 412 })
    await service().settled()
    expect(await reported(directory)).toEqual([])
    await refuse(5)
    expect(await rowOf(directory)).toMatchObject({ refusedInARow: 24, failingSince: expect.any(Date), lastError: 'userName is required' })
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
    expect((await rowOf(heard)).failingSince).toEqual(expect.any(Date))
    expect((await rowOf(silent)).failingSince).toBeNull()
    await heard.scim.get('/Users')
    await service().settled()
    expect((await rowOf(heard)).failingSince).toBeNull()
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
