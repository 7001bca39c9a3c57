/** /account: who one is here, how one signs in, where one is signed in, and what applications may do */
import { z } from 'zod'
import { page } from '../access/declarations.ts'
import { showFactors } from '../mfa/show-factors.ts'
import { type Consent, listConsents, revokeConsent } from '../oauth/authorization/consents.ts'
import { resendVerification } from '../passwords/verify-email.ts'
import { id } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { showProfile } from '../profile/show-profile.ts'
import { endOwnSession } from '../sessions/end-session.ts'
import { clearSessionCookie } from '../sessions/session-cookie.ts'
import { activeSessions, presentSession, type SessionRecord } from '../sessions/session-list.ts'
import { type AccountVisit, accountVisit } from './account-visit.ts'
import { emptyForm, errorSummary, type FormState, formTo, heading, hidden, submit } from './forms.ts'
import { sendPage } from './layout.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

/** More than that nobody looks through on a page. */
const shownMost = 100
const Ended = z.object({ session: id() })
const TakenBack = z.object({ application: id() })

export const accountPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, secureCookie } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }
  const show = async (visit: AccountVisit, form: FormState) => sendPage(visit.reply, visit.view, await overview(visit, form))

  app.get(
    home,
    route,
    accountVisit(dependencies, (visit) => show(visit, emptyForm())),
  )

  app.post(
    `${home}/sessions`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, Ended, ({ session }) => endOwnSession(database, caller, session))
      if (!submission.done) return show(visit, submission.form)
      if (!submission.result.signedOut) return reply.redirect(view.to(home, { notice: 'session-ended' }), 303)
      clearSessionCookie(reply, secureCookie)
      return reply.redirect(view.to('/logged-out'), 303)
    }),
  )

  app.post(
    `${home}/applications`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, TakenBack, ({ application }) => revokeConsent(database, caller, application))
      if (!submission.done) return show(visit, submission.form)
      return reply.redirect(view.to(home, { notice: 'access-ended' }), 303)
    }),
  )

  app.post(
    `${home}/verification`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, z.object({}), () => resendVerification(dependencies, caller, view.language))
      if (!submission.done) return show(visit, submission.form)
      return reply.redirect(view.to(home, { notice: 'link-sent' }), 303)
    }),
  )

  async function overview({ request, view, caller }: AccountVisit, form: FormState) {
    const texts = view.texts.account
    const tenant = database.tenant(caller.organisationId)
    const { userId, id: sessionId } = caller.session
    const [profile, factors, sessions, consents] = await Promise.all([
      showProfile(database, caller),
      showFactors(database, caller),
      activeSessions(tenant, userId).page(shownMost, undefined),
      listConsents(tenant, userId, { limit: shownMost }),
    ])
    const notice = noticeOf(view, queryOf(request, 'notice'))
    const verification = profile.emailVerified
      ? html`<p>${texts.emailConfirmed}</p>`
      : html`<p>${texts.emailNotConfirmed}</p>${formTo(view, view.to(`${home}/verification`), smallButton(texts.sendLink))}`
    const factorsText = factors.enabled ? texts.factorsOn(factors.backupCodesLeft) : texts.factorsOff
    const factorsLink = factors.enabled
      ? html`<a href="${view.to(`${home}/second-factor`)}">${texts.changeFactors}</a>`
      : html`<a href="${view.to('/mfa/enroll', { returnTo: home })}">${texts.setUpFactors}</a>`
    const parts = [
      html`<h2>${texts.name}</h2><p>${profile.name}${profile.phone && html`<br>${profile.phone}`}</p><p><a href="${view.to(`${home}/profile`)}">${texts.changeName}</a></p>`,
      html`<h2>${view.texts.email}</h2><p>${profile.email}</p>${verification}`,
      html`<h2>${view.texts.password}</h2><p><a href="${view.to(`${home}/password`)}">${texts.changePassword}</a></p>`,
      html`<h2>${texts.secondFactor}</h2><p>${factorsText}</p><p>${factorsLink}</p>`,
      html`<h2>${texts.sessions}</h2><ul class="records">${sessions.map((session) => sessionItem(view, presentSession(session, sessionId)))}</ul>`,
      html`<h2>${texts.applications}</h2>${consents.length === 0 ? html`<p>${texts.noApplications}</p>` : html`<ul class="records">${consents.map((consent) => consentItem(view, consent))}</ul>`}`,
    ]
    const leave = html`<p class="next"><a class="button quiet" href="/oauth2/logout">${texts.signOut}</a></p>`
    return {
      status: form.status,
      title: texts.title,
      wide: true,
      hasErrors: form.messages.length > 0,
      body: html`${heading(texts.title, texts.lead(profile.email))}${errorSummary(view, form) ?? notice}${parts}${leave}`,
    }
  }
}

const smallButton = (label: string, about?: string) =>
  html`<button class="button quiet small" type="submit"${about !== undefined && html` aria-label="${label}: ${about}"`}>${label}</button>`

function sessionItem(view: View, session: SessionRecord): Html {
  const texts = view.texts.account
  const { browser, os } = session.device
  const program = [browser, os].filter((part) => part !== null).join(', ') || texts.unknownProgram
  const state = session.current ? texts.thisSession : texts.lastActive(timeIn(view, new Date(session.lastActivityAt)))
  return html`<li><span>${program}<br><span class="aside">${session.ipAddress} · ${state}</span></span>${formTo(view, view.to(`${home}/sessions`), html`${hidden('session', session.id)}${smallButton(texts.endSession, program)}`)}</li>`
}

function consentItem(view: View, { clientId, clientName, scopes, grantedAt }: Consent): Html {
  const texts = view.texts.account
  const { scopes: known, customScope } = view.texts.consent
  const allowed = scopes.map((scope) => (Object.hasOwn(known, scope) ? known[scope] : customScope(scope))).join('; ')
  return html`<li><span>${clientName}<br><span class="aside">${allowed}<br>${texts.since(timeIn(view, grantedAt))}</span></span>${formTo(view, view.to(`${home}/applications`), html`${hidden('application', clientId)}${smallButton(texts.takeBack, clientName)}`)}</li>`
}

/** In UTC, and says so: nothing tells the server where the browser is. */
const timeIn = ({ language }: View, time: Date) =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`

function noticeOf({ texts }: View, notice: string | undefined): Html | undefined {
  const { notices } = texts.account
  const text = notice !== undefined && Object.hasOwn(notices, notice) ? notices[notice] : undefined
  return text === undefined ? undefined : html`<div class="notice success" role="status"><p>${text}</p></div>`
}
