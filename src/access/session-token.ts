import type { FastifyRequest } from 'fastify'
import type { Problem } from '../platform/http/problem.ts'
import { severalSessionCookies } from './refusals.ts'

/** The specification's name of the session cookie, which `SESSION_COOKIE_PREFIX` may precede. */
export const sessionCookie = 'svc_session'

/**
 * The token in the session cookie of a request; undefined without one.
 *
 * @throws Problem when there are several such cookies: a neighbouring site can plant a second one, and the service cannot
 *   tell which of them is genuine
 */
export function sessionTokenOf(request: FastifyRequest, refuse: () => Problem = severalSessionCookies): string | undefined {
  const { sessionCookieName } = request.server
  if (countCookies(request.headers.cookie, sessionCookieName) > 1) throw refuse()
  return request.cookies[sessionCookieName] || undefined
}

function countCookies(header: string | undefined, name: string): number {
  const start = `${name}=`
  // Most requests carry it once. Only count when the name occurs more often.
  if (!header || header.indexOf(start) === header.lastIndexOf(start)) return 1
  return header.split(';').filter((cookie) => cookie.trimStart().startsWith(start)).length
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly sessionCookieName: string
  }
}
