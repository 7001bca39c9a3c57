import type { FastifyReply } from 'fastify'
import type { PageRequest, UserCaller } from '../access/caller.ts'
import type { Visit } from './define-page.ts'
import { home, type PageDependencies, viewOf } from './view.ts'

/** A user at a page of their own account. */
export interface AccountVisit extends Visit {
  caller: UserCaller
}

/** The visit of a signed-in user. Any other browser is sent to what has to come first, and from there back to the account. */
export const accountVisit =
  (dependencies: PageDependencies) =>
  async (request: PageRequest, reply: FastifyReply): Promise<AccountVisit | undefined> => {
    const { browserSession } = request
    const returnTo = request.method === 'GET' ? request.url : home
    const sendFirstTo = (path: string) => {
      reply.redirect(`${path}?${new URLSearchParams({ returnTo })}`, 303)
      return undefined
    }
    if (!browserSession) return sendFirstTo('/login')
    // Such a session reaches nothing but the enrolment, here as at the API.
    if (browserSession.awaitsMfaEnrolment) return sendFirstTo('/mfa/enroll')
    return { request, reply, view: await viewOf(dependencies, request, reply), caller: browserSession.caller }
  }
