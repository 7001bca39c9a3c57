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

/**
 * Lets browsers of the organisations' `allowedOrigins` call the API with credentials. A preflight request does not say
 * whom it is for, so any organisation's origin may ask; the checks of access then withhold the answer from the origin
 * of another.
 *
 * @param openPaths what every origin may call, since no cookie is looked at there
 */
export async function allowOrigins(app: App, database: Database, openPaths: ReadonlySet<string>): Promise<void> {
  const listed = {
    origin: async (origin: string | undefined) => origin !== undefined && (await isAllowedOrigin(database, origin)),
    credentials: true,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Content-Type', 'X-CSRF-Token', 'X-Org-Domain', 'Authorization'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
  }
  await app.register(cors, {
    delegator: (request: FastifyRequest, answer) => answer(null, openPaths.has(pathOf(request)) ? anybody : listed),
  })
}
