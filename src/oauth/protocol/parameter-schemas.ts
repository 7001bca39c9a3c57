/**
 * The parameters of the protocol, for the description of the API alone: they are read by
 * `parameters.ts`, since their mistakes are answered in the words of the protocol.
 */
import { z } from 'zod'

const redirectUri = 'https://portal.acme.test/callback'
const clientId = 'cli_01kahm3z9n4v7f2t8q6w5r1y0x'
const accessToken = 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…'
const refreshToken = 'rt_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g7mQv0Xc2LrT5yUe9HkD1sJ4oNwBzA8fGi6Rx3PtEaVM'

const parameter = (description: string, example: string) => z.string().meta({ description, example })
const optional = (description: string, example: string) => parameter(description, example).optional()
const choice = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z.enum(values).optional().meta({ description, example: values[0] })

const uiLocales = () => optional('Languages of the pages in order of preference, separated by spaces (BCP 47)', 'de en')

export const AuthorizationParameters = z.object({
  response_type: z.literal('code').meta({ description: 'What is asked for: an authorization code', example: 'code' }),
  client_id: parameter('The client that asks', clientId),
  redirect_uri: optional(
    'Where the answer goes: exactly as registered. Required with the scope openid, and where several are registered',
    redirectUri,
  ),
  scope: optional('Scopes, separated by spaces: those of OpenID Connect and those of the client', 'openid profile offline_access'),
  state: optional('Comes back unchanged; binds the answer to the session of the browser', 'Yx0tq1'),
  response_mode: choice(['query', 'form_post'], 'How the answer comes: in the query of the redirect, or by a form that posts itself'),
  nonce: optional('Comes back in the ID token; binds it to the session of the browser', 'n-0S6_WzA2Mj'),
  code_challenge: optional(
    'PKCE (RFC 7636): what the code_verifier is compared with. Required unless the client is registered without PKCE',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: choice(['S256', 'plain'], 'How the challenge was made of the verifier; `plain` when left out'),
  prompt: optional('`none` shows no page, `login` and `select_account` sign in again, `consent` asks again; separated by spaces', 'login'),
  max_age: optional('Most seconds since the user signed in; a longer time asks for a sign-in', '3600'),
  login_hint: optional('E-mail address to begin the sign-in with', 'carol@acme.test'),
  id_token_hint: optional('An ID token of this server, whose user is the one to answer for', 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9…'),
  ui_locales: uiLocales(),
})

/** How a client says in a form who it is, where it does not by HTTP Basic. */
const clientCredentials = {
  client_id: optional('The client, unless it authenticates by HTTP Basic', clientId),
  client_secret: optional('The secret of a confidential client, unless it authenticates by HTTP Basic', 'Wdk9aQ2s…'),
}

export const TokenParameters = z.object({
  grant_type: z
    .enum(['authorization_code', 'refresh_token', 'client_credentials'])
    .meta({ description: 'What the tokens are asked for with', example: 'authorization_code' }),
  code: optional('authorization_code: the code, which works once', 'k3tX9fQe1yqfPCW0S1l2u4k6JrVbHnT8mAzDcEwG5oI'),
  redirect_uri: optional('authorization_code: that of the authorization request, if it was sent there', redirectUri),
  code_verifier: optional(
    'authorization_code: what the code_challenge was made of, 43 to 128 characters (RFC 7636)',
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  ),
  refresh_token: optional('refresh_token: the token, which works once; used again, it ends its whole family', refreshToken),
  scope: optional(
    'refresh_token: the same or fewer scopes than were granted. client_credentials: scopes of the client, all of them when left out',
    'reports:read',
  ),
  ...clientCredentials,
})

const tokenTypeHint = choice(['access_token', 'refresh_token'], 'What kind of token it may be. Not needed, and a wrong one does no harm')

export const RevocationParameters = z.object({
  token: parameter('The token to revoke. A refresh token takes its family with it, access tokens included', refreshToken),
  token_type_hint: tokenTypeHint,
  ...clientCredentials,
})

export const IntrospectionParameters = z.object({
  token: parameter('The access or refresh token to tell about', accessToken),
  token_type_hint: tokenTypeHint,
  ...clientCredentials,
})

export const UserInfoParameters = z.object({
  access_token: optional('The access token, where it is not in the header Authorization; never in both', accessToken),
})

export const LogoutParameters = z.object({
  id_token_hint: optional(
    'An ID token of the client, expired or not. Without one that names who is signed in, the user is asked first',
    'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9…',
  ),
  client_id: optional('The client that asks, where no id_token_hint says it', clientId),
  post_logout_redirect_uri: optional('Where to go on to: exactly as registered', 'https://portal.acme.test/'),
  state: optional('Comes back with the browser', 'Yx0tq1'),
  ui_locales: uiLocales(),
})
