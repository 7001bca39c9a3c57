import { z } from 'zod'
import { name, text, timestamp } from '../platform/http/fields.ts'

const categories = ['users', 'roles', 'teams', 'clients', 'webhooks', 'api_keys', 'invitations', 'audit', 'organisation', 'custom'] as const

export const NewPermission = z.object({
  slug: z
    .string()
    .max(255)
    .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*:[a-z0-9]+(?:[_-][a-z0-9]+)*$/, 'Must be of the form resource:action')
    .meta({ example: 'reports:read' }),
  name: name().meta({ example: 'Read reports' }),
  description: text().meta({ example: 'See every report' }),
  category: z.enum(categories).meta({ description: 'What it is about; `custom` for permissions of your own', example: 'custom' }),
})
export type NewPermission = z.infer<typeof NewPermission>

export const PermissionRecord = z.object({
  id: z.string(),
  slug: z.string().meta({ example: 'users:read' }),
  name: z.string().meta({ example: 'Read users' }),
  description: z.string(),
  category: z.string().meta({ example: 'users' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type PermissionRecord = z.infer<typeof PermissionRecord>
