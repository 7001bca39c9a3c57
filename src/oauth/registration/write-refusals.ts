import type { FastifyError } from 'fastify'
import { z } from 'zod'
import { documentedResponse } from '../../platform/http/documented-response.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { App } from '../../platform/http/server.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { OAuthError } from '../protocol/errors.ts'
import { describeRefusal, forbidStoring } from '../protocol/write-refusals.ts'
import { invalidMetadata, invalidRedirectUri } from './errors.ts'

const Refusal = z.object({
  error: z.string().meta({ description: 'RFC 7591 §3.2.2, RFC 6750 §3.1', example: 'invalid_client_metadata' }),
  error_description: z
    .string()
    .meta({ description: 'For developers, with the reference of the diagnosis', example: 'grant_types: may hold authorization_code' }),
})

const refusal = (description: string, headers?: Record<string, unknown>) =>
  documentedResponse(description, { 'application/json': Refusal }, headers)

/** The refusals, as the description of the API shows them. */
export const registrationRefusals = {
  400: refusal('The metadata are malformed or cannot be registered'),
  401: refusal('There is no token, or it is not valid for this'),
  413: refusal('The metadata are larger than 64 KiB'),
  429: refusal('Too many clients have registered without a token', {
    'Retry-After': { type: 'integer', description: 'Seconds until another may' },
  }),
}

/** Writes the refusals of a registration (RFC 7591 §3.2.2), and of the token that it is made with (RFC 6750 §3). */
export function refuseRegistrations(scope: App, store: DiagnosisStore): void {
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refused = asOAuthError(error)
    if (!refused) throw error
    forbidStoring(reply).code(statusOf(error, refused))
    // A request without a token needs no explanation, and must not fill the table.
    const isUntried = refused.code === 'invalid_token' && refused.check.received === undefined
    const description = isUntried ? refused.description : await describeRefusal(store, request, refused)
    if (refused.retryAfter) reply.header('retry-after', refused.retryAfter)
    if (refused.code === 'invalid_token') {
      const reason = isUntried ? '' : `error="invalid_token", error_description="${description}", `
      reply.header('www-authenticate', `Bearer ${reason}realm="registration"`)
    }
    return reply.type('application/json').serializer(JSON.stringify).send({ error: refused.code, error_description: description })
  })
}

/** Converts the server's own refusals of a body to the words of the protocol. */
function asOAuthError(error: FastifyError): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (error instanceof Problem && error.slug === 'bad-request') {
    const [mistake] = error.errors ?? []
    const [member = 'metadata', ...place] = mistake?.path ?? []
    const text = mistake?.message ?? error.detail
    if (member === 'redirect_uris') return invalidRedirectUri(typeof place[0] === 'number' ? place[0] : undefined, text)
    return invalidMetadata([member, ...place].join('.'), text)
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return invalidMetadata('metadata', 'must be sent as application/json')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return invalidMetadata('metadata', 'must not be larger than 64 KiB')
  if (error.statusCode === 400) return invalidMetadata('metadata', 'must be valid JSON')
  return undefined
}

function statusOf(error: FastifyError, { code, retryAfter }: OAuthError): number {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 413
  if (retryAfter !== undefined) return 429
  return code === 'invalid_token' ? 401 : 400
}
