/** Status and title of each kind of problem, by the slug that ends its `type`. */
export const problems = {
  'bad-request': { status: 400, title: 'Bad Request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  'not-found': { status: 404, title: 'Not Found' },
  'method-not-allowed': { status: 405, title: 'Method Not Allowed' },
  conflict: { status: 409, title: 'Conflict' },
  'payload-too-large': { status: 413, title: 'Payload Too Large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported Media Type' },
  'too-many-requests': { status: 429, title: 'Too Many Requests' },
  'internal-server-error': { status: 500, title: 'Internal Server Error' },
  'service-unavailable': { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemSlug = keyof typeof problems

/** One mistake in the input. */
export interface FieldError {
  code: string
  /** Field names and array indexes from the outside in. */
  path: (string | number)[]
  message: string
}

/** A refusal meant for the caller to read (RFC 9457). Status and title come from the slug's row in `problems`. */
export class Problem extends Error {
  readonly slug: ProblemSlug
  readonly detail: string
  readonly errors: readonly FieldError[] | undefined
  /** Response headers that belong to the refusal, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>
  /** Members beyond those of every problem (RFC 9457 §3.2): what the client needs to go on. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    slug: ProblemSlug,
    detail: string,
    options: {
      errors?: readonly FieldError[]
      headers?: Record<string, string>
      members?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'Problem'
    this.slug = slug
    this.detail = detail
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }
}

export const invalidInput = (errors: readonly FieldError[]) => new Problem('bad-request', 'Invalid input', { errors })

/** A refusal of one field that only the data could tell, such as an unknown id in an array. */
export const invalidField = (path: (string | number)[], message: string) => invalidInput([{ code: 'custom', path, message }])

/** Throws a refusal that points at each id of an array that is not among the known ones. */
export function refuseUnknownIds(field: string, ids: readonly string[], known: ReadonlySet<string>, message: string): void {
  const errors: FieldError[] = ids.flatMap((id, index) => (known.has(id) ? [] : [{ code: 'custom', path: [field, index], message }]))
  if (errors.length > 0) throw invalidInput(errors)
}

/** @param retryAfterSeconds when the caller may try again */
export const tooManyRequests = (detail: string, retryAfterSeconds: number) =>
  new Problem('too-many-requests', detail, { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) } })

/** The body of a problem response (RFC 9457 §3). */
export function presentProblem(problem: Problem, problemsHost: string, instance: string) {
  const { status, title } = problems[problem.slug]
  return {
    type: `https://${problemsHost}/problems/${problem.slug}`,
    title,
    status,
    detail: problem.detail,
    instance,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.members,
  }
}
