import { beforeAll, describe, expect, it } from 'vitest'
import { sampleOf } from '../../src/isolation/routes.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'
import { type DescribedRoute, describedRoutes, fieldsOf, jsonSchemaOf } from './described.ts'
import { newClient } from './world.ts'

const header = 'x-ignored-fields'

describe('an unknown field', () => {
  const service = useService()
  let organisation: TestOrganisation
  let user: { id: string }
  beforeAll(async () => {
    organisation = await service().given.organisation()
    user = await service().given.user(organisation.owner)
  })

  it('is ignored and named, with the nearest known name', async () => {
    const { owner } = organisation
    const blocked = await owner.patch(`/v1/admin/users/${user.id}`, { blocked: true, colour: 'red' })
    expect([blocked.status, blocked.headers.get(header)]).toEqual([200, 'blocked; did you mean blockedAt, colour'])
    expect(blocked.body.blockedAt).toBeNull()
    const mfa = await owner.patch('/v1/admin/organisation', { requireMFA: true })
    expect([mfa.status, mfa.headers.get(header), mfa.body.requireMfa]).toEqual([200, 'requireMFA; did you mean requireMfa', false])
  })

  it('is named among query parameters, also on routes without any', async () => {
    const { owner } = organisation
    const named = async (path: string) => {
      const { status, headers } = await owner.get(path)
      return [status, headers.get(header)]
    }
    expect(await named('/v1/admin/audit-logs?actoin=user.created')).toEqual([200, 'actoin; did you mean action'])
    expect(await named('/v1/admin/users?colour=red&limit=1')).toEqual([200, 'colour'])
    expect(await named('/v1/admin/users?search=carol&limit=1')).toEqual([200, 'search; did you mean q'])
    expect(await named('/v1/me/profile?x=1&x=2')).toEqual([200, 'x'])
    expect(await named('/v1/admin/users?limit=1')).toEqual([200, null])
  })

  it('is named when the request is refused or finds nothing, when the client needs it most', async () => {
    const { owner } = organisation
    const refused = await owner.post('/v1/admin/users', { mail: 'a@example.test', firstName: 'A', lastName: 'B' })
    expect([refused.status, refused.headers.get(header)]).toEqual([400, 'mail; did you mean email'])
    expect(refused.body.ignoredFields).toEqual(['mail; did you mean email'])
    const misspelt = await owner.post('/v1/admin/clients', {
      name: 'Portal',
      clientType: 'public',
      redirect_uris: ['https://portal.test/'],
    })
    expect(misspelt).toMatchObject({ status: 400, body: { ignoredFields: ['redirect_uris; did you mean redirectUris'] } })
    const unknown = await owner.patch('/v1/admin/users/usr_none', { name2: 'x' })
    expect([unknown.status, unknown.headers.get(header)]).toEqual([404, 'name2'])
  })

  it('of an address names the one that was probably meant, besides the refusal', async () => {
    for (const [path, meant] of [
      ['/v1/users', '/v1/admin/users'],
      ['/v1/users/usr_1', '/v1/admin/users/usr_1'],
      ['/v1/profile', '/v1/me/profile'],
      ['/v1/admin/user', '/v1/admin/users'],
    ]) {
      const problem = { detail: 'No such address', code: 'no-such-address', hint: `Did you mean ${meant}?` }
      expect(await service().anonymous.get(path ?? '')).toMatchObject({ status: 404, body: problem })
    }
    const unknown = await service().anonymous.get('/v1/something-else-entirely')
    expect([unknown.status, unknown.body.hint]).toEqual([404, undefined])
  })

  it('is named without a session, but not when the caller is refused', async () => {
    const login = await service().anonymous.post('/v1/auth/login', { email: 'a@example.test', password: 'x', pasword: 'x' })
    expect([login.status, login.headers.get(header)]).toEqual([401, 'pasword; did you mean password'])
    const { headers } = await service().anonymous.patch('/v1/admin/users/usr_x', { colour: 'red' })
    expect(headers.get(header)).toBeNull()
  })

  it('is named within described objects, and allowed in free-form ones', async () => {
    const { owner } = organisation
    const answer = await owner.patch('/v1/admin/organisation', {
      metadata: { colour: 'red', deep: { colour: 'red' } },
      branding: { mascot: 'owl', primaryColor: '#0a7cff' },
      passwordPolicy: { minLength: 9, spell: 'x' },
    })
    expect([answer.status, answer.headers.get(header)]).toEqual([200, null])
    expect(answer.body).toMatchObject({ metadata: { deep: { colour: 'red' } }, branding: { mascot: 'owl' } })
  })

  it('is none in a record that is sent back as it was read', async () => {
    const { owner } = organisation
    const client = (await owner.post('/v1/admin/clients', newClient())).body
    const role = await service().given.role(owner)
    const hook = (await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/', events: ['*'] })).body
    const paths = [
      `/v1/admin/users/${user.id}`,
      `/v1/admin/roles/${role.id}`,
      `/v1/admin/clients/${client.id}`,
      `/v1/admin/webhooks/${hook.id}`,
      '/v1/admin/organisation',
      '/v1/me/profile',
    ]
    for (const path of paths) {
      const { body } = await owner.get(path)
      const { headers } = await owner.patch(path, { ...body, ...(body.accessTokenLifetime && { name: 'Portal' }) })
      expect([path, headers.get(header)]).toEqual([path, null])
    }
  })

  it('is each field of a new record that its creation cannot set', async () => {
    const { owner } = await service().given.organisation()
    const { anonymous, operator } = service()
    const routes = (await describedRoutes(anonymous)).filter(({ path, operation }) => path.startsWith('/v1/') && operation.responses['201'])
    const ofEveryRecord = new Set(['id', 'organisationId', 'createdAt', 'updatedAt'])
    let tried = 0
    for (const { name, method, path, operation } of routes) {
      const known = new Set(fieldsOf(jsonSchemaOf(operation.requestBody)))
      const shown = fieldsOf(jsonSchemaOf(operation.responses['201'])).filter((field) => !known.has(field))
      const body = Object.fromEntries(shown.map((field) => [field, 'x']))
      const by = operation.security?.some((scheme) => 'systemKey' in scheme) ? operator : operation.security?.length ? owner : anonymous
      const { headers } = await by.request(method, path.replace(/\{\w+\}/g, 'none_1'), { body })
      const named =
        headers
          .get(header)
          ?.split(', ')
          .map((one) => one.replace(/;.*/, '')) ?? []
      expect([name, named]).toEqual([name, shown.filter((field) => !ofEveryRecord.has(field)).slice(0, 20)])
      tried += named.length
    }
    expect(tried).toBeGreaterThan(80)
  })

  it('is named in a creation with what takes its value there', async () => {
    const { owner } = await service().given.organisation()
    const named = async (path: string, body: object) => {
      const answer = await owner.post(path, body)
      return [answer.status, answer.headers.get(header)]
    }
    const person = { email: `user-${unique()}@acme.test`, firstName: 'Carol', lastName: 'Shaw' }
    const asked = { ...person, id: 'usr_1', phone: '+44', blockedAt: '2026-01-01T00:00:00Z', roles: ['support'], teams: [] }
    expect(await named('/v1/admin/users', asked)).toEqual([
      201,
      'phone, blockedAt, roles; did you mean roleIds, teams; did you mean teamIds',
    ])
    expect(await named('/v1/admin/roles', { name: 'Support', slug: 'support', permissions: ['users:read'] })).toEqual([
      201,
      'permissions; did you mean permissionIds',
    ])
    const hook = { url: 'https://hooks.example.test/', events: ['*'], isActive: false, data: [], total: 1 }
    expect(await named('/v1/admin/webhooks', hook)).toEqual([201, 'isActive, data, total'])
    const invited = { email: `user-${unique()}@acme.test`, roleId: 'member', expiresAt: '2026-12-01T00:00:00Z' }
    expect(await named('/v1/admin/invitations', invited)).toEqual([201, 'expiresAt; did you mean expiresInDays'])
    const linked = { name: 'Northwind', purposes: ['scim'], expiresAt: '2026-12-01T00:00:00Z' }
    expect(await named('/v1/admin/setup-links', linked)).toEqual([201, 'expiresAt; did you mean expiresInHours'])
  })

  it('makes a header of bounded length without injection', async () => {
    const { owner } = organisation
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}${'x'.repeat(100)}`, 1]))
    const bounded = await owner.patch(`/v1/admin/users/${user.id}`, many)
    expect(bounded.status).toBe(200)
    expect(bounded.headers.get(header)).toMatch(/^field0x{58}, .*, and more$/)
    expect(bounded.headers.get(header)?.length).toBeLessThan(2_000)

    const raw = '{"a\\r\\nSet-Cookie: x=1":1,"b, c; d":1,"\\ud800":1,"e\\u0000":1,"f😀":1,"__proto":1}'
    const hostile = await owner.patch(`/v1/admin/users/${user.id}`, raw)
    expect(hostile.status).toBe(200)
    expect(hostile.headers.getSetCookie()).toEqual([])
    expect(hostile.headers.get(header)).toBe('a%0D%0ASet-Cookie: x%3D1, b%2C c%3B d, %EF%BF%BD, e%00, f%F0%9F%98%80, __proto')
  })

  it('is readable by pages of other origins that may read the response', async () => {
    const origin = `https://app-${unique()}.example.test`
    await organisation.owner.patch('/v1/admin/organisation', { allowedOrigins: [origin] })
    const { headers } = await organisation.owner.get('/v1/me/profile?x=1', { headers: { origin } })
    expect(headers.get('access-control-expose-headers')).toContain('X-Ignored-Fields')
  })

  it('is named by every route with a body or a query', async () => {
    const { owner } = await service().given.organisation()
    const { anonymous, operator } = service()
    const callerOf = ({ operation: { security = [] } }: DescribedRoute) => {
      if (security.some((scheme) => 'systemKey' in scheme)) return operator
      return security.length > 0 ? owner : anonymous
    }
    const routes = (await describedRoutes(anonymous)).filter(({ path }) => path.startsWith('/v1/'))
    expect(routes.length).toBeGreaterThan(80)
    for (const route of routes.filter(({ name }) => !/logout|DELETE \/v1\/(me\/sessions|admin\/organisation)/.test(name))) {
      const schema = jsonSchemaOf(route.operation.requestBody)
      const sample = schema && (sampleOf(schema as never, {}) as object)
      const body = route.method === 'GET' ? undefined : { ...sample, zzUnknownField: 1 }
      const path = `${route.path.replace(/\{\w+\}/g, 'none_1')}?zzUnknownParameter=1`
      const answer = await callerOf(route).request(route.method, path, { body })
      const names = answer.headers.get(header)?.split(', ')
      expect([route.name, names]).toEqual([route.name, [...(body ? ['zzUnknownField'] : []), 'zzUnknownParameter']])
    }
  })
})

describe('STRICT_INPUT=on', () => {
  const service = useService({ environment: { STRICT_INPUT: 'on' } })

  it('refuses unknown fields, names them beside the other mistakes, and changes nothing', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    const path = `/v1/admin/users/${user.id}`
    const refused = await owner.patch(path, { firstName: '', blocked: true, lastName: 'Changed' })
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'invalid-input',
        detail: 'Invalid input',
        errors: [
          { code: 'unrecognized_keys', path: ['blocked'], message: 'Unknown field; did you mean blockedAt' },
          { code: 'too_small', path: ['firstName'] },
        ],
      },
    })
    expect((await owner.get(path)).body).toMatchObject({ lastName: 'User' })

    expect(await owner.get('/v1/admin/audit-logs?actoin=user.created')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'unrecognized_keys', path: ['actoin'], message: 'Unknown field; did you mean action' }] },
    })
    expect(await owner.get('/v1/me/profile?x=1')).toMatchObject({ status: 400 })
  })

  it('accepts fields of the record that cannot be changed', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    const path = `/v1/admin/users/${user.id}`
    const { body } = await owner.get(path)
    const changed = await owner.patch(path, { ...body, id: 'usr_other', email: 'other@example.test', firstName: 'New' })
    expect(changed).toMatchObject({ status: 200, body: { id: user.id, email: user.email, firstName: 'New' } })
    const settings = (await owner.get('/v1/admin/organisation')).body
    expect(await owner.patch('/v1/admin/organisation', { ...settings, slug: 'other', metadata: { x: 1 } })).toMatchObject({
      status: 200,
      body: { slug: settings.slug },
    })
    expect(await owner.post('/v1/admin/webhooks/none/rotate-secret')).toMatchObject({ status: 404 })
    const role = (await owner.get(`/v1/admin/roles/${(await given.role(owner)).id}`)).body
    const { id, createdAt, updatedAt, name } = role
    const copy = await owner.post('/v1/admin/roles', { id, createdAt, updatedAt, name: `${name} 2`, slug: 'copy', isDefault: false })
    expect(copy).toMatchObject({ status: 201, body: { name: `${name} 2` } })
    expect(copy.body.id).not.toBe(id)
  })

  it('refuses a creation that names what only a change can set', async () => {
    const { owner } = await service().given.organisation()
    const hook = { url: 'https://hooks.example.test/', events: ['*'], isActive: false }
    expect(await owner.post('/v1/admin/webhooks', hook)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'unrecognized_keys', path: ['isActive'], message: 'Unknown field' }] },
    })
    expect((await owner.get('/v1/admin/webhooks')).body.total).toBe(0)
  })
})
