/** /federation/:id/start, /callback and /logged-out: a sign-in at an identity provider, and a sign-out */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { originOf, type PageRequest } from '../access/caller.ts'
import { completeFederation, type RefusedSignIn, refuseStart } from '../connections/federation/callback.ts'
import type { Callback } from '../connections/federation/claim-attempt.ts'
import { readLinkToken } from '../connections/federation/link-token.ts'
import { federatedSignInExpired } from '../connections/federation/refusals.ts'
import { storeSamlResponse } from '../connections/federation/saml-response.ts'
import { getAnsweredConnection, startFederation } from '../connections/federation/start.ts'
import { isTestState } from '../connections/federation/test-state.ts'
import { readLogoutState } from '../connections/federation/upstream-logout.ts'
import { ssoRequired } from '../domains/refusals.ts'
import { signInAskedBy } from '../oauth/authorization/stored-requests.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { html } from '../platform/http/html.ts'
import { problems } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { newId } from '../platform/ids.ts'
import { identitiesPath } from './account-identities.ts'
import { takeTestResponse } from './connection-test.ts'
import { continueTo, departTo } from './continue-to.ts'
import { defineForm, pageRoute } from './define-page.ts'
import { details } from './error-page.ts'
import { browserOf, setBrowserCookie } from './federation-browser.ts'
import { type AskedStart, askToStart, readStart, startVisit } from './federation-start.ts'
import { emptyForm } from './form-state.ts'
import { noteLastUsed, type Way } from './last-used.ts'
import { heading, sendPage } from './layout.ts'
import { askToLink } from './link.ts'
import { followOutcome } from './login.ts'
import { refusalText } from './messages.ts'
import { parseReturnTo } from './return-to.ts'
import { askedOf, chosenLanguageOf, formOf, landing, type PageDependencies, queryOf, signInBegunBy, viewOf } from './view.ts'

const path = '/federation/:id'
const responseMax = 32 * 1024
/** A message of 256 KiB in base64, with line breaks and as a form has it. */
const samlFormBytesMax = 512 * 1024

// HEAD must change nothing, and these begin and complete sign-ins.
const route = { ...pageRoute, exposeHeadRoute: false }

export const federationPages = (dependencies: PageDependencies) => async (app: App) => {
  const { keyring, limits, secureCookie } = dependencies

  app.get(`${path}/start`, route, async (request, reply) => {
    const link = linkOf(request, idOf(request))
    const asked = await readStart(dependencies, request, link)
    if (link === undefined && !asked.pending && request.headers['sec-fetch-site'] !== 'same-origin') {
      const visit = await startVisit(dependencies, request, reply)
      return sendPage(reply, visit.view, askToStart(visit, emptyForm()))
    }
    const started = await start(request, { ...asked, linkTo: link?.userId })
    if ('kind' in started) return showRefusal(request, reply, started, asked.connection.id)
    setBrowserCookie(reply, started.browser, secureCookie)
    return departTo(reply, chosenLanguageOf(request), started)
  })

  defineForm(app, dependencies, {
    path: `${path}/start`,
    visit: (request, reply) => startVisit(dependencies, request, reply),
    show: askToStart,
    input: z.object({}),
    operation: async ({ request, asked }) => start(request, asked),
    done: ({ request, reply, view, asked }, started) => {
      if ('kind' in started) return showRefusal(request, reply, started, asked.connection.id)
      setBrowserCookie(reply, started.browser, secureCookie)
      return departTo(reply, view.language, started, (to, address) => continueTo(to, view.language, address))
    },
  })

  async function start(request: PageRequest, { connection, returnTo, pending, linkTo }: AskedStart & { linkTo?: string | undefined }) {
    const connectionId = connection.id
    const wishes = askedOf(request)
    const begun = linkTo === undefined ? pending && signInBegunBy(pending) : request.browserSession?.caller.actor
    const signInId = begun?.signInId ?? newId('sgn', dependencies.database.clock.now())
    return startFederation(dependencies, {
      connectionId,
      browser: browserOf(request, secureCookie),
      returnTo,
      linkTo,
      // The address can ask the provider for a new sign-in, so that another account can be chosen. The request says what is required.
      ...wishes,
      waiting: pending && signInAskedBy(pending.parameters),
      waitingClient: begun?.waitingClient,
      signInId,
      address: callerAddress(request),
    }).catch((error) =>
      refuseStart(
        dependencies,
        { connectionId, origin: { ...originOf(request), signInId }, returnTo, isLink: linkTo !== undefined, asked: wishes },
        error,
      ),
    )
  }

  // A form of another site sends no cookie of ours: a redirect repeats the response in a request that does.
  app.post(`${path}/callback`, route, async (request, reply) => {
    await limits.federationFormsByAddress.count(callerAddress(request))
    const response = new URLSearchParams(formOf(request)).toString()
    if (response.length > responseMax) return reply.redirect(`/federation/${idOf(request)}/callback`, 303)
    const sealed = keyring.encrypt(response, contextOf(idOf(request)))
    return reply
      .header('cache-control', 'no-store')
      .redirect(`/federation/${idOf(request)}/callback?${new URLSearchParams({ response: sealed })}`, 303)
  })

  // The same for SAML, whose responses are too long for an address: it is stored with the request that it is for.
  app.post('/saml/:id/acs', { ...route, bodyLimit: samlFormBytesMax }, async (request, reply) => {
    await limits.federationFormsByAddress.count(callerAddress(request))
    const id = idOf(request)
    const { SAMLResponse: message = '', RelayState: state = '' } = formOf(request)
    const connection = await getAnsweredConnection(dependencies.database, id, state)
    reply.header('cache-control', 'no-store')
    const isAsked = connection.provider === 'saml' && (await storeSamlResponse(dependencies, { connection, state, message }))
    if (isAsked) return reply.redirect(`/federation/${id}/callback?${new URLSearchParams({ state })}`, 303)
    // No sign-in here has asked for it, so it is not even read.
    if (connection.idpInitiated === 'refuse') throw federatedSignInExpired()
    return reply.redirect(`/federation/${id}/start?${new URLSearchParams({ returnTo: parseReturnTo(state) ?? landing })}`, 303)
  })

  app.get(`${path}/callback`, route, async (request, reply) => {
    const connectionId = idOf(request)
    const parameters = parametersOf(request)
    const state = parameters.get('state')
    if (isTestState(state)) return takeTestResponse(dependencies, request, reply, state, parameters)
    const callback: Callback = {
      connectionId,
      browser: browserOf(request, secureCookie),
      parameters,
      caller: request.browserSession?.caller,
      origin: originOf(request),
      acceptLanguage: request.headers['accept-language'],
    }
    const completed = await completeFederation(dependencies, callback)
    if (completed.kind === 'refused') return showRefusal(request, reply, completed, connectionId)
    if (completed.kind === 'linked') return reply.header('cache-control', 'no-store').redirect(completed.returnTo, 303)
    if (completed.kind === 'confirm') return askToLink(reply, { ...callback, ...completed }, secureCookie)
    const { organisationId, asked, returnTo } = completed
    const view = (await viewOf(dependencies, request, reply, organisationId, asked)).returningTo(returnTo)
    noteLastUsed(reply, view, connectionId as Way, secureCookie)
    return followOutcome(dependencies, reply.header('cache-control', 'no-store'), view, completed.outcome)
  })

  // The browser returns from a sign-out at the identity provider.
  app.get(`${path}/logged-out`, route, async (request, reply) => {
    const returned = { connectionId: idOf(request), state: queryOf(request, 'state'), browser: browserOf(request, secureCookie) }
    const location = readLogoutState(dependencies, { ...returned, now: dependencies.database.clock.now() })
    return reply.header('cache-control', 'no-store').redirect(location ?? '/logged-out', 303)
  })

  /** @throws Problem `bad-request` for a link that this session cannot use */
  function linkOf(request: PageRequest, connectionId: string) {
    const link = queryOf(request, 'link')
    if (link === undefined) return undefined
    const caller = request.browserSession?.caller
    const token = readLinkToken(dependencies, { connectionId, link, caller, now: dependencies.database.clock.now() })
    if (!token) throw federatedSignInExpired()
    return token
  }

  function parametersOf(request: PageRequest): URLSearchParams {
    const sealed = queryOf(request, 'response')
    if (sealed !== undefined) {
      try {
        return new URLSearchParams(keyring.decrypt(sealed, contextOf(idOf(request))))
      } catch {
        // The response is not ours, so it has no state either.
      }
    }
    const { url } = request
    return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  }

  async function showRefusal(
    request: PageRequest,
    reply: FastifyReply,
    refused: RefusedSignIn,
    connectionId: string,
  ): Promise<FastifyReply> {
    const { refusal, reference, organisationId, returnTo, isLink, asked } = refused
    const shown = await viewOf(dependencies, request, reply, organisationId, asked)
    const view = shown.returningTo(returnTo)
    const { errorPage, federation, identities } = view.texts
    const title = isLink ? identities.failed : federation.failed
    const required = refusal.code === ssoRequired.code ? (refusal.members.connection as { id: string }).id : undefined
    const wayOn = html`
      <a class="button quiet" href="${view.to(`/federation/${required ?? connectionId}/start`)}">
        ${required === undefined ? federation.again : view.texts.signIn.withSso}
      </a>`
    // From here a start would sign in instead of linking.
    const ways = isLink
      ? html`<p class="next"><a class="button quiet" href="${shown.to(identitiesPath)}">${identities.back}</a></p>`
      : html`
        <p class="next">${wayOn}</p>
        <p class="after"><a href="${view.to('/login')}">${federation.otherWay}</a></p>`
    const body = html`
      ${heading(title, refusalText(view.texts, refusal))}
      ${reference !== undefined && details({ [errorPage.reference]: reference })}
      ${ways}`
    const { status } = problems[refusal.slug]
    return sendPage(reply.headers(refusal.headers).header('cache-control', 'no-store'), view, { status, title, body })
  }
}

const idOf = ({ params }: PageRequest) => (params as { id: string }).id
const contextOf = (connectionId: string) => `federation response ${connectionId}`
