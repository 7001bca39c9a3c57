/** /oauth2 and /.well-known */
import type { OpenEndpoints } from '../../access/cross-origin.ts'
import { publicAccess } from '../../access/declarations.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { documentOf, sendDocument } from '../../platform/http/document.ts'
import type { App } from '../../platform/http/server.ts'
import { checkAccessTokens } from '../../tokens/access-tokens.ts'
import { type CertificateDependencies, findCertificates, thumbprintOf } from '../protocol/client-certificate.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { readForms } from '../protocol/forms.ts'
import { noteLeftOut } from '../protocol/note-left-out.ts'
import { refuseMalformed } from '../protocol/parameters.ts'
import { type ProofDependencies, takeProof, tellNonce } from '../protocol/proof-of-key.ts'
import { prepareScope, receive } from '../protocol/request-context.ts'
import { forbidStoring, refuseWithChallenge } from '../protocol/write-refusals.ts'
import { type RegistrationRouteDependencies, registrationRoutes } from '../registration/routes.ts'
import { type BrowserDependencies, browserRoutes } from './browser-routes.ts'
import { type ClientRouteDependencies, clientRoutes, type SharedByEndpoints } from './client-routes.ts'
import { type DiscoveryOptions, discoveryDocument } from './discovery.ts'
import { userInfoParameters } from './parameters.ts'
import { bearerRefusals, consumesForm, documentResponses } from './responses.ts'
import { UserInfo } from './schemas.ts'
import { userInfo } from './userinfo.ts'

export interface OAuthDependencies
  extends DiscoveryOptions,
    BrowserDependencies,
    ClientRouteDependencies,
    RegistrationRouteDependencies,
    CertificateDependencies {}

/** Shorter than the time for which a key is published before it signs. */
const keysCacheControl = 'public, max-age=300'
const documentCacheControl = 'public, max-age=3600'

/** Endpoints that applications in a browser call from their own origin, without cookies. */
const openToEveryOrigin: ReadonlySet<string> = new Set([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth2/jwks.json',
  '/oauth2/token',
  '/oauth2/userinfo',
  '/oauth2/revoke',
])

const registrationPath = /^\/oauth2\/register\/[^/]+$/

/** The same, with those of extensions. */
export function openEndpointsOf(extensions: OAuthExtensions): OpenEndpoints {
  const registers = extensions.has('dynamic_registration')
  const takesProofs = extensions.has('dpop')
  const paths = new Set([
    ...openToEveryOrigin,
    ...(registers ? ['/oauth2/register'] : []),
    ...(extensions.has('par') ? ['/oauth2/par'] : []),
  ])
  return {
    groups: [
      { includes: (path) => paths.has(path), methods: ['GET', 'POST'] },
      ...(registers ? [{ includes: (path: string) => registrationPath.test(path), methods: ['GET', 'PUT', 'DELETE'] }] : []),
    ],
    requestHeaders: [
      ...(takesProofs ? ['DPoP'] : []),
      // MCP clients send it to everything that they discover.
      ...(registers || extensions.has('client_metadata_documents') ? ['MCP-Protocol-Version'] : []),
    ],
    responseHeaders: takesProofs ? ['DPoP-Nonce'] : [],
  }
}

export const oauthRoutes = defineRoutes('', async (app, dependencies: OAuthDependencies) => {
  const { database, issuer, signingKeys } = dependencies
  const shared = { accessTokens: checkAccessTokens(database, { issuer, signingKeys }), findCertificate: findCertificates(dependencies) }
  await app.register(documentRoutes(dependencies))
  await app.register(browserRoutes(dependencies))
  await app.register(clientRoutes(dependencies, shared), { prefix: '/oauth2' })
  await app.register(registrationRoutes(dependencies), { prefix: '/oauth2/register' })
  await app.register(userInfoRoutes(dependencies, shared), { prefix: '/oauth2/userinfo' })
})

/** Public documents, which may be cached. */
const documentRoutes =
  ({ signingKeys, ...options }: OAuthDependencies) =>
  async (app: App) => {
    const document = documentOf(JSON.stringify(discoveryDocument(options)))
    for (const { path, ...named } of [
      {
        path: '/.well-known/openid-configuration',
        operationId: 'getOpenidConfiguration',
        summary: 'OpenID Connect discovery',
        description: 'What the service supports and where its endpoints are (OpenID Connect Discovery 1.0).',
      },
      {
        path: '/.well-known/oauth-authorization-server',
        operationId: 'getAuthorizationServerMetadata',
        summary: 'Authorization server metadata',
        description: 'The same for clients that only know OAuth (RFC 8414).',
      },
    ]) {
      app.get(path, { config: { access: publicAccess() }, schema: { ...named, response: documentResponses } }, (request, reply) =>
        sendDocument(request, reply, () => document, documentCacheControl),
      )
    }

    app.get(
      '/oauth2/jwks.json',
      {
        config: { access: publicAccess() },
        schema: {
          operationId: 'getJwks',
          summary: 'Public keys that verify tokens',
          description: 'A key is published before it signs, and stays until the last token that it has signed has expired.',
          response: documentResponses,
        },
      },
      (request, reply) => sendDocument(request, reply, signingKeys.jwks, keysCacheControl),
    )
  }

const userInfoRoutes = (dependencies: ProofDependencies & DiagnosisStore, shared: SharedByEndpoints) => async (app: App) => {
  const { accessTokens, findCertificate } = shared
  await readForms(app)
  prepareScope(app)
  refuseWithChallenge(app, dependencies)
  tellNonce(app, dependencies)
  for (const method of ['GET', 'POST'] as const) {
    const form = method === 'POST' && { form: userInfoParameters.described }
    app.route({
      method,
      url: '/',
      config: { access: publicAccess(), oauthEndpoint: 'userinfo', protocol: { security: [{ accessToken: [] }], ...form } },
      schema: {
        operationId: 'getUserinfo',
        summary: 'UserInfo endpoint',
        description: 'The claims about the user that the scope of the access token allows (OpenID Connect Core §5.3).',
        ...consumesForm,
        response: { 200: UserInfo, ...bearerRefusals },
      },
      handler: async (request, reply) => {
        const received = method === 'POST' ? receive(request, userInfoParameters, request.body) : undefined
        if (received) refuseMalformed(received)
        const { authorization } = request.headers
        const { token, claims, leftOut } = await userInfo(accessTokens, {
          authorization,
          accessToken: received?.values.accessToken,
          // A token that is bound stays bound, whether or not more are issued.
          proveKey: async (accessToken, client) => (await takeProof(dependencies, request, client, accessToken))?.key,
          certificate: () => thumbprintOf(findCertificate(request)),
        })
        request.logContext = { organisationId: token.org, actorId: token.sub }
        noteLeftOut(dependencies, request, { id: token.client_id, organisationId: token.org }, leftOut)
        return forbidStoring(reply).send(claims)
      },
    })
  }
}
