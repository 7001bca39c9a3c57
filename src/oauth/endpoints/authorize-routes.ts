/** GET and POST /oauth2/authorize (RFC 6749 §4.1.1) */
import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../../access/caller.ts'
import { page } from '../../access/declarations.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import type { App } from '../../platform/http/server.ts'
import { sendResponse } from '../authorization/authorization-response.ts'
import { type AuthorizationDependencies, authorize, signInOf } from '../authorization/authorize.ts'
import { authorizationParametersOf } from '../authorization/parameters.ts'
import { proveTarget } from '../authorization/prove-target.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { contextOf, receive } from '../protocol/request-context.ts'
import { describeRefusal } from '../protocol/write-refusals.ts'
import { authorizeResponses, consumesForm } from './responses.ts'

export interface AuthorizeDependencies extends AuthorizationDependencies, DiagnosisStore {}

export function authorizeRoutes(app: App, dependencies: AuthorizeDependencies): void {
  const parameters = authorizationParametersOf(dependencies.oauthExtensions)
  const { described } = parameters
  for (const method of ['GET', 'POST'] as const) {
    const protocol = method === 'GET' ? { query: described } : { form: described }
    app.route({
      method,
      url: '/oauth2/authorize',
      // HEAD must change nothing, and this would issue a code.
      exposeHeadRoute: false,
      config: { access: page(), oauthEndpoint: 'authorize', protocol },
      schema: {
        operationId: 'authorize',
        summary: 'Authorization endpoint',
        description:
          'Leads a browser through sign-in and consent back to the redirect URI, with a code or an error (RFC 6749 §4.1, PKCE required).',
        ...consumesForm,
        response: authorizeResponses,
      },
      handler: (request, reply) => respondToAuthorization(dependencies, parameters, request, reply),
    })
  }
}

/** Proves the target, decides, and sends the response. */
async function respondToAuthorization(
  dependencies: AuthorizeDependencies,
  parameters: ReturnType<typeof authorizationParametersOf>,
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { issuer } = dependencies
  const isForm = request.method === 'POST'
  const received = receive(request, parameters, isForm ? request.body : request.query)
  const target = await proveTarget(dependencies, received)
  if (target.kind === 'refused') {
    const description = await describeRefusal(dependencies, request, target.error)
    return sendResponse(reply, issuer, target, { error: target.error.code, error_description: description })
  }
  // What its client has signed is what counts, so a diagnosis shows it.
  if (target.kind === 'new') contextOf(request).parameters = target.received
  const { browserSession } = request
  Object.assign(contextOf(request), { client: target.client, signInId: signInOf(target, { browserSession }) })
  request.logContext = { ...request.logContext, organisationId: target.client.organisationId }

  const outcome = await authorize(dependencies, target, { browserSession, address: callerAddress(request), isForm })
  switch (outcome.kind) {
    case 'continue':
      return reply.header('cache-control', 'no-store').redirect(outcome.location, 303)
    case 'respond':
      return sendResponse(reply, issuer, target, { code: outcome.code })
    case 'refuse': {
      const description = await describeRefusal(dependencies, request, outcome.error)
      return sendResponse(reply, issuer, target, { error: outcome.error.code, error_description: description })
    }
  }
}
