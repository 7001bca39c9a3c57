import type { RefusalCode } from './codes.ts'

/** What the client itself, or what is between it and the service, has refused. */
export type ClientCode =
  /** No response arrived, even when asked again: the service may or may not have carried out the request. */
  | 'unreachable'
  /** The response is none of the API: it comes from a proxy, or `url` is another address. */
  | 'unexpected-response'
  | 'webhook-unsigned'
  /** It was signed by none of the secrets. */
  | 'webhook-signature-invalid'
  | 'webhook-too-old'
  | 'webhook-unreadable'

/** A mistake in one field of the input. */
export interface FieldError {
  /** The kind of mistake, such as `too_small`. */
  code: string
  /** The field, from the outside in. */
  path: (string | number)[]
  message: string
  /** More precise than `code`, where that is not enough. */
  reason?: string
}

/** A request that was refused, or a webhook that is not genuine. */
export class GatehouseRefused extends Error {
  /** A stable word, by which programs decide. A later release of the service may have others. */
  readonly code: RefusalCode | ClientCode
  /** The status of the response, and 0 without one. Of a webhook: the status to respond with. */
  readonly status: number
  /** A sentence for developers; decide by `code`. */
  readonly detail: string
  /** The id of the request in the log and the audit log of the service. */
  readonly requestId: string | undefined
  /** Each mistake in the input. */
  readonly errors: readonly FieldError[]
  /** When to ask again, in seconds, if the service has said so. */
  readonly retryAfterSeconds: number | undefined

  constructor({ code, status, detail, requestId, errors = [], retryAfterSeconds, cause }: RefusedWith) {
    super([detail, ...errors.map(({ path, message }) => `${path.join('.')}: ${message}`)].join('\n'), { cause })
    this.name = 'GatehouseRefused'
    this.code = code
    this.status = status
    this.detail = detail
    this.requestId = requestId
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface RefusedWith {
  code: RefusalCode | ClientCode
  status: number
  detail: string
  requestId?: string | undefined
  errors?: readonly FieldError[] | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** The refusal in a response: its problem (RFC 9457), or that it is none. */
export function refusalIn(response: Response, body: unknown, now: number): GatehouseRefused {
  const { code, detail, errors } = (typeof body === 'object' && body !== null ? body : {}) as Partial<GatehouseRefused>
  const { status, headers } = response
  return new GatehouseRefused({
    code: code ?? 'unexpected-response',
    status,
    detail: detail ?? `The response has the status ${status} and is none of the API`,
    requestId: headers.get('x-request-id') ?? undefined,
    errors,
    retryAfterSeconds: retryAfterSecondsOf(headers, now),
  })
}

/** Reads `Retry-After`, seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterSecondsOf(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')
  if (!value) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
