import { invalidField, Problem } from '../platform/http/problem.ts'

export { cannotGrant } from '../access/refusals.ts'
export const apiKeyNotFound = () => new Problem('not-found', 'API key not found')
export const expiryHasPassed = () => invalidField(['expiresAt'], 'Must be in the future')
