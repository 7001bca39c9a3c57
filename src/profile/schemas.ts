import { z } from 'zod'
import { OrganisationStatus } from '../organisations/schemas.ts'
import { name, recordId, textOrNull, timestamp } from '../platform/http/fields.ts'
import { RoleSummary } from '../roles/schemas.ts'

export const Profile = z
  .object({
    id: recordId('usr'),
    email: z.string().meta({ description: 'E-mail address', example: 'carol@acme.test' }),
    name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    firstName: z.string().meta({ description: 'First name', example: 'Carol' }),
    lastName: z.string().meta({ description: 'Last name', example: 'Shaw' }),
    emailVerified: z.boolean().meta({ description: 'Whether the address was verified' }),
    phone: z.string().nullable().meta({ description: 'Telephone number; null when none is known', example: '+44 20 7946 0000' }),
    passwordChangedAt: timestamp().nullable().meta({ description: 'When the password was set; null without one' }),
    mfaEnabled: z.boolean().meta({ description: 'Whether signing in takes a second factor', example: false }),
    organisation: z
      .object({
        id: recordId('org'),
        slug: z.string().meta({ description: 'Short name for programs', example: 'acme' }),
        name: z.string().meta({ description: 'Name of the organisation', example: 'Acme' }),
        status: OrganisationStatus,
      })
      .meta({ description: 'The organisation that the user belongs to' }),
    roles: z.array(RoleSummary).meta({ description: 'Roles of the user' }),
    permissions: z.array(z.string()).meta({ description: 'Slugs, from all roles together', example: ['users:read'] }),
    isOwner: z.boolean().meta({ description: 'Whether the user owns the organisation', example: false }),
    session: z
      .object({
        id: recordId('ses'),
        expiresAt: timestamp('When it ends'),
        idleExpiresAt: timestamp(
          'When it expires unless it is used again; a use counts at most once a minute, or once in a quarter of an idle timeout below four minutes',
        ),
      })
      .meta({ description: 'The session of this request' }),
  })
  .meta({ component: 'Profile' })
export type Profile = z.infer<typeof Profile>

export const ProfileChanges = z
  .object({
    firstName: name().optional().meta({ description: 'First name', example: 'Carol' }),
    lastName: name().optional().meta({ description: 'Last name', example: 'Shaw' }),
    phone: textOrNull().optional().meta({ description: 'Telephone number; null when none is known', example: '+44 20 7946 0000' }),
  })
  .meta({ component: 'ProfileChanges' })
export type ProfileChanges = z.infer<typeof ProfileChanges>
