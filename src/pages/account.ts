/** /account: name, password, second factors, sessions, and what applications may do */
import { z } from 'zod'
import { showFactors } from '../mfa/show-factors.ts'
import { type Consent, listConsents, revokeOwnConsent } from '../oauth/authorization/consents.ts'
import { resendVerification } from '../passwords/verify-email.ts'
import { id } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { showProfile } from '../profile/show-profile.ts'
import { endOwnSession } from '../sessions/end-session.ts'
import { clearSessionCookie } from '../sessions/session-cookie.ts'
import { activeSessions, presentSession, type SessionRecord } from '../sessions/session-list.ts'
import { type AccountVisit, accountVisit } from './account-visit.ts'
import { defineForm, pageRoute } from './define-page.ts'
import { hidden } from './fields.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { errorSummary, formTo, successNotice } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

/** A page with more than that would not be read. */
const shownMax = 100
const EndedSession = z.object({ session: id() })
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
    operation: ({ caller }, { session }) => endOwnSession(database, caller, session),
    done: ({ reply, view }, { signedOut }) => {
      if (!signedOut) return reply.redirect(view.to(home, { notice: 'session-ended' }), 303)
      clearSessionCookie(reply, secureCookie)
      return reply.redirect(view.to('/logged-out'), 303)
    },
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

  async function overview({ request, view, caller }: AccountVisit, form: FormState): Promise<Page> {
    const texts = view.texts.account
    const tenant = database.tenant(caller.organisationId)
    const { userId, id: sessionId } = caller.session
    const [profile, factors, sessions, consents] = await Promise.all([
      showProfile(database, caller),
      showFactors(database, caller),
      activeSessions(tenant, userId).page(shownMax, undefined),
      listConsents(tenant, userId, { limit: shownMax }),
    ])
    return {
      status: form.status,
      title: texts.title,
      wide: true,
      hasErrors: form.messages.length > 0,
      body: html`
        ${heading(texts.title, texts.lead(profile.email))}
        ${errorSummary(view, form) ?? noticeOf(view, queryOf(request, 'notice'))}
        <h2>${texts.name}</h2>
        <p>${profile.name}${profile.phone && html`<br>${profile.phone}`}</p>
        <p><a href="${view.to(`${home}/profile`)}">${texts.changeName}</a></p>
        <h2>${view.texts.email}</h2>
        <p>${profile.email}</p>
        ${verification(view, profile.emailVerified)}
        <h2>${view.texts.password}</h2>
        <p><a href="${view.to(`${home}/password`)}">${texts.changePassword}</a></p>
        <h2>${texts.secondFactor}</h2>
        ${secondFactor(view, factors)}
        <h2>${texts.sessions}</h2>
        <ul class="records">${sessions.map((session) => sessionItem(view, presentSession(session, sessionId)))}</ul>
        <h2>${texts.applications}</h2>
        ${
          consents.length === 0
            ? html`<p>${texts.noApplications}</p>`
            : html`<ul class="records">${consents.map((consent) => consentItem(view, consent))}</ul>`
        }
        <p class="next"><a class="button quiet" href="/oauth2/logout">${texts.signOut}</a></p>`,
    }
  }
}

function verification(view: View, isVerified: boolean): Html {
  const texts = view.texts.account
  if (isVerified) return html`<p>${texts.emailConfirmed}</p>`
  return html`
    <p>${texts.emailNotConfirmed}</p>
    ${formTo(view, view.to(`${home}/verification`), smallButton(texts.sendLink))}`
}

function secondFactor(view: View, { enabled, backupCodesLeft }: { enabled: boolean; backupCodesLeft: number }): Html {
  const texts = view.texts.account
  if (!enabled) {
    return html`
      <p>${texts.factorsOff}</p>
      <p><a href="${view.to('/mfa/enroll', { returnTo: home })}">${texts.setUpFactors}</a></p>`
  }
  return html`
    <p>${texts.factorsOn(backupCodesLeft)}</p>
    <p><a href="${view.to(`${home}/second-factor`)}">${texts.changeFactors}</a></p>`
}

const smallButton = (label: string, about?: string) =>
  html`<button class="button quiet small" type="submit"${about !== undefined && html` aria-label="${label}: ${about}"`}>${label}</button>`

function sessionItem(view: View, session: SessionRecord): Html {
  const texts = view.texts.account
  const { browser, os } = session.device
  const program = [browser, os].filter((part) => part !== null).join(', ') || texts.unknownProgram
  const state = session.current ? texts.thisSession : texts.lastActive(timeIn(view, new Date(session.lastActivityAt)))
  const end = html`${hidden('session', session.id)}${smallButton(texts.endSession, program)}`
  return html`
    <li>
      <span>${program}<br><span class="aside">${session.ipAddress} · ${state}</span></span>
      ${formTo(view, view.to(`${home}/sessions`), end)}
    </li>`
}

function consentItem(view: View, { clientId, clientName, scopes, grantedAt }: Consent): Html {
  const texts = view.texts.account
  const { scopes: known, customScope } = view.texts.consent
  const allowed = scopes.map((scope) => (Object.hasOwn(known, scope) ? known[scope] : customScope(scope))).join('; ')
  const revoke = html`${hidden('application', clientId)}${smallButton(texts.takeBack, clientName)}`
  return html`
    <li>
      <span>${clientName}<br><span class="aside">${allowed}<br>${texts.since(timeIn(view, grantedAt))}</span></span>
      ${formTo(view, view.to(`${home}/applications`), revoke)}
    </li>`
}

/** In UTC, and says so: nothing tells the server where the browser is. */
const timeIn = ({ language }: View, time: Date) =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`

function noticeOf({ texts }: View, notice: string | undefined): Html | undefined {
  const { notices } = texts.account
  const text = notice !== undefined && Object.hasOwn(notices, notice) ? notices[notice] : undefined
  return text === undefined ? undefined : successNotice(text)
}
