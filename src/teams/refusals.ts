import { ofField, refusal } from '../platform/http/problem.ts'

export { userNotFound } from '../accounts/refusals.ts'
export const teamNotFound = refusal('team-not-found', 'not-found', 'Team not found')
export const teamSlugTaken = refusal('team-slug-taken', 'conflict', 'Team slug already in use', ofField('slug'))
