import { Problem } from '../platform/http/problem.ts'

export const invalidLink = () => new Problem('bad-request', 'Invalid or expired token')
