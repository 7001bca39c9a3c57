import { z } from 'zod'
import { ids, lines, name, slug, timestamp } from '../platform/http/fields.ts'
import { PermissionSummary } from './permissions/schemas.ts'

export const NewRole = z.object({
  name: name().meta({ example: 'Support' }),
  slug: slug().meta({ example: 'support' }),
  description: lines().default('').meta({ example: 'Answers questions of users' }),
  isDefault: z.boolean().default(false).meta({ description: 'Given to new users that are created without roles' }),
  permissionIds: ids()
    .default([])
    .meta({ description: 'Ids or slugs of the permissions that the role holds; only ones that the caller has' }),
})
export type NewRole = z.infer<typeof NewRole>

export const RoleChanges = z.object({
  name: name().optional(),
  description: lines().optional(),
  isDefault: z.boolean().optional(),
  permissionIds: ids().optional().meta({ description: 'Ids or slugs of permissions, in place of those that the role holds' }),
})
export type RoleChanges = z.infer<typeof RoleChanges>

/** A role inside of what has it. */
export const RoleSummary = z.object({
  id: z.string().meta({ example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  name: z.string().meta({ example: 'Support' }),
  slug: z.string().meta({ example: 'support' }),
})

export const RoleRecord = z.object({
  id: z.string().meta({ example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  name: z.string().meta({ example: 'Support' }),
  slug: z.string().meta({ example: 'support' }),
  description: z.string(),
  isDefault: z.boolean(),
  permissions: z.array(PermissionSummary),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type RoleRecord = z.infer<typeof RoleRecord>
