import type { Outcome } from './lost-response.ts'
import type { components, operations } from './schema.d.ts'

export type ProblemBody = components['schemas']['Problem']

type ChangedSince = operations['undoAuditEntry']['responses'][409]['content']['application/problem+json']
type Conflict = NonNullable<ChangedSince['conflicts']>[number]
export type LastChange = NonNullable<ChangedSince['ended']>

/** A refusal of the API (RFC 9457), or an unreachable service: then `status` is 0. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  /** The field that a refusal without `errors` is about. */
  readonly field: string | undefined
  readonly errors: NonNullable<ProblemBody['errors']>
  readonly limits: NonNullable<ProblemBody['limits']>
  readonly permission: string | undefined
  /** The values that differ from those which the audit entry to undo left. */
  readonly conflicts: readonly Conflict[]
  /** The user who deleted the record of an audit entry. */
  readonly ended: LastChange | null
  readonly requestId: string | undefined
  /** The seconds after which to retry, if the API names them. */
  readonly retryAfter: number | undefined

  constructor(
    body: Partial<ProblemBody & { conflicts: Conflict[]; ended: LastChange | null }>,
    { status, headers }: Pick<Response, 'status' | 'headers'>,
  ) {
    super(body.detail ?? `HTTP ${status}`)
    this.name = 'Problem'
    this.status = status
    this.code = body.code ?? `http-${status}`
    this.hint = body.hint
    this.field = body.field
    this.permission = body.permission
    this.errors = body.errors ?? []
    this.limits = body.limits ?? []
    this.conflicts = body.conflicts ?? []
    this.ended = body.ended ?? null
    this.requestId = headers.get('x-request-id') ?? undefined
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds
  }

  static unreachable(): Problem {
    return new Problem({ code: 'unreachable', detail: 'Gatehouse cannot be reached' }, { status: 0, headers: new Headers() })
  }

  /** A change whose response was lost, with the outcome that reading has shown. */
  static lostResponse(code: Outcome): Problem {
    return new Problem({ code, detail: 'The response was lost' }, { status: 0, headers: new Headers() })
  }

  /** Whether the response of a change was lost, so that the page may be outdated and is read again. */
  get isAboutLostResponse(): boolean {
    return this.code.startsWith('response-lost-')
  }

  get isGone(): boolean {
    return this.status === 404 || this.status === 410
  }

  /** Whether a later retry can help. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }

  /** The name of each field with its mistake and the violated limit: `redirectUris.2`. */
  get fields(): (Omit<Problem['errors'][number] & Problem['limits'][number], 'path'> & { name: string })[] {
    const limits = new Map(this.limits.map(({ path, ...limit }) => [path.join('.'), limit]))
    return this.errors.map(({ path, ...error }) => ({ ...limits.get(path.join('.')), ...error, name: path.join('.') }))
  }
}
