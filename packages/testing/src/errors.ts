/** What the test mode, or the start of it, has refused. */
export class TestingRefused extends Error {
  /** A stable word: of the test mode itself, or one of docs/errors.md. */
  readonly code: string
  /** The status of the response; 0 without one. */
  readonly status: number
  /** A sentence for developers; decide by `code`. */
  readonly detail: string
  readonly requestId: string | undefined
  /** Each mistake in what was sent, with its place. */
  readonly errors: readonly { path: readonly (string | number)[]; message: string }[]

  constructor({ code, status, detail, requestId, errors = [], cause }: RefusedWith) {
    super([detail, ...errors.map(({ path, message }) => `${path.join('.')}: ${message}`)].join('\n'), { cause })
    this.name = 'TestingRefused'
    this.code = code
    this.status = status
    this.detail = detail
    this.requestId = requestId
    this.errors = errors
  }
}

export interface RefusedWith {
  code: string
  status: number
  detail: string
  requestId?: string | undefined
  errors?: TestingRefused['errors'] | undefined
  cause?: unknown
}
