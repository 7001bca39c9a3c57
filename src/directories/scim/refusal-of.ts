import { type Problem, type ProblemSlug, problems } from '../../platform/http/problem.ts'
import { toProblem } from '../../platform/http/server.ts'
import { ScimError, type ScimType } from '../protocol/errors.ts'
import type { ScimResponse } from './context.ts'

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

const types: Partial<Record<ProblemSlug, ScimType>> = { 'bad-request': 'invalidValue', conflict: 'uniqueness' }

/** The response to a request that was refused (RFC 7644 §3.12); undefined for a defect. */
export function refusalOf(error: unknown): ScimResponse | undefined {
  if (error instanceof ScimError)
    return { ...errorResponse(error.status, error.scimType, error.message, error.headers), reason: error.mistake }
  const problem = toProblem(error)
  if (problem.slug === 'internal-server-error') return undefined
  const isUnreadable = problem.code === 'invalid-json' || problem.code === 'malformed-request'
  const scimType = isUnreadable ? 'invalidSyntax' : types[problem.slug]
  const response = errorResponse(problems[problem.slug].status, scimType, detailOf(problem), problem.headers)
  return { ...response, reason: { code: problem.code, expected: null, received: null } }
}

const detailOf = ({ detail, errors = [] }: Problem) =>
  [detail, ...errors.map(({ path, message }) => `${path.join('.')}: ${message}`)].join('; ')

export const errorResponse = (
  status: number,
  scimType: ScimType | undefined,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): ScimResponse => ({
  status,
  headers,
  body: { schemas: [errorSchema], status: String(status), ...(scimType && { scimType }), detail },
})
