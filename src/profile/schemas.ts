import { z } from 'zod'
import { name, text } from '../platform/http/fields.ts'
import { RoleSummary } from '../roles/schemas.ts'

export const Profile = z.object({
  id: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  email: z.string().meta({ example: 'carol@acme.test' }),
  name: z.string().meta({ example: 'Carol Shaw' }),
  firstName: z.string(),
  lastName: z.string(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  mfaEnabled: z.boolean(),
  organisation: z.object({
    id: z.string().meta({ example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    slug: z.string().meta({ example: 'acme' }),
    name: z.string().meta({ example: 'Acme' }),
  }),
  roles: z.array(RoleSummary),
  permissions: z.array(z.string()).meta({ description: 'Slugs, of all roles together' }),
})
export type Profile = z.infer<typeof Profile>

export const ProfileChanges = z.object({
  firstName: name().optional(),
  lastName: name().optional(),
  phone: text().nullable().optional(),
})
export type ProfileChanges = z.infer<typeof ProfileChanges>
