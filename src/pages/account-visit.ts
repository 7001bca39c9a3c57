import type { FastifyReply } from 'fastify'
import type { BrowserSession, PageRequest, UserCaller } from '../access/caller.ts'
import { permissionSlugs } from '../access/permission-slugs.ts'
import type { Visit } from './define-page.ts'
import type { Page } from './layout.ts'
import { isOfConsole, parseReturnTo } from './return-to.ts'
import { comingBackTo, home, inChosenLanguage, type PageDependencies, type View, viewOf } from './view.ts'

/** A user at a page of their own account. */
export interface AccountVisit extends Visit {
  caller: UserCaller
}

/** Admits a signed-in user. Any other browser is sent to the step that has to come first, and from there back to the account. */
export const accountVisit =
  (dependencies: PageDependencies) =>
  async (request: PageRequest, reply: FastifyReply): Promise<AccountVisit | undefined> => {
    const session = fullSessionOf(request, reply, comingBackTo(request, home))
    return session && { request, reply, view: await viewOf(dependencies, request, reply), caller: session.caller }
  }

/** A page of the account: with its script, and with the way back to the console for users who have access to it. */
export const accountPageOf = ({ view, caller }: Pick<AccountVisit, 'view' | 'caller'>, page: Page): Page => ({
  ...page,
  script: true,
  consolePath: consolePathOf(view.returnTo) ?? (mayAdminister(caller) ? '/console' : undefined),
})

/** Whether the console offers the user anything. */
export const mayAdminister = ({ permissions }: UserCaller) => permissionSlugs.some((slug) => permissions.has(slug))

/**
 * Leads to the enrolment, which continues to the account and from there to the
 * console. No other parameter is passed on, since each step encodes it again.
 */
export function enrolmentFrom(view: View): string {
  const returnTo = consolePathOf(view.returnTo)
  return view.returningTo(returnTo === undefined ? home : `${home}?${new URLSearchParams({ returnTo })}`).to('/mfa/enroll')
}

/** Whether a path is that of a page of the account. */
export const isOfAccount = (path: string | undefined): path is string => path !== undefined && /^\/account(?:[/?]|$)/.test(path)

/** The path at which the user left the console, also for a page that leads back to the account first. */
function consolePathOf(returnTo: string | undefined): string | undefined {
  if (returnTo === undefined || isOfConsole(returnTo)) return returnTo
  const query = returnTo.indexOf('?')
  if (!isOfAccount(returnTo) || query < 0) return undefined
  return consolePathOf(parseReturnTo(new URLSearchParams(returnTo.slice(query)).get('returnTo')))
}

/** The session of a signed-in user. Without one, the browser is sent to the step that has to come first, and from there to `returnTo`. */
export function fullSessionOf(request: PageRequest, reply: FastifyReply, returnTo: string): BrowserSession | undefined {
  const { browserSession } = request
  // A session that awaits enrolment reaches nothing else, here as at the API.
  if (browserSession && !browserSession.awaitsMfaEnrolment) return browserSession
  reply.redirect(inChosenLanguage(request, browserSession ? '/mfa/enroll' : '/login', { returnTo }), 303)
  return undefined
}
