import { z } from 'zod'
import { assuranceLevels } from '../access/factors.ts'
import { ClaimMappingRecord, claimMappings, claimTargets } from '../claims/schemas.ts'
import { redirectUriLengthMax } from '../organisations/rules.ts'
import { checked, mistakeOfRedirectUri, pictureAddress } from '../organisations/schemas.ts'
import { id, isSecret, lines, name, plainText, recordId, text, timestamp } from '../platform/http/fields.ts'
import type { FieldError } from '../platform/http/problem.ts'
import { resourceIdentifierOf, signingAlgorithms } from '../tokens/rules.ts'
import { certificateFields, shownCertificateFields } from './certificate-schemas.ts'
import { FederatedCredentialRecord, federatedCredentials, federatedCredentialsDescribed } from './federated-credentials.ts'
import { keyFields, shownKeyFields } from './key-schemas.ts'
import { logoutFields, shownLogoutFields } from './logout-schemas.ts'
import { profiledFields, profiles } from './profile.ts'
import { initiationNotHttps, scopeNotSupported, scopeSyntax, uriWithResponseParameter } from './refusals.ts'
import {
  authMethods,
  customScopesOf,
  type GrantRules,
  initiateLoginUriMistake,
  parametersOfResponses,
  responseUriMistake,
  type ScopeMistake,
  scopeMistake,
} from './rules.ts'

const listMax = 100
const resourceServersMax = 200
const day = 86_400

const distinct = <T>(values: T[]): T[] => [...new Set(values)]

type MistakeOf = (value: string) => FieldError | undefined

const checkedText = (textMax: number, mistakeOf: MistakeOf) => checked(plainText().min(1).max(textMax), mistakeOf)

/** A list of texts that each pass the rule, without duplicates. */
const listOfChecked = (textMax: number, mistakeOf: MistakeOf) => z.array(checkedText(textMax, mistakeOf)).max(listMax).transform(distinct)

/** The rule for URIs that responses of this kind are sent to. */
const forResponses =
  (kind: keyof typeof parametersOfResponses): MistakeOf =>
  (uri) => {
    const taken = responseUriMistake(uri, parametersOfResponses[kind])
    return taken === undefined ? undefined : uriWithResponseParameter([], taken)
  }

const urisOfResponses = (kind: 'authorization' | 'logout') =>
  listOfChecked(redirectUriLengthMax, (uri) => mistakeOfRedirectUri(uri) ?? forResponses(kind)(uri))

const initiationMistakeOf: MistakeOf = (uri) =>
  mistakeOfRedirectUri(uri) ?? (initiateLoginUriMistake(uri) ? initiationNotHttps([]) : forResponses('initiation')(uri))

const scopeMistakes: Record<ScopeMistake, FieldError> = {
  'scope-syntax': scopeSyntax([]),
  'scope-not-supported': scopeNotSupported([]),
}
const mistakeOfScope: MistakeOf = (scope) => {
  const mistake = scopeMistake(scope)
  return mistake && scopeMistakes[mistake]
}
const lifetime = (max: number) => z.number().int().min(1).max(max).nullable()
const grantsDescribed =
  'Grants that the client may use. `urn:ietf:params:oauth:grant-type:device_code`, for devices without a browser (RFC 8628), needs the extension `device`'
const followed = 'Seconds; null follows the token lifetime policy of the organisation'

/** One algorithm has two names: RFC 8037 calls it EdDSA, RFC 9864 names it by its curve. Tokens use the former. */
export const signingAlgorithm = () => z.enum([...signingAlgorithms, 'Ed25519']).transform((name) => (name === 'Ed25519' ? 'EdDSA' : name))

const clientType = z.enum(['confidential', 'public']).meta({
  description: 'Confidential clients can store a secret; public ones (browser and native applications) cannot. Immutable',
  example: 'confidential',
})

const shownLifetime = (example: number) =>
  z.number().int().meta({ description: "Seconds: the client's own, else the organisation's, else the default", example })

/** The ways in which a client comes here. */
const origins = z.enum(['admin', 'registration', 'metadata_document'])

export const ClientFilters = z.object({
  origin: origins.optional().meta({
    description:
      'Only clients that came here in this way: an administrator registered them, they registered themselves, or they have a document',
  }),
  resourceServerId: text()
    .optional()
    .meta({ description: 'Only clients that may ask for tokens of this resource server', example: 'rsv_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  scope: text().optional().meta({ description: 'Only clients whose own scopes name this one', example: 'orders:read' }),
})

/** The schemas of clients. `grants` are those that a client can be registered for. */
export function clientSchemas(grants: readonly GrantRules[]) {
  const grantType = z.enum(grants.map((grant) => grant.grantType))
  const fields = {
    name: name().meta({ description: 'Shown on the consent page', example: 'Acme Portal' }),
    description: lines().nullable().meta({ description: 'What the client is for', example: 'Where customers see their orders' }),
    tokenEndpointAuthMethod: z.enum(authMethods).meta({
      description:
        'How the client is told to authenticate: client_secret_basic by default, none for public clients. A secret is accepted either way; with `private_key_jwt` only a signed assertion is (RFC 7523), which needs the extension of that name; with `tls_client_auth` and `self_signed_tls_client_auth` only a certificate is (RFC 8705), which needs the extension `mtls`',
      example: 'client_secret_basic',
    }),
    profile: z.enum(profiles).nullable().meta({
      description:
        '`fapi2` holds the client to the FAPI 2.0 Security Profile: it sets what the profile demands, and refuses what contradicts it; null for none. Needs the extensions `private_key_jwt`, `par` and `dpop`; `mtls` may take the place of the first and of the last',
      example: 'fapi2',
    }),
    ...keyFields,
    ...certificateFields,
    redirectUris: urisOfResponses('authorization').meta({
      description:
        'Where browsers may be sent with a code, compared as exact strings: https, loopback http or a private-use scheme. Within allowedCallbackUrls of the organisation, when it has any',
      example: ['https://portal.acme.test/callback'],
    }),
    postLogoutRedirectUris: urisOfResponses('logout').meta({
      description: 'Where browsers may be sent after signing out. Within allowedLogoutUrls of the organisation, when it has any',
      example: ['https://portal.acme.test/'],
    }),
    initiateLoginUri: checkedText(redirectUriLengthMax, initiationMistakeOf).nullable().meta({
      description:
        'Where a sign-in begins that the application has not requested, such as after an invitation (OpenID Connect Core §4): https, or http on loopback. Of the origin of one of allowedCallbackUrls of the organisation, when it has any',
      example: 'https://portal.acme.test/login',
    }),
    grantTypes: z
      .array(grantType)
      .min(1)
      .max(listMax)
      .transform(distinct)
      .meta({ description: grantsDescribed, example: ['authorization_code', 'refresh_token'] }),
    scopes: listOfChecked(255, mistakeOfScope)
      .transform(customScopesOf)
      .meta({
        description: 'Custom scopes that the client may request. Those of OpenID Connect are left out: every client may request them',
        example: ['orders:read'],
      }),
    requirePkce: z.boolean().meta({ description: 'Whether a code is only issued for a PKCE challenge; always true for public clients' }),
    allowPlainPkce: z.boolean().meta({ description: 'Whether the challenge method `plain` is accepted besides `S256`' }),
    requireConsent: z.boolean().meta({ description: 'Whether users are asked before the client gets a code' }),
    requirePushedAuthorizationRequests: z.boolean().meta({
      description: 'Whether the client has to push its authorization requests (RFC 9126): others are refused. Needs the extension `par`',
    }),
    requireDpop: z.boolean().meta({
      description:
        'Whether the client gets tokens for a proof of its key alone (RFC 9449), to which they are bound. Needs the extension `dpop`',
    }),
    refreshTokenGraceSeconds: z.number().int().min(0).max(60).meta({
      description:
        'Seconds within which the same refresh by the same client gets the same response again. With 0, two processes of one application that refresh at the same moment end the session: set some, such as 30, for an application of several processes',
      example: 0,
    }),
    accessTokenLifetime: lifetime(30 * day).meta({ description: followed, example: 3600 }),
    refreshTokenLifetime: lifetime(3_650 * day).meta({ description: followed, example: 2592000 }),
    refreshTokenAbsoluteLifetime: lifetime(3_650 * day).meta({
      description:
        'Seconds after the sign-in of the user at which refreshing ends for good, however often it was used; null follows the token lifetime policy of the organisation',
      example: 15552000,
    }),
    idTokenLifetime: lifetime(30 * day).meta({ description: followed, example: 3600 }),
    authorizationCodeTtl: z.number().int().min(1).max(3_600).meta({ description: 'Seconds that a code can be redeemed', example: 600 }),
    idTokenSignedResponseAlg: signingAlgorithm().meta({
      description: 'What signs ID tokens of the client. `Ed25519` is another name of `EdDSA`',
      example: 'EdDSA',
    }),
    introspectionSignedResponseAlg: signingAlgorithm().nullable().meta({
      description:
        'What signs the responses of introspection that the client asks for in signed form (RFC 9701); null means `RS256`. Needs the extension `jwt_introspection`',
      example: 'EdDSA',
    }),
    defaultAcrValues: z
      .array(z.enum(assuranceLevels))
      .min(1)
      .max(assuranceLevels.length)
      .transform(distinct)
      .nullable()
      .meta({
        description:
          'Levels of sign-in, best first, to attempt if a request names none in `acr_values` (OpenID Connect Dynamic Client Registration §2). Needs the extension `step_up`',
        example: ['phr', 'aal2'],
      }),
    defaultMaxAge: z.number().int().min(0).max(999_999_999).nullable().meta({
      description:
        'Seconds after which a user signs in again, if a request does not say it by `max_age` (OpenID Connect Dynamic Client Registration §2)',
      example: 3600,
    }),
    ...logoutFields,
    resourceServerIds: z
      .array(id())
      .max(resourceServersMax)
      .transform(distinct)
      .nullable()
      .meta({
        description:
          'Resource servers that the client may ask tokens for, and of whose scopes those that `scopes` names; null for none. Needs the extension `resource_indicators`',
        example: ['rsv_01kahm3z9n4v7f2t8q6w5r1y0x'],
      }),
    defaultResource: plainText()
      .min(1)
      .max(512)
      .transform((uri) => resourceIdentifierOf(uri) ?? uri)
      .nullable()
      .meta({
        description:
          'Identifier of the one of them that tokens are for if a request names no `resource`; null for none. Needs the extension `resource_indicators`',
        example: 'https://api.acme.test/orders',
      }),
    claimMappings: claimMappings(claimTargets).meta({
      description: 'Claims that its tokens, UserInfo and introspection have besides, at most 4 KiB in each',
    }),
    federatedCredentials: federatedCredentials().meta({
      description: `${federatedCredentialsDescribed}. Needs the extension \`federated_credentials\``,
    }),
    logoUrl: pictureAddress().nullable().meta({
      description: 'Shown on the consent page; https only, during development also http of the machine itself',
      example: 'https://portal.acme.test/logo.svg',
    }),
  }

  const NewClient = z
    .object({
      name: fields.name,
      clientType,
      description: fields.description.default(null),
      profile: fields.profile.default(null),
      tokenEndpointAuthMethod: fields.tokenEndpointAuthMethod.optional(),
      tokenEndpointAuthSigningAlg: fields.tokenEndpointAuthSigningAlg.default(null),
      jwks: fields.jwks.default(null),
      jwksUri: fields.jwksUri.default(null),
      requireSignedRequestObject: fields.requireSignedRequestObject.default(false),
      requestObjectSigningAlg: fields.requestObjectSigningAlg.default(null),
      tlsClientAuth: fields.tlsClientAuth.default(null),
      redirectUris: fields.redirectUris.default([]),
      postLogoutRedirectUris: fields.postLogoutRedirectUris.default([]),
      initiateLoginUri: fields.initiateLoginUri.default(null),
      grantTypes: fields.grantTypes.default(['authorization_code', 'refresh_token']),
      scopes: fields.scopes.default([]),
      requirePkce: fields.requirePkce.optional().meta({ default: true }),
      allowPlainPkce: fields.allowPlainPkce.optional(),
      requireConsent: fields.requireConsent.default(false),
      requirePushedAuthorizationRequests: fields.requirePushedAuthorizationRequests.optional().meta({ default: false }),
      requireDpop: fields.requireDpop.optional().meta({ default: false }),
      certificateBoundAccessTokens: fields.certificateBoundAccessTokens.optional().meta({ default: false }),
      refreshTokenGraceSeconds: fields.refreshTokenGraceSeconds.default(0),
      accessTokenLifetime: fields.accessTokenLifetime.default(null),
      refreshTokenLifetime: fields.refreshTokenLifetime.default(null),
      refreshTokenAbsoluteLifetime: fields.refreshTokenAbsoluteLifetime.default(null),
      idTokenLifetime: fields.idTokenLifetime.default(null),
      authorizationCodeTtl: fields.authorizationCodeTtl.optional().meta({ default: 600 }),
      idTokenSignedResponseAlg: fields.idTokenSignedResponseAlg.optional(),
      introspectionSignedResponseAlg: fields.introspectionSignedResponseAlg.default(null),
      defaultAcrValues: fields.defaultAcrValues.default(null),
      defaultMaxAge: fields.defaultMaxAge.default(null),
      backchannelLogoutUri: fields.backchannelLogoutUri.default(null),
      backchannelLogoutSessionRequired: fields.backchannelLogoutSessionRequired.default(false),
      backchannelLogoutRevokesRefresh: fields.backchannelLogoutRevokesRefresh.default(false),
      resourceServerIds: fields.resourceServerIds.default(null),
      defaultResource: fields.defaultResource.default(null),
      claimMappings: fields.claimMappings.default([]),
      federatedCredentials: fields.federatedCredentials.default([]),
      logoUrl: fields.logoUrl.default(null),
    })
    .meta({ component: 'NewClient' })

  const ClientChanges = z.object(fields).partial().meta({ component: 'ClientChanges' })

  const ClientRecord = z
    .object({
      id: recordId('cli'),
      clientId: z.string().meta({
        description: 'What OAuth calls `client_id`: equal to `id`, or what an application uses that has introduced itself',
        example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
      }),
      origin: origins.meta({
        description: 'How it came here: an administrator registered it, it registered itself, or it has a client ID metadata document',
        example: 'admin',
      }),
      metadataUrl: z.string().nullable().meta({
        description: 'Address of its client ID metadata document; null without one',
        example: null,
      }),
      name: z.string().meta({ description: 'Name of the application, as the consent page shows it', example: 'Acme Portal' }),
      description: z.string().nullable().meta({ description: 'What the client is for', example: 'Where customers see their orders' }),
      clientType,
      profile: fields.profile,
      tokenEndpointAuthMethod: fields.tokenEndpointAuthMethod,
      ...shownKeyFields,
      ...shownCertificateFields,
      redirectUris: z.array(z.string()).meta({
        description: 'Addresses that an authorization response may be sent to, compared as exact strings',
        example: ['https://portal.acme.test/callback'],
      }),
      postLogoutRedirectUris: z
        .array(z.string())
        .meta({ description: 'Addresses that the browser may be sent to after sign-out', example: ['https://portal.acme.test/'] }),
      initiateLoginUri: z.string().nullable().meta({
        description: 'Address of the application at which a sign-in begins (OpenID Connect Core §4)',
        example: 'https://portal.acme.test/login',
      }),
      grantTypes: z
        .array(grantType)
        .meta({ description: 'Grants that the client may use', example: ['authorization_code', 'refresh_token'] }),
      scopes: z.array(z.string()).meta({ description: 'Custom scopes', example: ['orders:read'] }),
      requirePkce: fields.requirePkce,
      allowPlainPkce: fields.allowPlainPkce,
      requireConsent: fields.requireConsent,
      requirePushedAuthorizationRequests: fields.requirePushedAuthorizationRequests,
      requireDpop: fields.requireDpop,
      isActive: z.boolean().meta({ description: 'false once revoked: nothing is issued and nothing issued before is accepted' }),
      refreshTokenGraceSeconds: fields.refreshTokenGraceSeconds,
      accessTokenLifetime: shownLifetime(3600),
      refreshTokenLifetime: shownLifetime(2592000),
      refreshTokenAbsoluteLifetime: shownLifetime(15552000),
      idTokenLifetime: shownLifetime(3600),
      authorizationCodeTtl: fields.authorizationCodeTtl,
      idTokenSignedResponseAlg: z.enum(signingAlgorithms).meta({ description: 'What signs ID tokens of the client', example: 'EdDSA' }),
      introspectionSignedResponseAlg: z
        .enum(signingAlgorithms)
        .nullable()
        .meta({ description: 'What signs the responses of introspection in signed form; null means `RS256`', example: 'EdDSA' }),
      defaultAcrValues: z
        .array(z.string())
        .nullable()
        .meta({
          description: 'Levels of sign-in to attempt if a request names none; null for none',
          example: ['phr', 'aal2'],
        }),
      defaultMaxAge: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'Seconds after which a user signs in again, if a request does not say it; null for none', example: 3600 }),
      ...shownLogoutFields,
      resourceServerIds: z
        .array(z.string())
        .nullable()
        .meta({
          description: 'Resource servers that the client may ask tokens for; null for none',
          example: ['rsv_01kahm3z9n4v7f2t8q6w5r1y0x'],
        }),
      defaultResource: z.string().nullable().meta({
        description: 'Identifier of the resource server that tokens are for if a request names none; null for none',
        example: 'https://api.acme.test/orders',
      }),
      claimMappings: z.array(ClaimMappingRecord).meta({ description: 'Claims that its tokens, UserInfo and introspection have besides' }),
      federatedCredentials: z.array(FederatedCredentialRecord).meta({ description: federatedCredentialsDescribed }),
      logoUrl: z
        .string()
        .nullable()
        .meta({ description: 'Address of the logo on the consent page', example: 'https://portal.acme.test/logo.svg' }),
      organisationId: recordId('org', 'The organisation that it belongs to'),
      createdAt: timestamp('When the client was registered'),
      updatedAt: timestamp('When the client was last changed'),
      registration: z
        .object({
          registrationTokenId: z.string().nullable().meta({
            description: 'The registration token by which it registered; null without one',
            example: 'rgt_01kahm3z9n4v7f2t8q6w5r1y0x',
          }),
          ipAddress: z.string().nullable().meta({ description: 'From which address it registered', example: '203.0.113.7' }),
        })
        .nullable()
        .meta({ description: 'How the client registered itself; null for others' }),
      lastUsedAt: timestamp().nullable().meta({
        description: 'When it last got a token, or called introspection or revocation with its secret; null before. May be 5 minutes old',
      }),
      secret: z
        .object({
          createdAt: timestamp('When the current secret was made'),
          lastUsedAt: timestamp().nullable().meta({
            description: 'When the current secret was last used; null before. May be 5 minutes old',
          }),
          previousValidUntil: timestamp().nullable().meta({
            description: 'Until when the previous secret works, or worked; null when there is none or it ended at once',
          }),
        })
        .nullable()
        .meta({ description: 'The secret of the client, without its value; null for a client that does not authenticate by one' }),
    })
    .meta({ component: 'Client' })

  /** A client with its new secret, which is shown only once. */
  const ClientWithSecret = ClientRecord.extend({
    clientSecret: z
      .string()
      .nullable()
      .meta({
        ...isSecret,
        description: 'Shown this once; null for a client that does not authenticate by one',
        example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      }),
  }).meta({ component: 'ClientWithSecret' })

  return { NewClient, ClientChanges, ClientRecord, ClientWithSecret }
}

type ClientSchemas = ReturnType<typeof clientSchemas>
export type NewClient = z.infer<ClientSchemas['NewClient']>
export type ClientChanges = z.infer<ClientSchemas['ClientChanges']>
export type ClientRecord = z.infer<ClientSchemas['ClientRecord']>

export const SecretRotation = z.object({
  gracePeriodSeconds: z
    .number()
    .int()
    .min(0)
    .max(7 * day)
    .default(0)
    .meta({ description: 'Seconds that the old secret keeps working', example: 3600 }),
})

export const ClientImpact = z
  .object({
    users: z.number().int().meta({ description: 'How many users it can act for now, because it can refresh their tokens', example: 41 }),
    refreshTokens: z.number().int().meta({ description: 'How many refresh tokens of these users would end', example: 52 }),
    consents: z.number().int().meta({ description: 'How many users have consented to what it asks for', example: 38 }),
  })
  .meta({ component: 'ClientImpact' })
export type ClientImpact = z.infer<typeof ClientImpact>

export const ClientProfile = z
  .object({
    profile: z.enum(profiles).nullable().meta({ description: 'The profile that the client is held to; null for none', example: 'fapi2' }),
    isInUse: z.boolean().meta({ description: 'Whether the client was used within the last 7 days' }),
    usesSecret: z
      .boolean()
      .meta({ description: 'Whether it authenticated by its current secret within the last 7 days, which the profile refuses' }),
    clauses: z
      .array(
        z.object({
          clause: z.string().nullable().meta({
            description: 'Section and number in the FAPI 2.0 Security Profile; null for a rule of this service',
            example: '5.3.2.1-6',
          }),
          field: z.enum(profiledFields).meta({ description: 'The field of the client', example: 'tokenEndpointAuthMethod' }),
          demand: z.string().meta({ description: 'What the field has to be', example: 'private_key_jwt' }),
          isMet: z.boolean().meta({ description: 'Whether it is that already' }),
          isSetByProfile: z.boolean().meta({
            description: 'Whether setting the profile sets it; if not, the profile is refused until it has been changed',
          }),
        }),
      )
      .meta({ description: 'What the profile demands of the settings, in the order of its sections' }),
  })
  .meta({ component: 'ClientProfile' })
export type ClientProfile = z.infer<typeof ClientProfile>
