import { beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../support/all-routes.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'
import { describedRoutes } from './described.ts'

// A service of its own: only routes that are registered after the import of `all-routes.ts` are listed.
const service = useService({ ofItsOwn: true, environment: { RATE_LIMIT: 'off' } })

/** The cacheable documents, with their headers. */
const cached: Record<string, RegExp> = {
  '/.well-known/openid-configuration': /^public, max-age=3600$/,
  '/.well-known/oauth-authorization-server': /^public, max-age=3600$/,
  '/oauth2/jwks.json': /^public, max-age=300$/,
  '/openapi.json': /^public, max-age=300$/,
  '/problems/not-found': /^public, max-age=3600$/,
  '/problems/style.css': /^public, max-age=3600$/,
  '/assets/icon.svg': /^public, max-age=86400$/,
}

const cacheControlOf = ({ headers }: Answer) => headers.get('cache-control')

describe('a response', () => {
  let clients: HttpClient[]
  beforeAll(async () => {
    const { owner } = await service().given.organisation()
    clients = [service().anonymous, owner, service().operator]
  })

  it('of any route may not be stored unless it is cacheable, for any caller and any status', async () => {
    const routes = allRoutes().filter(({ url }) => !/^\/(assets|console|problems|docs|\.well-known)|^\/oauth2\/jwks|^\/openapi/.test(url))
    expect(routes.length).toBeGreaterThan(130)
    expect(routes.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/login', '/v1/admin/webhooks/:id/rotate-secret', '/oauth2/token']),
    )
    const stored: string[] = []
    for (const { method, url } of routes) {
      const path = url.replace(/^\*/, '/x').replace('*', 'x').replaceAll(/:\w+/g, 'unknown')
      for (const client of clients) {
        const answer = await client.request(method, path, ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: {} })
        if (cacheControlOf(answer) !== 'no-store') stored.push(`${method} ${path} ${answer.status}: ${cacheControlOf(answer)}`)
      }
    }
    expect(stored).toEqual([])
  })

  // Those that change something: audited.test.ts.
  it('with content may not be stored', async () => {
    const { owner } = await service().given.organisation()
    const stored: string[] = []
    for (const { method, path, operation } of await describedRoutes(service().anonymous)) {
      if (method !== 'GET' || !/^\/v1\/(admin|me)/.test(path) || path.includes('{')) continue
      const required = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query' && parameter.required)
      const answer = await owner.get(
        `${path}?${new URLSearchParams(Object.fromEntries(required.map(({ name, schema }) => [name, String(schema.example)])))}`,
      )
      expect([path, answer.status]).toEqual([path, 200])
      if (cacheControlOf(answer) !== 'no-store') stored.push(`GET ${path}: ${cacheControlOf(answer)}`)
    }
    expect(stored).toEqual([])
  })

  it.each([
    '/login',
    '/account',
    '/account/profile',
    '/mfa/enroll',
    '/password/forgot',
    '/logged-out',
    '/no/such/page',
    '/oauth2/authorize',
  ])('of the page %s may not be stored', async (path) => {
    const { owner } = await service().given.organisation()
    const answer = await owner.get(path, { headers: { accept: 'text/html' } })
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(cacheControlOf(answer)).toBe('no-store')
  })

  it('of OAuth that carries a code or a token may not be stored', async () => {
    const app = await givenApplication(service())
    const { access_token } = await app.signIn({ scope: 'openid' })
    const answers = [await app.authorize({ prompt: 'none' }), await app.userInfo(access_token), await app.introspect(access_token)]
    for (const answer of answers) expect(cacheControlOf(answer)).toBe('no-store')
  })

  it.each(Object.entries(cached))('of %s may be cached', async (path, expected) => {
    const answer = await service().anonymous.get(path)
    expect(answer.status).toBe(200)
    expect(cacheControlOf(answer)).toMatch(expected)
  })
})
