import type * as Library from 'openid-client'
import type { ConnectionCheck } from '../../../shared/checks/names.ts'
import { say } from '../../../shared/checks/said.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import type { Checks } from './checks.ts'
import {
  type AuthorizationRequest,
  checkResponse,
  type ExpectedResponse,
  explain,
  faultOfTokens,
  isUnknownClient,
  type OpenIdSession,
} from './open-id-connect.ts'
import { type Claims, textOf } from './presets.ts'

const scopes = ['read:user', 'user:email']

/** GitHub supports only OAuth 2.0. It has no ID token, so state and PKCE alone bind a response to its request. */
function endpointsOf({ configuration: { host = 'github.com' } }: OpenIdSession['settings']) {
  return {
    issuer: `https://${host}/login/oauth`,
    authorization_endpoint: `https://${host}/login/oauth/authorize`,
    token_endpoint: `https://${host}/login/oauth/access_token`,
    api: host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`,
  }
}

function configure({ library, settings, conversation }: OpenIdSession, secret: string): Library.Configuration {
  const { api: _api, ...server } = endpointsOf(settings)
  const configuration = new library.Configuration(server, settings.configuration.clientId, undefined, library.ClientSecretPost(secret))
  configuration[library.customFetch] = conversation.fetch as Library.CustomFetch
  conversation.tokenEndpoint = server.token_endpoint
  return configuration
}

export async function githubAuthorizationUrl(session: OpenIdSession, request: AuthorizationRequest): Promise<URL> {
  const { library, settings } = session
  return library.buildAuthorizationUrl(configure(session, settings.secrets[0] ?? ''), {
    ...settings.configuration.extraParameters,
    redirect_uri: settings.redirectUri,
    scope: (settings.configuration.scopes ?? scopes).join(' '),
    state: request.state,
    code_challenge: await library.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
    ...(request.loginHint !== undefined && { login: request.loginHint }),
    ...(request.prompt !== undefined && { prompt: 'select_account' }),
  })
}

/**
 * The user, with the primary address if it is verified.
 *
 * @throws UpstreamRefusal
 */
export async function githubClaimsFrom(
  session: OpenIdSession,
  response: URLSearchParams,
  expected: ExpectedResponse,
  checks: Checks,
): Promise<Claims> {
  const { settings, conversation } = session
  const { issuer, api } = endpointsOf(settings)
  checkResponse(response, { state: expected.state, issuer: response.has('iss') ? issuer : undefined }, checks)
  const failure = await exchange(session, response, expected)
  const accessToken = textOf(conversation.tokens?.access_token)
  if (failure !== undefined || accessToken === undefined) {
    checks.fail(
      'token_endpoint',
      say('an-access-token'),
      explain(failure, conversation),
      faultOfTokens(conversation),
      failure,
      textOf(conversation.tokens?.error),
    )
  }
  checks.add('token_endpoint', say('an-access-token'), say('an-access-token'), true)

  const [user, emails] = await Promise.all([read('/user', 'github_user'), read('/user/emails', 'github_emails')])
  const id = isJsonObject(user) && Number.isSafeInteger(user.id) ? String(user.id) : undefined
  checks.add('subject', say('the-id-of-a-user'), id, id !== undefined)
  checks.require('upstream')
  const { email: _public, ...profile } = isJsonObject(user) ? user : {}
  const primary = Array.isArray(emails) ? emails.find((email) => isJsonObject(email) && email.primary === true) : undefined
  return { ...profile, sub: id, ...(isJsonObject(primary) && { email: primary.email, email_verified: primary.verified === true }) }

  async function read(path: string, check: ConnectionCheck): Promise<unknown> {
    const url = `${api}${path}`
    try {
      const init = { headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${accessToken}`, 'user-agent': 'Gatehouse' } }
      const answer = await conversation.fetch(url, init)
      if (answer.status === 200) return await answer.json()
      return checks.fail(check, say('status', '200'), say('status', String(answer.status)), 'upstream')
    } catch (error) {
      if (conversation.failure) checks.fail(check, say('status', '200'), explain(error, conversation), 'upstream', error)
      throw error
    }
  }
}

async function exchange(session: OpenIdSession, response: URLSearchParams, { state, verifier }: ExpectedResponse): Promise<unknown> {
  const { library, settings, conversation } = session
  const url = new URL(settings.redirectUri)
  url.search = response.toString()
  let failure: unknown
  for (const secret of settings.secrets) {
    try {
      await library.authorizationCodeGrant(configure(session, secret), url, { expectedState: state, pkceCodeVerifier: verifier })
      return undefined
    } catch (error) {
      failure = error
      if (!isUnknownClient(conversation.tokens)) return failure
    }
  }
  return failure
}
