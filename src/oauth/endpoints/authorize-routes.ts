/** GET and POST /oauth2/authorize (RFC 6749 §4.1.1) */
import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../../access/caller.ts'
import { page } from '../../access/declarations.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import type { App } from '../../platform/http/server.ts'
import { redirectStatus, sendResponse } from '../authorization/authorization-response.ts'
import { type AuthorizationDependencies, authorize, signInOf } from '../authorization/authorize.ts'
import type { RefusedTarget } from '../authorization/automatic-target.ts'
import { authorizationParametersOf } from '../authorization/parameters.ts'
import { type ProvenTarget, proveTarget } from '../authorization/prove-target.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { AuthorizationPageError, type OAuthError } from '../protocol/errors.ts'
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
  const target = await proveTarget(dependencies, received, callerAddress(request))
  if (target.kind === 'refused') {
    refuseToLeadAnywhere(request, target, target.error)
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
      return reply.header('cache-control', 'no-store').redirect(outcome.location, redirectStatus(request))
    case 'respond':
      return sendResponse(reply, issuer, target, { code: outcome.code })
    case 'refuse': {
      refuseToLeadAnywhere(request, target, outcome.error)
      const description = await describeRefusal(dependencies, request, outcome.error)
      return sendResponse(reply, issuer, target, { error: outcome.error.code, error_description: description })
    }
  }
}

/**
 * Anyone can write a document or register openly, and so choose a redirect URI. Until a user of the organisation has allowed such a client, a
 * refusal takes a browser there only if a user of it has signed in, or any user where the request is of no organisation: our address in a link
 * would lead anywhere otherwise (RFC 9700 §4.11.2), and tell a stranger of a session elsewhere.
 *
 * @throws AuthorizationPageError
 */
function refuseToLeadAnywhere({ browserSession }: PageRequest, target: ProvenTarget | RefusedTarget, error: OAuthError): void {
  const client = target.kind === 'refused' ? undefined : target.client
  const isOfStranger = target.kind === 'refused' || client?.automatic?.isBound === false
  const isOfThisMachine = /^http:/i.test(target.redirectUri)
  const hasUser = browserSession !== undefined && (!client || browserSession.caller.organisationId === client.organisationId)
  if (!isOfStranger || isOfThisMachine || hasUser) return
  const detail = `No user${client ? ' of the organisation' : ''} has signed in, so the browser is not sent to an application that no user here has allowed. It would have been told ${error.code}: ${error.description}.`
  throw new AuthorizationPageError('unusable-client', detail, error.check, error.client ?? client, error.retryAfter)
}
