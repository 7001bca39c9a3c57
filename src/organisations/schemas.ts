import { z } from 'zod'
import { email, name, slug, timestamp } from '../platform/http/fields.ts'

export const NewOrganisation = z.object({
  name: name().meta({ example: 'Globex' }),
  slug: slug().meta({ example: 'globex' }),
  email: email().meta({ example: 'it@globex.test', description: 'Contact of the organisation' }),
  ownerEmail: email().meta({ example: 'hank@globex.test', description: 'Gets the welcome mail with a link to set a password' }),
  ownerFirstName: name().optional().meta({ example: 'Hank' }),
  ownerLastName: name().optional().meta({ example: 'Scorpio' }),
})
export type NewOrganisation = z.infer<typeof NewOrganisation>

export const OrganisationRecord = z.object({
  id: z.string().meta({ example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  slug: z.string().meta({ example: 'globex' }),
  name: z.string().meta({ example: 'Globex' }),
  email: z.string(),
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
  owner: z.object({ id: z.string(), email: z.string(), name: z.string() }),
})

export const Suspension = z.object({ reason: name().meta({ example: 'Payment overdue' }) })
