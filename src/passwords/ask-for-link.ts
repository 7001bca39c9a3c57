import type { FastifyRequest } from 'fastify'
import { originOf } from '../access/caller.ts'
import type { Language } from '../platform/language.ts'
import { type LinkRequests, requestPasswordLink } from './request-password-link.ts'

/**
 * Requests a link that sets a new password, for the API and the page. The work is done after the response and a random delay, since the
 * time that it takes would reveal whether the address is registered.
 *
 * @throws Problem `too-many-requests`
 */
export async function askForLink(
  dependencies: LinkRequests,
  request: FastifyRequest,
  email: string,
  language: Language | undefined,
): Promise<void> {
  const origin = originOf(request)
  const { forgotByAddress, forgotByEmail } = dependencies.limits
  await forgotByAddress.count(origin.ipAddress ?? '')
  await forgotByEmail.count(email)
  request.afterRandomDelay(() => requestPasswordLink(dependencies, origin, email, language), 'a password link could not be sent')
}
