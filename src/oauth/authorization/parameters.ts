import type { OAuthExtensions } from '../../clients/extensions.ts'
import {
  clientIdentifier,
  credential,
  defineParameters,
  harmless,
  internal,
  optional,
  type ParameterSchema,
  type ReceivedParameters,
  required,
  type Sent,
  withExtensions,
} from '../protocol/parameters.ts'
import {
  clientCredentials,
  clientIdExample,
  idTokenExample,
  redirectUriExample,
  resource,
  uiLocales,
} from '../protocol/shared-parameters.ts'
import { claimsBytesMax } from './claims-parameter.ts'

const declared = {
  response_type: {
    ...required('The requested response: an authorization code', 'code', harmless),
    values: ['code'],
  },
  client_id: required('The client that asks', clientIdExample, clientIdentifier),
  redirect_uri: optional(
    'Where the response goes: exactly as registered. Required with the scope openid, and where several are registered',
    redirectUriExample,
    harmless,
  ),
  scope: optional(
    'Scopes, separated by spaces: those of OpenID Connect and those of the client',
    'openid profile offline_access',
    harmless,
  ),
  state: optional('Comes back unchanged; binds the response to the session of the browser', 'Yx0tq1', harmless),
  response_mode: {
    ...optional('How the response is sent: in the query of the redirect, or by a form that posts itself', 'query', harmless),
    values: ['query', 'form_post'],
  },
  nonce: optional('Comes back in the ID token; binds it to the session of the browser', 'n-0S6_WzA2Mj', harmless),
  code_challenge: optional(
    'PKCE (RFC 7636): what the code_verifier is compared with. Required unless the client is registered without PKCE',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: {
    ...optional('How the challenge was derived from the verifier; `plain` by default', 'S256', harmless),
    values: ['S256', 'plain'],
  },
  prompt: optional(
    '`none` shows no page, `login` and `select_account` sign in again, `consent` asks again; separated by spaces',
    'login',
    harmless,
  ),
  max_age: optional('Maximum seconds since the user signed in; after that the user signs in again', '3600', harmless),
  login_hint: optional('E-mail address to begin the sign-in with', 'carol@acme.test', harmless),
  connection: optional(
    "Signs in with this connection of the client's organisation, without the sign-in page: its id or slug. An unknown one is ignored",
    'acme',
    harmless,
  ),
  id_token_hint: optional('An ID token of this server, whose user is the one to sign in', idTokenExample, credential),
  ui_locales: uiLocales,
  resource,
  dpop_jkt: optional(
    'Thumbprint of the key that redeems the code (RFC 9449 §10). Needs the extension `dpop`',
    '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
    { ...harmless, extension: 'dpop' },
  ),
  acr_values: optional(
    'Levels of sign-in, best first, separated by spaces: `aal1`, `aal2`, `phr`, `phrh`. The first that the user can reach is reached; without any the request fails (RFC 9470)',
    'phr aal2',
    { ...harmless, extension: 'step_up' },
  ),
  claims: optional(
    'Claims by their names, as JSON, for the ID token and for UserInfo (OpenID Connect Core §5.5); at most 8 KiB. Needs the extension `claims_parameter`',
    '{"userinfo":{"email":{"essential":true}}}',
    { ...harmless, lengthMax: claimsBytesMax, extension: 'claims_parameter' },
  ),
  /** Without a client_id, our own reference to a stored request; otherwise a request that its client has signed, refused without the extension. */
  request: internal({ isAnyLength: true }),
  /** The address of a pushed request. No other one is fetched. */
  request_uri: internal({ ...harmless, isAnyLength: true }),
  registration: internal({ ...harmless, isAnyLength: true }),
} as const

/** The parameters of the authorization endpoint. Those of a disabled extension are treated as unknown. */
export const authorizationParametersOf = (extensions: OAuthExtensions): Pick<ParameterSchema<typeof declared>, 'described' | 'read'> =>
  defineParameters(withExtensions(declared, extensions))

const pushed = { ...declared, ...clientCredentials } as const

/** The same for a request that its client pushes, with its credentials. */
export const pushedParametersOf = (extensions: OAuthExtensions) => defineParameters(withExtensions(pushed, extensions))

export type AuthorizationParameters = Sent<typeof declared>
export type ReceivedAuthorization = ReceivedParameters<typeof declared>
