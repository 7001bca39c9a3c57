/** /scim/v2/:directoryId: what directories call (RFC 7644). The documents at `/Schemas` describe it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../../access/caller.ts'
import { publicAccess } from '../../access/declarations.ts'
import { bearerOf } from '../../access/explain-credentials.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import type { Actor } from '../../activity/actor.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { type App, pathOf } from '../../platform/http/server.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { reportAnswered } from './answered-requests.ts'
import { isRead, requestPath, type ScimContext, type ScimRequest, type ScimResponse } from './context.ts'
import { type AuthenticatedDirectory, authenticate } from './directory.ts'
import { errorResponse, refusalOf } from './refusal-of.ts'
import { logRequest } from './request-log.ts'

export interface ScimService {
  database: Database
  limits: Pick<RateLimits, 'scimRequestsByDirectory'>
  outbox: Outbox
  publicUrl: string
  trialMaxUsers: number
}

const mediaType = 'application/scim+json'
const bodyMax = 1024 * 1024

export const scimRoutes = defineRoutes('/scim/v2', async (app, service: ScimService) => {
  readJson(app)
  refuseAsScim(app, service)
  app.decorateRequest('scim', undefined)
  // Before the body is read: only a directory may make us read one.
  app.addHook('onRequest', async (request) => {
    const { directoryId } = request.params as { directoryId: string }
    const directory = await authenticate(service.database, directoryId, bearerOf(request))
    const { organisationId, id } = directory
    request.logContext = { organisationId, actorId: id }
    request.scim = { directory, actor: actorOf(directory, request) }
    await service.limits.scimRequestsByDirectory.count(id)
  })
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/:directoryId/*',
    bodyLimit: bodyMax,
    config: { access: publicAccess() },
    schema: { hide: true },
    handler: async (request, reply) => {
      const scim = request.scim as Authenticated
      return send(service, request, reply, await answer(service, scim, requestOf(request)))
    },
  })
})

/** The directory that sends a request. */
interface Authenticated {
  directory: AuthenticatedDirectory
  actor: Actor
}

async function answer(
  { database, ...service }: ScimService,
  { directory, actor }: Authenticated,
  request: ScimRequest,
): Promise<ScimResponse> {
  // With the first request: a service without directories never loads the language of SCIM.
  const { carryOut, carryOutBeforeActivation } = await import('./carry-out.ts')
  const context = (tenant: ScimContext['tenant']): ScimContext => ({ ...service, tenant, directory, actor })
  if (directory.awaitsActivation) return carryOutBeforeActivation(context(database.tenant(directory.organisationId)), request)
  if (isRead(request)) return carryOut(context(database.tenant(directory.organisationId)), request)
  return database.transaction(directory.organisationId, (tenant) => carryOut(context(tenant), request))
}

const actorOf = ({ id, name }: AuthenticatedDirectory, request: FastifyRequest): Actor => ({
  actorType: 'directory',
  actorId: id,
  name,
  ...originOf(request),
})

function requestOf(request: FastifyRequest): ScimRequest {
  const { '*': rest } = request.params as { '*': string }
  const single = (value: unknown) => (Array.isArray(value) ? value.map(String).join(',') : value === undefined ? undefined : String(value))
  const query = Object.fromEntries(Object.entries(request.query as object).map(([name, value]) => [name, single(value)]))
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, single(value)]))
  return { method: request.method === 'HEAD' ? 'GET' : request.method, path: requestPath(rest), query, headers, body: request.body }
}

function send(
  { database }: Pick<ScimService, 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
  response: ScimResponse,
): FastifyReply {
  const { status, headers, body } = response
  reportAnswered(requestOf(request), status)
  // A program that sends too much would fill its log, too.
  if (request.scim && status !== 429) {
    const { directory, actor } = request.scim
    const answered = { request: requestOf(request), response, actor, durationMilliseconds: Math.round(reply.elapsedTime) }
    request.afterResponse(() => logRequest(database, directory, answered), 'the request of a directory could not be logged')
  }
  reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  return reply.type(mediaType).serializer(JSON.stringify).send(body)
}

/** Both media types: RFC 7644 §3.1 has one, and many directories send the other. */
function readJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([mediaType, 'application/json'], { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

function refuseAsScim(app: App, service: ScimService): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error)
    if (!refusal) request.log.error({ err: error, path: pathOf(request) }, 'a request of a directory failed')
    return send(service, request, reply, refusal ?? errorResponse(500, undefined, 'An unexpected error occurred'))
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The directory that sends the request, once it is known. */
    scim: Authenticated | undefined
  }
}
