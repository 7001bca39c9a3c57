import { Problem } from '../platform/http/problem.ts'

export const permissionSlugTaken = () => new Problem('conflict', 'Permission slug already in use')
