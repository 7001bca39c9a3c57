/** /oauth2/consent */
import { z } from 'zod'
import type { BrowserSession } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { type ConsentRequest, decideConsent, getConsentRequest } from '../oauth/authorization/consent-request.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { emptyForm, errorSummary, type FormState, formTo, goOn, heading, submit } from './forms.ts'
import { initialOf, type Page, sendPage } from './layout.ts'
import { type PageDependencies, queryOf, type View, viewOf } from './view.ts'

const Decision = z.object({ decision: z.enum(['allow', 'cancel']) })

export const consentPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }

  app.get('/oauth2/consent', route, async (request, reply) => {
    const reference = queryOf(request, 'request') ?? ''
    const { browserSession } = request
    if (!mayDecide(browserSession)) return reply.redirect(authorizeAgain(reference), 303)
    const asked = await getConsentRequest(database, browserSession.caller, reference)
    const view = await viewOf(dependencies, request, reply, browserSession.caller.organisationId)
    return sendPage(reply, view, question(view, reference, asked, emptyForm()))
  })

  app.post('/oauth2/consent', route, async (request, reply) => {
    const reference = queryOf(request, 'request') ?? ''
    const { browserSession } = request
    if (!mayDecide(browserSession)) return reply.redirect(authorizeAgain(reference), 303)
    const asked = await getConsentRequest(database, browserSession.caller, reference)
    const view = await viewOf(dependencies, request, reply, browserSession.caller.organisationId)
    const submission = await submit(dependencies, { request, reply, view }, Decision, ({ decision }) =>
      decideConsent(dependencies, browserSession.caller, reference, decision),
    )
    if (submission.done) return goOn(reply, view.language, submission.result)
    return sendPage(reply, view, question(view, reference, asked, submission.form))
  })
}

/** Whoever must enrol a second factor first has not proven yet that the account is theirs. */
const mayDecide = (browserSession: BrowserSession | undefined): browserSession is BrowserSession =>
  browserSession !== undefined && !browserSession.awaitsMfaEnrolment

/** It knows what has to come first. */
const authorizeAgain = (reference: string) => `/oauth2/authorize?${new URLSearchParams({ request: reference })}`

function question(view: View, reference: string, { client, scopes, organisation, user }: ConsentRequest, form: FormState): Page {
  const texts = view.texts.consent
  const logoUrl = view.pictureAt(client.logoUrl)
  const picture = logoUrl
    ? html`<img src="${logoUrl}" alt="">`
    : html`<span class="mark" aria-hidden="true">${initialOf(client.name)}</span>`
  const asked = scopes.map(
    (scope) => html`<li><span>${Object.hasOwn(texts.scopes, scope) ? texts.scopes[scope] : texts.customScope(scope)}</span></li>`,
  )
  const buttons = html`<div class="buttons"><button class="button quiet" type="submit" name="decision" value="cancel">${view.texts.cancel}</button><button class="button" type="submit" name="decision" value="allow">${texts.allow}</button></div>`
  const other = `/login?${new URLSearchParams({ returnTo: authorizeAgain(reference), prompt: 'login' })}`
  const title = texts.title(client.name)
  return {
    status: form.status,
    title,
    hasErrors: form.messages.length > 0,
    images: [logoUrl],
    body: html`<div class="application">${picture}</div>${heading(title, texts.lead)}${errorSummary(view, form)}<ul class="scopes">${asked}</ul>${formTo(view, view.to('/oauth2/consent', { request: reference }), buttons)}<p class="aside">${texts.signedIn} <strong>${user.email}</strong>. <a href="${other}">${view.texts.otherAccount}</a></p><p class="hint aside">${texts.note(organisation.name)}</p>`,
  }
}
