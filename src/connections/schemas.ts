import { z } from 'zod'
import { type ConnectionCheck, namesOfChecks } from '../../shared/checks/names.ts'
import { id, isSecret, issueOf, lines, matching, name, plainText, recordId, slug, timestamp } from '../platform/http/fields.ts'
import {
  invalidAppleId,
  invalidClaimName,
  invalidDomainName,
  invalidHostName,
  invalidParameterName,
  invalidScopeName,
  invalidTenant,
  invalidTenantId,
  reservedParameter,
} from './refusals.ts'

const day = 86_400
const listMax = 100
const mappingsMax = 200

const distinct = <T>(values: T[]): T[] => [...new Set(values)]
const listOf = (item: z.ZodType<string>, max = listMax) => z.array(item).max(max).overwrite(distinct)
/** A member of an object whose members are changed one by one. */
const member = <T extends z.ZodType>(schema: T) => schema.nullable().optional()

const lowerCase = (max = 255) => plainText().trim().toLowerCase().min(1).max(max)
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainName = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])`
const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const appleId = () => matching(plainText(), /^[A-Z0-9]{10}$/, invalidAppleId)
/** The name of a claim, or a JSON pointer (RFC 6901). */
const claim = () => matching(name(), /^(?:[^/].*|(?:\/(?:[^~/]|~[01])*)+)$/, invalidClaimName)

const reservedParameters = new Set([
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'code_challenge',
  'code_challenge_method',
  'id_token_hint',
  'login',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
])
const parameterName = /^[A-Za-z][\w.-]{0,63}$/

const extraParameters = z.record(z.string(), plainText().max(1_000)).superRefine((parameters, context) => {
  for (const parameter of Object.keys(parameters)) {
    if (!parameterName.test(parameter)) context.addIssue({ ...issueOf(invalidParameterName([])), path: [parameter] })
    else if (reservedParameters.has(parameter.toLowerCase())) context.addIssue({ ...issueOf(reservedParameter([])), path: [parameter] })
  }
})

/** The settings of a provider in addition to the secret. Each provider uses a part of them. */
export const SentConfiguration = z.object({
  issuer: member(plainText().min(1).max(2_048)).meta({
    description: '`oidc`: the issuer, exactly as its discovery document names it; https only',
    example: 'https://login.acme.test',
  }),
  clientId: member(plainText().trim().min(1).max(255)).meta({
    description: 'The client id that the provider has issued for this service; for `apple` the Services ID',
    example: 'gatehouse',
  }),
  scopes: member(listOf(matching(plainText().max(255), /^[\x21\x23-\x5b\x5d-\x7e]+$/, invalidScopeName))).meta({
    description: 'The requested scopes; by default openid, email and profile for `oidc`, and what the provider needs for others',
    example: ['openid', 'email', 'profile'],
  }),
  clientAuthentication: member(z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt'])).meta({
    description:
      '`oidc`: how the secret is sent to the token endpoint; with `private_key_jwt` there is none, and a key of this service signs',
  }),
  userInfo: member(z.boolean()).meta({ description: '`oidc`: whether claims are also read from the UserInfo endpoint', example: true }),
  emailTrust: member(z.enum(['verified_claim', 'verified_domain'])).meta({
    description: '`oidc`: an address is proven by the claim `email_verified`, or by its domain, which the organisation has verified',
  }),
  extraParameters: member(extraParameters).meta({
    description: 'Further parameters of the authorization request',
    example: { audience: 'gatehouse' },
  }),
  allowedDomains: member(listOf(matching(lowerCase(), new RegExp(`^(?:\\*|${domainName})$`), invalidDomainName))).meta({
    description: 'Whose addresses may get an account by `jit`, besides those of verified domains; `*` stands for all',
    example: ['acme.test'],
  }),
  allowedHostedDomains: member(listOf(matching(lowerCase(), new RegExp(`^${domainName}$`), invalidDomainName))).meta({
    description: '`google`: the Workspace domains that may sign in; all when empty',
    example: ['acme.test'],
  }),
  tenant: member(matching(lowerCase(), new RegExp(`^(?:${guid}|organizations|consumers|common)$`), invalidTenant)).meta({
    description: '`microsoft`: id of the one tenant, or `organizations`, `consumers` or `common`',
    example: 'organizations',
  }),
  allowedTenants: member(listOf(matching(lowerCase(), new RegExp(`^${guid}$`), invalidTenantId))).meta({
    description: '`microsoft`: ids of the tenants that may sign in; all when empty',
    example: ['9f2f4f3e-8f0e-4c53-9f7e-0a8f7a1c2b3d'],
  }),
  host: member(matching(lowerCase(), new RegExp(`^${domainName}(?::\\d{1,5})?$`), invalidHostName)).meta({
    description: '`github`: host of an Enterprise Server; github.com without it',
    example: 'github.acme.test',
  }),
  teamId: member(appleId()).meta({ description: '`apple`: id of the team', example: 'A1B2C3D4E5' }),
  keyId: member(appleId()).meta({ description: '`apple`: id of the key', example: 'F6G7H8I9J0' }),
  metadataUrl: member(plainText().min(1).max(2_048)).meta({
    description:
      '`saml`: https address of the metadata of the provider, from which entity id, address and certificates are taken now and every twelve hours',
    example: 'https://login.acme.test/metadata',
  }),
  metadataXml: member(lines(500_000).min(1)).meta({
    description: '`saml`: the metadata themselves. They are read and not stored: what they say is',
  }),
  metadataValidUntil: member(z.iso.datetime()).meta({
    description: '`saml`: until when the metadata are valid, by what they say; no sign-in afterwards',
    example: '2027-01-01T00:00:00.000Z',
  }),
  entityId: member(plainText().min(1).max(1_024)).meta({
    description: '`saml`: the entity id of the provider, as it names itself in its responses',
    example: 'https://login.acme.test/metadata',
  }),
  ssoUrl: member(plainText().min(1).max(2_048)).meta({
    description: '`saml`: where the provider signs users in; https only',
    example: 'https://login.acme.test/saml/sso',
  }),
  ssoBinding: member(z.enum(['redirect', 'post'])).meta({
    description: '`saml`: how requests come there: in the address (Redirect binding), or by a form that the browser posts (POST binding)',
    example: 'redirect',
  }),
  sloUrl: member(plainText().min(1).max(2_048)).meta({
    description: '`saml`: where the provider signs users out; https only. Needed for `upstreamLogout`',
    example: 'https://login.acme.test/saml/slo',
  }),
  sloBinding: member(z.enum(['redirect', 'post'])).meta({
    description: '`saml`: how messages of single logout come there, as `ssoBinding`; `redirect` without it',
    example: 'redirect',
  }),
  sloResponseUrl: member(plainText().min(1).max(2_048)).meta({
    description: '`saml`: where responses to sign-outs of the provider go, if it has another address for them than `sloUrl`',
    example: 'https://login.acme.test/saml/slo/response',
  }),
  certificates: member(z.array(lines(8_192).min(1)).max(5)).meta({
    description:
      '`saml`: the certificates of the keys with which the provider signs, in PEM or base64. Any of them may have signed, expired or not',
  }),
  acceptsSignedResponse: member(z.boolean()).meta({
    description: '`saml`: whether a signature of the whole response counts in place of one of the assertion',
    example: false,
  }),
  subjectAttribute: member(name()).meta({
    description: '`saml`: the attribute that identifies a user for ever; the NameID without it, which must not be a transient one',
    example: 'employeeNumber',
  }),
})
export type ConnectionConfiguration = z.infer<typeof SentConfiguration>

const SentMapping = z.object({
  email: member(claim()).meta({
    description: 'Where the address is; `email` without it. Only `oidc` may name another claim',
    example: 'email',
  }),
  firstName: member(claim()).meta({ description: 'Where the first name is; `given_name` without it', example: 'given_name' }),
  lastName: member(claim()).meta({ description: 'Where the last name is; `family_name` without it', example: 'family_name' }),
  phone: member(claim()).meta({ description: 'Where the phone number is; none is read without it', example: 'phone_number' }),
  groups: member(claim()).meta({
    description: 'Where the groups are; `groups` without it. The mappings of the claim `groups` read it there',
    example: '/realm_access/roles',
  }),
})

const mapped = {
  claim: claim().meta({ description: 'Name of a claim, or a JSON pointer to one', example: 'groups' }),
  value: plainText().min(1).max(255).meta({ description: 'The value, or one of several, that the claim must have', example: 'support' }),
}
const SentRoleMapping = z.object({
  ...mapped,
  roleId: id().meta({ description: 'Id of the role', example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})
const SentTeamMapping = z.object({
  ...mapped,
  teamId: id().meta({ description: 'Id of the team', example: 'tem_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

/** The longest life of an assertion that can be accepted (decision 0196). */
const assertionLifetimeMax = 600

const identityAssertions = {
  accepted: z.boolean().meta({ description: 'Whether applications may act for users by assertions of this provider', example: true }),
  resourceServerIds: listOf(id()).meta({
    description: 'Ids of the resource servers that such assertions may be for',
    example: ['rsv_01kahm3z9n4v7f2t8q6w5r1y0x'],
  }),
  maxLifetimeSeconds: z
    .number()
    .int()
    .min(1)
    .max(assertionLifetimeMax)
    .meta({ description: 'The longest life of an assertion, in seconds', example: 300 }),
  allowsUnauthenticatedDocuments: z.boolean().meta({
    description: 'Whether a client that only the address of its document identifies may present one. Needs `client_metadata_documents`',
    example: false,
  }),
  tenant: plainText().min(1).max(255).nullable().meta({
    description:
      'Which tenant of the provider is trusted, as `tenant` in its assertions names it: needed where one issuer is that of many, as of another Gatehouse',
    example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x',
  }),
}

const fields = {
  name: name().meta({ description: 'Shown on the sign-in page', example: 'Acme' }),
  isActive: z.boolean().meta({ description: 'Whether it is active. Required settings may be missing while it is not', example: true }),
  configuration: SentConfiguration,
  linking: z.enum(['none', 'confirm', 'automatic']).nullable().meta({
    description:
      'Whether a sign-in is linked to the existing account with the address that the connection has proven: never, once its user confirms, or at once. null: at once for a verified domain that is assigned to the connection, else once confirmed',
  }),
  provisioning: z.enum(['none', 'jit']).meta({ description: 'Whether a user without an account gets one at the first sign-in (`jit`)' }),
  mapping: SentMapping,
  roleMappings: z.array(SentRoleMapping).max(mappingsMax).meta({ description: 'Roles by what a claim holds; never the owner role' }),
  teamMappings: z.array(SentTeamMapping).max(mappingsMax).meta({ description: 'Teams by what a claim holds' }),
  syncOn: z
    .enum(['creation', 'every_sign_in'])
    .meta({ description: 'When names, phone number, roles and teams are updated: at the first sign-in or at each' }),
  trustsMfa: z.boolean().meta({ description: 'Whether a second factor at the provider counts here', example: false }),
  mfaContexts: listOf(plainText().min(1).max(255), 20).meta({
    description: 'Values of `acr` that mean a second factor, besides `mfa` in `amr`',
    example: ['https://refeds.org/profile/mfa'],
  }),
  upstreamLogout: z.boolean().meta({ description: 'Whether signing out here signs out at the provider, too', example: false }),
  idpInitiated: z.enum(['refuse', 'restart']).meta({
    description: '`saml`: what becomes of a response that was not asked for. It signs no user in; with `restart` a sign-in begins instead',
  }),
  sessionMaxAgeSeconds: z
    .number()
    .int()
    .min(60)
    .max(3_650 * day)
    .nullable()
    .meta({ description: 'Maximum lifetime in seconds of sessions and refresh tokens that began with it', example: 28_800 }),
  identityAssertions: z
    .object({
      accepted: identityAssertions.accepted,
      resourceServerIds: identityAssertions.resourceServerIds.default([]),
      maxLifetimeSeconds: identityAssertions.maxLifetimeSeconds.default(300),
      allowsUnauthenticatedDocuments: identityAssertions.allowsUnauthenticatedDocuments.default(false),
      tenant: identityAssertions.tenant.default(null),
    })
    .nullable()
    .meta({
      description:
        '`oidc` and its presets: assertions by which applications act for users without a sign-in (ID-JAG). null accepts none. Needs `identity_assertions`',
    }),
}
const members = 'A member that is not sent stays as it is, null removes it'

const secret = () =>
  lines(8_192)
    .min(1)
    .meta({
      ...isSecret,
      description: 'The client secret; for `apple` the content of the .p8 file. It is never shown',
      example: 'GOCSPX-1a2b3c',
    })

const described = {
  slug: slug().meta({ description: 'Unique in the organisation; cannot be changed', example: 'acme' }),
  provider: z.enum(['google', 'microsoft', 'github', 'apple', 'oidc', 'saml']).meta({
    description: 'The kind of identity provider; `oidc` is any OpenID Connect provider, `saml` any SAML 2.0 provider. Cannot be changed',
    example: 'oidc',
  }),
}

export const NewConnection = z
  .object({
    name: fields.name,
    ...described,
    isActive: fields.isActive.default(true),
    configuration: fields.configuration.optional().meta({ description: 'The configuration for the provider' }),
    secret: secret().optional(),
    linking: fields.linking.default(null),
    provisioning: fields.provisioning.default('none'),
    mapping: fields.mapping.optional().meta({ description: 'Which claim gives which field of a user' }),
    roleMappings: fields.roleMappings.default([]),
    teamMappings: fields.teamMappings.default([]),
    syncOn: fields.syncOn.default('creation'),
    trustsMfa: fields.trustsMfa.default(false),
    mfaContexts: fields.mfaContexts.default([]),
    upstreamLogout: fields.upstreamLogout.default(false),
    idpInitiated: fields.idpInitiated.default('refuse'),
    sessionMaxAgeSeconds: fields.sessionMaxAgeSeconds.default(null),
    identityAssertions: fields.identityAssertions.default(null),
  })
  .meta({ component: 'NewConnection' })
export type NewConnection = z.infer<typeof NewConnection>

export const ConnectionChanges = z
  .object({
    ...fields,
    configuration: fields.configuration.meta({ description: `The configuration for the provider. ${members}` }),
    mapping: fields.mapping.meta({ description: `Which claim gives which field of a user. ${members}` }),
    secret: secret(),
    endSessions: z
      .boolean()
      .meta({ description: 'With `isActive` false: whether to end sessions that began with the connection', example: true }),
  })
  .partial()
  .meta({ component: 'ConnectionChanges' })
export type ConnectionChanges = z.infer<typeof ConnectionChanges>

export const NewConnectionSecret = z
  .object({
    secret: secret(),
    gracePeriodSeconds: z
      .number()
      .int()
      .min(0)
      .max(7 * day)
      .default(0)
      .meta({ description: 'How long the previous secret is tried as well', example: 3_600 }),
  })
  .meta({ component: 'NewConnectionSecret' })
export type NewConnectionSecret = z.infer<typeof NewConnectionSecret>

export const KeyRotation = z
  .object({
    activate: z.boolean().default(false).meta({
      description: 'false makes the next key, which is published at once and signs seven days later; true makes it sign now',
      example: true,
    }),
  })
  .meta({ component: 'KeyRotation' })
export type KeyRotation = z.infer<typeof KeyRotation>

/** The same object in a response, under a component name for clients. */
const shown = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>, component: string) => z.object(shape).meta({ component })

export const ConnectionRecord = z
  .object({
    id: recordId('con'),
    name: fields.name,
    slug: z.string().meta({ description: 'Short name of the connection for programs', example: 'acme' }),
    type: z.enum(['oidc', 'oauth2', 'saml']).meta({ description: 'Which protocol it speaks' }),
    provider: described.provider,
    isActive: fields.isActive,
    configuration: shown(SentConfiguration, 'ConnectionConfiguration').meta({ description: 'The configuration for the provider' }),
    hasSecret: z.boolean().meta({ description: 'Whether a secret is stored', example: true }),
    previousSecretExpiresAt: timestamp().nullable().meta({ description: 'Until when the previous secret or key is tried as well' }),
    jwksUri: z.string().nullable().meta({
      description: 'Where the public keys are that the provider needs with `private_key_jwt`; null without it',
      example: 'https://id.example.com/federation/con_01kahm3z9n4v7f2t8q6w5r1y0x/jwks',
    }),
    nextKeySignsFrom: timestamp()
      .nullable()
      .meta({ description: 'When the next key signs at the latest; null once it signs, and while there is none' }),
    callbackUrl: z.string().nullable().meta({
      description: 'The redirect URI to register at the provider; null for `saml`',
      example: 'https://id.example.com/federation/con_01kahm3z9n4v7f2t8q6w5r1y0x/callback',
    }),
    acsUrl: z.string().nullable().meta({
      description: '`saml`: where the provider has to send its responses; null for others',
      example: 'https://id.example.com/saml/con_01kahm3z9n4v7f2t8q6w5r1y0x/acs',
    }),
    entityId: z.string().nullable().meta({
      description: '`saml`: the entity id of this service, which the provider has to know; null for others',
      example: 'https://id.example.com/saml/con_01kahm3z9n4v7f2t8q6w5r1y0x/metadata',
    }),
    metadataUrl: z.string().nullable().meta({
      description: '`saml`: where the provider can read all of this, with our certificates; null for others',
      example: 'https://id.example.com/saml/con_01kahm3z9n4v7f2t8q6w5r1y0x/metadata',
    }),
    linking: fields.linking,
    provisioning: fields.provisioning,
    mapping: shown(SentMapping, 'ClaimMapping').meta({ description: 'Which claim gives which field of a user' }),
    roleMappings: z.array(shown(SentRoleMapping, 'RoleMapping')).meta({ description: 'Roles by what a claim holds' }),
    teamMappings: z.array(shown(SentTeamMapping, 'TeamMapping')).meta({ description: 'Teams by what a claim holds' }),
    syncOn: fields.syncOn,
    trustsMfa: fields.trustsMfa,
    mfaContexts: fields.mfaContexts,
    upstreamLogout: fields.upstreamLogout,
    idpInitiated: fields.idpInitiated,
    sessionMaxAgeSeconds: fields.sessionMaxAgeSeconds,
    identityAssertions: z.object(identityAssertions).nullable().meta({
      component: 'IdentityAssertions',
      description: 'Assertions by which applications act for users (ID-JAG); null accepts none',
    }),
    lastUsedAt: timestamp().nullable().meta({ description: 'When it last signed a user in; null before' }),
    status: z
      .object({
        state: z.enum(['ok', 'failing']).meta({ description: '`failing` once three attempts in a row failed at the provider' }),
        since: timestamp().nullable().meta({ description: 'Since when it has been failing; null while it is not' }),
        error: z
          .string()
          .nullable()
          .meta({ description: 'Why the last attempt failed, in English; null when none has', example: 'Status 503' }),
        check: z
          .object({
            code: z
              .enum(Object.keys(namesOfChecks) as [ConnectionCheck, ...ConnectionCheck[]])
              .meta({ description: 'A stable code of the check, as among `checks` of a sign-in', example: 'discovery' }),
            name: z.string().meta({ description: 'What was checked', example: 'discovery' }),
          })
          .nullable()
          .meta({ description: 'The check that the last attempt did not pass; null when none has failed, or at no check' }),
        groupsCutSince: timestamp().nullable().meta({
          description:
            'Since when users arrive with more than 1,000 values of a claim that mappings need, of which only the first 1,000 count; null once one has arrived with fewer',
        }),
        certificatesExpireAt: timestamp().nullable().meta({
          description:
            '`saml`: when the last of the certificates expires, from 30 days before on. Signatures count afterwards, too, but providers change their key by then',
        }),
        metadataExpireAt: timestamp().nullable().meta({
          description: '`saml`: until when the metadata are valid, from 30 days before on. No user signs in afterwards',
        }),
        certificatesLeftOut: z.number().int().meta({
          description: '`saml`: how many more certificates the metadata have than are trusted: only the five that expire last are',
          example: 0,
        }),
      })
      .meta({ description: 'Whether it works' }),
    certificates: z
      .array(
        z.object({
          fingerprint: z.string().meta({ description: 'SHA-256 of the certificate', example: '9f2f4f3e' }),
          notBefore: timestamp('From when it is meant to be used'),
          notAfter: timestamp('When it expires'),
        }),
      )
      .meta({ description: '`saml`: the certificates that are trusted' }),
    createdAt: timestamp('When it was created'),
    updatedAt: timestamp('When it was last changed'),
  })
  .meta({ component: 'Connection' })
export type ConnectionRecord = z.infer<typeof ConnectionRecord>
