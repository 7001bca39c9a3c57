import type { FastifyReply } from 'fastify'
import type { BrowserSession, PageRequest, UserCaller } from '../access/caller.ts'
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
    const session = fullSessionOf(request, reply, request.method === 'GET' ? request.url : home)
    return session && { request, reply, view: await viewOf(dependencies, request, reply), caller: session.caller }
  }

/** The session of a signed-in user. Without one, the browser is sent to what has to come first, and from there to `returnTo`. */
export function fullSessionOf({ browserSession }: PageRequest, reply: FastifyReply, returnTo: string): BrowserSession | undefined {
  // A session that waits for the enrolment reaches nothing else, here as at the API.
  if (browserSession && !browserSession.awaitsMfaEnrolment) return browserSession
  reply.redirect(`${browserSession ? '/mfa/enroll' : '/login'}?${new URLSearchParams({ returnTo })}`, 303)
  return undefined
}
