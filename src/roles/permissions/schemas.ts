import { z } from 'zod'
import { lines, name, plainText, timestamp } from '../../platform/http/fields.ts'

const categories = ['users', 'roles', 'teams', 'clients', 'webhooks', 'api_keys', 'invitations', 'audit', 'organisation', 'custom'] as const

export const NewPermission = z.object({
  slug: plainText()
    .max(255)
    .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*:[a-z0-9]+(?:[_-][a-z0-9]+)*$/, 'Must be of the form resource:action')
    .meta({ example: 'reports:read' }),
  name: name().meta({ example: 'Read reports' }),
  description: lines().meta({ example: 'See every report' }),
  category: z.enum(categories).meta({ description: 'What it is about; `custom` for permissions of your own', example: 'custom' }),
})
export type NewPermission = z.infer<typeof NewPermission>

/** A permission inside of what holds it. */
export const PermissionSummary = z.object({
  id: z.string().meta({ example: 'prm_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  slug: z.string().meta({ description: 'Resource and action', example: 'users:read' }),
  name: z.string().meta({ example: 'Read users' }),
})

export const PermissionRecord = z.object({
  id: z.string().meta({ example: 'prm_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  slug: z.string().meta({ example: 'users:read' }),
  name: z.string().meta({ example: 'Read users' }),
  description: z.string().meta({ description: 'What it allows', example: 'List users and read their details' }),
  category: z.string().meta({ example: 'users' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type PermissionRecord = z.infer<typeof PermissionRecord>
