import { refusal } from '../platform/http/problem.ts'

export const permissionSlugTaken = refusal('permission-slug-taken', 'conflict', 'Permission slug already in use')
