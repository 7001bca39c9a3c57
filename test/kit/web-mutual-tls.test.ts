/** `@gatehouse-iam/web` with a certificate, at the real service behind a proxy that terminates TLS. */
import { request as forward, type IncomingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { Agent, fetch as fetchBy } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWeb, type WebOptions } from '../../packages/web/src/index.ts'
import { certificateVariables, type TestCertificate, testCertificate } from '../support/certificates.ts'
import { freePort } from '../support/free-port.ts'
import { claimsOf, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'
import { cookieSecret, givenWeb, origin, WebBrowser } from '../support/web-application.ts'

const [servicePort, usualPort, aliasPort] = [await freePort(), await freePort(), await freePort()]
const issuer = `https://localhost:${usualPort}`
const alias = `https://127.0.0.1:${aliasPort}`
const service = useService({
  environment: {
    ...{ PORT: String(servicePort), PUBLIC_URL: issuer, OAUTH_EXTENSIONS: 'mtls,par,dpop' },
    ...{ ...certificateVariables, MTLS_PUBLIC_URL: alias },
  },
})

/** Terminates TLS before the service, and hands on the certificate of the connection where it asks for one. */
function proxyOf({ cert, key }: TestCertificate, { asksForCertificate }: { asksForCertificate: boolean }): Server {
  return createServer({ cert, key, requestCert: asksForCertificate, rejectUnauthorized: false }, (incoming, answer) => {
    const socket = incoming.socket as TLSSocket
    const headers: IncomingHttpHeaders = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': incoming.headers.host }
    delete headers['client-cert']
    delete headers['x-client-verify']
    const { raw } = asksForCertificate ? socket.getPeerCertificate() : {}
    if (raw) Object.assign(headers, { 'client-cert': `:${raw.toString('base64')}:`, 'x-client-verify': 'SUCCESS' })
    const { method, url: path } = incoming
    const outgoing = forward({ port: servicePort, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    incoming.pipe(outgoing)
  })
}

let [authority, own, another] = [] as unknown as [TestCertificate, TestCertificate, TestCertificate]
const open: { close(): unknown }[] = []
beforeAll(async () => {
  authority = await testCertificate({ subject: { CN: 'Authority' }, isAuthority: true })
  ;[own, another] = [await testCertificate({ by: authority }), await testCertificate({ by: authority, subject: { CN: 'other.acme.test' } })]
  const alternativeNames = [
    { type: 2 as const, value: 'localhost' },
    { type: 7 as const, ip: '127.0.0.1' },
  ]
  const server = await testCertificate({ by: authority, subject: { CN: 'id.acme.test' }, alternativeNames })
  for (const [port, asksForCertificate] of [
    [usualPort, false],
    [aliasPort, true],
  ] as const) {
    const proxy = proxyOf(server, { asksForCertificate })
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
    open.push(proxy)
  }
})
afterAll(() => Promise.all(open.map((one) => one.close())))

/** What was sent to the service, in order. */
const sent: string[] = []

/** The `fetch` of an application whose connections have a certificate. */
function connectionsWith(certificate: TestCertificate | undefined): typeof fetch {
  const { cert, key } = certificate ?? {}
  const dispatcher = new Agent({ connect: { ca: authority.cert, ...(cert && key && { cert, key }) } as never })
  open.push(dispatcher)
  return (async (input: string | URL | Request, init: RequestInit = {}) => {
    const address = input instanceof Request ? input.url : String(input)
    sent.push(address)
    const { method, headers } = input instanceof Request ? input : { ...{ method: 'GET', headers: {} }, ...init }
    return fetchBy(address, { ...init, method, headers: headers as never, dispatcher } as never)
  }) as unknown as typeof fetch
}

interface Given extends Registration {
  by?: TestCertificate | undefined
  options?: Partial<WebOptions>
}

async function application({ by = own, options = {}, ...registration }: Given = {}) {
  const given = await givenWeb(service(), {
    tokenEndpointAuthMethod: 'tls_client_auth',
    tlsClientAuth: { subjectDn: 'CN=portal.acme.test,O=Acme,C=DE' },
    certificateBoundAccessTokens: true,
    ...registration,
    options: { certificate: own.cert, fetch: connectionsWith(by), ...options },
  })
  return { ...given, browser: new WebBrowser(given.web, given.app.organisation.owner) }
}

const bound = { cnf: { 'x5t#S256': expect.any(String) } }
const refused = async (browser: WebBrowser) => {
  const response = await browser.open(await browser.callback(), { headers: { accept: 'application/json' } })
  const { code } = (await response.json()) as { code: string }
  return { status: response.status, code }
}

describe('an application with a certificate', () => {
  it('signs users in, refreshes and signs them out by it, at the addresses for certificates alone', async () => {
    const { browser, app } = await application({ requirePushedAuthorizationRequests: true, options: { pushedRequests: true } })
    sent.length = 0
    await browser.signIn()
    const first = (await browser.session())?.accessToken() ?? expect.fail('There is no session')
    expect(claimsOf(first)).toMatchObject({ cnf: { 'x5t#S256': own.thumbprint }, client_id: app.id })

    service().clock.advance({ minutes: 61 })
    const second = (await browser.session())?.accessToken() ?? expect.fail('The session has ended')
    expect(second).not.toBe(first)
    expect(claimsOf(second)).toMatchObject(bound)
    expect((await browser.open('/auth/logout', { method: 'POST', headers: { origin } })).status).toBe(303)
    expect(await browser.session()).toBeNull()

    const byClient = sent.filter((address) => /\/oauth2\/(token|par|revoke)$/.test(address))
    expect(byClient).toEqual(['par', 'token', 'token', 'revoke'].map((name) => `${alias}/oauth2/${name}`))
  })

  it('calls an API with tokens that are of no use without it', async () => {
    const { browser } = await application()
    await browser.signIn()
    const session = await browser.session()
    expect((await session?.fetch(`${alias}/oauth2/userinfo`))?.status).toBe(200)
    const headers = { authorization: `Bearer ${session?.accessToken()}` }
    for (const thief of [undefined, another])
      expect((await connectionsWith(thief)(`${alias}/oauth2/userinfo`, { headers })).status).toBe(401)
  })

  it('may authenticate by a self-signed one, or by its secret and have its tokens bound alone', async () => {
    const selfSigned = await testCertificate()
    const { browser } = await application({
      ...{ tokenEndpointAuthMethod: 'self_signed_tls_client_auth', tlsClientAuth: null, jwks: { keys: [selfSigned.publicKey] } },
      ...{ by: selfSigned, options: { certificate: `${selfSigned.cert}\n${authority.cert}` } },
    })
    await browser.signIn()
    expect(claimsOf((await browser.session())?.accessToken() ?? '').cnf).toEqual({ 'x5t#S256': selfSigned.thumbprint })
    const secret = await application({ tokenEndpointAuthMethod: 'client_secret_basic', tlsClientAuth: null })
    await secret.browser.signIn()
    expect(claimsOf((await secret.browser.session())?.accessToken() ?? '').cnf).toEqual({ 'x5t#S256': own.thumbprint })
  })

  it('binds its tokens to a key with dpop, and authenticates by the certificate', async () => {
    const { browser } = await application({ options: { dpop: true } })
    await browser.signIn()
    expect(claimsOf((await browser.session())?.accessToken() ?? '').cnf).toEqual({ jkt: expect.any(String) })
  })

  it('refuses tokens that are bound to nothing, or to another certificate', async () => {
    const invalid = { status: 400, code: 'invalid-response' }
    expect(await refused((await application({ certificateBoundAccessTokens: false })).browser)).toEqual(invalid)
    expect(await refused((await application({ options: { certificate: another.cert } })).browser)).toEqual(invalid)
  })

  it('is refused by the service when its connections bring none, or another one', async () => {
    for (const fetch of [connectionsWith(undefined), connectionsWith(another)])
      expect(await refused((await application({ options: { fetch } })).browser)).toEqual({ status: 500, code: 'client-refused' })
  })

  it('does not start with what cannot work', () => {
    const options = { issuer, clientId: 'cli_1', redirectUri: `${origin}/auth/callback`, cookieSecret }
    const { fetch } = globalThis
    expect(() => createWeb({ ...options, fetch })).toThrow('Either clientSecret or privateKey is needed, or a certificate')
    expect(() => createWeb({ ...options, fetch, certificate: own.key })).toThrow('certificate has to be PEM')
    expect(() => createWeb({ ...options, certificate: own.cert })).toThrow('certificate needs a fetch that brings it')
  })
})
