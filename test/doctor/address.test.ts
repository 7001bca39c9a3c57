import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WrongCode } from '../../shared/doctor-findings/findings.ts'
import { echoPath, echoToken } from '../../src/doctor/echo.ts'
import { startTestService, type TestService } from '../support/service.ts'

type Headers = Record<string, string | string[] | undefined>

/** A proxy before the service, as nginx is, and what a test has it do wrong. */
interface Proxy {
  url: string
  serviceOrigin: string
  /** The address that it asks the service from. */
  from: string
  changeRequest(headers: Headers, client: string): void
  changeResponse(headers: Headers): void
  changeBody(body: string): string
  status: number | undefined
  /** Of a request of the doctor. */
  echoStatus: number | undefined
  stop(): void
}

const asItShould = {
  // The one that the service trusts.
  from: '127.0.0.2',
  changeRequest(headers: Headers, client: string) {
    headers['x-forwarded-for'] = [headers['x-forwarded-for'], client].filter(Boolean).join(', ')
  },
  changeResponse() {},
  changeBody: (body: string) => body,
  status: undefined,
  echoStatus: undefined,
}

async function startProxy(): Promise<Proxy> {
  const server = createServer((incoming, response) => {
    const headers: Headers = { ...incoming.headers }
    proxy.changeRequest(headers, incoming.socket.remoteAddress ?? '')
    const forwarded = ask(`${proxy.serviceOrigin}${incoming.url}`, { headers, localAddress: proxy.from }, async (answer) => {
      const body = proxy.changeBody(Buffer.concat(await answer.toArray()).toString())
      const { 'content-length': _length, 'transfer-encoding': _encoding, ...returned } = answer.headers as Headers
      proxy.changeResponse(returned)
      const status = (incoming.url?.startsWith(echoPath) ? proxy.echoStatus : undefined) ?? proxy.status
      response.writeHead(status ?? answer.statusCode ?? 502, returned).end(body)
    })
    forwarded.on('error', () => response.writeHead(502).end()).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy: Proxy = { ...asItShould, url, serviceOrigin: '', stop: () => void server.close() }
  return proxy
}

let proxy: Proxy
let service: TestService
beforeAll(async () => {
  proxy = await startProxy()
  service = await startTestService({ environment: { PUBLIC_URL: proxy.url, TRUST_PROXY: '127.0.0.2' } })
  proxy.serviceOrigin = service.origin
})
afterAll(async () => {
  await service.stop()
  proxy.stop()
})
beforeEach(() => void Object.assign(proxy, asItShould))

interface Examined {
  checks: { name: string; group: string; state: string; code: string; values: object; seen: string }[]
  leftOut: string[]
}
const examine = async () => {
  const { status, body } = await service.operator.get('/v1/system/doctor')
  expect(status).toBe(200)
  const { checks, leftOut } = body as Examined
  return { address: checks.filter(({ group }) => group === 'address'), leftOut, checks }
}
const wrong = async () => (await examine()).address.filter(({ state }) => state !== 'ok')

describe('GET /v1/system/doctor', () => {
  it('sees nothing wrong with a proxy that does as it should', async () => {
    const { address, leftOut } = await examine()
    expect(address.map(({ name, state, code, seen }) => [name, state, code, seen])).toEqual([
      ['public-url', 'ok', 'public-url-answers', `${proxy.url}/.well-known/openid-configuration answers, with the same issuer`],
      ['proxy-cookies', 'ok', 'cookies-pass', 'A cookie arrives, and comes back with Secure, HttpOnly and SameSite'],
      ['proxy-forwarded', 'ok', 'proxy-trusted', 'The proxy at 127.0.0.2 is trusted, and X-Forwarded-For from a caller is ignored'],
    ])
    expect(leftOut).toEqual([])
  })

  const rewriteCookie = (from: RegExp, to: string) => (headers: Headers) => {
    headers['set-cookie'] = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(from, to))
  }
  it.each<[string, Partial<Proxy>, string, WrongCode, object, RegExp, RegExp]>([
    [
      'drops Secure',
      { changeResponse: rewriteCookie(/; Secure/, '') },
      'proxy-cookies',
      'cookie-without-attributes',
      { attributes: ['Secure'] },
      /^The cookie comes back without Secure$/,
      /proxy_cookie_flags/,
    ],
    [
      'adds a domain',
      { changeResponse: rewriteCookie(/$/, '; Domain=example.com') },
      'proxy-cookies',
      'cookie-with-domain',
      { attribute: 'domain=example.com' },
      /with domain=example\.com$/,
      /proxy_cookie_domain/,
    ],
    [
      'hides cookies',
      { changeResponse: (headers) => delete headers['set-cookie'] },
      'proxy-cookies',
      'cookie-does-not-return',
      {},
      /does not come back$/,
      /proxy_hide_header/,
    ],
    [
      'takes cookies away',
      {
        changeRequest(headers, client) {
          asItShould.changeRequest(headers, client)
          delete headers.cookie
        },
      },
      'proxy-cookies',
      'cookie-does-not-arrive',
      {},
      /does not arrive$/,
      /proxy_set_header Cookie \$http_cookie;/,
    ],
    [
      'passes on what callers write',
      { changeRequest() {} },
      'proxy-forwarded',
      'proxy-passes-header-on',
      { proxy: '127.0.0.2' },
      /^127\.0\.0\.2 is trusted as a proxy, and passes on/,
      /proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/,
    ],
    [
      'is not trusted',
      { from: '127.0.0.3' },
      'proxy-forwarded',
      'proxy-not-trusted',
      { proxy: '127.0.0.3' },
      /^The proxy at 127\.0\.0\.3 is not trusted/,
      /^TRUST_PROXY=127\.0\.0\.3$/,
    ],
    [
      'removes X-Forwarded-For',
      { changeRequest: (headers) => delete headers['x-forwarded-for'] },
      'proxy-forwarded',
      'proxy-removes-header',
      { proxy: '127.0.0.2', isTrusted: true },
      /^The proxy at 127\.0\.0\.2 removes X-Forwarded-For$/,
      /proxy_set_header X-Forwarded-For/,
    ],
    [
      'is of another issuer',
      { changeBody: (body) => body.replace(/"issuer":"[^"]*"/, '"issuer":"https://other.test"') },
      'public-url',
      'public-url-of-another-issuer',
      { issuer: 'https://other.test' },
      /is of https:\/\/other\.test$/,
      /PUBLIC_URL/,
    ],
    [
      'replaces addresses',
      { changeBody: (body) => body.replace(/"token_endpoint":"http:/, '"token_endpoint":"https:') },
      'public-url',
      'public-url-names-other-addresses',
      { fields: ['token_endpoint'] },
      /names other addresses: token_endpoint$/,
      /sub_filter/,
    ],
    [
      'answers by itself',
      { status: 502 },
      'public-url',
      'public-url-without-service',
      { status: 502, location: null },
      /answers 502$/,
      /^Start the service: .*proxy_pass http:\/\/127\.0\.0\.1:\d+$/,
    ],
    [
      'passes some paths on alone',
      { status: 404 },
      'public-url',
      'public-url-refused',
      { status: 404 },
      /answers 404$/,
      /^Set PUBLIC_URL .*proxy_pass/,
    ],
  ])('sees exactly what a proxy does wrong that %s', async (_what, mistake, name, code, values, seen, remedy) => {
    Object.assign(proxy, mistake)
    const found = await wrong()
    expect(found).toEqual([
      expect.objectContaining({ name, state: 'failure', code, seen: expect.stringMatching(seen), remedy: expect.stringMatching(remedy) }),
    ])
    expect(found[0]?.values).toMatchObject(values)
  })

  it.each([
    [404, 'doctor-not-known-at-public-url', {}, /The service at PUBLIC_URL does not know the doctor: it has another SECRET_KEY/],
    [500, 'echo-refused', { path: echoPath, status: 500 }, /: \/v1\/system\/doctor\/echo answers 500$/],
  ] as const)('says why it cannot try the proxy, where it is answered %i', async (status, code, values, seen) => {
    proxy.echoStatus = status
    const finding = { state: 'failure', code, values, seen: expect.stringMatching(seen) }
    expect(await wrong()).toMatchObject([
      { name: 'proxy-cookies', ...finding },
      { name: 'proxy-forwarded', ...finding },
    ])
  })

  it('leaves out what goes through PUBLIC_URL when that leads nowhere', async () => {
    proxy.status = 502
    expect((await examine()).leftOut).toEqual(['proxy-cookies', 'proxy-forwarded'])
  })

  it('is for the operator alone', async () => {
    expect(await service.anonymous.get('/v1/system/doctor')).toMatchObject({ status: 401 })
    const { owner } = await service.given.organisation()
    expect(await owner.get('/v1/system/doctor')).toMatchObject({ status: 401 })
  })
})

describe('the echo of the doctor', () => {
  it('reveals nothing to who has no token of this minute', async () => {
    const { keyring, clock } = service.services
    const before = new Date(clock.now().getTime() - 61_000)
    const tokens = [
      '',
      `?token=${echoToken(keyring, before)}`,
      `?token=${echoToken(keyring, clock.now())}x`,
      '?token=1.2',
      '?token=a&token=b',
    ]
    for (const token of tokens) {
      const { status, body, headers } = await service.anonymous.get(`${echoPath}${token}`)
      expect([status, body.code, headers.get('set-cookie')]).toEqual([404, 'no-such-address', null])
    }
    expect(await service.anonymous.get(`${echoPath}?token=${echoToken(keyring, clock.now())}`)).toMatchObject({ status: 200 })
  })
})
