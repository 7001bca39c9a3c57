import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { directoryClient, filter, givenDirectory, givenToken, operations, person } from '../support/directories.ts'
import { uniqueDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

describe('a directory', () => {
  it('authenticates by a token of its own', async () => {
    const { id, scim, organisation } = await givenDirectory(service())
    const other = await givenDirectory(service())
    expect(await scim.get('/Users')).toMatchObject({ status: 200 })

    const past = await givenToken(service(), organisation.id, id, service().clock.now())
    for (const token of [other.token, past, 'scim_unknown', 'ak_unknown', '']) {
      const refused = await directoryClient(service(), id, token).get('/Users')
      expect(refused).toMatchObject({ status: 401, body: { schemas: [errorSchema], status: '401' } })
      expect(refused.headers.get('www-authenticate')).toContain('Bearer')
      expect(refused.headers.get('content-type')).toContain('application/scim+json')
    }
  })

  it('is reached by a base URL that ends in a slash, and by addresses that do', async () => {
    const { id, token, scim, address } = await givenDirectory(service())
    const slashed = directoryClient(service(), `${id}/`, token)
    const { status, body: user } = await slashed.post('/Users', person(address()))
    expect(status).toBe(201)
    expect(user.meta.location).toBe(`${service().services.publicUrl}/scim/v2/${id}/Users/${user.id}`)

    for (const found of [
      await slashed.get(`/Users${filter(`userName eq "${user.userName}"`)}`),
      await scim.get(`/Users/${filter(`userName eq "${user.userName}"`)}`),
      await slashed.post('/Users/.search/', { filter: `id eq "${user.id}"` }),
      await slashed.post('/.search/', { filter: `id eq "${user.id}"` }),
    ])
      expect(found).toMatchObject({ status: 200, body: { totalResults: 1, Resources: [{ id: user.id }] } })
    expect(await slashed.get(`/Users/${user.id}/`)).toMatchObject({ status: 200, body: { id: user.id } })
    expect(await slashed.patch(`/Users/${user.id}`, operations({ op: 'replace', value: { title: 'Countess' } }))).toMatchObject({
      body: { title: 'Countess' },
    })
    expect(await slashed.get('/Schemas/')).toMatchObject({ status: 200 })
    for (const path of ['', '/', '/Users/usr_1/more']) expect([path, (await slashed.get(path)).status]).toEqual([path, 404])
    const other = await givenDirectory(service())
    expect(await directoryClient(service(), `${other.id}/`, token).get('/Users')).toMatchObject({ status: 401 })
  })

  it('has no access while it is inactive, and none once its organisation is cancelled', async () => {
    const { id, scim, organisation } = await givenDirectory(service())
    const tenant = service().database.tenant(organisation.id)
    await tenant.updateTable('directories').set({ isActive: false }).where('id', '=', id).execute()
    expect(await scim.get('/ServiceProviderConfig')).toMatchObject({ status: 401 })
    await tenant.updateTable('directories').set({ isActive: true }).where('id', '=', id).execute()
    expect(await scim.get('/ServiceProviderConfig')).toMatchObject({ status: 200 })

    expect((await service().operator.delete(`/v1/system/organisations/${organisation.id}`)).status).toBe(204)
    expect(await scim.get('/ServiceProviderConfig')).toMatchObject({ status: 401 })
  })

  it('reads and does not write while its organisation is suspended', async () => {
    const { scim, organisation, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address()))
    await service().operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'Unpaid' })

    expect(await scim.get(`/Users/${user.id}`)).toMatchObject({ status: 200 })
    for (const refused of [
      await scim.post('/Users', person(address())),
      await scim.patch(`/Users/${user.id}`, { Operations: [{ op: 'replace', value: { title: 'x' } }] }),
      await scim.delete(`/Users/${user.id}`),
    ])
      expect(refused).toMatchObject({ status: 403, body: { schemas: [errorSchema], detail: 'The organisation is suspended' } })
  })

  it('may send 600 requests a minute', async () => {
    const { id, scim } = await givenDirectory(service())
    const { scimRequestsByDirectory } = service().services.limits
    for (let sent = 0; sent < 600; sent++) await scimRequestsByDirectory.count(id)

    const refused = await scim.get('/Users')
    expect(refused).toMatchObject({ status: 429, body: { schemas: [errorSchema], status: '429' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('learns what is offered, and that the rest is not', async () => {
    const { scim } = await givenDirectory(service())
    expect((await scim.get('/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    const { body: types } = await scim.get('/ResourceTypes')
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups'])
    const { body: documents } = await scim.get('/Schemas')
    for (const { id, meta } of documents.Resources) {
      expect((await scim.get(`/Schemas/${id}`)).body.id).toBe(id)
      expect(meta.location).toContain(id)
    }
    for (const [method, path] of [
      ['GET', '/Me'],
      ['PATCH', '/Me'],
      ['POST', '/Bulk'],
    ] as const)
      expect(await scim.request(method, path, { body: method === 'GET' ? undefined : {} })).toMatchObject({
        status: 501,
        body: { status: '501' },
      })
    for (const [method, path, allow] of [
      ['PUT', '/Users', 'GET, POST'],
      ['DELETE', '/Groups', 'GET, POST'],
      ['POST', '/Users/usr_1', 'DELETE, GET, PATCH, PUT'],
      ['GET', '/Users/.search', 'POST'],
      ['GET', '/.search', 'POST'],
      ['PATCH', '/Schemas', 'GET'],
      ['DELETE', '/ServiceProviderConfig', 'GET'],
    ] as const) {
      const { status, headers, body } = await scim.request(method, path, { body: method === 'GET' ? undefined : {} })
      expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allow])
      expect(body).toMatchObject({ schemas: [errorSchema], status: '405' })
    }
    expect(await scim.get('/Schemas?filter=id%20pr')).toMatchObject({ status: 403, body: { status: '403' } })
    for (const name of ['Nothing', 'constructor', '__proto__', 'toString'])
      for (const answer of [scim.get(`/${name}`), scim.get(`/${name}/1`), scim.post(`/${name}`, {})])
        expect(await answer).toMatchObject({ status: 404, body: { schemas: [errorSchema] } })
  })

  it.each([
    ['a body that is no JSON', '{', 400, 'invalidSyntax'],
    ['a body that is no object', '[]', 400, 'invalidSyntax'],
    ['a character that cannot be stored', '{"userName":"a\\u0000@b"}', 400, 'invalidSyntax'],
    ['half a character', '{"userName":"\\ud800@b"}', 400, 'invalidSyntax'],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, 'invalidSyntax'],
    ['a name with control characters', '{"userName":"a\\u0001b"}', 400, 'invalidValue'],
    ['more than 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, undefined],
  ])('is refused in the words of SCIM for %s', async (_, body, status, scimType) => {
    const { scim } = await givenDirectory(service())
    expect(await scim.post('/Users', body)).toMatchObject({
      status,
      body: { schemas: [errorSchema], status: String(status), ...(scimType && { scimType }) },
    })
  })
})

describe('users', () => {
  it('are listed when the directory manages them or their domain is verified, with the owner', async () => {
    const { scim, organisation, address } = await givenDirectory(service())
    const { owner } = organisation
    const { body: managed } = await scim.post('/Users', person(address()))
    const seen = await service().given.user(owner, { email: address() })
    const unseen = await service().given.user(owner, { email: `x@${uniqueDomain()}` })

    const { body } = await scim.get('/Users')
    expect(body.Resources.map(({ id }: { id: string }) => id).sort()).toEqual([owner.id, managed.id, seen.id].sort())
    expect(body).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 })
    expect((await scim.get(`/Users/${unseen.id}`)).status).toBe(404)
    expect((await scim.get(`/Users/${seen.id}`)).body).toMatchObject({
      userName: seen.email,
      active: true,
      emails: [{ value: seen.email }],
    })
  })

  it('are paged, and counted without being read', async () => {
    const { scim, address } = await givenDirectory(service())
    for (let made = 0; made < 3; made++) await scim.post('/Users', person(address()))

    const pages = []
    for (const startIndex of [1, 2, 3, 4]) pages.push((await scim.get(`/Users?startIndex=${startIndex}&count=1`)).body)
    expect(pages.map(({ totalResults, itemsPerPage }) => [totalResults, itemsPerPage])).toEqual([
      [4, 1],
      [4, 1],
      [4, 1],
      [4, 1],
    ])
    expect(new Set(pages.map(({ Resources }) => Resources[0].id)).size).toBe(4)
    expect((await scim.get('/Users?count=0')).body).toMatchObject({ totalResults: 4, Resources: [] })
    expect((await scim.get('/Users?count=-1&startIndex=0')).body).toMatchObject({ totalResults: 4, startIndex: 1, Resources: [] })
    expect((await scim.get('/Users?startIndex=9')).body).toMatchObject({ totalResults: 4, Resources: [] })
    expect((await scim.get('/Users?count=x')).status).toBe(400)
    expect((await scim.get('/Users?startIndex=99999999999999')).status).toBe(200)
  })

  it('are a hundred on a page unless more are asked for, and two hundred at most', async () => {
    const { scim, organisation, domain } = await givenDirectory(service())
    await sql`
      insert into users (id, email, first_name, last_name, created_at, updated_at)
      select new_id('usr', ${service().clock.now()}), 'many-' || number || ${`@${domain}`}::text, 'Ada', 'Lovelace', ${service().clock.now()}::timestamptz, ${service().clock.now()}::timestamptz
      from generate_series(1, 204) as number`.execute(service().database.tenant(organisation.id))
    const page = async (query: string) => {
      const { itemsPerPage, totalResults, Resources } = (await scim.get(`/Users?attributes=userName${query}`)).body
      return [itemsPerPage, totalResults, new Set(Resources.map(({ id }: { id: string }) => id)).size]
    }
    expect(await page('')).toEqual([100, 205, 100])
    expect(await page('&count=200')).toEqual([200, 205, 200])
    expect(await page('&count=201')).toEqual([200, 205, 200])
    expect(await page('&count=201&startIndex=201')).toEqual([5, 205, 5])
  })

  it('are shown with the attributes that are asked for', async () => {
    const { scim, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address(), { title: 'Countess' }))

    expect(Object.keys((await scim.get(`/Users/${user.id}?attributes=userName,name.givenName`)).body).sort()).toEqual([
      'id',
      'name',
      'schemas',
      'userName',
    ])
    expect((await scim.get(`/Users/${user.id}?excludedAttributes=title`)).body.title).toBeUndefined()
    const searched = await scim.post('/Users/.search', { filter: `id eq "${user.id}"`, attributes: ['title'], count: 1 })
    expect(searched.body.Resources).toEqual([{ schemas: user.schemas, id: user.id, title: 'Countess' }])
  })

  it('are read anew only when they have changed', async () => {
    const { scim, address, organisation } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address()))
    const read = () => scim.get(`/Users/${user.id}`, { headers: { 'if-none-match': user.meta.version } })
    expect(await read()).toMatchObject({ status: 304, body: null })

    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { firstName: 'Augusta' })
    expect(await read()).toMatchObject({ status: 200, body: { name: { givenName: 'Augusta' } } })
  })

  it('are read anew when their groups have changed, which makes no change of them stale', async () => {
    const { scim, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address()))
    const path = `/Users/${user.id}`
    const read = (tag: string) => scim.get(path, { headers: { 'if-none-match': tag } })
    const { body: group } = await scim.post('/Groups', { displayName: 'Sales', members: [{ value: user.id }] })

    const joined = await read(user.meta.version)
    expect(joined).toMatchObject({ status: 200, body: { groups: [{ value: group.id }] } })
    const { version } = joined.body.meta
    expect([joined.headers.get('etag'), (await read(version)).status]).toEqual([version, 304])
    expect((await scim.get(`/Users${filter(`id eq "${user.id}"`)}`)).body.Resources[0].meta.version).toBe(version)
    expect((await scim.get(`${path}?excludedAttributes=groups`)).body.meta.version).toBe(user.meta.version)

    await scim.delete(`/Groups/${group.id}`)
    const left = await read(version)
    expect(left).toMatchObject({ status: 200, body: { meta: { version: user.meta.version } } })
    const change = operations({ op: 'add', path: 'title', value: 'Countess' })
    expect((await scim.patch(path, change, { headers: { 'if-match': `W/"99-1", ${version}` } })).status).toBe(200)
    expect((await scim.patch(path, change, { headers: { 'if-match': version } })).status).toBe(412)
  })
})

describe('a filter', () => {
  const givenPeople = async () => {
    const directory = await givenDirectory(service())
    const { scim, address, organisation } = directory
    const ada = (await scim.post('/Users', person(address(), { externalId: 'E-1', displayName: 'The Countess' }))).body
    const grace = (
      await scim.post(
        '/Users',
        person(`Grace.${address()}`, { externalId: 'E-2', name: { givenName: 'Grace', familyName: 'Hopper' }, active: false }),
      )
    ).body
    const plain = await service().given.user(organisation.owner, { email: address(), firstName: 'Plain', lastName: "O'Neil" })
    const names = new Map([
      [ada.id, 'ada'],
      [grace.id, 'grace'],
      [plain.id, 'plain'],
      [organisation.owner.id, 'owner'],
    ])
    const found = async (text: string) => {
      const { status, body } = await scim.get(`/Users${filter(text)}`)
      return status === 200 ? body.Resources.map(({ id }: { id: string }) => names.get(id)).sort() : body.scimType
    }
    return { ...directory, ada, grace, plain, found }
  }

  it('finds by every attribute, operator and combination that is offered', async () => {
    const { found, ada, grace, plain, domain } = await givenPeople()
    const cases: [string, string[]][] = [
      [`userName eq "${ada.userName.toUpperCase()}"`, ['ada']],
      [`USERNAME Eq "${plain.email}"`, ['plain']],
      [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${grace.userName}"`, ['grace']],
      [`userName eq "nobody@${domain}"`, []],
      [`userName ne "${ada.userName}" and emails co "@${domain}"`, ['grace', 'plain']],
      [`userName sw "grace."`, ['grace']],
      [`userName ew "${domain}"`, ['ada', 'grace', 'plain']],
      ['externalId eq "E-1"', ['ada']],
      ['externalId eq "e-1"', []],
      ['externalId pr', ['ada', 'grace']],
      ['not (externalId pr)', ['owner', 'plain']],
      ['externalId eq null', ['owner', 'plain']],
      ['externalId gt "E-1"', ['grace']],
      ['externalId ge "E-1" and externalId le "E-2"', ['ada', 'grace']],
      ['externalId lt "E-2"', ['ada']],
      [`id eq "${ada.id}"`, ['ada']],
      [`id eq "${ada.id}" or id eq "${grace.id}"`, ['ada', 'grace']],
      ['active eq false', ['grace']],
      ['active eq "True" and externalId pr', ['ada']],
      ['active ne true', ['grace']],
      ['name.familyName eq "hopper"', ['grace']],
      ['name.familyName co "\'"', ['plain']],
      ['displayName eq "the countess"', ['ada']],
      [`emails.value eq "${ada.userName}"`, ['ada']],
      [`emails[type eq "work" and value co "grace"]`, ['grace']],
      [`emails[type eq "home"]`, []],
      [`emails[type eq "work"].value eq "${plain.email}"`, ['plain']],
      [`emails[primary eq true] and name.givenName eq "Ada"`, ['ada']],
      ['meta.created gt "2000-01-01T00:00:00Z" and externalId pr', ['ada', 'grace']],
      ['meta.lastModified lt "2000-01-01T00:00:00Z"', []],
      ['(externalId eq "E-1" or externalId eq "E-2") and not (active eq true)', ['grace']],
    ]
    for (const [text, expected] of cases) expect([text, await found(text)]).toEqual([text, expected])
  })

  it('finds a user by any of their addresses, in any case, and by none that they had', async () => {
    const { scim, address } = await givenDirectory(service())
    const [work, home, later] = [address(), `Home-${unique()}@elsewhere.example`, address()]
    const emails = [
      { value: work, type: 'work', primary: true },
      { value: home, type: 'home' },
    ]
    const { body: user } = await scim.post('/Users', person(work, { emails }))
    await scim.post('/Users', person(address()))
    const totalOf = async (text: string) => (await scim.get(`/Users${filter(text)}`)).body.totalResults
    expect(await totalOf(`emails.value eq "${work.toUpperCase()}"`)).toBe(1)
    expect(await totalOf(`emails eq "${home}"`)).toBe(1)
    expect(await totalOf(`emails[type eq "home" and value eq "${home.toLowerCase()}"]`)).toBe(1)
    expect(await totalOf(`emails[type eq "work" and value eq "${home}"]`)).toBe(0)
    expect(await totalOf(`not (emails.value eq "${home}")`)).toBe(2)
    expect(await totalOf(`emails[type eq "home" or value eq "${work}"]`)).toBe(1)

    await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'emails', value: [{ value: later, type: 'work' }] }))
    expect(await totalOf(`emails.value eq "${work}" or emails eq "${home}"`)).toBe(0)
    expect(await totalOf(`emails.value eq "${later}"`)).toBe(1)
  })

  it('is refused for what is not offered', async () => {
    const { found } = await givenPeople()
    for (const text of [
      'title eq "x"',
      'password pr',
      'unknown eq "x"',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
      'emails[unknown eq "x"]',
      'emails[type[a eq "b"]]',
      'name[givenName eq "x"]',
      'active co "x"',
      'active eq "maybe"',
      'meta.created eq "yesterday"',
      'meta.created co "2020"',
      'meta.created gt "0000-01-01T00:00:00Z"',
      'meta.created gt "0001-01-01T00:00:00+14:00"',
      'meta.lastModified lt "9999-12-31T23:59:59-10:00"',
      'externalId gt null',
      'userName eq',
      'userName eq "\\u0000"',
      `userName eq "${'x'.repeat(2_100)}"`,
      `${'('.repeat(11)}userName pr${')'.repeat(11)}`,
    ])
      expect([text, await found(text)]).toEqual([text, 'invalidFilter'])
  })

  it('never finds users of another organisation', async () => {
    const { ada, scim } = await givenPeople()
    const other = await givenDirectory(service())
    for (const text of [`id eq "${ada.id}"`, `userName eq "${ada.userName}"`, 'externalId eq "E-1"', `emails eq "${ada.userName}"`])
      expect((await other.scim.get(`/Users${filter(text)}`)).body).toMatchObject({ totalResults: 0, Resources: [] })
    expect((await scim.get(`/Users${filter(`userName eq "${unique()}"`)}`)).body).toMatchObject({ totalResults: 0 })
  })
})
