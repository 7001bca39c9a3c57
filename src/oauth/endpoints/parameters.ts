import type { OAuthExtensions } from '../../clients/extensions.ts'
import {
  clientIdentifier,
  credential,
  defineParameters,
  harmless,
  internal,
  optional,
  type ReceivedParameters,
  required,
  type Sent,
  withExtensions,
} from '../protocol/parameters.ts'
import {
  accessTokenExample,
  clientCredentials,
  clientIdExample,
  idTokenExample,
  refreshTokenExample,
  resource,
  uiLocales,
} from '../protocol/shared-parameters.ts'

const token_type_hint = {
  ...optional('The kind of token. Optional, and a wrong one does no harm', 'access_token', harmless),
  values: ['access_token', 'refresh_token'],
} as const

const revocation = {
  token: required('The token to revoke. A refresh token takes its family with it, access tokens included', refreshTokenExample, credential),
  token_type_hint,
  ...clientCredentials,
} as const

export const revocationParameters = defineParameters(revocation)
export const revocationParametersOf = (extensions: OAuthExtensions) => defineParameters(withExtensions(revocation, extensions))
export type RevocationParameters = Sent<typeof revocation>

const deviceAuthorization = {
  scope: optional(
    "Scopes, separated by spaces: those of OpenID Connect and those of the client. Without it, all of the client's own",
    'openid profile offline_access',
    harmless,
  ),
  resource,
  ...clientCredentials,
} as const

export const deviceAuthorizationParametersOf = (extensions: OAuthExtensions) =>
  defineParameters(withExtensions(deviceAuthorization, extensions))
export type DeviceAuthorizationParameters = Sent<typeof deviceAuthorization>

const introspection = {
  token: required('The access or refresh token', accessTokenExample, credential),
  token_type_hint,
  ...clientCredentials,
} as const

export const introspectionParameters = defineParameters(introspection)
export const introspectionParametersOf = (extensions: OAuthExtensions) => defineParameters(withExtensions(introspection, extensions))
export type IntrospectionParameters = Sent<typeof introspection>

export const userInfoParameters = defineParameters({
  access_token: optional('The access token, if it is not in the header Authorization; never in both', accessTokenExample, credential),
})

const logout = {
  id_token_hint: optional(
    'An ID token of the client, expired or not. Without one that names who is signed in, the user is asked first',
    idTokenExample,
    credential,
  ),
  client_id: optional('The client, if no id_token_hint names it', clientIdExample, clientIdentifier),
  post_logout_redirect_uri: optional('Where to continue: exactly as registered', 'https://portal.acme.test/', harmless),
  state: optional('Comes back with the browser', 'Yx0tq1', harmless),
  ui_locales: uiLocales,
} as const

export const logoutParameters = defineParameters(logout)
export type ReceivedLogout = ReceivedParameters<typeof logout>

/** The parameters of the form with which the user confirms. */
export const logoutConfirmation = defineParameters({ ...logout, csrf_token: internal() })
