/** Parameters that several endpoints share, and examples for the others. */
import { clientIdentifier, credential, harmless, optional } from './parameters.ts'

export const redirectUriExample = 'https://portal.acme.test/callback'
export const clientIdExample = 'cli_01kahm3z9n4v7f2t8q6w5r1y0x'
export const refreshTokenExample = 'rt_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g7mQv0Xc2LrT5yUe9HkD1sJ4oNwBzA8fGi6Rx3PtEaVM'
export const accessTokenExample = 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…'
export const idTokenExample = 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9…'

/** The client's credentials in a form, for a client that does not use HTTP Basic. */
export const clientCredentials = {
  client_id: optional('The client, unless it authenticates by HTTP Basic', clientIdExample, clientIdentifier),
  client_secret: optional('The secret of a confidential client, unless it authenticates by HTTP Basic', 'Wdk9aQ2s…', credential),
  client_assertion_type: optional(
    'Of a client that authenticates by a key or by the token of a platform: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` (RFC 7523). Needs the extension `private_key_jwt` or `federated_credentials`',
    'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    { ...harmless, extension: ['private_key_jwt', 'federated_credentials'] },
  ),
  client_assertion: optional(
    'A JWT that the client has signed, for this one request; or the token of a platform, beside `client_id`. Needs the extension `private_key_jwt` or `federated_credentials`',
    'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ…',
    { shown: 'start', lengthMax: 16_384, extension: ['private_key_jwt', 'federated_credentials'] },
  ),
} as const

/** Shared by the authorization endpoint and the grants (RFC 8707 §2). */
export const resource = optional(
  'Identifier of a resource server that the access token is for; may come more than once. Needs the extension `resource_indicators`',
  'https://api.acme.test/orders',
  { ...harmless, isRepeatable: true, extension: 'resource_indicators' },
)

export const uiLocales = optional('Languages of the pages in order of preference, separated by spaces (BCP 47)', 'de en', harmless)
