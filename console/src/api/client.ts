import createClient from 'openapi-fetch'
import { isAttended } from './attention.ts'
import { changes, isChange } from './changes.ts'
import { csrfToken, renewCsrfToken } from './csrf.ts'
import { early } from './early.ts'
import { Problem, type ProblemBody } from './problem.ts'
import { proof } from './proof.ts'
import { reach } from './reach.ts'
import { recorder } from './recorder.ts'
import { loadReadRefusals } from './refusals-in-words.ts'
import { refused } from './refused.ts'
import type { paths } from './schema.d.ts'
import { session } from './session.ts'

/**
 * The API, typed by path. Each call carries the CSRF token, and the tenant if there is one. When the session has ended, a call is repeated
 * once after the next sign-in. A call that requires a recent sign-in is repeated once after a proof.
 */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: (request) => send(request) })

/** The body of a response. Throws Problem when the call was refused. */
export async function answerOf<Body>(call: Promise<{ data?: Body; error?: unknown; response: Response }>): Promise<Body> {
  const { data, error, response } = await call
  if (!response.ok) throw await refusalOf(response, error)
  return data as Body
}

/** Loads the texts of refusals, too: none is needed before the first. A service that fails may be away, and its texts with it. */
async function refusalOf(response: Response, body: unknown): Promise<Problem> {
  if (response.status < 500) await loadReadRefusals()
  return new Problem((body ?? {}) as Partial<ProblemBody>, response)
}

/** Like `answerOf`, with the `ETag` of the response. */
export async function answerWithTag<Body>(
  call: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<{ body: Body; tag: string | undefined }> {
  const settled = await call
  return { body: await answerOf(Promise.resolve(settled)), tag: settled.response.headers.get('etag') ?? undefined }
}

/** The header of a change that must not overwrite changes which others have made since the record was read with this tag. */
export const conditionOf = (tag: string | undefined): { 'If-Match'?: string } => (tag ? { 'If-Match': tag } : {})

/** Sends a download, which openapi-fetch does not support. Throws Problem when it was refused. */
export async function download(path: string): Promise<Response> {
  const response = await send(new Request(new URL(path, location.origin)))
  if (!response.ok) throw await refusalOf(response, await response.json().catch(() => undefined))
  return response
}

async function send(request: Request): Promise<Response> {
  if (takesIdempotencyKey(request)) request.headers.set('Idempotency-Key', crypto.randomUUID())
  const repeatable = request.clone()
  const response = await sendOnce(request)
  if (response.status === 401) {
    await session.whenSignedInAgain()
    await renewCsrfToken()
    await (await import('./another-user.ts')).refuseToAnotherUser()
    return sendOnce(repeatable)
  }
  if (response.status !== 403) return response
  const { code, methods = [] } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Partial<ProblemBody> & { methods?: string[] }
  if (code === 'invalid-csrf-token' || code === 'missing-csrf-token') {
    await renewCsrfToken()
    await (await import('./another-user.ts')).refuseToAnotherUser()
    return sendOnce(repeatable)
  }
  if (code === 'recent-sign-in-required' && (await proof.ask(methods))) return sendOnce(repeatable)
  return response
}

async function sendOnce(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const token = await csrfToken()
  // The API drawer reads the copy. Reading it does not consume the body of the request.
  const body =
    request.body === null
      ? undefined
      : await request
          .clone()
          .json()
          .catch(() => undefined)
  request.headers.set('X-CSRF-Token', token)
  request.headers.set('Accept-Language', document.documentElement.lang)
  if (!isAttended()) request.headers.set('X-Unattended', 'true')
  const tenant = url.pathname.startsWith('/v1/admin/') ? (await early).profile?.organisation.slug : undefined
  if (tenant) request.headers.set('X-Org-Domain', tenant)
  const started = performance.now()
  const sentAt = Date.now()
  const repeatable = request.headers.has('Idempotency-Key') ? request.clone() : undefined
  const response = (await answerTo(request)) ?? (repeatable && (await answerToRepeated(repeatable)))
  if (response === undefined) {
    if (!isChange(request)) throw Problem.unreachable()
    throw Problem.lostResponse(await lookWhetherItHappened(request, url, body, sentAt))
  }
  if (response.ok && isChange(request)) changes.wasMade()
  if (response.status === 403 && url.pathname !== '/v1/me/profile') refused.set(refused.get() + 1)
  clockAhead = Date.parse(response.headers.get('date') ?? '') - Date.now() || clockAhead
  // The copy of an unread body, such as that of an export, would stay in memory.
  const isJson = /^application\/([a-z.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')
  void remember(request, url, body, response, isJson ? response.clone() : undefined, performance.now() - started)
  return response
}

/** What the service keeps the answer to, so that the same request can be sent again: it changes nothing twice. */
const takesIdempotencyKey = (request: Request): boolean =>
  ['POST', 'PATCH'].includes(request.method) && new URL(request.url).pathname.startsWith('/v1/admin/') && isChange(request)

/** @returns undefined when the response was lost */
async function answerTo(request: Request): Promise<Response | undefined> {
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error
    return undefined
  })
  if (response === undefined || response.status >= 500) reach.suspect()
  return response && isOfGateway(response) ? undefined : response
}

/** The pauses before a request whose response was lost is sent again, with the same key. */
const pausesBeforeRepeats = [100, 1_000]

async function answerToRepeated(request: Request): Promise<Response | undefined> {
  for (const pause of pausesBeforeRepeats) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const response = await answerTo(request.clone())
    // The first one may still be under way.
    if (response && response.status !== 409) return response
    const { code } = ((await response?.clone().json()) ?? {}) as Partial<ProblemBody>
    if (response && code !== 'idempotency-key-in-use') return response
  }
  return undefined
}

/** The milliseconds by which the clock of the service is ahead of this one. */
let clockAhead = 0

/** Whether the response is that of a proxy which cannot reach the service: the service itself sends problems. */
const isOfGateway = ({ status, headers }: Response): boolean =>
  (status === 502 || status === 504) && !headers.get('content-type')?.includes('problem+json')

/** The request may or may not have arrived: read the current state from the service. */
async function lookWhetherItHappened({ method }: Request, { pathname }: URL, body: unknown, sentAt: number) {
  const { outcomeOf } = await import('./lost-response.ts')
  const { profile } = await early
  // The header `Date` has a precision of whole seconds.
  const since = new Date(sentAt + clockAhead - 2_000)
  return outcomeOf({ method, path: pathname, body: (body ?? {}) as Record<string, unknown>, since, profile }, async (path) => {
    const response = await sendOnce(new Request(new URL(path, location.origin))).catch(() => undefined)
    return response && { status: response.status, body: (await response.json().catch(() => ({}))) as Record<string, unknown> }
  })
}

async function remember(
  { method }: Request,
  { pathname, search }: URL,
  requestBody: unknown,
  response: Response,
  copy: Response | undefined,
  milliseconds: number,
) {
  await recorder.record({
    method,
    path: pathname + search,
    requestBody,
    status: response.status,
    milliseconds: Math.round(milliseconds),
    requestId: response.headers.get('x-request-id') ?? undefined,
    responseBody: await copy?.json().catch(() => undefined),
  })
}
