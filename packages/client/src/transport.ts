import { GatehouseRefused, retryAfterSecondsOf } from './errors.ts'

/** Sends one request, and gives the last response to it. */
export type Send = (request: Request) => Promise<Response>

export interface Logger {
  debug(details: { method: string; path: string; attempt: number; cause: string; waitMilliseconds: number }, message: string): void
}

interface TransportOptions {
  /** The address of the service, without a slash at its end. */
  url: string
  headers: Readonly<Record<string, string>>
  /** A session needs a token with each request (CSRF). */
  hasSession: boolean
  organisationId: string | undefined
  fetch: (request: Request) => Promise<Response>
  retries: number
  clock: () => number
  logger: Logger | undefined
}

/** Before the first retry, at most; doubled before each later one. */
const firstWaitMilliseconds = 200
/** What takes longer is for the caller to decide. */
const longestWaitSeconds = 60
const safeMethods = ['GET', 'HEAD', 'OPTIONS']
/** One document. Exports have a line of JSON for each record (`application/x-ndjson`), and are as long as they are. */
const jsonTypes = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i

/**
 * Sends requests with the credentials. A request that has changed nothing, or that changes nothing twice, is sent again: after a failure of the
 * network, 429, and 503 with `Retry-After`.
 */
export function createTransport(options: TransportOptions): Send {
  const { url, headers, hasSession, organisationId } = options
  const base = new URL(url).pathname.replace(/\/$/, '')
  let csrfToken: Promise<string> | undefined

  // The service ignores the key elsewhere, where the second request would be a second change.
  const send = (request: Request) =>
    sendWithRetries(request, safeMethods.includes(request.method) || takesKey(request.method, pathOf(request)), options)

  async function tokenOfSession(): Promise<string> {
    const response = await send(new Request(`${url}/v1/auth/csrf`, { headers, redirect: 'manual' }))
    const body = (await response.json().catch(() => ({}))) as { csrfToken?: string }
    // Without a session the request itself is refused, which says why.
    return body.csrfToken ?? ''
  }

  /** One for all requests. A failure to get it is of those that wait for it, alone. */
  function sharedToken(): Promise<string> {
    csrfToken ??= tokenOfSession().catch((error: unknown) => {
      csrfToken = undefined
      throw error
    })
    return csrfToken
  }

  const pathOf = (request: Request) => new URL(request.url).pathname.slice(base.length)

  async function prepare(request: Request): Promise<Request> {
    const path = pathOf(request)
    const isOfAdministration = path.startsWith('/v1/admin/')
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    if (organisationId !== undefined && isOfAdministration) request.headers.set('x-org-domain', organisationId)
    if (takesKey(request.method, path) && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', crypto.randomUUID())
    }
    if (hasSession) {
      request.headers.set('x-csrf-token', await unlessAborted(sharedToken(), request.signal))
    }
    return request
  }

  return async (given) => {
    const repeatable = hasSession ? given.clone() : undefined
    const response = await send(await prepare(given))
    if (!repeatable || response.status !== 403) return response
    const { code } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { code?: string }
    if (code !== 'invalid-csrf-token' && code !== 'missing-csrf-token') return response
    csrfToken = undefined
    return send(await prepare(repeatable))
  }
}

/** Whether the service honours an `Idempotency-Key` there: `prepare` sends one with each such request. */
const takesKey = (method: string, path: string) => ['POST', 'PATCH'].includes(method) && /^\/v1\/(admin|system)\//.test(path)

async function sendWithRetries(
  request: Request,
  isRepeatable: boolean,
  { fetch, retries, clock, logger }: TransportOptions,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = !isRepeatable || attempt > retries
    const outcome = await sendOnce(isLast ? request : request.clone(), fetch)
    const wait = isLast ? undefined : waitBeforeRetry(outcome, attempt, clock())
    if (wait === undefined) {
      if (outcome instanceof GatehouseRefused) throw outcome
      return outcome
    }
    const { method, url } = request
    const cause = outcome instanceof GatehouseRefused ? outcome.code : `${outcome.status}`
    // The query may hold what is private.
    logger?.debug({ method, path: new URL(url).pathname, attempt, cause, waitMilliseconds: wait }, 'a request is sent again')
    await passed(wait, request.signal)
  }
}

/** @throws the reason of the signal, when the caller has aborted the request */
async function sendOnce(request: Request, fetch: TransportOptions['fetch']): Promise<Response | GatehouseRefused> {
  try {
    const response = await fetch(request)
    const { status, statusText, headers } = response
    if (response.body === null || !jsonTypes.test(headers.get('content-type') ?? '')) return response
    // Read here, so that a connection that breaks in the middle is a failure of the network, too.
    return new Response(await response.arrayBuffer(), { status, statusText, headers })
  } catch (cause) {
    request.signal.throwIfAborted()
    return new GatehouseRefused({ code: 'unreachable', status: 0, detail: `No response from ${new URL(request.url).origin}`, cause })
  }
}

/** Waits for what others wait for, too: an abort ends the waiting alone. @throws the reason of the signal, as soon as it is aborted */
function unlessAborted<Value>(shared: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason)
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

/** The milliseconds to wait; undefined for an outcome that stays. A response may be of another class than ours: that of the given `fetch`. */
function waitBeforeRetry(outcome: Response | GatehouseRefused, attempt: number, now: number): number | undefined {
  const backoff = firstWaitMilliseconds * 2 ** (attempt - 1)
  if (outcome instanceof GatehouseRefused) return jittered(backoff / 2, backoff / 2)
  const { status, headers } = outcome
  const seconds = retryAfterSecondsOf(headers, now)
  // With 409 the service says that the first request with this Idempotency-Key is still under way.
  if (status === 429 || ((status === 503 || status === 409) && seconds !== undefined)) {
    if (seconds !== undefined && seconds > longestWaitSeconds) return undefined
    return jittered((seconds ?? 0) * 1_000, backoff)
  }
  return undefined
}

/** Spreads what many clients would otherwise send at once. */
const jittered = (least: number, spread: number) => Math.round(least + Math.random() * spread)

/** @throws the reason of the signal, as soon as it is aborted */
function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted)
      resolve()
    }, milliseconds)
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })
}
