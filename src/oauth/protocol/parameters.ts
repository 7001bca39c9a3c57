import { isPlainText } from '../../platform/text.ts'
import { invalidRequest } from './errors.ts'

/** The parameters of a request that are known, by their names on the wire; those without a value are left out (RFC 6749 §3.1). */
export interface Parameters {
  get(name: string): string | undefined
  has(name: string): boolean
  /** Known names that were sent more than once, or whose value is too long or nobody can mean. */
  readonly malformed: readonly string[]
  readonly names: readonly string[]
}

/** Every parameter that an endpoint reads. Others are ignored, however they come (RFC 6749 §3.1 and §3.2). */
const known: ReadonlySet<string> = new Set([
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'response_mode', 'nonce', 'code_challenge', 'code_challenge_method'],
  ...['prompt', 'max_age', 'login_hint', 'id_token_hint', 'ui_locales', 'request', 'request_uri', 'registration'],
  ...['grant_type', 'code', 'code_verifier', 'refresh_token', 'client_secret', 'token', 'token_type_hint', 'access_token'],
  ...['post_logout_redirect_uri', 'csrf_token'],
])

const lengthMax = 2_048
/**
 * What is as long as its roles make it, what is compared by its hash, and what is refused in words of its own: the protocol has
 * an answer to a value that nothing has.
 */
const ofAnyLength: ReadonlySet<string> = new Set([
  ...['token', 'access_token', 'id_token_hint', 'code', 'code_verifier', 'refresh_token', 'client_id', 'client_secret'],
  ...['request', 'request_uri', 'registration'],
])

const isWellFormed = (name: string, value: unknown): value is string =>
  typeof value === 'string' && (value.length <= lengthMax || ofAnyLength.has(name)) && isPlainText(value)

/** Reads a query or a form, as the server has parsed it. */
export function readParameters(source: unknown): Parameters {
  const values = new Map<string, string>()
  const malformed: string[] = []
  for (const [name, value] of Object.entries((source as Record<string, unknown>) ?? {})) {
    if (!known.has(name)) continue
    if (!isWellFormed(name, value)) malformed.push(name)
    else if (value !== '') values.set(name, value)
  }
  return { get: (name) => values.get(name), has: (name) => values.has(name), malformed, names: [...values.keys()] }
}

/** Refuses parameters that are repeated, which MUST NOT be (RFC 6749 §3.1 and §3.2), too long or not plain text. */
export function refuseMalformed({ malformed }: Parameters): void {
  const [name] = malformed
  if (name === undefined) return
  throw invalidRequest(`${name} must be sent once, be no longer than ${lengthMax} characters and hold no control characters`, {
    name: 'parameters',
    received: name,
  })
}

/** @throws OAuthError `invalid_request` when it is missing */
export function requiredParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is required`, { name, expected: 'a value' })
  return value
}
