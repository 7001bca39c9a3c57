import type * as Library from 'openid-client'
import { type Said, say } from '../../../shared/checks/said.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { Checks, type Fault } from './checks.ts'
import { clientAuthentication } from './client-authentication.ts'
import type { Conversation } from './conversation.ts'
import { checkIdToken, decodeIdToken, skewSeconds } from './id-token.ts'
import { type Claims, type Preset, presets, textOf } from './presets.ts'
import type { UpstreamSettings } from './settings.ts'

/** The time limit of one request; the guard's own is shorter. */
const timeoutSeconds = 10

export interface ExpectedResponse {
  state: string
  nonce: string
  verifier: string
  /** In seconds, if a new sign-in was requested. */
  maxAge?: number | undefined
}

export interface OpenIdClaims {
  /** Of the account: those of the ID token, completed by what UserInfo says. */
  claims: Claims
  /** Of the sign-in: those of the ID token alone. UserInfo holds attributes of a profile, which is not signed and which its user may write. */
  authentication: Claims
  idToken: string
}

/** The state that all steps of one sign-in share. */
export interface OpenIdSession {
  library: typeof Library
  settings: UpstreamSettings
  conversation: Conversation
  now: Date
}

export const presetOf = ({ provider }: UpstreamSettings): Preset => {
  if (provider === 'github') throw new Error('GitHub does not speak OpenID Connect')
  return presets[provider]
}

/**
 * Reads the discovery document, which may be a stored copy.
 *
 * @param secret undefined if only documents are read
 * @throws UpstreamRefusal when the document is missing, or another issuer's
 */
export async function discover(session: OpenIdSession, secret: string | undefined, checks: Checks): Promise<Library.Configuration> {
  const { library, settings, conversation, now } = session
  const { configuration } = settings
  const preset = presetOf(settings)
  const issuer = preset.issuerOf(configuration)
  const isPlain = issuer.startsWith('http:')
  let discovered: Library.Configuration
  try {
    discovered = await library.discovery(
      new URL(issuer),
      configuration.clientId,
      { [library.clockTolerance]: skewSeconds, [library.clockSkew]: Math.round((now.getTime() - Date.now()) / 1_000) },
      secret === undefined ? library.None() : clientAuthentication(library, settings, secret, now),
      {
        [library.customFetch]: conversation.fetch as Library.CustomFetch,
        timeout: timeoutSeconds,
        // The guard allows plain requests only to this machine.
        execute: isPlain ? [library.allowInsecureRequests] : [],
      },
    )
  } catch (error) {
    const named = refusedMember(error, 'issuer')
    const why = named === undefined ? explain(error, conversation) : say('the-document-of', named)
    checks.fail('discovery', issuer, why, 'upstream', error)
  }
  const metadata = discovered.serverMetadata()
  conversation.keysUrl = metadata.jwks_uri
  conversation.tokenEndpoint = metadata.token_endpoint
  const isSame = sameIssuer(metadata.issuer, issuer) || (preset.mayBeIssuer?.(metadata.issuer, configuration) ?? false)
  checks.add('discovery_issuer', issuer, metadata.issuer, isSame)
  checks.require('upstream')
  library.enableNonRepudiationChecks(discovered)
  return discovered
}

/** Compares issuers: a bare host is the same with and without its slash. */
const sameIssuer = (left: string, right: string) => new URL(left).href === new URL(right).href

export interface AuthorizationRequest extends ExpectedResponse {
  loginHint?: string | undefined
  prompt?: string | undefined
}

export async function openIdAuthorizationUrl(session: OpenIdSession, request: AuthorizationRequest): Promise<URL> {
  const { library, settings } = session
  const { configuration, redirectUri, secrets } = settings
  const preset = presetOf(settings)
  const checks = new Checks()
  const discovered = await discover(session, secrets[0] ?? '', checks)
  const { authorization_endpoint: endpoint } = discovered.serverMetadata()
  if (!isEndpoint(endpoint, settings)) checks.fail('discovery', say('an-authorization-endpoint'), endpoint, 'upstream')
  return library.buildAuthorizationUrl(discovered, {
    ...configuration.extraParameters,
    ...preset.parameters?.(configuration),
    redirect_uri: redirectUri,
    scope: (configuration.scopes ?? preset.scopes).join(' '),
    state: request.state,
    nonce: request.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
    ...(preset.responseMode && { response_mode: preset.responseMode }),
    ...(request.loginHint !== undefined && { login_hint: request.loginHint }),
    ...(request.prompt !== undefined && { prompt: request.prompt }),
    ...(request.maxAge !== undefined && { max_age: String(request.maxAge) }),
  })
}

export interface EndSessionRequest {
  idTokenHint: string | undefined
  postLogoutRedirectUri: string
  state: string
}

/**
 * The URL at which a browser signs out (OpenID Connect RP-Initiated Logout 1.0 §2).
 *
 * @returns undefined when the provider has no such endpoint
 * @throws UpstreamRefusal when the discovery document cannot be read
 */
export async function openIdEndSessionUrl(session: OpenIdSession, request: EndSessionRequest): Promise<URL | undefined> {
  const { library, settings } = session
  const discovered = await discover(session, settings.secrets[0] ?? '', new Checks())
  if (!isEndpoint(discovered.serverMetadata().end_session_endpoint, settings)) return undefined
  return library.buildEndSessionUrl(discovered, {
    ...(request.idTokenHint !== undefined && { id_token_hint: request.idTokenHint }),
    post_logout_redirect_uri: request.postLogoutRedirectUri,
    state: request.state,
  })
}

/** Whether a value may be an endpoint. Only a provider that is itself reached without TLS, on this machine, may have one without it. */
const isEndpoint = (value: unknown, { configuration }: UpstreamSettings) =>
  URL.canParse(textOf(value) ?? '') &&
  (String(value).startsWith('https://') || (configuration.issuer?.startsWith('http://') && String(value).startsWith('http://')))

/**
 * Exchanges the code of a response and checks everything that came.
 *
 * @throws UpstreamRefusal with every check that was made, once one has failed
 */
export async function openIdClaimsFrom(
  session: OpenIdSession,
  response: URLSearchParams,
  expected: ExpectedResponse,
  checks: Checks,
): Promise<OpenIdClaims> {
  const { settings, conversation, now } = session
  const preset = presetOf(settings)
  const { configuration } = settings
  const discovered = await discover(session, settings.secrets[0] ?? '', checks)
  const { issuer, authorization_response_iss_parameter_supported: namesIssuer } = discovered.serverMetadata()
  checkResponse(response, { state: expected.state, issuer: namesIssuer || response.has('iss') ? issuer : undefined }, checks)

  const failure = await exchange(session, discovered, response, expected)
  const { tokens } = conversation
  const idToken = textOf(tokens?.id_token)
  const token = decodeIdToken(idToken)
  // A token in an error response, or next to an error, is ignored.
  if (idToken === undefined || !token || tokens?.error !== undefined) {
    checks.fail(
      'token_endpoint',
      say('an-id-token'),
      explain(failure, conversation),
      faultOfTokens(conversation),
      failure,
      textOf(tokens?.error),
    )
  }
  checks.add('token_endpoint', say('an-id-token'), say('an-id-token'), true)
  checks.claims = token.claims
  checkIdToken(token, { issuer, nonce: expected.nonce, maxAge: expected.maxAge, now }, { preset, configuration }, checks)
  // Whatever else the library has refused: above all the signature.
  const lastCheck = conversation.hasAskedForKeys || !failure ? 'signature' : 'response'
  const keys = say('valid-by-a-key-of', String(conversation.keysUrl))
  const outcome = [
    lastCheck,
    lastCheck === 'signature' ? keys : say('valid'),
    failure ? explain(failure, conversation) : say('valid'),
    !failure,
  ] as const
  // The library stops at a check that has failed above, where its fault was decided.
  if (lastCheck === 'response' && checks.made.some(({ passed }) => !passed)) checks.addOfAccount(...outcome)
  else checks.add(...outcome)
  checks.require('upstream')

  const wantsUserInfo = preset.userInfo ?? configuration.userInfo ?? true
  const claims = wantsUserInfo ? await withUserInfo(session, discovered, token.claims, checks) : token.claims
  checks.claims = claims
  const subject = preset.subjectOf(claims)
  checks.add('subject', say('a-subject'), subject, subject !== undefined)
  checks.require('upstream')
  return { claims: settings.provider === 'apple' ? { ...nameIn(response), ...claims } : claims, authentication: token.claims, idToken }
}

/**
 * Exchanges the code, with the previous secret when the upstream does not know the newest one.
 *
 * @returns why there are no valid tokens; undefined when there are
 */
async function exchange(
  session: OpenIdSession,
  discovered: Library.Configuration,
  response: URLSearchParams,
  { state, nonce, verifier, maxAge }: ExpectedResponse,
): Promise<unknown> {
  const { library, settings, conversation } = session
  const url = new URL(settings.redirectUri)
  url.search = response.toString()
  url.searchParams.delete('user')
  const expectations = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, ...(maxAge !== undefined && { maxAge }) }
  let failure: unknown
  for (const [index, secret] of settings.secrets.entries()) {
    const configuration = index === 0 ? discovered : await discover(session, secret, new Checks())
    try {
      await library.authorizationCodeGrant(configuration, url, expectations)
      return undefined
    } catch (error) {
      failure = error
      if (!isUnknownClient(conversation.tokens)) return failure
    }
  }
  return failure
}

export const isUnknownClient = (tokens: Claims | undefined) =>
  tokens?.error === 'invalid_client' || tokens?.error === 'incorrect_client_credentials'

/**
 * Errors of a token endpoint that every sign-in meets: the cause is the client (RFC 6749 §5.2), the server or, by GitHub's codes, one
 * of both. All others, `invalid_grant` and `invalid_request` among them, may come from a code that a stranger has made up.
 */
const errorsOfEverySignIn = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
  'application_suspended',
])

/** Who is at fault when the token endpoint has given no tokens. */
export function faultOfTokens({ failure, tokens }: Conversation): Fault {
  const error = textOf(tokens?.error)
  return failure || error === undefined || errorsOfEverySignIn.has(error) ? 'upstream' : 'browser'
}

/** Checks what the browser brought, before any of it is sent to the upstream. RFC 9207 for the issuer. */
export function checkResponse(
  response: URLSearchParams,
  { state, issuer }: { state: string; issuer: string | undefined },
  checks: Checks,
): void {
  checks.addMasked('state', state, response.get('state') ?? undefined)
  if (issuer !== undefined) checks.add('response_issuer', issuer, response.get('iss') ?? undefined, response.get('iss') === issuer)
  const error = response.get('error')
  const description = [error, response.get('error_description')].filter((part) => part !== null).join(': ')
  checks.add(
    'response',
    say('a-code'),
    error === null ? say(response.has('code') ? 'a-code' : 'nothing') : description,
    error === null && response.has('code'),
    error ?? undefined,
  )
  checks.require('browser')
}

/** Completes the claims of an ID token. Claims about an address come from the source of that address. */
async function withUserInfo({ library, conversation }: OpenIdSession, discovered: Library.Configuration, claims: Claims, checks: Checks) {
  if (discovered.serverMetadata().userinfo_endpoint === undefined) return claims
  const subject = textOf(claims.sub) ?? ''
  try {
    const userInfo = await library.fetchUserInfo(discovered, textOf(conversation.tokens?.access_token) ?? '', subject)
    checks.add('user_info_subject', subject, userInfo.sub, true)
    const { email_verified: _ofAnother, ...others } = userInfo
    return { ...(claims.email === undefined ? userInfo : others), ...claims }
  } catch (error) {
    checks.fail('user_info_subject', subject, refusedMember(error, 'sub') ?? explain(error, conversation), 'upstream', error)
  }
}

/** The value of the member for which the library has refused a document. */
function refusedMember(error: unknown, member: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { cause } = error
  if (isJsonObject(cause) && isJsonObject(cause.body)) return cause.attribute === member ? textOf(cause.body[member]) : undefined
  return refusedMember(cause, member)
}

/** The name, which Apple sends once, unsigned, through the browser: good only for display. */
function nameIn(response: URLSearchParams): Claims {
  let user: unknown
  try {
    user = JSON.parse(response.get('user') ?? '')
  } catch {
    return {}
  }
  const name = isJsonObject(user) && isJsonObject(user.name) ? user.name : {}
  const [given, family] = [textOf(name.firstName), textOf(name.lastName)]
  return { ...(given && { given_name: given }), ...(family && { family_name: family }) }
}

/** Explains why the library has refused, for an administrator. */
export function explain(error: unknown, { failure, tokens }: Conversation): string | Said {
  if (failure?.status !== undefined) return say('status-of', failure.url, String(failure.status))
  if (failure) return `${failure.url}: ${failure.reason}`
  const [code, description] = [textOf(tokens?.error), textOf(tokens?.error_description)]
  if (code) return description ? `${code}: ${description}` : code
  return error instanceof Error ? innermost(error).message : say('nothing')
}

const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error)
