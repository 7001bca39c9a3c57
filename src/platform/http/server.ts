import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import cookie from '@fastify/cookie'
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'
import { isDatabaseGone, isInterrupted } from '../database/outage.ts'
import { isPlainText } from '../text.ts'
import { allowWorkAfterResponses, type Delay } from './after-response.ts'
import type { App } from './app.ts'
import { type IdentifiedResponse, responsesWith } from './header-block.ts'
import { allowDraining, repeatDocuments, takeAnyExpectation } from './http-edge.ts'
import { ignoredFieldsHeader } from './ignored-fields-header.ts'
import { Problem, presentProblem, problems } from './problem.ts'
import {
  bodyTooLarge,
  invalidJson,
  malformedRequest,
  noSuchAddress,
  requestTimeout,
  serviceNotAvailable,
  unexpectedError,
  unsupportedMediaType,
} from './refusals.ts'
import { logOfRequest } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'
import type { SentResponse } from './sent-response.ts'
import { defaultReadTimeouts, type ReadTimeouts, refuseUnreadable } from './unreadable-requests.ts'
import { compileSerializer, compileValidator } from './validation.ts'
import { tellVersions } from './versions.ts'

export type { App } from './app.ts'

export interface ServerOptions {
  logger: Logger
  problemsHost: string
  /** Whether each response is logged; true by default. */
  logsResponses?: boolean | undefined
  /** Whether an address is that of a proxy whose `X-Forwarded-*` headers are trusted. */
  isTrustedProxy?: ((address: string) => boolean) | undefined
  /** The delay of work that must not be noticed; random by default, fixed in tests. */
  delayAfterResponse?: Delay | undefined
  /** Whether browsers are told to use https only. */
  https: boolean
  /** The time limits of reading a request: by default 30 s, and 15 s for its headers. */
  readTimeouts?: Partial<ReadTimeouts> | undefined
  /** Sends a browser the page for an unknown address. Programs get a problem. */
  sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

const bodyLimitBytes = 1024 * 1024

/** A server that reads JSON, validates with zod and responds to every error with a problem. */
export async function createServer(options: ServerOptions): Promise<App> {
  const { headersMilliseconds, requestMilliseconds, checkMilliseconds, stalledMilliseconds } = {
    ...defaultReadTimeouts,
    ...options.readTimeouts,
  }
  // Browsers and proxies store nothing unless the response allows it.
  const headers = { ...securityHeaders(options), 'cache-control': 'no-store' }
  const { logger, problemsHost } = options
  const refuse = refuseUnreadable({ problemsHost, headers, logger })
  const server: App = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    childLoggerFactory: logOfRequest,
    bodyLimit: bodyLimitBytes,
    http: {
      ServerResponse: responsesWith(headers),
      headersTimeout: headersMilliseconds,
      connectionsCheckingInterval: checkMilliseconds,
      // The check is below: Node's own response is no problem.
      requireHostHeader: false,
    },
    requestTimeout: requestMilliseconds,
    connectionTimeout: stalledMilliseconds,
    clientErrorHandler: refuse,
    rewriteUrl: ({ url = '/' }) => withoutAuthority(url),
    frameworkErrors: (error, request, reply) => {
      nameRequest(request, reply)
      sendProblem(reply, toProblem(error), problemsHost, pathOf(request))
    },
    trustProxy: options.isTrustedProxy ?? false,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // Fastify's own response is no problem; a response during the stop is the last on its connection.
    return503OnClosing: false,
    // A longer parameter is an id that no record has: Node accepts no longer address.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    // Passed here, so that Fastify does not load its own.
    schemaController: {
      compilersFactory: { buildValidator: () => compileValidator as never, buildSerializer: () => compileSerializer as never },
    },
  }).withTypeProvider<ZodTypeProvider>()

  acceptEmptyJson(server)
  sendErrorsAsProblems(server, options)
  const listeners = reportResponses(server)
  if (options.logsResponses ?? true) logResponses(server, options.logger)
  repeatDocuments(server, listeners)
  tellVersions(server)
  allowWorkAfterResponses(server, options.delayAfterResponse)

  server.decorateRequest('logContext', undefined)

  await server.register(cookie)
  server.addHook('onRequest', (request, reply, done) => {
    nameRequest(request, reply)
    // RFC 9112 §3.2
    if (request.headers.host !== undefined || request.raw.httpVersion !== '1.1') return done()
    reply.hijack()
    refuse(new Error('The request names no host'), request.raw.socket)
  })
  refuseUnfitAddresses(server)
  takeAnyExpectation(server)
  allowDraining(server)
  return server
}

/**
 * Refuses addresses of pages and protocols that hold what no text of ours does, such as `/federation/%00/start`: they lead nowhere, and the
 * database would refuse them as a defect of ours. Routes that describe their parameters refuse them in their own words.
 */
function refuseUnfitAddresses(server: App): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const isDescribed = request.routeOptions.schema?.params !== undefined
    const isFit = isDescribed || Object.values((request.params ?? {}) as Record<string, string>).every(isPlainText)
    done(isFit ? undefined : noSuchAddress())
  })
}

/** Adds the id of the request to the response. */
function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  const response = reply.raw as ServerResponse & IdentifiedResponse
  response.requestId = request.id
}

/** Accepts an empty JSON body: the specification's clients send `Content-Type: application/json` without a body, with every method. */
function acceptEmptyJson(server: App): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  // Fastify's own parser would admit a form of another origin without a preflight.
  server.removeContentTypeParser('text/plain')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parseJson(request, body as string, done)
  })
}

function sendErrorsAsProblems(server: App, { problemsHost, sendNotFoundPage }: ServerOptions): void {
  const send = (request: FastifyRequest, reply: FastifyReply, problem: Problem) =>
    sendProblem(reply, problem, problemsHost, pathOf(request))

  server.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    // The connection is gone, or the response has been sent already.
    if (isCutOff(error)) return void reply.code(problems[problem.slug].status).hijack()
    // For a service that is not ready yet, or overloaded, the log line of the request is enough.
    if (problem.slug === 'service-unavailable') request.logContext = { ...request.logContext, code: problem.code }
    if (problem.slug === 'internal-server-error' || (problem.slug === 'service-unavailable' && problem.cause))
      request.log.error({ err: problem.cause ?? problem }, problem.detail)
    return send(request, reply, problem)
  })
  server.setNotFoundHandler((request, reply) =>
    isBrowserOnPage(request) ? sendNotFoundPage(request, reply) : send(request, reply, noSuchAddress()),
  )
}

/** Every 401 names the authentication scheme (RFC 9110 §11.6.1); `Bearer`, since `Basic` makes a browser ask for a password. */
const challenge = { 'www-authenticate': 'Bearer' }

const sendProblem = (reply: FastifyReply, problem: Problem, problemsHost: string, path: string): FastifyReply =>
  reply
    .code(problems[problem.slug].status)
    .headers(problem.slug === 'unauthorized' ? { ...challenge, ...problem.headers } : problem.headers)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send({ ...presentProblem(problem, problemsHost, path), ...ignoredFieldsOf(reply) })

/** Repeats the header's fields in the body, since a client that handles a refusal reads its body. */
function ignoredFieldsOf(reply: FastifyReply): { ignoredFields?: string[] } {
  const ignored = reply.getHeader(ignoredFieldsHeader)
  return typeof ignored === 'string' ? { ignoredFields: ignored.split(', ') } : {}
}

const programPaths = /^\/(v1|oauth2|scim|\.well-known)(\/|$)/

function isBrowserOnPage(request: FastifyRequest): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  return isReading && /\btext\/html\b/.test(request.headers.accept ?? '') && !programPaths.test(pathOf(request))
}

/** Translates errors of Fastify and of the database driver into problems of the API. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code = '', statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType()
  if (isCutOff(error)) return requestTimeout()
  if (isDatabaseGone(error) || isInterrupted(error)) return serviceNotAvailable(error)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const isJson = code.startsWith('FST_ERR_CTP') || error instanceof SyntaxError
    return isJson ? invalidJson(error) : malformedRequest(error)
  }
  return unexpectedError(error)
}

/** Whether the connection ended before the body of the request did: Node's error has the same code as an unreachable database. */
const isCutOff = (error: unknown): boolean =>
  (error as Partial<FastifyError>).code === 'ECONNRESET' && (error as Error).message === 'aborted'

/** @returns the listeners to every response */
function reportResponses(server: App): ReadonlySet<(sent: SentResponse) => void> {
  const listeners = new Set<(sent: SentResponse) => void>()
  server.decorate('onResponseSent', (listener) => void listeners.add(listener))
  server.addHook('onResponse', (request, reply, done) => {
    const sent = {
      requestId: request.id,
      method: request.method,
      path: pathOf(request),
      route: request.is404 ? undefined : request.routeOptions.url,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
      context: request.logContext,
    }
    for (const listener of listeners) listener(sent)
    done()
  })
  return listeners
}

/** Logs each response without the log of its request, which would be created for this line alone. */
function logResponses(server: App, logger: Logger): void {
  if (!logger.isLevelEnabled('info')) return
  server.onResponseSent(({ requestId: reqId, method, path, status, milliseconds, context }) =>
    logger.info({ reqId, method, path, status, milliseconds: Math.round(milliseconds * 10) / 10, ...context }, 'request completed'),
  )
}

/** The address without scheme and host, which a request may carry as if to a proxy (RFC 9112 §3.2.2). */
function withoutAuthority(url: string): string {
  if (url.startsWith('/')) return url
  const [, address] = /^https?:\/\/[^/?]*(.*)$/i.exec(url) ?? []
  if (address === undefined) return url
  return address.startsWith('/') ? address : `/${address}`
}

/** The path of a request without its query. */
export function pathOf(request: FastifyRequest): string {
  const query = request.url.indexOf('?')
  return query === -1 ? request.url : request.url.slice(0, query)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Further facts about the request in its closing log line, such as the caller. */
    logContext: Readonly<Record<string, unknown>> | undefined
  }
}
