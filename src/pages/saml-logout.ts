/** /saml/:id/slo: single logout, to which an identity provider sends browsers with its requests, and back after ours */
import type { FastifyReply } from 'fastify'
import { originOf, type PageRequest } from '../access/caller.ts'
import { getSingleLogout, type LogoutBySaml, logOutBySaml } from '../connections/federation/saml-logout.ts'
import { readLogoutState } from '../connections/federation/upstream-logout.ts'
import { redirectedRequestOf } from '../connections/saml/redirected.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { html } from '../platform/http/html.ts'
import { problems } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { languageOf } from '../platform/language.ts'
import { departTo } from './continue-to.ts'
import { pageRoute } from './define-page.ts'
import { details } from './error-page.ts'
import { browserOf, clearSignOutCookie, signOutOf } from './federation-browser.ts'
import { heading, sendPage } from './layout.ts'
import { refusalText } from './messages.ts'
import { formOf, type PageDependencies, queryOf, viewOf } from './view.ts'

const path = '/saml/:id/slo'
const formBytesMax = 512 * 1024
const loggedOut = '/logged-out'
/** Bindings §3.4.3 allows 80 bytes; some senders need more. */
const relayStateMax = 1_024

// HEAD must change nothing.
const route = { ...pageRoute, exposeHeadRoute: false }

export const samlLogoutPages = (dependencies: PageDependencies) => async (app: App) => {
  const { database, limits, secureCookie } = dependencies

  app.get(path, route, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
    const relayState = queryOf(request, 'RelayState')
    if (queryOf(request, 'SAMLRequest') === undefined) return returned(request, reply, relayState)
    await limits.federationFormsByAddress.count(callerAddress(request))
    return logOut(request, reply, { received: redirectedRequestOf(query), relayState })
  })

  app.post(path, { ...route, bodyLimit: formBytesMax }, async (request, reply) => {
    await limits.federationFormsByAddress.count(callerAddress(request))
    reply.header('cache-control', 'no-store')
    const { SAMLRequest: message, RelayState: relayState } = formOf(request)
    if (message !== undefined) return logOut(request, reply, { received: { binding: 'post', message }, relayState })
    await getSingleLogout(dependencies, idOf(request))
    // A form of another site brings no cookie: the redirect that follows does.
    const back = relayState === undefined || relayState.length > relayStateMax ? {} : { RelayState: relayState }
    return reply.redirect(`/saml/${idOf(request)}/slo?${new URLSearchParams(back)}`, 303)
  })

  async function logOut(
    request: PageRequest,
    reply: FastifyReply,
    { received, relayState }: Pick<Parameters<typeof logOutBySaml>[1], 'received' | 'relayState'>,
  ): Promise<FastifyReply> {
    const echoed = relayState !== undefined && relayState.length <= relayStateMax ? relayState : undefined
    const brought = { connectionId: idOf(request), received, relayState: echoed, origin: originOf(request) }
    const done = await logOutBySaml(dependencies, brought)
    if (done.kind === 'refused') return showRefusal(request, reply, done)
    return done.response ? departTo(reply, languageOf(request), done.response) : reply.redirect(loggedOut, 303)
  }

  /** The browser is back from a sign-out of ours. What the provider says of it is not read: the session here had ended before. */
  async function returned(request: PageRequest, reply: FastifyReply, relayState: string | undefined): Promise<FastifyReply> {
    const { id: connectionId } = await getSingleLogout(dependencies, idOf(request))
    const browser = browserOf(request, secureCookie)
    const now = database.clock.now()
    const location =
      relayState === undefined
        ? undefined
        : readLogoutState(dependencies, { connectionId, state: signOutOf(request), relayState, browser, now })
    return clearSignOutCookie(reply, connectionId, secureCookie).redirect(location ?? loggedOut, 303)
  }

  async function showRefusal(
    request: PageRequest,
    reply: FastifyReply,
    { refusal, reference, organisationId }: Extract<LogoutBySaml, { kind: 'refused' }>,
  ): Promise<FastifyReply> {
    const view = await viewOf(dependencies, request, reply, organisationId)
    const { errorPage } = view.texts
    const title = errorPage.refused
    const body = html`
      ${heading(title, refusalText(view.texts, refusal))}
      ${reference !== undefined && details({ [errorPage.reference]: reference })}`
    return sendPage(reply, view, { status: problems[refusal.slug].status, title, body })
  }
}

const idOf = ({ params }: PageRequest) => (params as { id: string }).id
