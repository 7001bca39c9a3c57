import { z } from 'zod'
import {
  dateTime,
  email,
  id,
  ids,
  lines,
  name,
  newPassword,
  recordId,
  storable,
  text,
  textOrNull,
  timestamp,
} from '../platform/http/fields.ts'
import { PermissionRecord, PermissionSummary } from '../roles/permissions/schemas.ts'
import { RoleSummary, sources } from '../roles/schemas.ts'

/** The most that the metadata of a user may have, in bytes of JSON. */
export const metadataBytesMax = 8 * 1024

const metadata = () =>
  storable(z.record(z.string(), z.unknown()), metadataBytesMax).meta({
    description: 'Your own, up to 8 KiB. Tokens show parts of it where an application or an API maps them to claims. Events do not have it',
    example: { department: 'Sales' },
  })

export const NewUser = z
  .object({
    email: email().meta({ description: 'E-mail address, lower-cased; unique in the whole system', example: 'carol@acme.test' }),
    firstName: name().meta({ description: 'First name', example: 'Carol' }),
    lastName: name().meta({ description: 'Last name', example: 'Shaw' }),
    password: newPassword()
      .optional()
      .meta({ description: 'Without one the user gets a mail with a link to set it', example: 'correct horse battery' }),
    sendWelcomeMail: z.boolean().optional().meta({
      description: 'false sends no mail to a user without a password, who can still request a link on the sign-in page',
      example: true,
    }),
    roleIds: ids()
      .optional()
      .meta({
        description: 'Ids or slugs of roles; without any, the default role of the organisation',
        example: ['rol_01kahm3z9n4v7f2t8q6w5r1y0x'],
      }),
    teamIds: ids()
      .optional()
      .meta({ description: 'Ids or slugs of teams', example: ['tem_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
    metadata: metadata().optional(),
  })
  .meta({ component: 'NewUser' })
export type NewUser = z.infer<typeof NewUser>

export const UserChanges = z
  .object({
    firstName: name().optional().meta({ description: 'First name', example: 'Carol' }),
    lastName: name().optional().meta({ description: 'Last name', example: 'Shaw' }),
    phone: textOrNull().optional().meta({ description: 'Telephone number; null when none is known', example: '+44 20 7946 0000' }),
    blockedAt: dateTime().nullable().optional().meta({
      description:
        'A time blocks the user and ends all their sessions and mailed links; null unblocks them. Who was deactivated by a directory, before the block or during it, is blocked by that one then',
    }),
    blockedReason: lines().nullable().optional().meta({ description: 'Why the user is blocked', example: 'Left the company' }),
    mfaEnabled: z.boolean().optional().meta({ description: 'false switches MFA off; only the user can switch it on', example: false }),
    metadata: metadata().optional(),
  })
  .meta({ component: 'UserChanges' })
export type UserChanges = z.infer<typeof UserChanges>

const userStatuses = ['active', 'blocked', 'unverified', 'never_signed_in', 'deleted'] as const

export const UserFilters = z.object({
  status: z.enum(userStatuses).optional().meta({
    description:
      'Only users who are not blocked (`active`), are blocked, have not proven their address (`unverified`) or have never signed in; `deleted` lists deleted users, who are in no other list',
  }),
  roleId: text().optional().meta({ description: 'Only users who have this role', example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  teamId: text().optional().meta({ description: 'Only members of this team', example: 'tem_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  permission: text()
    .optional()
    .meta({ description: 'Only users who have the permission with this slug through one of their roles', example: 'users:delete' }),
  emailDomain: text().optional().meta({
    description: 'Only users whose e-mail address is in this domain, as `GET /v1/admin/domains` names it; addresses in subdomains are not',
    example: 'acme.test',
  }),
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
  roleId: id().meta({ description: 'Id or slug of a role', example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

/** A team as part of another record. */
export const TeamSummary = z
  .object({
    id: recordId('tem'),
    name: z.string().meta({ description: 'Name of the team', example: 'Europe' }),
    slug: z.string().meta({ description: 'Short name of the team for programs', example: 'europe' }),
  })
  .meta({ component: 'TeamSummary' })

const userFields = {
  id: recordId('usr'),
  email: z.string().meta({ description: 'E-mail address, lower-cased; unique in the whole system', example: 'carol@acme.test' }),
  firstName: z.string().meta({ description: 'First name', example: 'Carol' }),
  lastName: z.string().meta({ description: 'Last name', example: 'Shaw' }),
  name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
  phone: z.string().nullable().meta({ description: 'Telephone number; null when none is known', example: '+44 20 7946 0000' }),
  emailVerifiedAt: timestamp().nullable().meta({ description: 'When the address was verified; null while it is not' }),
  mfaEnabled: z.boolean().meta({ description: 'Whether signing in takes a second factor', example: false }),
  blockedAt: timestamp().nullable().meta({ description: 'Since when the user is blocked; null while they are not' }),
  blockedReason: z.string().nullable().meta({ description: 'Why the user is blocked', example: 'Left the company' }),
  lastLoginAt: timestamp().nullable().meta({ description: 'Last sign-in; null before the first' }),
  lockedUntil: timestamp()
    .nullable()
    .meta({ description: 'Until when no sign-in is accepted, after too many failures; null while the account is not locked' }),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'Your own, up to 8 KiB', example: { department: 'Sales' } }),
  createdAt: timestamp('When the user was created'),
  updatedAt: timestamp('When the record was last changed'),
  deletedAt: timestamp().nullable().meta({ description: 'When the user was deleted; null for all others' }),
}

/** A user in lists and in responses to changes. */
export const UserRecord = z
  .object({
    ...userFields,
    roles: z.array(RoleSummary).meta({ description: 'Roles of the user' }),
    teams: z.array(TeamSummary).meta({ description: 'Teams of the user' }),
  })
  .meta({ component: 'User' })
export type UserRecord = z.infer<typeof UserRecord>

export const UserDetails = z
  .object({
    ...userFields,
    roles: z
      .array(
        z.object({
          ...RoleSummary.shape,
          description: z.string().meta({ description: 'What the role is for', example: 'Answers questions of users' }),
          permissions: z
            .array(PermissionSummary.extend({ description: PermissionRecord.shape.description }))
            .meta({ description: 'What the role allows' }),
          sources,
        }),
      )
      .meta({ description: 'Roles of the user' }),
    teams: z
      .array(
        TeamSummary.extend({
          description: z.string().meta({ description: 'Who is in the team', example: 'Who works in Europe' }),
          sources,
        }),
      )
      .meta({ description: 'Teams of the user' }),
    managedBy: z
      .object({
        type: z.enum(['directory']).meta({ description: 'What kind of record it is' }),
        id: recordId('dir', 'Id of the directory'),
        name: z.string().meta({ description: 'What the directory is called', example: 'Entra ID' }),
      })
      .nullable()
      .meta({
        description: 'The directory that manages the user: what it sends overwrites changes of administrators. null for all others',
      }),
  })
  .meta({ component: 'UserDetails' })
export type UserDetails = z.infer<typeof UserDetails>

export const UserImpact = z
  .object({
    sessions: z.number().int().meta({ description: 'How many sessions would end', example: 3 }),
    applications: z.number().int().meta({ description: 'How many applications hold tokens for the user, which would end', example: 2 }),
  })
  .meta({ component: 'UserImpact' })
export type UserImpact = z.infer<typeof UserImpact>
