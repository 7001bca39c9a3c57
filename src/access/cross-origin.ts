import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { type App, pathOf } from '../platform/http/server.ts'
import { isAllowedOrigin } from './queries.ts'

/** What a browser is told beside the origin (Fetch standard, §3.3.3): with the answer, and before a request that it asks about. */
interface Sharing {
  answer: Readonly<Record<string, string>>
  preflight: Readonly<Record<string, string>>
}

const withAnybody: Sharing = {
  answer: { 'access-control-expose-headers': 'WWW-Authenticate, Retry-After' },
  preflight: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'Content-Type, Authorization',
    'access-control-max-age': '600',
  },
}

const withListed: Sharing = {
  answer: { 'access-control-allow-credentials': 'true', 'access-control-expose-headers': 'X-Request-Id, Retry-After' },
  preflight: {
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers': 'Content-Type, X-CSRF-Token, X-Org-Domain, Authorization',
    'access-control-max-age': '600',
  },
}

/**
 * Lets browsers of the organisations' `allowedOrigins` call the API with credentials. A preflight request does not say
 * whom it is for, so any organisation's origin may ask; the checks of access then withhold the answer from the origin
 * of another.
 *
 * @param openPaths what every origin may call, since no cookie is looked at there
 */
export function allowOrigins(app: App, database: Database, openPaths: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (openPaths.has(pathOf(request))) return share(request, reply, '*', withAnybody, done)
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    // Most requests have none, and wait for nothing here.
    if (origin === undefined) return done()
    isAllowedOrigin(database, origin).then((allowed) => {
      if (allowed) share(request, reply, origin, withListed, done)
      else done()
    }, done)
  })
}

function share(request: FastifyRequest, reply: FastifyReply, origin: string, { answer, preflight }: Sharing, done: () => void): void {
  reply.header('access-control-allow-origin', origin).headers(answer)
  if (isPreflight(request)) reply.code(204).headers(preflight).send()
  else done()
}

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
