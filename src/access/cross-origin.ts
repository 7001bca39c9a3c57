import cors from '@fastify/cors'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { type App, pathOf } from '../platform/http/server.ts'
import { isAllowedOrigin } from './queries.ts'

const anybody = {
  origin: '*',
  credentials: false,
  methods: ['GET', 'POST'],
  allowedHeaders: ['Content-Type', 'Authorization'],
  exposedHeaders: ['WWW-Authenticate', 'Retry-After'],
  maxAge: 600,
}

/** Pages are gone to, not read: a script that read the answer to an authorization request would have its code (RFC 9700 §2.6). */
const nobody = { origin: false }

/**
 * Lets browsers of the organisations' `allowedOrigins` call the API with credentials, and no page. A preflight request
 * does not say whom it is for, so any organisation's origin may ask; the checks of access then withhold the answer from
 * the origin of another.
 *
 * @param openPaths what every origin may call, since no cookie is looked at there
 */
export async function allowOrigins(app: App, database: Database, openPaths: ReadonlySet<string>): Promise<void> {
  const listed = {
    // Called back, not promised: most requests name no origin, and are not to wait.
    origin: (origin: string | undefined, answer: (error: Error | null, isAllowed: boolean) => void) => {
      if (origin === undefined) answer(null, false)
      else
        isAllowedOrigin(database, origin).then(
          (isAllowed) => answer(null, isAllowed),
          (error) => answer(error, false),
        )
    },
    credentials: true,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Content-Type', 'X-CSRF-Token', 'X-Org-Domain', 'Authorization'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
  }
  const optionsFor = (path: string) => {
    if (openPaths.has(path)) return anybody
    return path.startsWith('/v1/') ? listed : nobody
  }
  await app.register(cors, { delegator: (request: FastifyRequest, answer) => answer(null, optionsFor(pathOf(request))) })
}
