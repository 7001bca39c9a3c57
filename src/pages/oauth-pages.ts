import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../access/caller.ts'
import { upstreamLogoutOf } from '../connections/federation/upstream-logout.ts'
import type { OAuthPages } from '../oauth/protocol/pages.ts'
import { html } from '../platform/http/html.ts'
import { continueTo, departTo } from './continue-to.ts'
import { details } from './error-page.ts'
import { browserOf, setBrowserCookie, setSignOutCookie } from './federation-browser.ts'
import { button, hidden } from './fields.ts'
import { heading, sendPage } from './layout.ts'
import { chosenLanguageOf, home, type PageDependencies, type View, viewOf } from './view.ts'

export const oauthPages = (dependencies: PageDependencies): OAuthPages => ({
  async error(request, reply, error) {
    const view = await viewBeside(dependencies, request, reply, request.oauth?.client?.organisationId)
    const { reference, reason, authorization } = view.texts.errorPage
    const { title, lead } = authorization[error.reason]
    // The detail is for the application's support, and stays in English.
    const known = { ...(error.reference !== undefined && { [reference]: error.reference }), [reason]: error.detail }
    const body = html`${heading(title, lead)}${details(known)}`
    return sendPage(reply, view, { status: error.retryAfter === undefined ? 400 : 429, title, body })
  },

  async confirmLogout(request, reply, { client, fields }) {
    const view = await viewBeside(dependencies, request, reply, client?.organisationId)
    const { title, lead, leadOf, submit, stay } = view.texts.logout
    const email = request.browserSession?.caller.email ?? ''
    const body = html`
      ${heading(title, client ? leadOf(client.name, email) : lead(email))}
      <form method="post" action="/oauth2/logout/confirm">
        ${Object.entries(fields).map(([name, value]) => hidden(name, value))}
        <div class="buttons"><a class="button quiet" href="${home}">${stay}</a>${button(submit)}</div>
      </form>`
    return sendPage(reply, view, { title, body })
  },

  async offerReturn(request, reply, { client, location }) {
    const view = await viewBeside(dependencies, request, reply, client.organisationId)
    const { doneTitle, done, backTo } = view.texts.logout
    const body = html`
      ${heading(doneTitle, done)}
      <p class="next"><a class="button quiet" href="${location}" rel="noreferrer">${backTo(client.name)}</a></p>
      <p class="aside">${location}</p>`
    return sendPage(reply, view, { title: doneTitle, body })
  },

  async signOutUpstream(request, reply, { session, location }) {
    if (session.connectionId === null) return { location }
    const { secureCookie } = dependencies
    const there = await upstreamLogoutOf(dependencies, session, location, browserOf(request, secureCookie))
    if (!there) return { location }
    setBrowserCookie(reply, there.browser, secureCookie)
    if (there.sealed) setSignOutCookie(reply, there.sealed, secureCookie)
    return { location: there.location.href, ...(there.form && { form: there.form }) }
  },

  continueTo(request, reply, { location, form }) {
    const language = chosenLanguageOf(request)
    return form ? departTo(reply, language, { location: new URL(location), form }) : continueTo(reply, language, location)
  },
})

/**
 * The view of a page that concerns an application. To a signed-in user it shows their own organisation: any tenant writes links that lead
 * here, and could have its branding shown to the users of another one.
 */
const viewBeside = (
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
  organisationOfClient: string | undefined,
): Promise<View> => viewOf(dependencies, request, reply, request.browserSession ? undefined : organisationOfClient)
