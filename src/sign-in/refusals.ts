import { Problem } from '../platform/http/problem.ts'

export { organisationSuspended } from '../access/refusals.ts'
export const invalidCredentials = () => new Problem('unauthorized', 'Invalid email or password')
export const userBlocked = () => new Problem('forbidden', 'User is blocked')
