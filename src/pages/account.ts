/** /account: name, password, second factors, sessions, what applications may do, and what has happened */
import { z } from 'zod'
import { listOwnActivity } from '../audit/own-activity.ts'
import { showFactors } from '../mfa/show-factors.ts'
import { countConsents, listConsents, revokeOwnConsent } from '../oauth/authorization/consents.ts'
import { findOwnPasswordState } from '../passwords/own-password-state.ts'
import { resendVerification } from '../passwords/verify-email.ts'
import { id } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { showProfile } from '../profile/show-profile.ts'
import { endOtherSessions, endOwnSession } from '../sessions/end-session.ts'
import { clearSessionCookie } from '../sessions/session-cookie.ts'
import { activeSessions, presentSession } from '../sessions/session-list.ts'
import { accountCards } from './account-cards.ts'
import {
  activity,
  applications,
  email,
  identities,
  name,
  passkeys,
  password,
  secondFactor,
  sessions,
  waysToSignIn,
} from './account-sections.ts'
import { type AccountVisit, accountPageOf, accountVisit } from './account-visit.ts'
import { defineForm, pageRoute } from './define-page.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { errorSummary, successNotice } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { arePasskeysPossible } from './passkey-form.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

/** The most records that a section shows, which says how many others there are; a longer page would not be read. */
const shownMax = 100
/** The number of activities on the page; the rest is at `GET /v1/me/activity`. */
const activityMax = 20
const EndedSession = z.object({ session: id(), unknown: z.literal('yes').optional() })
const RevokedConsent = z.object({ application: id() })

export const accountPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, secureCookie } = dependencies
  const visit = accountVisit(dependencies)

  app.get(home, pageRoute, async (request, reply) => {
    const visited = await visit(request, reply)
    return visited ? sendPage(reply, visited.view, await overview(visited, emptyForm())) : reply
  })

  defineForm(app, dependencies, {
    path: `${home}/sessions`,
    visit,
    show: overview,
    input: EndedSession,
    operation: async ({ caller }, { session, unknown }) => ({ ...(await endOwnSession(database, caller, session)), unknown }),
    done: async ({ reply, view, caller }, { signedOut, unknown }) => {
      if (unknown && !signedOut) {
        // Another person who has signed in knows the password, if there is one.
        const hasPassword = (await findOwnPasswordState(dependencies, caller)) === 'set'
        const next = hasPassword ? view.to(`${home}/password`, { notice: 'session-ended' }) : view.to(home, { notice: 'not-me' })
        return reply.redirect(next, 303)
      }
      if (!signedOut) return reply.redirect(view.to(home, { notice: 'session-ended' }), 303)
      clearSessionCookie(reply, secureCookie)
      return reply.redirect(view.to('/logged-out'), 303)
    },
  })

  defineForm(app, dependencies, {
    path: `${home}/sessions/others`,
    visit,
    show: overview,
    input: z.object({}),
    operation: ({ caller }) => endOtherSessions(database, caller),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'sessions-ended' }), 303),
  })

  defineForm(app, dependencies, {
    path: `${home}/applications`,
    visit,
    show: overview,
    input: RevokedConsent,
    operation: ({ caller }, { application }) => revokeOwnConsent(database, caller, application),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'access-ended' }), 303),
  })

  defineForm(app, dependencies, {
    path: `${home}/verification`,
    visit,
    show: overview,
    input: z.object({}),
    operation: ({ caller, view }) => resendVerification(dependencies, caller, view.language),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'link-sent' }), 303),
  })

  async function overview(visited: AccountVisit, form: FormState): Promise<Page> {
    const { request, view, caller } = visited
    const texts = view.texts.account
    const tenant = database.tenant(caller.organisationId)
    const { userId, id: sessionId } = caller.session
    const active = activeSessions(tenant, userId)
    const [profile, factors, stored, consents, history] = await Promise.all([
      showProfile(database, caller),
      showFactors(database, caller),
      active.page(shownMax, undefined),
      listConsents(tenant, { userId, limit: shownMax }),
      listOwnActivity(database, caller, { limit: activityMax }),
    ])
    const passwordState = profile.passwordChangedAt === null ? await findOwnPasswordState(dependencies, caller) : 'set'
    const hasPasskeys = arePasskeysPossible(dependencies) && view.allowsPasskeys
    const ways = passwordState === 'set' ? [] : waysToSignIn(view, { passkeys: hasPasskeys })
    const shown = stored
      .map((session) => presentSession(session, sessionId))
      .sort((left, right) => Number(right.current) - Number(left.current))
    const sessionCount = stored.length < shownMax ? stored.length : await active.count()
    const applicationCount = consents.length < shownMax ? consents.length : await countConsents(tenant, { userId })
    return accountPageOf(visited, {
      status: form.status,
      title: texts.title,
      wide: 'account',
      hasErrors: form.messages.length > 0,
      body: html`
        ${heading(texts.title, texts.lead(profile.email))}
        ${errorSummary(view, form) ?? noticeOf(view, queryOf(request, 'notice'), ways)}
        ${accountCards(view, { profile, factors, sessions: sessionCount, applications: applicationCount })}
        ${name(view, profile)}
        ${email(view, profile)}
        ${password(view, profile, passwordState)}
        ${hasPasskeys && passkeys(view)}
        ${view.hasConnections && identities(view)}
        ${secondFactor(view, factors)}
        ${sessions(view, shown, sessionCount)}
        ${applications(view, consents, applicationCount)}
        ${activity(view, history.data, ways[0]?.[0])}
        <p class="next"><a class="button quiet" href="/oauth2/logout">${texts.signOut}</a></p>`,
    })
  }
}

/** @param ways the sections that a user without a password has to look through after a sign-in that was not theirs */
function noticeOf({ texts }: View, notice: string | undefined, ways: readonly [id: string, title: string][]): Html | undefined {
  const { notices, notMeNoPassword } = texts.account
  if (notice === 'not-me' && ways.length > 0) {
    return html`
      <div class="notice success" role="status">
        <p>${notMeNoPassword}</p>
        <ul>${ways.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
      </div>`
  }
  const text = notice !== undefined && Object.hasOwn(notices, notice) ? notices[notice] : undefined
  return text === undefined ? undefined : successNotice(text)
}
