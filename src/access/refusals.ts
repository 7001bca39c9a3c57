import { refusal } from '../platform/http/problem.ts'

export const authenticationRequired = refusal('authentication-required', 'unauthorized', 'Authentication required')
export const userNotFound = refusal('session-user-not-found', 'unauthorized', 'User not found')
export const invalidSystemKey = refusal('invalid-system-key', 'unauthorized', 'Invalid system API key', () => ({
  headers: { 'www-authenticate': 'Bearer' },
}))
export const invalidApiKey = refusal('invalid-api-key', 'unauthorized', 'Invalid or expired API key', () => ({
  headers: { 'www-authenticate': 'Bearer' },
}))
export const invalidCsrfToken = refusal('invalid-csrf-token', 'forbidden', 'Invalid CSRF token')
export const mfaEnrolmentRequired = refusal('mfa-enrollment-required', 'forbidden', 'MFA enrollment required')
export const missingTenantHeader = refusal('missing-tenant-header', 'bad-request', 'Missing X-Org-Domain header')
export const organisationNotFound = refusal('organisation-not-found', 'not-found', 'Organisation not found')
export const organisationMismatch = refusal('organisation-mismatch', 'forbidden', 'Organisation mismatch')
export const organisationSuspended = refusal('organisation-suspended', 'forbidden', 'Organisation is suspended')
export const missingPermission = refusal('missing-permission', 'forbidden', (slug: string) => `Missing required permission: ${slug}`)
export const cannotGrant = refusal('cannot-grant', 'forbidden', (slug: string) => `Cannot grant a permission you do not have: ${slug}`)
