/** What an application is, as the table of docs/oauth.md tells them apart. */
export type Kind = 'web' | 'browser' | 'native' | 'service'

/** How an application of each kind is registered. */
export const registrationOf = {
  web: {
    clientType: 'confidential',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'client_secret_basic',
  },
  browser: { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'], tokenEndpointAuthMethod: 'none' },
  native: { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'], tokenEndpointAuthMethod: 'none' },
  service: { clientType: 'confidential', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic' },
} as const satisfies Record<Kind, object>

/** The values that stand in a snippet. */
export interface Values {
  issuer: string
  clientId: string
  redirectUri: string
}

/** The values of `.env`, which are not to be committed. */
export interface Secrets {
  clientSecret: string
  /** 32 random bytes as base64url, with which the application protects its own sessions. */
  sessionSecret: string
}

/** A file of the application, or what to type. */
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
  /** The redirect URI by its convention, as it is during development; services have none. */
  redirectUri?: string
  /** Set where the framework does not know Ed25519. */
  idTokenSignedResponseAlg?: 'RS256'
  snippets: (values: Values) => Snippet[]
  /** The content of `.env`; absent where nothing is secret. */
  environment?: (secrets: Secrets) => string
}

/** Development is over http, which libraries only accept when they are told to. */
export const isInsecure = ({ issuer }: Values): boolean => issuer.startsWith('http:')

/** The port at which the application listens during development, and behind a proxy otherwise. */
export const portOf = ({ redirectUri }: Values, otherwise = 3000): number => Number(URL.parse(redirectUri)?.port) || otherwise

export const pathOf = ({ redirectUri }: Values): string => URL.parse(redirectUri)?.pathname ?? '/callback'

export const originOf = ({ redirectUri }: Values): string => {
  const { protocol, host } = URL.parse(redirectUri) ?? { protocol: 'http:', host: 'localhost' }
  return `${protocol}//${host}`
}

export const clientSecretOnly = ({ clientSecret }: Secrets) => `GATEHOUSE_CLIENT_SECRET=${clientSecret}\n`

export const withSessionSecret = (secrets: Secrets) => `${clientSecretOnly(secrets)}SESSION_SECRET=${secrets.sessionSecret}\n`
