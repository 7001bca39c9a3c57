import { generateKeyPair, SignJWT } from 'jose'
import { expect } from 'vitest'
import { createWeb, type Web, type WebOptions } from '../../packages/web/src/index.ts'
import type { SignedInUser } from './given.ts'
import { claimsOf, givenApplication, headerOf, type Registration, type TestApplication } from './oauth.ts'
import { PageVisitor } from './page-visitor.ts'
import type { TestService } from './service.ts'

export const origin = 'https://app.example.test'
export const cookieSecret = 'a secret of the tests with 32 characters and more'

/** The network between an application and the service, in the hands of a test. */
export class Network {
  /** What was sent, in order. */
  readonly paths: string[] = []
  isGone = false
  /** Changes a response, or gives another one without sending the request. */
  bend: ((path: string, send: () => Promise<Response>) => Promise<Response> | Response) | undefined

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    this.paths.push(pathname)
    if (this.isGone) throw new TypeError('fetch failed')
    const send = () => fetch(input, init)
    return this.bend ? this.bend(pathname, send) : send()
  }
}

/** What was logged by all applications of the tests. */
export const logged: string[] = []

export interface WebApplication {
  app: TestApplication
  network: Network
  web: Web
  /** Another process with the same settings, or one with others. */
  process(options?: Partial<WebOptions>): Web
}

/** An application that signs its users in by `@gatehouse-iam/web`, registered in an organisation of its own. */
export async function givenWeb(
  service: TestService,
  { options = {}, ...registration }: Registration & { options?: Partial<WebOptions> } = {},
): Promise<WebApplication> {
  const app = await givenApplication(service, {
    redirectUris: [`${origin}/auth/callback`],
    postLogoutRedirectUris: [`${origin}/bye`],
    refreshTokenGraceSeconds: 30,
    ...registration,
  })
  const network = new Network()
  const process = (others: Partial<WebOptions> = {}) =>
    createWeb({
      issuer: service.services.publicUrl,
      clientId: app.id,
      ...(app.secret !== null && !options.privateKey && { clientSecret: app.secret }),
      redirectUri: `${origin}/auth/callback`,
      cookieSecret,
      clock: () => service.clock.now().getTime(),
      fetch: network.fetch,
      logger: { warn: (...line) => void logged.push(JSON.stringify(line)) },
      ...options,
      ...others,
    })
  return { app, network, web: process(), process }
}

/** A browser at the application and at the service. It stores cookies, and follows redirects only where it is told to. */
export class WebBrowser {
  readonly cookies = new Map<string, string>()
  /** How long each cookie was to be stored when it was set, in seconds. The browser stores it for longer. */
  readonly maxAges = new Map<string, number>()
  web: Web
  /** The browser's session at the service. */
  readonly issuer: PageVisitor | undefined
  readonly #origin: string

  constructor(web: Web, user?: SignedInUser, at = origin) {
    this.web = web
    this.#origin = at
    this.issuer = user && new PageVisitor(user.origin, user.cookie)
  }

  /** A second browser with copies of the cookies. */
  copy(web = this.web): WebBrowser {
    const copy = new WebBrowser(web)
    for (const [name, value] of this.cookies) copy.cookies.set(name, value)
    return copy
  }

  request(path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}): Request {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return new Request(new URL(path, this.#origin), { ...init, headers: { cookie, accept: 'text/html', ...headers } })
  }

  /** Sends a request to what the package serves. */
  async open(path: string, init?: Parameters<WebBrowser['request']>[1]): Promise<Response> {
    const response = await this.web.handle(this.request(path, init))
    if (!response) throw new Error(`It does not serve ${path}`)
    this.store(response.headers)
    return response
  }

  async session(init?: Parameters<WebBrowser['request']>[1]) {
    const { session, headers } = await this.web.session(this.request('/', init))
    this.store(headers)
    return session
  }

  store(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      if (this.#origin === origin) expect(line).toMatch(/^__Host-[\w.-]+=[\w.-]*; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.endsWith('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
      this.maxAges.set(name, Number(/Max-Age=(\d+)$/.exec(line)?.[1]))
    }
  }

  /** Begins a sign-in and passes the service. @returns the address of the callback, which is not opened yet */
  async callback(query = ''): Promise<string> {
    return this.pass(locationOf(await this.open(`/auth/login${query}`)))
  }

  /** Follows the service's redirects until they lead to the application, or to a page. */
  async pass(address: string): Promise<string> {
    let next = new URL(address)
    while (next.origin !== this.#origin) {
      const answer = await (this.issuer ?? expect.fail('No user is signed in')).open(next.pathname + next.search)
      const location = answer.headers.get('location')
      if (!location) return next.href
      next = new URL(location, next)
    }
    return next.href
  }

  async signIn(query = ''): Promise<Response> {
    const response = await this.open(await this.callback(query))
    expect([response.status, response.status === 303 || (await response.text())]).toEqual([303, true])
    return response
  }

  namesOf(kind: 'session' | 'attempt'): string[] {
    return [...this.cookies.keys()].filter((name) => name.includes('-attempt-') === (kind === 'attempt'))
  }
}

export const locationOf = (response: Response) => response.headers.get('location') ?? ''

export type Signature = 'own' | 'unknown key' | 'broken' | 'none'

/** A token as the service signs it, with other claims, another header or another signature. A claim that is undefined is left out. */
export async function resigned(
  { services }: TestService,
  token: string,
  {
    claims = {},
    header = {},
    signature = 'own',
  }: { claims?: Record<string, unknown>; header?: Record<string, unknown>; signature?: Signature },
): Promise<string> {
  const all = Object.fromEntries(Object.entries({ ...claimsOf(token), ...claims }).filter(([, value]) => value !== undefined))
  const key = await services.signingKeys.signer('EdDSA')
  const { privateKey } = signature === 'unknown key' ? await generateKeyPair('EdDSA') : key
  const signed = await new SignJWT(all).setProtectedHeader({ ...headerOf(token), alg: 'EdDSA', kid: key.id, ...header }).sign(privateKey)
  const [head = '', body = '', made = ''] = signed.split('.')
  if (signature === 'broken') return `${head}.${body}.${made.startsWith('A') ? 'B' : 'A'}${made.slice(1)}`
  const unsigned = Buffer.from(JSON.stringify({ ...headerOf(token), alg: 'none' })).toString('base64url')
  return signature === 'none' ? `${unsigned}.${body}.` : signed
}
