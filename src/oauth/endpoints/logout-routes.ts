/** GET and POST /oauth2/logout: OpenID Connect RP-Initiated Logout */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageRequest } from '../../access/caller.ts'
import { csrfTokenOf, isCsrfTokenOf } from '../../access/csrf.ts'
import { page } from '../../access/declarations.ts'
import { sessionTokenOf } from '../../access/session-token.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { App } from '../../platform/http/server.ts'
import { clearSessionCookie } from '../../sessions/session-cookie.ts'
import { forbidStoring } from '../protocol/answer-errors.ts'
import { AuthorizationPageError } from '../protocol/errors.ts'
import type { OAuthPages } from '../protocol/pages.ts'
import { LogoutParameters } from '../protocol/parameter-schemas.ts'
import { type Parameters, readParameters } from '../protocol/parameters.ts'
import { finishLogout, type LogoutDependencies, prepareLogout } from './end-session.ts'
import { logoutFormResponses, logoutResponses, readsForm } from './responses.ts'

export interface LogoutRouteDependencies extends LogoutDependencies {
  keyring: Keyring
  secureCookie: boolean
  pages: OAuthPages
}

const logoutFields = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'] as const
const confirmPath = '/oauth2/logout/confirm'

export function logoutRoutes(app: App, dependencies: LogoutRouteDependencies): void {
  const { keyring, secureCookie, pages } = dependencies

  /** @returns where to go on to */
  const finish = async (request: PageRequest, reply: FastifyReply, parameters: Parameters): Promise<string> => {
    const location = await finishLogout(dependencies, request.browserSession, parameters)
    clearSessionCookie(reply, secureCookie)
    forbidStoring(reply)
    return location
  }

  app.get(
    '/oauth2/logout',
    {
      config: { access: page(), protocol: { query: LogoutParameters } },
      exposeHeadRoute: false,
      schema: { summary: 'Sign out at the wish of an application, by the browser', response: logoutResponses },
    },
    async (request, reply) => {
      const parameters = parametersOf(request, request.query)
      const logout = await prepareLogout(dependencies, request.browserSession, parameters)
      if (logout.kind === 'offer') return pages.offerReturn(request, forbidStoring(reply), logout)
      if (logout.kind === 'finish' || !request.browserSession) return reply.redirect(await finish(request, reply, parameters), 303)
      const fields = { ...fieldsOf(parameters), csrf_token: csrfTokenOf(keyring, sessionTokenOf(request) ?? '') }
      return pages.confirmLogout(request, reply, { client: logout.client, fields })
    },
  )

  // Another site's form comes without the session's cookie; the redirect that follows brings it.
  app.post(
    '/oauth2/logout',
    {
      config: { access: page(), protocol: { form: LogoutParameters } },
      schema: { summary: 'Sign out at the wish of an application, by a form', ...readsForm, response: logoutFormResponses },
    },
    async (request, reply) => {
      const parameters = parametersOf(request, request.body)
      await prepareLogout(dependencies, undefined, parameters)
      return forbidStoring(reply).redirect(`/oauth2/logout?${new URLSearchParams(fieldsOf(parameters))}`, 303)
    },
  )

  app.post(confirmPath, { config: { access: page() }, schema: { hide: true } }, async (request, reply) => {
    const parameters = parametersOf(request, request.body)
    if (request.browserSession && !isCsrfTokenOf(keyring, sessionTokenOf(request) ?? '', parameters.get('csrf_token'))) {
      throw new AuthorizationPageError('invalid-logout-request', 'The form was not made for your session. Try again.', {
        name: 'csrf_token',
        expected: 'the token of the session',
      })
    }
    const logout = request.browserSession ? undefined : await prepareLogout(dependencies, undefined, parameters)
    if (logout?.kind === 'offer') return pages.offerReturn(request, forbidStoring(reply), logout)
    return pages.goOn(request, reply, await finish(request, reply, parameters))
  })
}

function parametersOf(request: FastifyRequest, source: unknown): Parameters {
  const parameters = readParameters(source)
  request.oauth.parameters = parameters
  return parameters
}

function fieldsOf(parameters: Parameters): Record<string, string> {
  const given = logoutFields.map((name) => [name, parameters.get(name)] as const)
  return Object.fromEntries(given.filter((field): field is [(typeof logoutFields)[number], string] => field[1] !== undefined))
}
