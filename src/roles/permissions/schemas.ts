import { z } from 'zod'
import { lines, matching, name, plainText, recordId, timestamp } from '../../platform/http/fields.ts'
import { invalidPermissionSlug } from './refusals.ts'

const categories = ['users', 'roles', 'teams', 'clients', 'webhooks', 'api_keys', 'invitations', 'audit', 'organisation', 'custom'] as const

export const NewPermission = z
  .object({
    slug: matching(plainText().max(255), /^[a-z0-9]+(?:[_-][a-z0-9]+)*:[a-z0-9]+(?:[_-][a-z0-9]+)*$/, invalidPermissionSlug).meta({
      description: 'Name that routes and tokens use: resource and action',
      example: 'reports:read',
    }),
    name: name().meta({ description: 'Name of the permission', example: 'Read reports' }),
    description: lines().meta({ description: 'What it allows', example: 'See every report' }),
    category: z.enum(categories).meta({ description: 'What it is about; `custom` for permissions of your own', example: 'custom' }),
  })
  .meta({ component: 'NewPermission' })
export type NewPermission = z.infer<typeof NewPermission>

/** A permission as part of a role. */
export const PermissionSummary = z
  .object({
    id: recordId('prm'),
    slug: z.string().meta({ description: 'Resource and action', example: 'users:read' }),
    name: z.string().meta({ description: 'Name of the permission', example: 'Read users' }),
  })
  .meta({ component: 'PermissionSummary' })

export const PermissionRecord = z
  .object({
    id: recordId('prm'),
    slug: z.string().meta({ description: 'Name that routes and tokens use: resource and action', example: 'users:read' }),
    name: z.string().meta({ description: 'Name of the permission', example: 'Read users' }),
    description: z.string().meta({ description: 'What it allows', example: 'List users and read their details' }),
    category: z.string().meta({ description: 'The kind of resource that the permission is about', example: 'users' }),
    createdAt: timestamp('When the permission was created'),
    updatedAt: timestamp('When the permission was last changed'),
  })
  .meta({ component: 'Permission' })
export type PermissionRecord = z.infer<typeof PermissionRecord>

/** A permission as the caller of the administrators' API sees it. */
export const GrantablePermission = PermissionRecord.extend({
  grantable: z.boolean().meta({
    description: 'Whether the caller may grant it, to a role or, by a role or an API key, to others. Callers can grant only what they have',
    example: true,
  }),
}).meta({ component: 'GrantablePermission' })
export type GrantablePermission = z.infer<typeof GrantablePermission>
