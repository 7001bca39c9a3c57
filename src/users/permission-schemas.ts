import { z } from 'zod'
import { id, recordId, text, timestamp } from '../platform/http/fields.ts'
import { pageEndField } from '../platform/http/lists.ts'
import { RoleSummary, sources } from '../roles/schemas.ts'

const checksMax = 100

const AskedCheck = z.object({
  userId: id().meta({ description: 'Id of a user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  permission: text().meta({ description: 'Slug of a permission', example: 'users:delete' }),
})
export type AskedCheck = z.infer<typeof AskedCheck>

export const AskedChecks = z
  .union([AskedCheck, z.object({ checks: z.array(AskedCheck).min(1).max(checksMax).meta({ description: 'Several at once' }) })])
  .meta({ component: 'AskedPermissionChecks' })

const Because = z
  .object({
    role: RoleSummary.meta({ component: 'RoleSummary', description: 'The role' }),
    source: z.enum(['direct']).meta({ description: 'How the user has the role: `direct` if it is assigned to the user' }),
    sources,
    assignedAt: timestamp('When the role was assigned'),
    assignedBy: z
      .object({
        id: z.string().nullable().meta({ description: 'Id of the user or the API key', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
        type: z.string().meta({ description: 'The type of the actor: user, api_key, client or system', example: 'user' }),
        name: z.string().nullable().meta({ description: 'Its name at that time', example: 'Bilal Haddad' }),
      })
      .nullable()
      .meta({ description: 'Who assigned it, by the audit log; null when it does not say' }),
  })
  .meta({ component: 'PermissionReason' })
export type Because = z.infer<typeof Because>

const blockers = ['blocked', 'suspended', 'mfa_enrolment', 'passkey_enrolment', 'password_expired'] as const
export type Blocker = (typeof blockers)[number]

const because = z.array(Because).meta({ description: 'The roles that give the permission' })
export const blockedBy = z.array(z.enum(blockers)).meta({
  description:
    'What keeps the user from using any permission: the user is blocked, the organisation is suspended, or the user has no session and the next sign-in asks to enrol a second factor, register a passkey or set a new password first',
  example: ['blocked'],
})

const PermissionCheck = z
  .object({
    userId: recordId('usr'),
    permission: z.string().meta({ description: 'Slug of the permission', example: 'users:delete' }),
    allowed: z.boolean().meta({ description: 'Whether the user may use the permission now' }),
    because,
    blockedBy,
    wouldAllow: z.array(RoleSummary).meta({ description: 'Roles that would give the permission to a user who lacks it, at most 20' }),
  })
  .meta({ component: 'PermissionCheck' })
export type PermissionCheck = z.infer<typeof PermissionCheck>

export const PermissionChecks = z.union([
  PermissionCheck,
  z
    .object({ data: z.array(PermissionCheck).meta({ description: 'One for each of `checks`, in their order' }) })
    .meta({ component: 'PermissionChecks' }),
])

export const UserPermissions = z
  .object({
    data: z
      .array(z.object({ permission: z.string().meta({ description: 'Slug of the permission', example: 'users:delete' }), because }))
      .meta({ description: 'Each permission that the roles of the user give' }),
    total: z.number().int().meta({ description: 'Number of permissions', example: 12 }),
    nextCursor: pageEndField(),
    blockedBy,
  })
  .meta({ component: 'UserPermissions' })
export type UserPermissions = z.infer<typeof UserPermissions>
