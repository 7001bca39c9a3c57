import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { encode, givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const registering = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration' } })
const anywhere = 'https://spa.example'
const preflight = (path: string, origin: string, method: string) =>
  service().anonymous.request('OPTIONS', path, { headers: { origin, 'access-control-request-method': method } })

/** An application whose organisation allows an origin to call the API. */
async function givenAllowedOrigin(): Promise<{ app: TestApplication; origin: string }> {
  const app = await givenApplication(service())
  const origin = `https://app-${unique()}.example.test`
  const changed = await app.organisation.owner.patch('/v1/admin/organisation', { allowedOrigins: [origin] })
  expect(changed).toMatchObject({ status: 200 })
  return { app, origin }
}

describe('an endpoint that browsers navigate to', () => {
  it('is readable by scripts of no other origin, not even of one that may call the API', async () => {
    const { app, origin } = await givenAllowedOrigin()
    const { owner } = app.organisation
    const query = encode({
      response_type: 'code',
      response_mode: 'form_post',
      client_id: app.id,
      redirect_uri: app.redirectUri,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    })
    const api = await owner.get('/v1/me/profile', { headers: { origin } })
    expect(api.headers.get('access-control-allow-origin')).toBe(origin)

    const pages = [`/oauth2/authorize?${query}`, '/oauth2/logout', '/oauth2/consent?request=x', '/login', '/account', '/password/forgot']
    for (const page of pages) {
      for (const answer of [await owner.get(page, { headers: { origin } }), await preflight(page, origin, 'POST')]) {
        expect(answer.headers.get('access-control-allow-origin'), page).toBeNull()
        expect(answer.headers.get('access-control-allow-credentials'), page).toBeNull()
      }
    }
  })
})

describe('an endpoint that browser applications call', () => {
  it('names its methods to an OPTIONS that is no preflight request, too', async () => {
    const { origin } = await givenAllowedOrigin()
    for (const [path, headers] of [
      ['/oauth2/token', {}],
      ['/oauth2/token', { origin: anywhere }],
      ['/v1/admin/users', { origin }],
    ] as const) {
      const answer = await service().anonymous.request('OPTIONS', path, { headers })
      expect([path, answer.status, answer.body]).toEqual([path, 204, null])
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
    }
  })

  it.each([
    ['/oauth2/token', 'POST'],
    ['/oauth2/revoke', 'POST'],
    ['/oauth2/userinfo', 'GET'],
    ['/oauth2/jwks.json', 'GET'],
    ['/.well-known/openid-configuration', 'GET'],
    ['/.well-known/oauth-authorization-server', 'GET'],
  ])('%s may be called from any origin, without credentials', async (path, method) => {
    const answer = await service().anonymous.request(method, path, { headers: { origin: anywhere } })
    for (const { headers } of [answer, await preflight(path, anywhere, method)]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('does not include introspection: only clients with a secret may call it', async () => {
    const { origin } = await givenAllowedOrigin()
    for (const asking of [anywhere, origin]) {
      const { headers } = await preflight('/oauth2/introspect', asking, 'POST')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('registering from a page of any origin', () => {
  it.each([
    ['/oauth2/register', 'POST'],
    ['/oauth2/register/cli_other', 'GET'],
    ['/oauth2/register/cli_other', 'PUT'],
    ['/oauth2/register/cli_other', 'DELETE'],
  ])('%s takes %s, by its token and without cookies', async (path, method) => {
    const asked = await registering().anonymous.request('OPTIONS', path, {
      headers: { origin: anywhere, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    })
    expect(asked.headers.get('access-control-allow-methods')).toContain(method)
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
    const body = method === 'POST' || method === 'PUT' ? { body: {} } : {}
    const answer = await registering().anonymous.request(method, path, { headers: { origin: anywhere }, ...body })
    expect(answer.status).toBe(401)
    for (const { headers } of [asked, answer]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('may say which version of MCP the page speaks, as MCP clients do when they discover', async () => {
    const path = '/.well-known/oauth-authorization-server'
    const { headers } = await registering().anonymous.request('OPTIONS', path, {
      headers: { origin: anywhere, 'access-control-request-method': 'GET', 'access-control-request-headers': 'mcp-protocol-version' },
    })
    expect(headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version')
    expect((await preflight(path, anywhere, 'GET')).headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization')
  })

  it('is not open below it, nor without the extension', async () => {
    const below = await registering().anonymous.request('OPTIONS', '/oauth2/register/cli_other/more', {
      headers: { origin: anywhere, 'access-control-request-method': 'GET' },
    })
    expect(below.headers.get('access-control-allow-origin')).toBeNull()
    expect((await preflight('/oauth2/register/cli_other', anywhere, 'GET')).headers.get('access-control-allow-origin')).toBeNull()
  })
})
