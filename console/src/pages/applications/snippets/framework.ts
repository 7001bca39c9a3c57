/** The kinds of application, as in the table of docs/oauth.md. */
export type Kind = 'web' | 'browser' | 'native' | 'service' | 'highAssurance'

/** The registration of each kind of application. */
export const registrationOf = {
  web: {
    clientType: 'confidential',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'client_secret_basic',
  },
  browser: { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'], tokenEndpointAuthMethod: 'none' },
  native: { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'], tokenEndpointAuthMethod: 'none' },
  service: { clientType: 'confidential', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic' },
  highAssurance: {
    clientType: 'confidential',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'private_key_jwt',
    profile: 'fapi2',
  },
} as const satisfies Record<Kind, object>

export interface Values {
  issuer: string
  clientId: string
  redirectUri: string
}

/** The values of `.env`, which are not to be committed. */
export interface Secrets {
  clientSecret: string
  /** The 32 random bytes as base64url with which the application protects its own sessions. */
  sessionSecret: string
}

/** A file of the application, or commands to type. */
export interface Snippet {
  file: string
  /** The name of the language in a fenced code block. */
  language: string
  code: string
}

export interface Framework {
  id: string
  name: string
  kinds: readonly Kind[]
  /** The conventional redirect URI during development; services have none. */
  redirectUri?: string
  /** Set for a framework that does not support Ed25519. */
  idTokenSignedResponseAlg?: 'RS256'
  /** Whether the code reads the private key from its file. */
  hasKeyFile?: true
  snippets: (values: Values) => Snippet[]
  /** The content of `.env`; absent without secrets. */
  environment?: (secrets: Secrets) => string
}

/** The name of the file with the private key that is made in the browser. */
export const privateKeyFileOf = ({ clientId }: Pick<Values, 'clientId'>): string => `${clientId}.private-key.json`

/** Whether the issuer uses http, as in development, which libraries accept only with an option. */
export const isInsecure = ({ issuer }: Values): boolean => issuer.startsWith('http:')

/** The port on which the application listens during development, or another one behind a proxy. */
export const portOf = ({ redirectUri }: Values, otherwise = 3000): number => Number(URL.parse(redirectUri)?.port) || otherwise

export const pathOf = ({ redirectUri }: Values): string => URL.parse(redirectUri)?.pathname ?? '/callback'

export const originOf = ({ redirectUri }: Values): string => {
  const { protocol, host } = URL.parse(redirectUri) ?? { protocol: 'http:', host: 'localhost' }
  return `${protocol}//${host}`
}

export const clientSecretOnly = ({ clientSecret }: Secrets) => `GATEHOUSE_CLIENT_SECRET=${clientSecret}\n`

export const withSessionSecret = (secrets: Secrets) => `${clientSecretOnly(secrets)}SESSION_SECRET=${secrets.sessionSecret}\n`
