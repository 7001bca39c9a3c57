/** GET and POST /oauth2/logout: OpenID Connect RP-Initiated Logout */

import type { FastifyReply } from 'fastify'
import { say } from '../../../shared/checks/said.ts'
import type { PageRequest } from '../../access/caller.ts'
import { csrfTokenOf, isCsrfTokenOf } from '../../access/csrf.ts'
import { page } from '../../access/declarations.ts'
import { sessionTokenOf } from '../../access/session-token.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { App } from '../../platform/http/server.ts'
import { clearSessionCookie } from '../../sessions/session-cookie.ts'
import { AuthorizationPageError } from '../protocol/errors.ts'
import type { OAuthPages, Onward } from '../protocol/pages.ts'
import { receive } from '../protocol/request-context.ts'
import { forbidStoring } from '../protocol/write-refusals.ts'
import { finishLogout, type LogoutDependencies, prepareLogout } from './end-session.ts'
import { logoutConfirmation, logoutParameters, type ReceivedLogout } from './parameters.ts'
import { consumesForm, logoutFormResponses, logoutResponses } from './responses.ts'

export interface LogoutRouteDependencies extends LogoutDependencies {
  keyring: Keyring
  secureCookie: boolean
  pages: OAuthPages
}

const confirmPath = '/oauth2/logout/confirm'

export function logoutRoutes(app: App, dependencies: LogoutRouteDependencies): void {
  const { keyring, secureCookie, pages } = dependencies

  const finish = async (request: PageRequest, reply: FastifyReply, received: ReceivedLogout) => {
    const { location, session, offered } = await finishLogout(dependencies, request.browserSession, received)
    // Another site's form comes without the cookie: it would take a session away that this request knows nothing of.
    if (sessionTokenOf(request) !== undefined) clearSessionCookie(reply, secureCookie)
    forbidStoring(reply)
    const onward: Onward = session ? await pages.signOutUpstream(request, reply, { session, location }) : { location }
    // The user is signed out at the identity provider first, and comes back to a page of ours.
    return { onward, offered: onward.location === location ? offered : undefined }
  }

  app.get(
    '/oauth2/logout',
    {
      config: { access: page(), oauthEndpoint: 'logout', protocol: { query: logoutParameters.described } },
      exposeHeadRoute: false,
      schema: {
        operationId: 'endSession',
        summary: 'End-session endpoint',
        description:
          'Ends the browser session, after asking unless the request proves whose it is, and leads back to the application (OpenID Connect RP-Initiated Logout 1.0).',
        response: logoutResponses,
      },
    },
    async (request, reply) => {
      const received = receive(request, logoutParameters, request.query)
      const logout = await prepareLogout(dependencies, request.browserSession, received)
      if (logout.kind === 'offer') return pages.offerReturn(request, forbidStoring(reply), logout)
      if (logout.kind === 'finish' || !request.browserSession) {
        const { onward } = await finish(request, reply, received)
        return onward.form ? pages.continueTo(request, reply, onward) : reply.redirect(onward.location, 303)
      }
      const fields = { ...logoutParameters.write(received.values), csrf_token: csrfTokenOf(keyring, sessionTokenOf(request) ?? '') }
      return pages.confirmLogout(request, reply, { client: logout.client, fields })
    },
  )

  // Another site's form comes without the session's cookie; the redirect that follows brings it.
  app.post(
    '/oauth2/logout',
    {
      config: { access: page(), oauthEndpoint: 'logout', protocol: { form: logoutParameters.described } },
      schema: {
        operationId: 'endSessionByForm',
        summary: 'End-session endpoint, by form',
        description: 'The form of the page that asks whether to sign out. Other callers use the GET.',
        ...consumesForm,
        response: logoutFormResponses,
      },
    },
    async (request, reply) => {
      const received = receive(request, logoutParameters, request.body)
      await prepareLogout(dependencies, undefined, received)
      return forbidStoring(reply).redirect(`/oauth2/logout?${new URLSearchParams(logoutParameters.write(received.values))}`, 303)
    },
  )

  app.post(confirmPath, { config: { access: page(), oauthEndpoint: 'logout' }, schema: { hide: true } }, async (request, reply) => {
    const received = receive(request, logoutConfirmation, request.body)
    if (request.browserSession && !isCsrfTokenOf(keyring, sessionTokenOf(request) ?? '', received.values.csrfToken)) {
      throw new AuthorizationPageError('invalid-logout-request', 'The form was not made for your session. Try again.', {
        name: 'csrf_token',
        expected: say('the-token-of-the-session'),
      })
    }
    const logout = request.browserSession ? undefined : await prepareLogout(dependencies, undefined, received)
    if (logout?.kind === 'offer') return pages.offerReturn(request, forbidStoring(reply), logout)
    const { onward, offered } = await finish(request, reply, received)
    return offered ? pages.offerReturn(request, reply, offered) : pages.continueTo(request, reply, onward)
  })
}
