import type { FastifyRequest } from 'fastify'
import { originOf } from '../access/caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import type { App } from '../platform/http/server.ts'
import { type LinkRequests, requestPasswordLink } from './request-password-link.ts'

/**
 * Makes what answers "I have forgotten my password", for the API and the page. The work goes on after the answer, since the
 * time it takes would tell whether anybody has the address; the service waits for it before it stops.
 *
 * The result throws a Problem `too-many-requests`.
 */
export function askForLink(app: App, dependencies: LinkRequests & { limits: RateLimits }) {
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underWay)
  })
  return async (request: FastifyRequest, email: string): Promise<void> => {
    await dependencies.limits.forgotByEmail.count(email)
    const work = requestPasswordLink(dependencies, originOf(request), email)
      .catch((error) => request.log.error({ err: error }, 'a password link could not be sent'))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }
}
