import cors from '@fastify/cors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { type App, pathOf } from '../platform/http/server.ts'
import { findAllowedOrigins, isAllowedOrigin } from './queries.ts'

/** What every origin may call, since it ignores cookies. */
export interface OpenEndpoints {
  groups: readonly { includes(path: string): boolean; methods: string[] }[]
  /** What requests and responses carry there, besides the headers of each. */
  requestHeaders: readonly string[]
  responseHeaders: readonly string[]
}

const everyOriginOf = ({ requestHeaders, responseHeaders }: OpenEndpoints, methods: string[]) => ({
  origin: '*',
  credentials: false,
  methods,
  allowedHeaders: ['Content-Type', 'Authorization', ...requestHeaders],
  exposedHeaders: ['WWW-Authenticate', 'Retry-After', ...responseHeaders],
  maxAge: 600,
  // The plugin would refuse any other OPTIONS in a form of its own.
  strictPreflight: false,
})

/** Browsers navigate to pages. A script that could read the response to an authorization request would get its code (RFC 9700 §2.6). */
const noOrigin = { origin: false }

const pathsByOrganisation = /^\/v1\/(?:admin|me|auth)(?:\/|$)/

/**
 * Lets browsers of the organisations' `allowedOrigins` call the API with credentials. A preflight request carries neither
 * a cookie nor the values of headers, so its organisation is unknown: the origin of any organisation may send one. The request
 * itself decides whether the page may read the response, by {@link setCorsHeaders}.
 */
export async function allowOrigins(app: App, database: Database, openEndpoints: OpenEndpoints): Promise<void> {
  const open = openEndpoints.groups.map(({ includes, methods }) => ({ includes, options: everyOriginOf(openEndpoints, methods) }))
  const listed = {
    // Use the callback form: requests that name no origin then skip a promise.
    origin: (origin: string | undefined, done: (error: Error | null, isAllowed: boolean) => void) => {
      if (origin === undefined) done(null, false)
      else
        isAllowedOrigin(database, origin).then(
          (isAllowed) => done(null, isAllowed),
          (error) => done(error, false),
        )
    },
    credentials: true,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Content-Type',
      'X-CSRF-Token',
      'X-Org-Domain',
      'X-Client-Id',
      'Authorization',
      'If-Match',
      'Idempotency-Key',
      'X-Unattended',
    ],
    maxAge: 600,
    strictPreflight: false,
  }
  const optionsFor = (request: FastifyRequest) => {
    const path = pathOf(request)
    const ofEveryOrigin = open.find(({ includes }) => includes(path))
    if (ofEveryOrigin) return ofEveryOrigin.options
    return request.method === 'OPTIONS' && pathsByOrganisation.test(path) ? listed : noOrigin
  }
  await app.register(cors, { delegator: (request: FastifyRequest, done) => done(null, optionsFor(request)) })
}

const exposedHeaders = 'X-Request-Id, Retry-After, WWW-Authenticate, X-Ignored-Fields, ETag, Idempotent-Replayed'

/**
 * Lets a page of another origin read the response, if the organisation lists that origin.
 *
 * @param organisation of the caller; without a signed-in caller, the request names it by `X-Org-Domain` (its slug or id) or by
 *   `X-Client-Id` (one of its clients)
 */
export async function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  organisation: { allowedOrigins: string[]; organisationStatus: string } | undefined,
): Promise<void> {
  const { origin } = request.headers
  if (!origin || !pathsByOrganisation.test(pathOf(request))) return
  const allowed = organisation ? originsOf(organisation) : await originsOfNamed(request, database)
  if (!allowed.includes(origin)) return
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', exposedHeaders)
}

const originsOf = ({ allowedOrigins, organisationStatus }: { allowedOrigins: string[]; organisationStatus: string }) =>
  organisationStatus === 'cancelled' ? [] : allowedOrigins

async function originsOfNamed({ headers }: FastifyRequest, database: Database): Promise<string[]> {
  const organisation = headers['x-org-domain']
  const clientId = headers['x-client-id']
  if (typeof organisation === 'string' && organisation !== '') return findAllowedOrigins(database, { organisation })
  return typeof clientId === 'string' && clientId !== '' ? findAllowedOrigins(database, { clientId }) : []
}
