import type { FastifyReply } from 'fastify'
import type { Caller, PageRequest } from '../access/caller.ts'
import { home, type PageDependencies, type View, viewOf } from './view.ts'

/** Somebody at a page of their own account. */
export interface AccountVisit {
  request: PageRequest
  reply: FastifyReply
  view: View
  caller: Caller
}

/** A page for whoever is signed in; anybody else is sent to what has to come first, and from there back to the account. */
export const accountVisit =
  (dependencies: PageDependencies, show: (visit: AccountVisit) => Promise<FastifyReply>) =>
  async (request: PageRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { browserSession } = request
    const returnTo = request.method === 'GET' ? request.url : home
    if (!browserSession) return reply.redirect(`/login?${new URLSearchParams({ returnTo })}`, 303)
    // Such a session reaches nothing but the enrolment, here as at the API.
    if (browserSession.awaitsMfaEnrolment) return reply.redirect(`/mfa/enroll?${new URLSearchParams({ returnTo })}`, 303)
    return show({ request, reply, view: await viewOf(dependencies, request, reply), caller: browserSession.caller })
  }
