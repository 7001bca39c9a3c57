import cors from '@fastify/cors'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'
import { isAllowedOrigin } from './queries.ts'

/**
 * Lets browsers of the organisations' `allowedOrigins` call the API with credentials. A preflight request does not say
 * whom it is for, so any organisation's origin may ask; the checks of access then withhold the answer from the origin
 * of another.
 */
export async function allowOrigins(app: App, database: Database): Promise<void> {
  await app.register(cors, {
    origin: async (origin: string | undefined) => origin !== undefined && (await isAllowedOrigin(database, origin)),
    credentials: true,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Content-Type', 'X-CSRF-Token', 'X-Org-Domain', 'Authorization'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
  })
}
