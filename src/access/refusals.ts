import { Problem } from '../platform/http/problem.ts'

export const authenticationRequired = () => new Problem('unauthorized', 'Authentication required')
export const userNotFound = () => new Problem('unauthorized', 'User not found')
export const invalidSystemKey = () => new Problem('unauthorized', 'Invalid system API key', { headers: { 'www-authenticate': 'Bearer' } })
export const invalidApiKey = () => new Problem('unauthorized', 'Invalid or expired API key', { headers: { 'www-authenticate': 'Bearer' } })
export const invalidCsrfToken = () => new Problem('forbidden', 'Invalid CSRF token')
export const mfaEnrolmentRequired = () => new Problem('forbidden', 'MFA enrollment required')
export const missingTenantHeader = () => new Problem('bad-request', 'Missing X-Org-Domain header')
export const organisationNotFound = () => new Problem('not-found', 'Organisation not found')
export const organisationMismatch = () => new Problem('forbidden', 'Organisation mismatch')
export const organisationSuspended = () => new Problem('forbidden', 'Organisation is suspended')
export const missingPermission = (slug: string) => new Problem('forbidden', `Missing required permission: ${slug}`)
export const cannotGrant = (slug: string) => new Problem('forbidden', `Cannot grant a permission you do not have: ${slug}`)
