import { z } from 'zod'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Client } from '../../clients/queries.ts'
import { usesSecret } from '../../clients/rules.ts'
import { isSecret } from '../../platform/http/fields.ts'
import { type Assurance, presentAssurance, shownAssuranceMembers } from './keys-and-assurance.ts'
import { type RegisteredMetadata, shownMembers } from './metadata.ts'

const list = (description: string, example: string[]) => z.array(z.string()).meta({ description, example })
const address = (description: string, example: string) => z.string().optional().meta({ description, example })

/** What a client gets of its registration: RFC 7591 §3.2.1, RFC 7592 §3. */
export const ClientInformation = z
  .object({
    client_id: z.string().meta({ description: 'Its identifier', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    client_id_issued_at: z.number().int().meta({ description: 'When it registered, in seconds since 1970', example: 1767225600 }),
    client_secret: z
      .string()
      .optional()
      .meta({
        ...isSecret,
        description: 'Its secret, which only the response to the registration shows',
        example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      }),
    client_secret_expires_at: z.number().int().optional().meta({ description: '0: the secret does not expire', example: 0 }),
    registration_client_uri: z.string().meta({
      description: 'Where it reads, replaces and deletes its registration',
      example: 'https://id.example.com/oauth2/register/cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    registration_access_token: z.string().meta({
      ...isSecret,
      description: 'For `Authorization: Bearer` there',
      example: 'rga_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g',
    }),
    client_name: z.string().meta({ description: 'Shown on the consent page', example: 'Acme Portal' }),
    redirect_uris: list('Where browsers may be sent with a code', ['https://app.example.test/callback']),
    token_endpoint_auth_method: z.string().meta({ description: 'How it authenticates', example: 'client_secret_basic' }),
    grant_types: list('Grants that it may use', ['authorization_code', 'refresh_token']),
    response_types: list('What it may ask for at the authorization endpoint', ['code']),
    application_type: z.string().meta({ description: '`web` or `native`', example: 'web' }),
    scope: z.string().optional().meta({
      description: 'Scopes that it may ask for; not for an openly registered client, for which the resources decide',
      example: 'openid profile',
    }),
    id_token_signed_response_alg: z.string().meta({ description: 'What signs its ID tokens', example: 'RS256' }),
    subject_type: z.string().meta({ description: 'Always `public`', example: 'public' }),
    post_logout_redirect_uris: list('Where browsers may be sent after signing out', ['https://app.example.test/']),
    initiate_login_uri: address('Where a sign-in begins that a third party initiates', 'https://app.example.test/login'),
    default_acr_values: list('Levels of sign-in to attempt if a request names none', ['aal2']).optional(),
    default_max_age: z.number().int().optional().meta({ description: 'Seconds after which a user signs in again', example: 3600 }),
    client_uri: address('Page about it', 'https://app.example.test/'),
    logo_uri: address('Address of its logo', 'https://app.example.test/logo.png'),
    tos_uri: address('Its terms of service', 'https://app.example.test/terms'),
    policy_uri: address('Its privacy policy', 'https://app.example.test/privacy'),
    contacts: list('Who is responsible for it', ['support@example.test']).optional(),
    software_id: address('What identifies the software', '4NRB1-0XZABZI9E6-5SM3R'),
    software_version: address('Version of the software', '2.1.0'),
    ...shownAssuranceMembers,
  })
  .meta({ component: 'ClientInformation' })
export type ClientInformation = z.infer<typeof ClientInformation>

type Shown = Assurance &
  Pick<
    Client,
    | ('id' | 'createdAt' | 'name' | 'redirectUris' | 'tokenEndpointAuthMethod' | 'grantTypes' | 'scopes' | 'idTokenSignedResponseAlg')
    | ('postLogoutRedirectUris' | 'initiateLoginUri' | 'defaultAcrValues' | 'defaultMaxAge')
  >

interface Presentation {
  issuer: string
  oauthExtensions: OAuthExtensions
  registrationAccessToken: string
  /** The client's new secret, if it has just got one. */
  secret?: string | null
}

/**
 * Presents a registration: the settings as they are now, which an administrator may have changed, and what only the client itself says.
 */
export function presentRegistration(
  client: Shown,
  metadata: RegisteredMetadata,
  { issuer, oauthExtensions, registrationAccessToken, secret = null }: Presentation,
): ClientInformation {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
    ...(secret !== null && { client_secret: secret }),
    ...(usesSecret(client.tokenEndpointAuthMethod) && { client_secret_expires_at: 0 }),
    registration_client_uri: `${issuer}/oauth2/register/${client.id}`,
    registration_access_token: registrationAccessToken,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
    application_type: metadata.applicationType,
    scope: [...metadata.openidScopes, ...client.scopes].join(' '),
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    subject_type: 'public',
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    ...(client.initiateLoginUri !== null && { initiate_login_uri: client.initiateLoginUri }),
    ...(client.defaultAcrValues !== null && { default_acr_values: client.defaultAcrValues }),
    ...(client.defaultMaxAge !== null && { default_max_age: client.defaultMaxAge }),
    ...presentAssurance(client, oauthExtensions),
    ...Object.fromEntries(shownMembers.flatMap((member) => (metadata[member] === undefined ? [] : [[member, metadata[member]]]))),
  }
}
