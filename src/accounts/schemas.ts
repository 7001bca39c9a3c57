import { z } from 'zod'
import { dateTime, email, id, ids, lines, name, newPassword, text, timestamp } from '../platform/http/fields.ts'
import { PermissionRecord, PermissionSummary } from '../roles/permissions/schemas.ts'
import { RoleSummary } from '../roles/schemas.ts'

export const NewUser = z.object({
  email: email().meta({ example: 'carol@acme.test' }),
  firstName: name().meta({ example: 'Carol' }),
  lastName: name().meta({ example: 'Shaw' }),
  password: newPassword().optional().meta({ description: 'Without one the user is mailed a link that sets it' }),
  sendWelcomeMail: z.boolean().optional().meta({
    description: 'false mails nothing to a user without a password, who can still ask for a link on the sign-in page',
    example: true,
  }),
  roleIds: ids().optional().meta({ description: 'Ids or slugs of roles; without any, the default role of the organisation' }),
  teamIds: ids().optional().meta({ description: 'Ids or slugs of teams' }),
})
export type NewUser = z.infer<typeof NewUser>

export const UserChanges = z.object({
  firstName: name().optional(),
  lastName: name().optional(),
  phone: text().nullable().optional(),
  blockedAt: dateTime().nullable().optional().meta({ description: 'A time blocks the user and ends all their sessions; null unblocks' }),
  blockedReason: lines().nullable().optional(),
  mfaEnabled: z.boolean().optional().meta({ description: 'false switches MFA off; only the user can switch it on' }),
})
export type UserChanges = z.infer<typeof UserChanges>

const userStatuses = ['active', 'blocked', 'unverified', 'never_signed_in', 'deleted'] as const

/** What the list of users may be narrowed by. */
export const UserFilters = z.object({
  status: z.enum(userStatuses).optional().meta({
    description:
      'Only users who are not blocked (`active`), are blocked, have not proven their address (`unverified`) or have never signed in; `deleted` lists deleted users, whom nothing else shows',
  }),
  roleId: text().optional().meta({ description: 'Only users who have this role' }),
  teamId: text().optional().meta({ description: 'Only members of this team', example: 'tem_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  permission: text()
    .optional()
    .meta({ description: 'Only users who have the permission with this slug by one of their roles', example: 'users:delete' }),
  mfaEnabled: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ description: 'Only users who have a second factor, or only those who have none' }),
  createdFrom: dateTime()
    .optional()
    .meta({ description: 'Only users who were created at or after this time', example: '2026-01-01T00:00:00Z' }),
  createdTo: dateTime().optional().meta({ description: 'Only users who were created before this time', example: '2026-02-01T00:00:00Z' }),
  lastLoginBefore: dateTime().optional().meta({
    description: 'Only users whose last sign-in was before this time; those who have never signed in are not among them',
    example: '2026-01-01T00:00:00Z',
  }),
})
export type UserFilters = z.infer<typeof UserFilters>

export const RoleReference = z.object({
  roleId: id().meta({ example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x', description: 'Id or slug of a role' }),
})

/** A team as its members' records show it. */
const TeamSummary = z.object({
  id: z.string().meta({ example: 'tem_01kahm3z9n4v7f2t8q6w5r1y11' }),
  name: z.string().meta({ example: 'Europe' }),
  slug: z.string().meta({ example: 'europe' }),
})

const userFields = {
  id: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  email: z.string().meta({ example: 'carol@acme.test' }),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string().meta({ example: 'Carol Shaw' }),
  phone: z.string().nullable(),
  emailVerifiedAt: timestamp().nullable(),
  mfaEnabled: z.boolean(),
  blockedAt: timestamp().nullable(),
  blockedReason: z.string().nullable(),
  lastLoginAt: timestamp().nullable(),
  lockedUntil: timestamp().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: timestamp().nullable(),
}

/** A user in lists and in answers to changes. */
export const UserRecord = z.object({ ...userFields, roles: z.array(RoleSummary), teams: z.array(TeamSummary) })
export type UserRecord = z.infer<typeof UserRecord>

/** A single user. */
export const UserDetails = z.object({
  ...userFields,
  roles: z.array(
    z.object({
      ...RoleSummary.shape,
      description: z.string(),
      permissions: z.array(PermissionSummary.extend({ description: PermissionRecord.shape.description })),
    }),
  ),
  teams: z.array(TeamSummary.extend({ description: z.string().meta({ example: 'Who works in Europe' }) })),
})
export type UserDetails = z.infer<typeof UserDetails>
