/** /oauth2 and /.well-known */
import { publicAccess } from '../../access/declarations.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { documentOf, sendDocument } from '../../platform/http/document.ts'
import type { App } from '../../platform/http/server.ts'
import { type AccessTokens, checkAccessTokens } from '../../tokens/access-tokens.ts'
import { answerWithChallenge, answerWithJson, forbidStoring, keepContext } from '../protocol/answer-errors.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { readForms } from '../protocol/forms.ts'
import { IntrospectionParameters, RevocationParameters, TokenParameters, UserInfoParameters } from '../protocol/parameter-schemas.ts'
import { type BrowserDependencies, browserRoutes } from './browser-routes.ts'
import { type DiscoveryOptions, discoveryDocument } from './discovery.ts'
import { introspectToken } from './introspect.ts'
import { bearerRefusals, clientRefusals, documentResponses, readsForm } from './responses.ts'
import { revokeToken } from './revoke.ts'
import { Introspection, Revocation, TokenResponse, UserInfo } from './schemas.ts'
import { requestToken } from './token.ts'
import { userInfo } from './userinfo.ts'

export interface OAuthDependencies extends DiscoveryOptions, BrowserDependencies {
  limits: RateLimits
}

/** Less than the time that a key is published before it signs. */
const keysCacheControl = 'public, max-age=300'
const documentCacheControl = 'public, max-age=3600'

/** By HTTP Basic, or in the form. */
const security = [{ clientSecret: [] }, {}]

/** What applications in a browser call from their own origin, without cookies. */
export const openToEveryOrigin: ReadonlySet<string> = new Set([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth2/jwks.json',
  '/oauth2/token',
  '/oauth2/userinfo',
  '/oauth2/revoke',
])

export const oauthRoutes = defineRoutes('', async (app, dependencies: OAuthDependencies) => {
  const { database, issuer, signingKeys } = dependencies
  const accessTokens = checkAccessTokens(database, { issuer, signingKeys })
  await app.register(documentRoutes(dependencies))
  await app.register(browserRoutes(dependencies))
  await app.register(clientRoutes(dependencies, accessTokens), { prefix: '/oauth2' })
  await app.register(userInfoRoutes(dependencies, accessTokens), { prefix: '/oauth2/userinfo' })
})

/** What anybody may read and keep for a while. */
const documentRoutes =
  ({ signingKeys, ...options }: OAuthDependencies) =>
  async (app: App) => {
    const document = documentOf(JSON.stringify(discoveryDocument(options)))
    for (const [path, summary] of [
      ['/.well-known/openid-configuration', 'OpenID Connect discovery'],
      ['/.well-known/oauth-authorization-server', 'Authorization server metadata'],
    ] as const) {
      app.get(path, { config: { access: publicAccess() }, schema: { summary, response: documentResponses } }, (request, reply) =>
        sendDocument(request, reply, document, documentCacheControl),
      )
    }

    app.get(
      '/oauth2/jwks.json',
      { config: { access: publicAccess() }, schema: { summary: 'Public keys that verify tokens', response: documentResponses } },
      (request, reply) => {
        const keys = signingKeys.jwks()
        if (!(keys instanceof Promise)) return sendDocument(request, reply, keys, keysCacheControl)
        return keys.then((read) => sendDocument(request, reply, read, keysCacheControl))
      },
    )
  }

/** What clients call by themselves, with a form. */
const clientRoutes =
  ({ database, keyring, limits, quotas, pkcePlain, signingKeys, issuer }: OAuthDependencies, accessTokens: AccessTokens) =>
  async (app: App) => {
    await readForms(app)
    keepContext(app)
    answerWithJson(app, { database, quotas })
    const tokenIssuer = { issuer, signingKeys }
    const authentication = { database, failures: limits.authenticationByClient }

    app.post(
      '/token',
      {
        config: { access: publicAccess(), protocol: { security, form: TokenParameters } },
        schema: { summary: 'Exchange a grant for tokens', ...readsForm, response: { 200: TokenResponse, ...clientRefusals } },
      },
      async (request, reply) => {
        const answer = await requestToken({ ...authentication, keyring, pkcePlain, issuer: tokenIssuer }, request)
        return forbidStoring(reply).send(answer)
      },
    )

    app.post(
      '/introspect',
      {
        config: { access: publicAccess(), protocol: { security, form: IntrospectionParameters } },
        schema: { summary: 'Ask about a token', ...readsForm, response: { 200: Introspection, ...clientRefusals } },
      },
      async (request, reply) => {
        const answer = await introspectToken({ ...authentication, accessTokens, issuer: tokenIssuer }, request)
        return forbidStoring(reply).send(answer)
      },
    )

    app.post(
      '/revoke',
      {
        config: { access: publicAccess(), protocol: { security, form: RevocationParameters } },
        schema: { summary: 'Revoke a token', ...readsForm, response: { 200: Revocation, ...clientRefusals } },
      },
      async (request, reply) => {
        await revokeToken({ ...authentication, accessTokens }, request)
        return forbidStoring(reply).send({})
      },
    )
  }

const userInfoRoutes = (store: DiagnosisStore, accessTokens: AccessTokens) => async (app: App) => {
  await readForms(app)
  keepContext(app)
  answerWithChallenge(app, store)
  for (const method of ['GET', 'POST'] as const) {
    const form = method === 'POST' && { form: UserInfoParameters }
    app.route({
      method,
      url: '/',
      config: { access: publicAccess(), protocol: { security: [{ accessToken: [] }], ...form } },
      schema: { summary: 'Claims of the user behind an access token', ...readsForm, response: { 200: UserInfo, ...bearerRefusals } },
      handler: async (request, reply) => forbidStoring(reply).send(await userInfo(accessTokens, request)),
    })
  }
}
