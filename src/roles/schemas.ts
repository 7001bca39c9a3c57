import { z } from 'zod'
import { UserSummary } from '../access/schemas.ts'
import { ids, lines, Message, name, recordId, slug, timestamp } from '../platform/http/fields.ts'
import { PermissionSummary } from './permissions/schemas.ts'

export const NewRole = z
  .object({
    name: name().meta({ description: 'Name of the role', example: 'Support' }),
    slug: slug().meta({
      description: 'Short name of the role for programs, unique in the organisation; cannot be changed',
      example: 'support',
    }),
    description: lines().default('').meta({ description: 'What the role is for', example: 'Answers questions of users' }),
    isDefault: z.boolean().default(false).meta({ description: 'Given to new users who are created without roles', example: false }),
    permissionIds: ids()
      .default([])
      .meta({
        description: 'Ids or slugs of the permissions that the role holds; only ones that the caller has',
        example: ['prm_01kahm3z9n4v7f2t8q6w5r1y0x'],
      }),
  })
  .meta({ component: 'NewRole' })
export type NewRole = z.infer<typeof NewRole>

export const RoleChanges = z
  .object({
    name: name().optional().meta({ description: 'Name of the role', example: 'Support' }),
    description: lines().optional().meta({ description: 'What the role is for', example: 'Answers questions of users' }),
    isDefault: z.boolean().optional().meta({
      description: 'Whether new users that are created without roles get it; one role of an organisation at most',
      example: false,
    }),
    permissionIds: ids()
      .optional()
      .meta({
        description: 'Ids or slugs of permissions; replaces those that the role holds',
        example: ['prm_01kahm3z9n4v7f2t8q6w5r1y0x'],
      }),
  })
  .meta({ component: 'RoleChanges' })
export type RoleChanges = z.infer<typeof RoleChanges>

/** A role as part of a user. */
export const RoleSummary = z
  .object({
    id: recordId('rol'),
    name: z.string().meta({ description: 'Name of the role', example: 'Support' }),
    slug: z
      .string()
      .meta({ description: 'Short name of the role for programs, unique in the organisation; cannot be changed', example: 'support' }),
  })
  .meta({ component: 'RoleSummary' })

/** The source of a user's role or membership in a team. */
export const AssignmentSource = z
  .object({
    type: z.enum(['manual', 'connection', 'directory']).meta({ description: '`manual`: an administrator', example: 'connection' }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the connection or directory; null for `manual`', example: 'con_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    name: z.string().nullable().meta({ description: 'Name of the connection or directory; null for `manual`', example: 'Workforce' }),
  })
  .meta({ component: 'AssignmentSource' })
export type AssignmentSource = z.infer<typeof AssignmentSource>

export const sources = z.array(AssignmentSource).meta({
  description: 'What gives it: the user has it as long as there is one. Administrators can take away only `manual`',
})

export const RoleRecord = z
  .object({
    id: recordId('rol'),
    name: z.string().meta({ description: 'Name of the role', example: 'Support' }),
    slug: z
      .string()
      .meta({ description: 'Short name of the role for programs, unique in the organisation; cannot be changed', example: 'support' }),
    description: z.string().meta({ description: 'What the role is for', example: 'Answers questions of users' }),
    isDefault: z.boolean().meta({
      description: 'Whether new users that are created without roles get it; one role of an organisation at most',
      example: false,
    }),
    permissions: z.array(PermissionSummary).meta({ description: 'What the role allows' }),
    userCount: z.number().int().meta({ description: 'How many users have the role, without deleted ones', example: 12 }),
    createdAt: timestamp('When the role was created'),
    updatedAt: timestamp('When the role was last changed'),
  })
  .meta({ component: 'Role' })
export type RoleRecord = z.infer<typeof RoleRecord>

export const AskedRoleChange = z
  .object({
    permissionIds: ids()
      .optional()
      .meta({
        description: 'Ids or slugs of permissions; replaces those that the role holds',
        example: ['prm_01kahm3z9n4v7f2t8q6w5r1y0x'],
      }),
    delete: z.literal(true).optional().meta({ description: 'Shows the impact of deleting the role' }),
  })
  .meta({ component: 'AskedRoleChange' })
export type AskedRoleChange = z.infer<typeof AskedRoleChange>

/** The response to removing a role or a membership, which other sources may give, too. */
export const Removal = Message.extend({
  remainingSources: sources.optional().meta({
    description: 'The connections and directories because of which the user retains it, if it is not removed. Only they can remove it.',
  }),
}).meta({ component: 'Removal' })
export type Removal = z.infer<typeof Removal>

/** @param kept how the message begins when the user retains it: "The user keeps the role" */
export const removalOf = (removed: string, kept: string, remainingSources: AssignmentSource[]): Removal =>
  remainingSources.length === 0
    ? { message: removed }
    : { message: `${kept} because of ${remainingSources.map(sourceInWords).join(', ')}`, remainingSources }

const sourceInWords = ({ type, id, name }: AssignmentSource) => `${type} ${name === null ? id : JSON.stringify(name)}`

const usersOfPermission = (what: string) =>
  z
    .array(
      z.object({
        permission: z.string().meta({ description: 'Slug of the permission', example: 'users:delete' }),
        users: z.number().int().meta({ description: 'How many users', example: 12 }),
      }),
    )
    .meta({ description: what })

export const RoleImpact = z
  .object({
    users: z.number().int().meta({
      description:
        'Number of users whose permissions would change. Blocked users have none, and users who have a permission by another role keep it',
      example: 41,
    }),
    gains: usersOfPermission('Permissions that users would gain'),
    losses: usersOfPermission('Permissions that users would lose'),
    apiKeys: z.number().int().meta({
      description: "Number of valid API keys whose permissions would change with their creator's",
      example: 2,
    }),
    sample: z.array(UserSummary).meta({ description: 'The first ten of them, by id; none without the permission `users:read`' }),
  })
  .meta({ component: 'RoleImpact' })
export type RoleImpact = z.infer<typeof RoleImpact>
