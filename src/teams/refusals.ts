import { Problem } from '../platform/http/problem.ts'

export { userNotFound } from '../users/refusals.ts'
export const teamNotFound = () => new Problem('not-found', 'Team not found')
export const teamSlugTaken = () => new Problem('conflict', 'Team slug already in use')
