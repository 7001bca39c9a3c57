import type { FastifyRequest } from 'fastify'
import { originOf } from '../access/caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import type { Language } from '../platform/language.ts'
import { type LinkRequests, requestPasswordLink } from './request-password-link.ts'

/**
 * Takes "I have forgotten my password", for the API and the page. The work goes on after the answer, since the time it
 * takes would tell whether anybody has the address.
 *
 * @throws Problem `too-many-requests`
 */
export async function askForLink(
  dependencies: LinkRequests & { limits: RateLimits },
  request: FastifyRequest,
  email: string,
  language: Language | undefined,
): Promise<void> {
  const origin = originOf(request)
  await dependencies.limits.forgotByEmail.count(email)
  request.afterAnswer(() => requestPasswordLink(dependencies, origin, email, language), 'a password link could not be sent')
}
