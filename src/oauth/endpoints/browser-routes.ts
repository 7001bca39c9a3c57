/** /oauth2/authorize and /oauth2/logout: what browsers are sent to */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { csrfTokenOf, isCsrfTokenOf } from '../../access/csrf.ts'
import { page } from '../../access/declarations.ts'
import { sessionTokenOf } from '../../access/session-token.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { App } from '../../platform/http/server.ts'
import { clearSessionCookie } from '../../sessions/session-cookie.ts'
import { type AuthorizationDependencies, authorize } from '../authorization/authorize.ts'
import { answerWithPages, forbidStoring, keepContext } from '../protocol/answer-errors.ts'
import { AuthorizationPageError } from '../protocol/errors.ts'
import { readForms } from '../protocol/forms.ts'
import type { OAuthPages } from '../protocol/pages.ts'
import { AuthorizationParameters, LogoutParameters } from '../protocol/parameter-schemas.ts'
import { type Parameters, readParameters } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { finishLogout, prepareLogout } from './end-session.ts'
import { authorizeResponses, logoutFormResponses, logoutResponses, readsForm } from './responses.ts'

export interface BrowserDependencies extends AuthorizationDependencies {
  keyring: Keyring
  secureCookie: boolean
  pages: OAuthPages
}

const logoutFields = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'] as const
const confirmPath = '/oauth2/logout/confirm'

export const browserRoutes = (dependencies: BrowserDependencies) => async (app: App) => {
  const { keyring, secureCookie, pages } = dependencies
  await readForms(app)
  keepContext(app)
  answerWithPages(app, dependencies, pages.error)

  for (const method of ['GET', 'POST'] as const) {
    const parameters = method === 'GET' ? { query: AuthorizationParameters } : { form: AuthorizationParameters }
    app.route({
      method,
      url: '/oauth2/authorize',
      // HEAD must change nothing, and this would issue a code.
      exposeHeadRoute: false,
      config: { access: page(), protocol: parameters },
      schema: { summary: 'Ask for authorization, by the browser', ...readsForm, response: authorizeResponses },
      handler: (request, reply) => authorize(dependencies, request, reply),
    })
  }

  /** @returns where to go on to */
  const finish = async (request: FastifyRequest, reply: FastifyReply, parameters: Parameters): Promise<string> => {
    const location = await finishLogout(dependencies, request.browserSession, parameters, noteClient(request))
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
      const logout = await prepareLogout(dependencies, request.browserSession, parameters, noteClient(request))
      if (logout.kind === 'offer') return pages.offerReturn(request, forbidStoring(reply), logout)
      if (logout.kind === 'finish' || !request.browserSession) return reply.redirect(await finish(request, reply, parameters), 303)
      const fields = { ...fieldsOf(parameters), csrf_token: csrfTokenOf(keyring, sessionTokenOf(request) ?? '') }
      return pages.confirmLogout(request, reply, { application: logout.application, fields })
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
      await prepareLogout(dependencies, undefined, parameters, noteClient(request))
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
    const logout = request.browserSession ? undefined : await prepareLogout(dependencies, undefined, parameters, noteClient(request))
    if (logout?.kind === 'offer') return pages.offerReturn(request, forbidStoring(reply), logout)
    return pages.goOn(request, reply, await finish(request, reply, parameters))
  })
}

function parametersOf(request: FastifyRequest, source: unknown): Parameters {
  const parameters = readParameters(source)
  request.oauth.parameters = parameters
  return parameters
}

const noteClient = (request: FastifyRequest) => (client: OAuthClient) => {
  request.oauth.client = client
}

function fieldsOf(parameters: Parameters): Record<string, string> {
  const given = logoutFields.map((name) => [name, parameters.get(name)] as const)
  return Object.fromEntries(given.filter((field): field is [(typeof logoutFields)[number], string] => field[1] !== undefined))
}
