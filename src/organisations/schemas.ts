import { z } from 'zod'
import { email, id, lines, name, plainText, slug, storable, text, timestamp, webAddress } from '../platform/http/fields.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'
import { isPictureAddress, isProtectedOrigin, passwordMinLength, redirectUriMistake } from './rules.ts'

export const NewOrganisation = z.object({
  name: name().meta({ example: 'Globex' }),
  slug: slug().meta({ example: 'globex' }),
  email: email().meta({ example: 'it@globex.test', description: 'Contact of the organisation' }),
  ownerEmail: email().meta({ example: 'hank@globex.test', description: 'Gets the welcome mail with a link to set a password' }),
  ownerFirstName: name().optional().meta({ example: 'Hank' }),
  ownerLastName: name().optional().meta({ example: 'Scorpio' }),
})
export type NewOrganisation = z.infer<typeof NewOrganisation>

const day = 24 * 3_600
const urlsMax = 1_000

const urls = (mistakeOf: (url: string) => string | undefined) => {
  const url = plainText()
    .max(2_048)
    .superRefine((text, context) => {
      const mistake = mistakeOf(text)
      if (mistake) context.addIssue(mistake)
    })
  return z.array(url).max(urlsMax)
}
const originMistake = (text: string) =>
  isProtectedOrigin(text) && hasPlainHost(text) ? undefined : 'Must be an origin: https://host, or http on loopback'
const seconds = (min: number, max: number) => z.number().int().min(min).max(max)
const setting = <T extends z.ZodType>(schema: T) => schema.nullable().optional()

const PasswordPolicySetting = z.looseObject({
  minLength: setting(z.number().int().min(passwordMinLength).max(128)),
  requireUppercase: setting(z.boolean()),
  requireLowercase: setting(z.boolean()),
  requireNumbers: setting(z.boolean()),
  requireNumber: setting(z.boolean()).meta({ description: 'The same as requireNumbers' }),
  requireSymbols: setting(z.boolean()),
  requireSpecial: setting(z.boolean()).meta({ description: 'The same as requireSymbols' }),
  preventReuse: setting(z.number().int().min(0).max(24)).meta({ description: 'How many former passwords are refused' }),
  maxAge: setting(z.number().int().min(0).max(3_650)).meta({ description: 'Days until a new password must be chosen; 0 never' }),
})

const shortLived = () => setting(seconds(60, 30 * day))
const longLived = () => setting(seconds(60, 365 * day))

const TokenLifetimeSetting = z.looseObject({
  accessToken: shortLived().meta({ description: 'Seconds' }),
  refreshToken: longLived().meta({ description: 'Seconds' }),
  refreshTokenAbsolute: setting(seconds(60, 3_650 * day)).meta({
    description: 'Seconds after the sign-in at which refreshing ends for good',
  }),
  idToken: shortLived().meta({ description: 'Seconds' }),
  accessTokenLifetime: shortLived().meta({ description: 'The same as accessToken' }),
  refreshTokenLifetime: longLived().meta({ description: 'The same as refreshToken' }),
  refreshTokenAbsoluteLifetime: setting(seconds(60, 3_650 * day)).meta({ description: 'The same as refreshTokenAbsolute' }),
  idTokenLifetime: shortLived().meta({ description: 'The same as idToken' }),
})

/** Of what is no address of the web at all, that alone is said. */
export const pictureAddress = () =>
  webAddress().refine((url) => URL.parse(url)?.protocol !== 'http:' || isPictureAddress(url, true), 'Must be an https URL')
const imageUrl = () => setting(pictureAddress())

const BrandingSetting = z.looseObject({
  logoUrl: imageUrl().meta({ example: 'https://globex.test/logo.svg' }),
  faviconUrl: imageUrl().meta({ example: 'https://globex.test/favicon.svg' }),
  primaryColor: setting(z.string().regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'Must be a colour such as #0a7cff')).meta({
    example: '#0a7cff',
  }),
})

export const OrganisationChanges = z.object({
  name: name().optional().meta({ example: 'Globex' }),
  email: email().optional().meta({ example: 'it@globex.test' }),
  phone: text().nullable().optional().meta({ example: '+44 20 7946 0000' }),
  website: webAddress().nullable().optional().meta({ example: 'https://globex.test' }),
  allowedCallbackUrls: urls(redirectUriMistake)
    .optional()
    .meta({ description: 'When not empty, what clients may register as redirect URIs' }),
  allowedLogoutUrls: urls(redirectUriMistake)
    .optional()
    .meta({ description: 'When not empty, what clients may register for after sign-out' }),
  allowedOrigins: urls(originMistake)
    .optional()
    .meta({ description: 'Origins whose pages may call the API from a browser', example: ['https://app.globex.test'] }),
  sessionLifetime: seconds(60, 90 * day)
    .optional()
    .meta({ description: 'Seconds; for new sessions', example: 28_800 }),
  sessionIdleTimeout: seconds(60, 90 * day)
    .optional()
    .meta({ description: 'Seconds; for new sessions', example: 1_800 }),
  requireMfa: z.boolean().optional().meta({ description: 'From the next sign-in of each user' }),
  allowedMfaMethods: z
    .array(z.enum(['totp', 'sms']))
    .max(2)
    .optional()
    .meta({ description: 'What may be enrolled as a second factor' }),
  passwordPolicy: storable(PasswordPolicySetting).nullable().optional().meta({ description: 'For passwords that are chosen from now on' }),
  tokenLifetimePolicy: storable(TokenLifetimeSetting).nullable().optional().meta({ description: 'Where a client does not say otherwise' }),
  branding: storable(BrandingSetting).nullable().optional().meta({ description: 'How the hosted pages and the mails look' }),
  metadata: storable(z.record(z.string(), z.unknown()))
    .optional()
    .meta({ description: 'Your own, up to 64 KiB', example: { plan: 'gold' } }),
})
export type OrganisationChanges = z.infer<typeof OrganisationChanges>

export const NewOwner = z.object({ userId: id().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }) })

export const OrganisationRecord = z.object({
  id: z.string().meta({ example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  slug: z.string().meta({ example: 'globex' }),
  name: z.string().meta({ example: 'Globex' }),
  email: z.string().meta({ description: 'Contact of the organisation', example: 'it@globex.test' }),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  ownerId: z.string().nullable(),
  allowedCallbackUrls: z.array(z.string()),
  allowedLogoutUrls: z.array(z.string()),
  allowedOrigins: z.array(z.string()),
  status: z.enum(['trial', 'active', 'suspended', 'cancelled']),
  sessionLifetime: z.number().int().meta({ description: 'Seconds' }),
  sessionIdleTimeout: z.number().int().meta({ description: 'Seconds' }),
  requireMfa: z.boolean(),
  allowedMfaMethods: z.array(z.string()),
  passwordPolicy: z.record(z.string(), z.unknown()).nullable(),
  tokenLifetimePolicy: z.record(z.string(), z.unknown()).nullable(),
  branding: z.record(z.string(), z.unknown()).nullable(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: timestamp().nullable(),
})
export type OrganisationRecord = z.infer<typeof OrganisationRecord>

export const CreatedOrganisation = z.object({
  organisation: OrganisationRecord,
  owner: z.object({
    id: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    email: z.string().meta({ example: 'hank@globex.test' }),
    name: z.string().meta({ example: 'Hank Scorpio' }),
  }),
})

export const Suspension = z.object({ reason: lines().min(1).meta({ example: 'Payment overdue' }) })
