import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
let organisation: TestOrganisation
beforeAll(async () => {
  organisation = await service().given.organisation()
})
const json = { 'content-type': 'application/json' }
const newUser = () => ({ email: `new-${unique()}@example.test`, firstName: 'New', lastName: 'User' })

describe('a problem', () => {
  it('describes the mistakes in the form of RFC 9457', async () => {
    const answer = await organisation.owner.post('/v1/admin/users?x=1', { email: 'nobody', password: 'short' })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toEqual({
      type: 'https://gatehouse.test/problems/bad-request',
      title: 'Bad Request',
      status: 400,
      detail: 'Invalid input',
      instance: '/v1/admin/users',
      code: 'invalid-input',
      ignoredFields: ['x'],
      errors: expect.arrayContaining([
        { code: 'invalid_string', path: ['email'], message: expect.any(String) },
        { code: 'invalid_type', path: ['firstName'], message: 'Required' },
        { code: 'invalid_type', path: ['lastName'], message: 'Required' },
        { code: 'too_small', path: ['password'], message: expect.any(String) },
      ]),
      limits: expect.arrayContaining([{ path: ['password'], minimum: 8 }]),
    })
  })

  it('is the response to an unknown address and an unknown method', async () => {
    expect(await service().anonymous.get('/v1/nothing')).toMatchObject({
      status: 404,
      body: { title: 'Not Found', instance: '/v1/nothing' },
    })
    const answer = await organisation.owner.request('PUT', '/v1/admin/users')
    expect(answer).toMatchObject({ status: 405, body: { title: 'Method Not Allowed' } })
    expect(answer.headers.get('allow')).toBe('GET, POST')
  })

  it('is the response to a wrong method at an address with an id, for any caller, with or without a body', async () => {
    const ofRecord = await service().anonymous.request('PUT', '/v1/admin/users/usr_any')
    expect(ofRecord).toMatchObject({ status: 405, body: { detail: 'Use DELETE, GET, PATCH' } })
    expect(ofRecord.headers.get('allow')).toBe('DELETE, GET, PATCH')
    expect(await service().anonymous.request('HEAD', '/v1/auth/login')).toMatchObject({ status: 405 })
    expect(await organisation.owner.patch('/v1/auth/login', '{"email":')).toMatchObject({ status: 405 })
    expect(await service().anonymous.request('PUT', '/v1/admin/users/usr_any/nothing')).toMatchObject({ status: 404 })
  })
})

describe('a body', () => {
  it('of invalid JSON is 400, another content type 415, more than 1 MiB 413', async () => {
    const { owner } = organisation
    const post = (body: string, headers = json) => owner.post('/v1/admin/users', body, { headers })
    expect(await post('{"email":')).toMatchObject({ status: 400, body: { detail: 'The body is not valid JSON' } })
    expect(await post('[]')).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_type', path: [] }] } })
    expect(await post('null')).toMatchObject({ status: 400 })
    expect(await post('{"__proto__":{"x":1}}')).toMatchObject({ status: 400 })
    expect(await post('a=b', { 'content-type': 'text/plain' })).toMatchObject({ status: 415, body: { title: 'Unsupported Media Type' } })
    expect(await post(JSON.stringify({ ...newUser(), extra: 'x'.repeat(1024 * 1024) }))).toMatchObject({
      status: 413,
      body: { title: 'Payload Too Large' },
    })
  })

  it('that is empty counts as none, with every method', async () => {
    const { owner } = organisation
    const role = await service().given.role(owner)
    expect(await owner.post('/v1/admin/users', '', { headers: json })).toMatchObject({ status: 400, body: { detail: 'Invalid input' } })
    expect(await owner.patch(`/v1/admin/roles/${role.id}`, '', { headers: json })).toMatchObject({ status: 200 })
    expect(await owner.delete(`/v1/admin/roles/${role.id}`, '', { headers: json })).toMatchObject({ status: 204 })
    expect(await getWithContentType(owner.headers)).toBe(200)
  })

  it('that does not fit is told with its limits, and a record that has what is asked for with the field, for programs to decide by', async () => {
    const { owner } = organisation
    const refused = await owner.post('/v1/admin/users', { ...newUser(), email: undefined, password: 'short', firstName: 'x'.repeat(300) })
    expect(refused.body.limits).toEqual(
      expect.arrayContaining([
        { path: ['email'], isRequired: true },
        { path: ['password'], minimum: 8 },
        { path: ['firstName'], maximum: 255 },
      ]),
    )
    const user = newUser()
    expect(await owner.post('/v1/admin/users', user)).toMatchObject({ status: 201 })
    expect(await owner.post('/v1/admin/users', user)).toMatchObject({ status: 409, body: { code: 'email-taken', field: 'email' } })
  })

  it('holds at most 1,000 ids in an array', async () => {
    const roleIds = Array.from({ length: 1_001 }, (_, n) => `rol_${n}`)
    expect(await organisation.owner.post('/v1/admin/users', { ...newUser(), roleIds })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'too_big', path: ['roleIds'] }] },
    })
    const unknown = await organisation.owner.post('/v1/admin/users', { ...newUser(), roleIds: roleIds.slice(0, 1_000) })
    expect(unknown.body.errors).toHaveLength(1_000)
    expect(unknown.body.errors[999]).toMatchObject({ path: ['roleIds', 999] })
  })

  it('may contain unknown fields, and immutable fields stay as they are', async () => {
    const user = newUser()
    const created = await organisation.owner.post('/v1/admin/users', {
      ...user,
      id: 'usr_mine',
      organisationId: 'org_x',
      mfaEnabled: true,
      colour: 'red',
    })
    expect(created).toMatchObject({
      status: 201,
      body: { email: user.email, mfaEnabled: false, id: expect.not.stringMatching('usr_mine') },
    })
  })

  /** Browsers and fetch refuse to send it. */
  function getWithContentType(headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request(`${service().origin}/v1/admin/users`, { headers: { ...headers, ...json } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end()
    })
  }
})

describe('the checks of a request', () => {
  it('come in their documented order', async () => {
    const own = await service().given.organisation()
    const other = await service().given.organisation()
    const withoutPermissions = await service().given.userWith(own.owner, [])
    const path = '/v1/admin/users/malformed'
    const bad = { firstName: '' }
    const ask = async (headers: Record<string, string>) => {
      const { status, body } = await service().anonymous.with(headers).patch(path, bad)
      return [status, body.detail]
    }
    const cookie = { cookie: withoutPermissions.cookie }
    const token = { ...cookie, 'x-csrf-token': withoutPermissions.csrfToken }

    expect(await ask({ 'x-org-domain': 'unknown' })).toEqual([401, 'Authentication required'])
    expect(await ask({ ...cookie, 'x-org-domain': 'unknown' })).toEqual([403, 'Invalid CSRF token'])
    expect(await ask({ ...token, 'x-org-domain': 'unknown' })).toEqual([404, 'Organisation not found'])
    expect(await ask({ ...token, 'x-org-domain': other.slug })).toEqual([403, 'Organisation mismatch'])
    expect(await ask({ ...token, 'x-org-domain': own.slug })).toEqual([403, 'Missing required permission: users:update'])
    const { owner } = own
    expect(await owner.patch(path, bad)).toMatchObject({ status: 400, body: { detail: 'Invalid input' } })
    expect(await owner.patch(path, {})).toMatchObject({ status: 404, body: { detail: 'User not found' } })
  })

  it('do not find a cancelled organisation', async () => {
    const other = await service().given.organisation()
    await service().operator.delete(`/v1/system/organisations/${other.id}`)
    expect(await organisation.owner.get('/v1/admin/users', { headers: { 'x-org-domain': other.slug } })).toMatchObject({ status: 404 })
    expect(await other.owner.get('/v1/admin/users')).toMatchObject({ status: 401, body: { detail: 'Authentication required' } })
  })
})

describe('every response', () => {
  it('carries an id of the request and the headers that protect a browser', async () => {
    for (const path of ['/healthz', '/v1/nothing', '/v1/admin/users']) {
      const { headers } = await service().anonymous.get(path)
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'SAMEORIGIN',
        'x-permitted-cross-domain-policies': 'none',
        'x-xss-protection': '0',
      })
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  it('is logged with its caller and without secrets', async () => {
    const { owner } = organisation
    const email = `log-${unique()}@example.test`
    const user = await service().given.user(owner, { email, password: 'a password to look for' })
    await service().anonymous.post('/v1/auth/login', { email, password: 'a password to look for' })
    await service().anonymous.get('/v1/auth/password/reset?token=a-token-to-look-for')
    const answer = await owner.get(`/v1/admin/users/${user.id}?x=a-query-to-look-for`)

    const log = service().logLines.join('')
    const line = service()
      .logLines.map((text) => JSON.parse(text))
      .find(({ reqId }) => reqId === answer.headers.get('x-request-id'))
    expect(line).toMatchObject({
      method: 'GET',
      path: `/v1/admin/users/${user.id}`,
      status: 200,
      actorId: owner.id,
      organisationId: organisation.id,
    })
    for (const secret of [
      'to look for',
      'to-look-for',
      owner.cookie.split('=')[1],
      owner.csrfToken,
      service().systemApiKey,
      owner.password,
    ]) {
      expect(log).not.toContain(secret)
    }
  })
})
