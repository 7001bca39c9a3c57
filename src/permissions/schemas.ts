import { z } from 'zod'
import { timestamp } from '../platform/http/fields.ts'

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
