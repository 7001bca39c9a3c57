import { invalidField, Problem } from '../platform/http/problem.ts'

export const clientNotFound = () => new Problem('not-found', 'Client not found')
export const publicClientHasNoSecret = () => new Problem('bad-request', 'A public client has no secret')
export const plainPkceDenied = () => invalidField(['allowPlainPkce'], 'The operator denies the challenge method plain')
