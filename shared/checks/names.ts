/** Every check of the data that an identity provider sends: by its code, with its English name as the API returns it. */
export const namesOfChecks = {
  discovery: 'discovery',
  discovery_issuer: 'discovery issuer',
  keys: 'keys',
  state: 'state',
  response_issuer: 'iss of the response',
  response: 'response',
  token_endpoint: 'token endpoint',
  alg: 'alg',
  iss: 'iss',
  aud: 'aud',
  azp: 'azp',
  exp: 'exp',
  iat: 'iat',
  nonce: 'nonce',
  auth_time: 'auth_time',
  signature: 'signature',
  user_info_subject: 'sub of UserInfo',
  subject: 'subject',
  hosted_domain: 'hosted domain',
  tenant: 'tenant',
  address: 'address',
  groups: 'groups',
  user: 'user',
  github_user: '/user',
  github_emails: '/user/emails',
  logout_token: 'logout_token',
  typ: 'typ',
  events: 'events',
  jti: 'jti',
  sub_or_sid: 'sub or sid',
} as const

export type ConnectionCheck = keyof typeof namesOfChecks

export const isConnectionCheck = (code: string): code is ConnectionCheck => Object.hasOwn(namesOfChecks, code)
