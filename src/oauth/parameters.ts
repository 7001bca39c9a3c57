import { invalidRequest } from './errors.ts'

/** The parameters of a request by their names on the wire; those without a value are left out (RFC 6749 §3.1). */
export interface Parameters {
  get(name: string): string | undefined
  has(name: string): boolean
  /** Names that were sent more than once, or whose value nobody can mean. */
  readonly malformed: readonly string[]
  readonly names: readonly string[]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no parameter of OAuth may hold them, and PostgreSQL has no NUL
const controlCharacters = /[\u0000-\u001f\u007f]/

/** Reads a query or a form, as the server has parsed it. */
export function readParameters(source: unknown): Parameters {
  const values = new Map<string, string>()
  const malformed: string[] = []
  for (const [name, value] of Object.entries((source as Record<string, unknown>) ?? {})) {
    if (typeof value !== 'string' || controlCharacters.test(value)) malformed.push(name)
    else if (value !== '') values.set(name, value)
  }
  return { get: (name) => values.get(name), has: (name) => values.has(name), malformed, names: [...values.keys()] }
}

/** Refuses parameters that are repeated, which MUST NOT be (RFC 6749 §3.1 and §3.2). */
export function refuseMalformed({ malformed }: Parameters): void {
  const [name] = malformed
  if (name === undefined) return
  const shown = /^[\w-]{1,40}$/.test(name) ? name : 'a parameter'
  throw invalidRequest(`${shown} must be sent once and hold no control characters`, { name: 'parameters', received: shown })
}

/** @throws OAuthError `invalid_request` when it is missing */
export function requiredParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is required`, { name, expected: 'a value' })
  return value
}
