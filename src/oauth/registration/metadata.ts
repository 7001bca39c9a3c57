/** The metadata of a client in the words of RFC 7591 §2, and what they are for us. Nothing here reads anything. */
import { z } from 'zod'
import { openidScopes } from '../../../shared/openid-scopes.ts'
import { assuranceLevels } from '../../access/factors.ts'
import type { GrantRules } from '../../clients/rules.ts'
import { clientSchemas } from '../../clients/schemas.ts'
import { pictureAddress } from '../../organisations/schemas.ts'
import { isSecret, name, plainText, webAddress } from '../../platform/http/fields.ts'
import type { RegisteredAssurance } from './kept-assurance.ts'
import { assuranceMembers } from './keys-and-assurance.ts'

const wordsMax = 50
const wordMax = 255
const scopeMax = 4_000
const contactsMax = 20

const word = () => plainText().min(1).max(wordMax)
const words = () => z.array(word()).max(wordsMax)

/**
 * What a client sends. Members that are not named here are ignored, and null counts as not sent. Each member is checked by itself; whether
 * they fit together, and what the registration allows, `decideRegistration` says.
 *
 * @param grants those that a client can be registered for
 */
export function metadataSchemas(grants: readonly GrantRules[]) {
  const client = clientSchemas(grants).NewClient.shape
  const redirectUris = client.redirectUris.unwrap()
  const fields = {
    redirect_uris: redirectUris.nullish().meta({
      description: 'Where browsers may be sent with a code, compared as exact strings; only the port of a loopback address may vary',
      example: ['https://app.example.test/callback'],
    }),
    token_endpoint_auth_method: word().nullish().meta({
      description:
        '`client_secret_basic` unless sent, `client_secret_post`, `none` for a public client, `private_key_jwt` with that extension, or `tls_client_auth` and `self_signed_tls_client_auth` with the extension `mtls`',
      example: 'client_secret_basic',
    }),
    grant_types: words()
      .nullish()
      .meta({ description: '`authorization_code` unless sent', example: ['authorization_code', 'refresh_token'] }),
    response_types: words()
      .nullish()
      .meta({ description: 'Only `code` is supported', example: ['code'] }),
    application_type: z
      .enum(['web', 'native'])
      .nullish()
      .meta({ description: '`web` redirects to https alone. Unless sent, the redirect URIs decide', example: 'web' }),
    client_name: name().nullish().meta({ description: 'Shown on the consent page', example: 'Acme Portal' }),
    client_uri: webAddress().nullish().meta({ description: 'Page about the client', example: 'https://app.example.test/' }),
    logo_uri: pictureAddress().nullish().meta({ description: 'Address of its logo', example: 'https://app.example.test/logo.png' }),
    tos_uri: webAddress().nullish().meta({ description: 'Its terms of service', example: 'https://app.example.test/terms' }),
    policy_uri: webAddress().nullish().meta({ description: 'Its privacy policy', example: 'https://app.example.test/privacy' }),
    contacts: z
      .array(word())
      .max(contactsMax)
      .nullish()
      .meta({ description: 'Who is responsible for it', example: ['support@example.test'] }),
    scope: plainText()
      .max(scopeMax)
      .nullish()
      .meta({ description: 'Scopes separated by spaces; unless sent, all that it may register for', example: 'openid profile' }),
    software_id: word().nullish().meta({ description: 'What identifies the software', example: '4NRB1-0XZABZI9E6-5SM3R' }),
    software_version: word().nullish().meta({ description: 'Version of the software', example: '2.1.0' }),
    post_logout_redirect_uris: client.postLogoutRedirectUris
      .unwrap()
      .nullish()
      .meta({ description: 'Where browsers may be sent after signing out', example: ['https://app.example.test/'] }),
    initiate_login_uri: client.initiateLoginUri
      .unwrap()
      .optional()
      .meta({ description: 'Where a sign-in begins that a third party initiates', example: 'https://app.example.test/login' }),
    id_token_signed_response_alg: word().nullish().meta({ description: '`RS256` unless sent, or `EdDSA`', example: 'RS256' }),
    subject_type: word().nullish().meta({ description: 'Only `public` is supported', example: 'public' }),
    default_acr_values: words()
      .nullish()
      .meta({ description: 'Levels of sign-in to attempt if a request names none, with the extension `step_up`', example: ['aal2'] }),
    default_max_age: client.defaultMaxAge
      .unwrap()
      .nullish()
      .meta({ description: 'Seconds after which a user signs in again, if a request does not say it by `max_age`', example: 3600 }),
    ...assuranceMembers,
  }

  const ClientMetadata = z.object(fields).meta({ component: 'ClientMetadata' })

  /** RFC 7592 §2.2: a request that replaces the metadata repeats who the client is. */
  const ReplacedClientMetadata = z
    .object({
      ...fields,
      client_id: word().nullish().meta({ description: 'Must be that of the registration', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
      client_secret: plainText()
        .max(wordMax)
        .nullish()
        .meta({ ...isSecret, description: 'If sent, must be the current secret', example: '…' }),
    })
    .meta({ component: 'ReplacedClientMetadata' })

  return { ClientMetadata, ReplacedClientMetadata }
}

export type ClientMetadata = z.infer<ReturnType<typeof metadataSchemas>['ClientMetadata']>
export type ReplacedClientMetadata = z.infer<ReturnType<typeof metadataSchemas>['ReplacedClientMetadata']>

/** The lists that administrators have changed, as they left them when the client next registered; undefined for the others. */
export interface LeftToClient {
  grantTypes?: string[] | undefined
  scopes?: string[] | undefined
}

/** What is stored of the metadata besides the settings of the client. */
export type RegisteredMetadata = {
  applicationType: 'web' | 'native'
  /** What the client itself registered last: an administrator may have changed it since. */
  grantTypes: string[]
  scopes: string[]
  /** What bounds it from then on; undefined if a former release has stored it, and before the first replacement. */
  left?: LeftToClient
  /** The scopes of OpenID Connect that it named; it may ask for all of them. */
  openidScopes: string[]
  /** Undefined if a former release has stored it, and for clients that registered without a token. */
  assurance?: RegisteredAssurance
} & { -readonly [Member in (typeof shownMembers)[number]]?: string | string[] }

/** Members that mean nothing to us, which a registration repeats. */
export const shownMembers = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'contacts', 'software_id', 'software_version'] as const

export const shownMetadata = (sent: ClientMetadata) =>
  Object.fromEntries(shownMembers.flatMap((member) => (sent[member] == null ? [] : [[member, sent[member]]]))) as Pick<
    RegisteredMetadata,
    (typeof shownMembers)[number]
  >

const levels: ReadonlySet<string> = new Set(assuranceLevels)
export const isLevel = (value: string): value is (typeof assuranceLevels)[number] => levels.has(value)

const openid: ReadonlySet<string> = new Set(openidScopes)
export const isOpenidScope = (scope: string): boolean => openid.has(scope)
