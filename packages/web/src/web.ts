import type { JWK } from 'jose'
import { ApiCalls } from './api-calls.ts'
import { isCertificate } from './certificate.ts'
import { Cookies } from './cookies.ts'
import { SignInRefused } from './errors.ts'
import { Issuer } from './issuer.ts'
import { Refreshes } from './refreshes.ts'
import { addressOf, type IncomingRequest, isPageLoad, readReturnTo } from './requests.ts'
import { sealerOf } from './sealed.ts'
import { reaches, type Session, sessionOf } from './session.ts'
import type { SessionStore } from './session-store.ts'
import { type FoundSession, sessionsInCookies, sessionsInStore } from './sessions.ts'
import { SignIn } from './sign-in.ts'
import { endByLogoutToken, requireOwnForm } from './sign-out.ts'

/** What a log learns of a refusal. */
export interface RefusalDetails {
  code: string
  detail: string
  reference: string | undefined
  /** What a library or the network has said. */
  cause: string | undefined
}

export interface WebOptions {
  /** The address of the Gatehouse installation; https, but on this machine. */
  issuer: string
  clientId: string
  /** One of these: the secret of the client, or the private key whose public half is registered with it (`private_key_jwt`). */
  clientSecret?: string
  privateKey?: JWK
  /**
   * The certificate that `fetch` brings, in PEM, with those of its authorities after it. Tokens have to be bound to it (RFC 8705), but with
   * `dpop`. Without `clientSecret` and `privateKey` the client authenticates by it.
   */
  certificate?: string
  /** A registered address of the application that ends in `/callback`, such as `https://app.example.com/auth/callback`; https, but on this machine. */
  redirectUri: string
  /** At least 32 random characters each. The first of several seals, the others only open what they have sealed before. */
  cookieSecret?: string
  cookieSecrets?: readonly string[]
  /** `openid profile email offline_access` by default. `openid` is always part of it. */
  scope?: string
  /** The APIs that the access token is for (RFC 8707). */
  resource?: string | readonly string[]
  /** Binds the tokens of each session to a key of its own, so that they are of no use to those who steal them (RFC 9449). */
  dpop?: boolean
  /** Sends the parameters of a sign-in from server to server (RFC 9126): always, or by default where the issuer requires it of every client. */
  pushedRequests?: boolean
  /** Where sessions are; without it in cookies. */
  sessionStore?: SessionStore
  /** How long a session lasts, in seconds; 12 hours by default. One without a refresh token ends with its access token. */
  sessionSeconds?: number
  /** A registered address to return to after signing out; without it the issuer shows its own page. */
  postLogoutRedirectUri?: string
  /** The beginning of the names of all cookies; `gatehouse` by default. Applications on one host need different ones. */
  cookieName?: string
  /** Makes the page for a refusal; by default a plain one. */
  errorPage?: (refused: SignInRefused, request: Request) => Response | Promise<Response>
  fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; the clock of the machine by default. */
  clock?: () => number
  /** Hears of what was refused and why; never of a token. */
  logger?: { warn(details: RefusalDetails, message: string): void }
}

/** What a request needs besides a session. Everything that is given has to hold. */
export interface Requirements {
  /** Permissions that the user must have, as a list or separated by spaces. */
  permission?: string | readonly string[]
  /**
   * The level of the sign-in: `aal1`, `aal2`, `phr` or `phrh`, each of which includes those before it; or a value of your own. Of several,
   * separated by spaces and best first, any one will do.
   */
  acr?: string
  /** The greatest age of the sign-in, in seconds. */
  maxAge?: number
}

export type Required =
  | { session: Session; headers: Headers; response: undefined }
  /** The response to return; it has the headers. */
  | { session: undefined; headers: Headers; response: Response }

export interface Web {
  /**
   * Serves sign-in, callback, sign-out and back-channel logout.
   *
   * @returns null for any other path
   */
  handle(request: Request): Promise<Response | null>
  /** The session of a request, or null; and the `Set-Cookie` lines that the response must carry. */
  session(request: IncomingRequest): Promise<{ session: Session | null; headers: Headers }>
  /** The session, or the response to return: to sign in, to sign in again with what is missing, or 403. */
  require(request: IncomingRequest, requirements?: Requirements): Promise<Required>
}

const hourSeconds = 3_600
const localHosts = ['localhost', '127.0.0.1', '[::1]']
const defaultScope = 'openid profile email offline_access'

/**
 * Makes the sign-in of a web application. It asks the issuer nothing before the first sign-in.
 *
 * @throws TypeError for options that cannot work
 */
export function createWeb(options: WebOptions): Web {
  const { issuer: issuerAddress, clientId, clientSecret, privateKey, certificate, sessionStore: store } = options
  const { fetch = globalThis.fetch, clock = Date.now, logger, errorPage, postLogoutRedirectUri, cookieName = 'gatehouse' } = options
  const { sessionSeconds = 12 * hourSeconds, scope = defaultScope, resource = [], cookieSecret, cookieSecrets = [] } = options
  const redirectUri = secureAddress('redirectUri', options.redirectUri)
  secureAddress('issuer', issuerAddress)
  if (!redirectUri.pathname.endsWith('/callback')) throw new TypeError('redirectUri has to end in /callback')
  const isAuthenticated = clientSecret !== undefined || privateKey !== undefined || certificate !== undefined
  if (!isAuthenticated || (clientSecret !== undefined && privateKey !== undefined))
    throw new TypeError('Either clientSecret or privateKey is needed, or a certificate')
  if (certificate !== undefined && !isCertificate(certificate)) throw new TypeError('certificate has to be PEM')
  if (certificate !== undefined && !options.fetch) throw new TypeError('certificate needs a fetch that brings it')
  if (privateKey && privateKey.d === undefined) throw new TypeError('privateKey has no private half')
  if (!(Number.isFinite(sessionSeconds) && sessionSeconds > 0)) throw new TypeError('sessionSeconds has to be a number greater than 0')
  if (!/^[\w-]+$/.test(cookieName)) throw new TypeError('cookieName consists of letters, digits, - and _')
  const { origin } = redirectUri
  const base = redirectUri.pathname.slice(0, -'/callback'.length)

  const secrets = cookieSecret === undefined ? cookieSecrets : [cookieSecret, ...cookieSecrets]
  const sealer = sealerOf(secrets, `${issuerAddress.replace(/\/$/, '')} ${clientId}`)
  const cookiesOf = new Cookies(cookieName, redirectUri.protocol === 'https:')
  const issuer = new Issuer({
    issuer: issuerAddress,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey && { privateKey }),
    ...(certificate !== undefined && { certificate }),
    redirectUri: redirectUri.href,
    resource: [resource].flat(),
    isPushed: options.pushedRequests ?? false,
    isBound: options.dpop ?? false,
    fetch: (...parameters) => fetch(...parameters),
    clock,
  })
  const sessions = store ? sessionsInStore(sealer, store) : sessionsInCookies(sealer)
  const warn = ({ code, detail, reference, cause }: SignInRefused, message: string) =>
    logger?.warn({ code, detail, reference, cause: cause instanceof Error ? cause.message : undefined }, message)
  const failed = (error: SignInRefused) => warn(error, 'a session was not refreshed')
  const refreshes = new Refreshes({ issuer, sessions, clock, failed })
  const calls = new ApiCalls({ fetch: (...parameters) => fetch(...parameters), clock })
  const signIn = new SignIn({
    issuer,
    sealer,
    store,
    clock,
    redirectUri,
    scope: scope.split(' ').includes('openid') ? scope : `openid ${scope}`,
    sessionMilliseconds: sessionSeconds * 1_000,
  })

  const writeCookie = async ({ session }: FoundSession, cookies: ReturnType<Cookies['of']>, headers: Headers) => {
    const seconds = Math.max(0, Math.ceil((session.endsAt - clock()) / 1_000))
    cookies.writeSession(headers, await sessions.cookieOf(session), seconds)
  }

  const session: Web['session'] = async (request) => {
    const headers = new Headers()
    const cookies = cookiesOf.of(request)
    const found = cookies.session === undefined ? undefined : await sessions.find(cookies)
    // A cookie that says nothing here is left as it is: a process that has another secret first may have sealed it.
    if (!found) return { session: null, headers }
    const latest = await refreshes.latest(found)
    const none = async () => {
      await sessions.delete(found.session)
      const cleared = new Headers()
      cookies.clearSession(cleared)
      return { session: null, headers: cleared }
    }
    if (latest === 'over') return none()
    // Under the first secret again, so that the former one can be taken away.
    const current = latest && !latest.isCurrent ? await sessions.write(latest.session, latest) : latest
    // Signed out, or replaced by a new sign-in, whose cookie the browser may have by now: this response must not take it away.
    if (!current) return { session: null, headers }
    try {
      if (current !== found) await writeCookie(current, cookies, headers)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      // Its tokens have grown. A new sign-in says so.
      warn(error, 'a session has ended')
      return none()
    }
    return { session: sessionOf(current.session, clock, calls), headers }
  }

  const require: Web['require'] = async (request, { permission = [], acr, maxAge } = {}) => {
    const { session: found, headers } = await session(request)
    const refuse = (refused: SignInRefused): Required => {
      const response = refused.toResponse({ headers: new Headers({ accept: acceptOf(request) }) })
      return { session: undefined, headers, response: withCookies(response, headers) }
    }
    const wanted = typeof permission === 'string' ? permission.split(' ') : permission
    const lacking = wanted.find((one) => found?.can(one) === false)
    if (lacking !== undefined) return refuse(new SignInRefused('missing-permission', `The permission ${lacking} is missing`))
    const isEnough = found && (acr === undefined || reaches(found.acr, acr)) && (maxAge === undefined || found.fresh(maxAge))
    if (isEnough) return { session: found, headers, response: undefined }
    // A redirect would lose what a form has sent, and a script could not follow it to another origin.
    if (!isPageLoad(request))
      return refuse(
        found
          ? new SignInRefused('insufficient-user-authentication', 'A stronger or more recent sign-in is needed')
          : new SignInRefused('sign-in-required', 'Sign in first'),
      )
    const { pathname, search } = addressOf(request, origin)
    const query = new URLSearchParams({ returnTo: readReturnTo(pathname + search, origin) === undefined ? '/' : pathname + search })
    if (acr !== undefined) query.set('acr_values', acr)
    if (maxAge !== undefined) query.set('max_age', String(maxAge))
    const response = redirect(302, `${origin}${base}/login?${query}`)
    return { session: undefined, headers, response: withCookies(response, headers) }
  }

  async function callback(query: URLSearchParams, cookies: ReturnType<Cookies['of']>, headers: Headers): Promise<Response> {
    const finished = await signIn.finish(query, cookies, headers)
    if (finished.kind === 'signed-in') {
      const former = await sessions.find(cookies)
      const created = await sessions.write(finished.session)
      if (created) await writeCookie(created, cookies, headers)
      if (former) {
        // A request that is under way with the former cookie must not bring it back.
        refreshes.end(former.session)
        await sessions.delete(former.session)
      }
    }
    return redirect(303, finished.returnTo)
  }

  async function logout(request: Request, cookies: ReturnType<Cookies['of']>, headers: Headers): Promise<Response> {
    requireOwnForm(request, origin)
    const found = await sessions.find(cookies)
    cookies.clearSession(headers)
    if (!found) return redirect(303, postLogoutRedirectUri ?? `${origin}/`)
    refreshes.end(found.session)
    const { session: ended } = await refreshes.lastOf(found)
    await sessions.delete(ended)
    // The session has ended here, whatever the issuer says to it.
    if (ended.refreshToken !== undefined)
      await issuer.revoke(ended.refreshToken).catch((cause: unknown) => warn(unrevoked(cause), 'a refresh token was not revoked'))
    const parameters = { id_token_hint: ended.idToken, ...(postLogoutRedirectUri && { post_logout_redirect_uri: postLogoutRedirectUri }) }
    const address = await issuer.endSessionUrl(parameters).catch(() => undefined)
    return redirect(303, address?.href ?? postLogoutRedirectUri ?? `${origin}/`)
  }

  async function serve(request: Request, path: string, headers: Headers): Promise<Response> {
    const cookies = cookiesOf.of(request)
    const { searchParams: query } = addressOf(request, origin)
    switch (path) {
      case '/login':
        requireMethod(request, 'GET')
        return redirect(302, (await signIn.begin(query, cookies, headers)).href)
      case '/callback':
        requireMethod(request, 'GET')
        return callback(query, cookies, headers)
      case '/logout':
        requireMethod(request, 'POST')
        return logout(request, cookies, headers)
      default:
        requireMethod(request, 'POST')
        await endByLogoutToken(request, { issuer, store, clock })
        return new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } })
    }
  }

  async function handle(request: Request): Promise<Response | null> {
    const { pathname } = addressOf(request, origin)
    const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : ''
    if (!paths.includes(path)) return null
    const headers = new Headers()
    try {
      return withCookies(await serve(request, path, headers), headers)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      warn(error, 'a request was refused')
      const signInAgain = path === '/login' || path === '/callback' ? `${origin}${base}/login` : undefined
      const page = errorPage ? await errorPage(error, request) : error.toResponse(request, signInAgain)
      return withCookies(page, headers)
    }
  }

  return { handle, session, require }
}

const paths = ['/login', '/callback', '/logout', '/backchannel-logout']
const unrevoked = (cause: unknown) => new SignInRefused('issuer-unavailable', 'It works until it expires', { cause })

function requireMethod({ method }: Request, allowed: string): void {
  if (method !== allowed) throw new SignInRefused('method-not-allowed', `Use ${allowed}`, { headers: { allow: allowed } })
}

/** @throws TypeError where others could read or change what is sent there */
function secureAddress(name: string, text: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`${name} is no URL`)
  const address = new URL(text)
  const isSecure = address.protocol === 'https:' || (address.protocol === 'http:' && localHosts.includes(address.hostname))
  if (!isSecure) throw new TypeError(`${name} has to begin with https:, but on this machine`)
  return address
}

const redirect = (status: 302 | 303, location: string) => new Response(null, { status, headers: { location, 'cache-control': 'no-store' } })

function withCookies(response: Response, headers: Headers): Response {
  const all = new Headers(response.headers)
  for (const line of headers.getSetCookie()) all.append('set-cookie', line)
  return new Response(response.body, { status: response.status, headers: all })
}

const acceptOf = (request: IncomingRequest) => (isPageLoad(request) ? 'text/html' : 'application/json')
