import { fieldRefusal, refusal } from '../platform/http/problem.ts'

export const clientNotFound = refusal('client-not-found', 'not-found', 'Client not found')
export const publicClientHasNoSecret = refusal('public-client-has-no-secret', 'bad-request', 'A public client has no secret')
export const plainPkceDenied = fieldRefusal('plain-pkce-denied', ['allowPlainPkce'], 'The operator denies the challenge method plain')
