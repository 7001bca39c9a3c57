/** The status and title of each kind of problem, by the slug that ends its `type`. */
export const problems = {
  'bad-request': { status: 400, title: 'Bad Request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  'not-found': { status: 404, title: 'Not Found' },
  'method-not-allowed': { status: 405, title: 'Method Not Allowed' },
  'request-timeout': { status: 408, title: 'Request Timeout' },
  conflict: { status: 409, title: 'Conflict' },
  'precondition-failed': { status: 412, title: 'Precondition Failed' },
  'payload-too-large': { status: 413, title: 'Payload Too Large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported Media Type' },
  'unprocessable-content': { status: 422, title: 'Unprocessable Content' },
  'too-many-requests': { status: 429, title: 'Too Many Requests' },
  'request-header-fields-too-large': { status: 431, title: 'Request Header Fields Too Large' },
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
  /** A stable word for a mistake that `code` does not distinguish, such as `password-used-before`. */
  reason?: string | undefined
  /** The least allowed value of a `too_small` mistake. */
  minimum?: number | undefined
  /** The greatest allowed value of a `too_big` mistake. */
  maximum?: number | undefined
  /** Whether a required field is missing. */
  isRequired?: true | undefined
}

interface ProblemOptions {
  errors?: readonly FieldError[]
  field?: string | undefined
  headers?: Record<string, string>
  members?: Record<string, unknown>
  cause?: unknown
}

/** A refusal meant for the caller to read (RFC 9457). Status and title come from the slug's row in `problems`. */
export class Problem extends Error {
  /** A stable, documented word: programs decide by it, never by the text. */
  readonly code: string
  readonly slug: ProblemSlug
  readonly detail: string
  readonly errors: readonly FieldError[] | undefined
  /** The field that a refusal without `errors` is about, such as a name that another record has. */
  readonly field: string | undefined
  /** Response headers that belong to the refusal, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>
  /** Members beyond those of every problem (RFC 9457 §3.2), which the client needs to continue. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: string, slug: ProblemSlug, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.slug = slug
    this.detail = detail
    this.errors = options.errors
    this.field = options.field
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }
}

/** The properties of a refusal that can be read without creating one. */
export interface DescribedRefusal<Code extends string = string> {
  readonly code: Code
  readonly slug: ProblemSlug
  /** The text for the caller, with `…` for the values that it names. */
  readonly text: string
}

/** The codes of a module of refusals. */
export type CodesOf<Refusals> = {
  [Name in keyof Refusals]: Refusals[Name] extends DescribedRefusal<infer Code> ? Code : never
}[keyof Refusals]

/**
 * Declares a refusal.
 *
 * @param code a stable kebab-case word, listed in docs/errors.md
 * @param detail the text for the caller; a function where it names a value
 * @param options the other properties of the problem, from the same values
 */
export function refusal<const Code extends string, Values extends readonly unknown[] = []>(
  code: Code,
  slug: ProblemSlug,
  detail: string | ((...values: Values) => string),
  options?: (...values: Values) => ProblemOptions,
): ((...values: Values) => Problem) & DescribedRefusal<Code> {
  const make = (...values: Values) => new Problem(code, slug, typeof detail === 'string' ? detail : detail(...values), options?.(...values))
  const text = typeof detail === 'string' ? detail : detail(...(Array(detail.length).fill('…') as unknown as Values))
  return Object.assign(make, { code, slug, text })
}

/**
 * Declares a mistake in a field that `code` does not distinguish: its code is the `reason`. A call returns the mistake of one field.
 */
export function fieldMistake<const Code extends string, Values extends readonly unknown[] = []>(
  code: Code,
  message: string | ((...values: Values) => string),
): ((path: FieldError['path'], ...values: Values) => FieldError) & DescribedRefusal<Code> {
  const messageOf = (values: Values) => (typeof message === 'string' ? message : message(...values))
  const text = messageOf(Array(typeof message === 'string' ? 0 : message.length).fill('…') as unknown as Values)
  const make = (path: FieldError['path'], ...values: Values) => ({ code: 'custom', path, message: messageOf(values), reason: code })
  return Object.assign(make, { code, slug: 'bad-request' as const, text })
}

/**
 * Declares a refusal of one field that only the data or the configuration can cause.
 *
 * @param message the text for the caller; a function where it names a value
 */
export function fieldRefusal<const Code extends string, Values extends readonly unknown[] = []>(
  code: Code,
  path: (string | number)[],
  message: string | ((...values: Values) => string),
) {
  const mistake = fieldMistake<Code, Values>(code, message)
  const make = refusal(code, 'bad-request', 'Invalid input', (...values: Values) => ({ errors: [mistake(path, ...values)] }))
  return Object.assign(make, { text: mistake.text })
}

/** Input that violates its schema or its rules: `errors` names each mistake. */
export const invalidInput = refusal('invalid-input', 'bad-request', 'Invalid input', (errors: readonly FieldError[]) => ({ errors }))

/** The mistake of a field that names an unknown record. */
export const unknownName = (path: FieldError['path'], { code, text }: DescribedRefusal): FieldError => ({
  code: 'custom',
  path,
  message: text,
  reason: code,
})

/** Throws a refusal that points at each id of an array that is not among the known ones. */
export function refuseUnknownIds(field: string, ids: readonly string[], known: ReadonlySet<string>, notFound: DescribedRefusal): void {
  const errors = ids.flatMap((id, index) => (known.has(id) ? [] : [unknownName([field, index], notFound)]))
  if (errors.length > 0) throw invalidInput(errors)
}

/** Names the field that a refusal is about. */
export const ofField = (field: string) => () => ({ field })

/** The headers of a refusal that ends after a time. */
export const retryAfter = (seconds: number) => ({ headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } })

/** The body of a problem response (RFC 9457 §3). */
export function presentProblem(problem: Problem, problemsHost: string, instance: string) {
  const { status, title } = problems[problem.slug]
  const limits = problem.errors?.flatMap(limitsOf) ?? []
  return {
    type: `https://${problemsHost}/problems/${problem.slug}`,
    title,
    status,
    detail: problem.detail,
    instance,
    code: problem.code,
    ...(problem.field !== undefined && { field: problem.field }),
    ...(problem.errors && { errors: problem.errors.map(presentFieldError) }),
    ...(limits.length > 0 && { limits }),
    ...problem.members,
  }
}

const presentFieldError = ({ code, path, message, reason }: FieldError) => ({ code, path, message, ...(reason && { reason }) })

/** The limits that a mistake violates. They are separate from `errors`, whose members are those of the specification. */
const limitsOf = ({ path, minimum, maximum, isRequired }: FieldError) =>
  minimum === undefined && maximum === undefined && !isRequired ? [] : [{ path, minimum, maximum, isRequired }]
