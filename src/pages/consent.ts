/** /oauth2/consent */
import type { FastifyReply } from 'fastify'
import type { BrowserSession, PageRequest } from '../access/caller.ts'
import { ConsentDecision, consentLifetimes } from '../oauth/authorization/consent-lifetimes.ts'
import { type ConsentRequest, decideConsent, getConsentRequest } from '../oauth/authorization/consent-request.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { isUserClaim } from '../tokens/claims.ts'
import { continueTo } from './continue-to.ts'
import { definePage, type Visit } from './define-page.ts'
import { details } from './error-page.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { initialOf, type Page } from './layout.ts'
import { inChosenLanguage, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

const daySeconds = 86_400

interface ConsentVisit extends Visit {
  browserSession: BrowserSession
  reference: string
  asked: ConsentRequest
}

export const consentPage = (dependencies: PageDependencies) => async (app: App) => {
  const visit = async (request: PageRequest, reply: FastifyReply): Promise<ConsentVisit | undefined> => {
    const reference = queryOf(request, 'request') ?? ''
    const { browserSession } = request
    // A session that must enrol a second factor first has not proven yet that the account is the user's.
    if (!browserSession || browserSession.awaitsMfaEnrolment) {
      reply.redirect(inChosenLanguage(request, authorizePath, { request: reference }), 303)
      return undefined
    }
    const asked = await getConsentRequest(dependencies, browserSession.caller, reference)
    const view = await viewOf(dependencies, request, reply, browserSession.caller.organisationId)
    return { request, reply, view, browserSession, reference, asked }
  }

  definePage(app, dependencies, {
    path: '/oauth2/consent',
    visit,
    show: question,
    input: ConsentDecision,
    operation: ({ browserSession, reference }, decided) => decideConsent(dependencies, browserSession.caller, reference, decided),
    done: ({ reply, view }, location) => continueTo(reply, view.language, location),
  })
}

/** What an application asks for, in words: scopes of no resource server, claims by their names, and the scopes at each resource server. */
export function askedFor(
  view: View,
  { scopes, claims, resources }: Pick<ConsentRequest, 'scopes' | 'resources'> & { claims: readonly string[] },
): Html {
  const { consent } = view.texts
  const own = [...scopes.map((scope) => scopeInWords(view, scope)), ...claimsInWords(view, claims)].map(
    (text) => html`<li><span>${text}</span></li>`,
  )
  const at = resources.map(
    ({ name, identifier, scopes: there }) => html`
      <p>${consent.atResource} <strong>${name}</strong><br><span class="aside">${identifier}</span></p>
      <ul class="scopes">${
        there.length === 0
          ? html`<li><span>${consent.useResource}</span></li>`
          : there.map((scope) => html`<li><span>${scope.description ?? consent.customScope(scope.name)}</span></li>`)
      }</ul>`,
  )
  return html`${(own.length > 0 || at.length === 0) && html`<ul class="scopes">${own}</ul>`}${at}`
}

export const scopeInWords = ({ texts: { consent } }: View, scope: string): string =>
  (Object.hasOwn(consent.scopes, scope) ? consent.scopes[scope] : undefined) ?? consent.customScope(scope)

/** What claims by their names tell, each sentence once. */
export const claimsInWords = ({ texts: { consent } }: View, claims: readonly string[]): string[] => [
  ...new Set(claims.filter(isUserClaim).map((claim) => consent.claims[claim])),
]

/** For how long it is allowed: until the user takes it back, unless they choose an end. */
export function lifetimeField({ texts: { consent } }: View, { values }: FormState): Html {
  const options = consentLifetimes.map(
    (name) => html`<option value="${name}"${values.lifetime === name && html` selected`}>${consent.lifetimes[name]}</option>`,
  )
  return html`
    <div class="field">
      <div class="label-row"><label for="lifetime">${consent.lifetime}</label></div>
      <span class="hint" id="lifetime-hint">${consent.lifetimeHint}</span>
      <select id="lifetime" name="lifetime" aria-describedby="lifetime-hint" autocomplete="off">${options}</select>
    </div>`
}

/** The authorization endpoint decides what has to come first. */
const authorizePath = '/oauth2/authorize'

/** Above the name, which the application has chosen itself: the host that vouches for it. */
export function vouchedFor({ texts: { consent } }: View, { host }: { host: string | null }): Html {
  return host === null ? html`<p class="aside">${consent.unvouched}</p>` : html`<p>${consent.vouchedBy} <strong>${host}</strong></p>`
}

/** How long an application has access that does not ask for it by a scope. */
export const accessFor = ({ texts: { consent } }: View, refreshSeconds: number | undefined): Record<string, string> =>
  refreshSeconds === undefined ? {} : { [consent.accessFor]: consent.days(Math.max(1, Math.round(refreshSeconds / daySeconds))) }

/** Where the response goes, and how long the application has access. */
function reachOf(view: View, { reach, refreshSeconds }: Pick<ConsentRequest, 'reach' | 'refreshSeconds'>): Html {
  const { consent } = view.texts
  const facts = { ...(reach && { [consent.responseTo]: reach.redirectHost }), ...accessFor(view, refreshSeconds) }
  return html`
    ${Object.keys(facts).length > 0 && details(facts)}
    ${reach?.isLoopbackOnly && html`<div class="notice problem"><p>${consent.loopbackOnly}</p></div>`}`
}

function question(
  { view, reference, asked: { client, automatic, reach, refreshSeconds, scopes, claims, resources, organisation, user } }: ConsentVisit,
  form: FormState,
): Page {
  const texts = view.texts.consent
  const logoUrl = view.pictureAt(client.logoUrl)
  const picture = logoUrl
    ? html`<img src="${logoUrl}" alt="">`
    : html`<span class="mark" aria-hidden="true">${initialOf(client.name)}</span>`
  const other = view.returningTo(view.to(authorizePath, { request: reference })).to('/login', { prompt: 'login' })
  return formPage(view, form, {
    title: texts.title(client.name),
    lead: texts.lead,
    images: [logoUrl],
    above: html`<div class="application">${picture}</div>${automatic && vouchedFor(view, automatic)}`,
    introduction: html`${askedFor(view, { scopes, claims, resources })}${reachOf(view, { reach, refreshSeconds })}`,
    action: view.to('/oauth2/consent', { request: reference }),
    fields: [lifetimeField(view, form)],
    submit: html`
      <div class="buttons">
        <button class="button quiet" type="submit" name="decision" value="cancel">${view.texts.cancel}</button>
        <button class="button" type="submit" name="decision" value="allow">${texts.allow}</button>
      </div>`,
    after: html`
      <p class="aside">${texts.signedIn} <strong>${user.email}</strong>. <a href="${other}">${view.texts.otherAccount}</a></p>
      <p class="hint aside">${texts.note(organisation.name)}</p>`,
  })
}
