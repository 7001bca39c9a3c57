import { z } from 'zod'
import { mfaMethods } from '../access/factors.ts'
import { UserSummary } from '../access/schemas.ts'
import {
  email,
  id,
  issueOf,
  lines,
  matching,
  name,
  plainText,
  recordId,
  refused,
  slug,
  storable,
  text,
  timestamp,
  webAddress,
} from '../platform/http/fields.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'
import type { FieldError } from '../platform/http/problem.ts'
import { urlNotHttps } from '../platform/http/refusals.ts'
import {
  colourExpected,
  documentHostExpected,
  originExpected,
  pictureNotHttps,
  uriNotAbsolute,
  uriNotHttps,
  uriOfOtherScheme,
  uriWithCredentials,
  uriWithFragment,
  uriWithWildcard,
} from './refusals.ts'
import {
  isDocumentHost,
  isPictureAddress,
  isProtectedOrigin,
  passwordMinLength,
  type RedirectUriMistake,
  redirectUriMistake,
} from './rules.ts'

export const NewOrganisation = z
  .object({
    name: name().meta({ description: 'Name of the organisation; unique in the whole system', example: 'Globex' }),
    slug: slug().meta({ description: 'Short name for programs, unique in the whole system; cannot be changed', example: 'globex' }),
    email: email().meta({ description: 'Contact of the organisation', example: 'it@globex.test' }),
    ownerEmail: email().meta({ description: 'Gets the welcome mail with a link to set a password', example: 'hank@globex.test' }),
    ownerFirstName: name().optional().meta({ description: 'First name of the owner', example: 'Hank' }),
    ownerLastName: name().optional().meta({ description: 'Last name of the owner', example: 'Scorpio' }),
  })
  .meta({ component: 'NewOrganisation' })
export type NewOrganisation = z.infer<typeof NewOrganisation>

const day = 24 * 3_600
const urlsMax = 1_000

/** A text that passes the rule. */
export const checked = (text: z.ZodType<string>, mistakeOf: (value: string) => FieldError | undefined) =>
  text.superRefine((value, context) => {
    const mistake = mistakeOf(value)
    if (mistake) context.addIssue(issueOf(mistake))
  })

const urls = (mistakeOf: (url: string) => FieldError | undefined) => z.array(checked(plainText().max(2_048), mistakeOf)).max(urlsMax)
const originMistake = (text: string) => (isProtectedOrigin(text) && hasPlainHost(text) ? undefined : originExpected([]))

const redirectUriMistakes: Record<RedirectUriMistake, FieldError> = {
  'uri-not-absolute': uriNotAbsolute([]),
  'uri-with-fragment': uriWithFragment([]),
  'uri-with-credentials': uriWithCredentials([]),
  'uri-with-wildcard': uriWithWildcard([]),
  'uri-not-https': uriNotHttps([]),
  'uri-of-other-scheme': uriOfOtherScheme([]),
}
export const mistakeOfRedirectUri = (uri: string): FieldError | undefined => {
  const mistake = redirectUriMistake(uri)
  return mistake && redirectUriMistakes[mistake]
}
const seconds = (min: number, max: number) => z.number().int().min(min).max(max)
const setting = <T extends z.ZodType>(schema: T) => schema.nullable().optional()

const PasswordPolicySetting = z.looseObject({
  minLength: setting(z.number().int().min(passwordMinLength).max(128)).meta({ description: 'Minimum number of characters', example: 12 }),
  requireUppercase: setting(z.boolean()).meta({ description: 'Whether a capital letter is required', example: true }),
  requireLowercase: setting(z.boolean()).meta({ description: 'Whether a small letter is required', example: true }),
  requireNumbers: setting(z.boolean()).meta({ description: 'Whether a digit is required', example: true }),
  requireNumber: setting(z.boolean()).meta({ description: 'The same as requireNumbers', example: true }),
  requireSymbols: setting(z.boolean()).meta({ description: 'Whether a symbol is required', example: true }),
  requireSpecial: setting(z.boolean()).meta({ description: 'The same as requireSymbols', example: true }),
  preventReuse: setting(z.number().int().min(0).max(24)).meta({ description: 'How many former passwords are refused' }),
  maxAge: setting(z.number().int().min(0).max(3_650)).meta({ description: 'Days until a new password must be chosen; 0 never' }),
  refuseBreached: setting(z.boolean()).meta({
    description: 'Whether passwords that are known from data breaches are refused, where the operator has a list of them; true unless set',
    example: true,
  }),
})

const shortLived = () => setting(seconds(1, 30 * day))
const longLived = () => setting(seconds(1, 365 * day))

const TokenLifetimeSetting = z.looseObject({
  accessToken: shortLived().meta({ description: 'Seconds that an access token lives', example: 900 }),
  refreshToken: longLived().meta({ description: 'Seconds that a refresh token lives without being used', example: 86_400 }),
  refreshTokenAbsolute: setting(seconds(1, 3_650 * day)).meta({
    description: 'Seconds after the sign-in at which refreshing ends for good',
  }),
  idToken: shortLived().meta({ description: 'Seconds that an ID token lives', example: 900 }),
  accessTokenLifetime: shortLived().meta({ description: 'The same as accessToken', example: 900 }),
  refreshTokenLifetime: longLived().meta({ description: 'The same as refreshToken', example: 86_400 }),
  refreshTokenAbsoluteLifetime: setting(seconds(1, 3_650 * day)).meta({ description: 'The same as refreshTokenAbsolute' }),
  idTokenLifetime: shortLived().meta({ description: 'The same as idToken', example: 900 }),
})

/** An address of a picture. A text that is no web address gets only the message that says so. */
export const pictureAddress = () =>
  webAddress().refine(
    (url) => URL.parse(url)?.protocol !== 'http:' || isPictureAddress(url, true),
    refused({ code: pictureNotHttps.code, text: urlNotHttps.text }),
  )
const imageUrl = () => setting(pictureAddress())

/** The appearance of hosted pages, as far as an organisation has set it. */
export const BrandingSetting = z.looseObject({
  logoUrl: imageUrl().meta({ description: 'Address of the logo', example: 'https://globex.test/logo.svg' }),
  faviconUrl: imageUrl().meta({ description: 'Address of the icon', example: 'https://globex.test/favicon.svg' }),
  primaryColor: setting(matching(z.string(), /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, colourExpected)).meta({
    description: 'Colour of buttons and links',
    example: '#0a7cff',
  }),
})

/** The length of a picture of 256 KiB as text, with some room, so that a larger picture is refused as too large. */
const logoTextMax = 600_000

export const NewLogo = z.object({
  content: plainText().min(1).max(logoTextMax).meta({
    description: 'The picture in base64: PNG, JPEG or WebP, at most 256 KiB and 2,048 pixels a side',
    example: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }),
})

const signInPolicy = {
  password: z.enum(['allowed', 'disabled']).meta({
    description: "Whether a password signs in; the owner's always does. `disabled` needs passkeys, e-mail codes or a connection that works",
  }),
  passkeys: z.enum(['off', 'allowed', 'required']).meta({
    description:
      'Whether passkeys sign in. With `required`, users without one register one at the next sign-in. A password still signs in beside it, unless `password` is `disabled`',
  }),
  passkeySatisfiesMfa: z
    .boolean()
    .meta({ description: 'Whether a passkey that has verified its user counts as both factors', example: true }),
  emailCode: z
    .enum(['off', 'allowed'])
    .meta({ description: 'Whether a code that is mailed to the user signs in. Not as the only way while `requireMfa`' }),
}

const documentHostsMax = 100

const clientDocumentPolicy = {
  mode: z.enum(['any', 'hosts']).meta({ description: 'Whether documents of any host are accepted, or only of those in `hosts`' }),
  hosts: z
    .array(checked(plainText().max(255), (host) => (isDocumentHost(host) ? undefined : documentHostExpected([]))))
    .max(documentHostsMax)
    .transform((hosts) => [...new Set(hosts)])
    .meta({ description: 'Hosts, each in lower case and with its port unless that is 443', example: ['claude.ai'] }),
  foreignRedirects: z.boolean().meta({ description: 'Whether redirect URIs may be of another host than the document', example: false }),
}

export const OrganisationChanges = z
  .object({
    name: name().optional().meta({ description: 'Name of the organisation; unique in the whole system', example: 'Globex' }),
    email: email().optional().meta({ description: 'Contact of the organisation', example: 'it@globex.test' }),
    phone: text().nullable().optional().meta({ description: 'Telephone number; null when none is known', example: '+44 20 7946 0000' }),
    website: webAddress().nullable().optional().meta({ description: 'Address of the website', example: 'https://globex.test' }),
    allowedCallbackUrls: urls(mistakeOfRedirectUri)
      .optional()
      .meta({
        description: 'If not empty, the only redirect URIs that clients may register',
        example: ['https://portal.acme.test/callback'],
      }),
    allowedLogoutUrls: urls(mistakeOfRedirectUri)
      .optional()
      .meta({
        description: 'If not empty, the only addresses after sign-out that clients may register',
        example: ['https://portal.acme.test/'],
      }),
    allowedOrigins: urls(originMistake)
      .optional()
      .meta({ description: 'Origins whose pages may call the API from a browser', example: ['https://app.globex.test'] }),
    sessionLifetime: seconds(60, 90 * day)
      .optional()
      .meta({ description: 'Seconds; for new sessions', example: 28_800 }),
    sessionIdleTimeout: seconds(60, 90 * day)
      .optional()
      .meta({ description: 'Seconds; for new sessions', example: 1_800 }),
    requireMfa: z.boolean().optional().meta({ description: 'From the next sign-in of each user', example: false }),
    allowedMfaMethods: z
      .array(z.enum(mfaMethods))
      .max(mfaMethods.length)
      .optional()
      .meta({ description: 'Methods that may be enrolled as a second factor', example: ['totp'] }),
    passwordPolicy: storable(PasswordPolicySetting).nullable().optional().meta({ description: 'For new passwords' }),
    tokenLifetimePolicy: storable(TokenLifetimeSetting)
      .nullable()
      .optional()
      .meta({ description: 'For clients without a value of their own' }),
    branding: storable(BrandingSetting).nullable().optional().meta({ description: 'How the hosted pages and the mails look' }),
    signInPolicy: z
      .strictObject(signInPolicy)
      .partial()
      .optional()
      .meta({ description: 'How users sign in; a member that is not sent stays as it is' }),
    clientDocumentPolicy: z.strictObject(clientDocumentPolicy).partial().optional().meta({
      description: 'Which applications with client ID metadata documents are accepted; a member that is not sent stays as it is',
    }),
    metadata: storable(z.record(z.string(), z.unknown()))
      .optional()
      .meta({ description: 'Your own, up to 64 KiB', example: { plan: 'gold' } }),
  })
  .meta({ component: 'OrganisationChanges' })
export type OrganisationChanges = z.infer<typeof OrganisationChanges>

export const NewOwner = z.object({
  userId: id().meta({ description: 'Id of a user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const OrganisationStatus = z
  .enum(['trial', 'active', 'suspended', 'cancelled'])
  .meta({ description: 'Users sign in while it is trial or active' })

export const OrganisationRecord = z
  .object({
    id: recordId('org'),
    slug: z.string().meta({ description: 'Short name for programs, unique in the whole system; cannot be changed', example: 'globex' }),
    name: z.string().meta({ description: 'Name of the organisation; unique in the whole system', example: 'Globex' }),
    email: z.string().meta({ description: 'Contact of the organisation', example: 'it@globex.test' }),
    phone: z.string().nullable().meta({ description: 'Telephone number; null when none is known', example: '+44 20 7946 0000' }),
    website: z.string().nullable().meta({ description: 'Address of the website', example: 'https://globex.test' }),
    ownerId: z
      .string()
      .nullable()
      .meta({ description: 'Id of the user who owns the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    allowedCallbackUrls: z
      .array(z.string())
      .meta({ description: 'Redirect URIs that clients may register; any when empty', example: ['https://portal.acme.test/callback'] }),
    allowedLogoutUrls: z.array(z.string()).meta({
      description: 'Addresses after sign-out that clients may register; any when empty',
      example: ['https://portal.acme.test/'],
    }),
    allowedOrigins: z
      .array(z.string())
      .meta({ description: 'Origins whose pages may call the API from a browser', example: ['https://portal.acme.test'] }),
    status: OrganisationStatus,
    sessionLifetime: z.number().int().meta({ description: 'Maximum lifetime of a new session in seconds', example: 28_800 }),
    sessionIdleTimeout: z.number().int().meta({ description: 'Seconds without use after which a new session ends', example: 1_800 }),
    requireMfa: z.boolean().meta({ description: 'Whether every user must have a second factor', example: false }),
    allowedMfaMethods: z.array(z.string()).meta({ description: 'Second factors that may be enrolled', example: ['totp'] }),
    passwordPolicy: z.record(z.string(), z.unknown()).nullable().meta({ description: 'The rules for new passwords; null: the default' }),
    tokenLifetimePolicy: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Seconds that tokens live, unless the client says otherwise; null: the default' }),
    branding: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'How the hosted pages and the mails look; null: the default' }),
    signInPolicy: z.object(signInPolicy).meta({ description: 'How users sign in' }),
    clientDocumentPolicy: z
      .object({
        ...clientDocumentPolicy,
        hosts: z.array(z.string()).meta({ description: 'Hosts that are accepted', example: ['claude.ai'] }),
      })
      .meta({ description: 'Which applications with client ID metadata documents are accepted' }),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Your own, up to 64 KiB', example: { plan: 'gold' } }),
    createdAt: timestamp('When the organisation was created'),
    updatedAt: timestamp('When the organisation was last changed'),
    deletedAt: timestamp().nullable().meta({ description: 'When it was cancelled; null for all others' }),
  })
  .meta({ component: 'Organisation' })
export type OrganisationRecord = z.infer<typeof OrganisationRecord>

export const CreatedOrganisation = z
  .object({
    organisation: OrganisationRecord.meta({ description: 'The organisation' }),
    owner: z
      .object({
        id: recordId('usr'),
        email: z.string().meta({ description: 'E-mail address', example: 'hank@globex.test' }),
        name: z.string().meta({ description: 'First and last name', example: 'Hank Scorpio' }),
      })
      .meta({ description: 'The user who owns the organisation' }),
  })
  .meta({ component: 'CreatedOrganisation' })

export const Suspension = z.object({
  reason: lines().min(1).meta({ description: 'Why, for those who read it later', example: 'Payment overdue' }),
})

const organisationEffects = [
  'must-enrol',
  'need-not-enrol',
  'no-phone-for-sms',
  'factors-stay',
  'cannot-sign-in',
  'can-sign-in-again',
  'must-set-password',
  'must-register-passkey',
  'need-no-passkey',
  'passkeys-stop',
  'passkeys-work-again',
  'second-factor-too',
  'passkey-suffices',
  'for-new-passwords',
  'password-expires',
  'password-no-longer-expires',
  'for-new-sessions',
  'for-new-tokens',
  'clients-outside',
  'origins-removed',
] as const

const OrganisationEffect = z
  .object({
    field: z.string().meta({ description: 'The setting; of a policy, with its field', example: 'passwordPolicy.minLength' }),
    effect: z.enum(organisationEffects).meta({ description: 'A stable code of the effect', example: 'must-enrol' }),
    figures: z.record(z.string(), z.number()).meta({
      description: 'Further values of the effect, such as before (`from`) and after (`to`)',
      example: { from: 8, to: 14 },
    }),
    detail: z.string().meta({ description: 'The same for people', example: '12 users must enrol a second factor at their next sign-in' }),
    users: z.number().int().meta({ description: 'Number of users affected, without deleted and blocked ones', example: 12 }),
    sample: z.array(UserSummary).meta({ description: 'The first ten of them, by id; none without the permission `users:read`' }),
    clients: z.number().int().meta({ description: 'Number of applications affected', example: 2 }),
    sampleOfClients: z
      .array(
        z.object({
          id: recordId('cli'),
          name: z.string().meta({ description: 'Name of the application', example: 'Acme Portal' }),
        }),
      )
      .meta({ description: 'The first ten of them, by id; none without the permission `clients:read`' }),
  })
  .meta({ component: 'OrganisationEffect' })
export type OrganisationEffect = z.infer<typeof OrganisationEffect>

export const OrganisationImpact = z
  .object({ data: z.array(OrganisationEffect).meta({ description: 'The effects, none for settings that stay as they are' }) })
  .meta({ component: 'OrganisationImpact' })
