import type { PermissionSlug } from './permission-slugs.ts'

/** Who may use a route. Every route declares it; one that does not stops the start. */
export type Access =
  | { readonly kind: 'admin'; readonly permission: PermissionSlug | undefined }
  | { readonly kind: 'self'; readonly duringMfaEnrolment: boolean; readonly csrf: boolean }
  | { readonly kind: 'page' }
  | { readonly kind: 'system' }
  | { readonly kind: 'public'; readonly orOperator: boolean }

/** The admin API: session, CSRF token, tenant, and the permission if one is named. */
export const admin = (permission?: PermissionSlug): Access => ({ kind: 'admin', permission })

/** The self-service API: session and CSRF token. `duringMfaEnrolment` lets in sessions that still have to enrol. */
export const self = ({ duringMfaEnrolment = false } = {}): Access => ({ kind: 'self', duringMfaEnrolment, csrf: true })

/** The session cookie alone. */
export const session = (): Access => ({ kind: 'self', duringMfaEnrolment: true, csrf: false })

/** A page: for any browser, without a CSRF header. `request.browserSession` is its live session, if it has one. */
export const page = (): Access => ({ kind: 'page' })

/** The operator, by `Authorization: Bearer <SYSTEM_API_KEY>`. */
export const system = (): Access => ({ kind: 'system' })

/** Any caller, signed in or not. `orOperator` tells who comes with the system API's key, and refuses a wrong one. */
export const publicAccess = ({ orOperator = false } = {}): Access => ({ kind: 'public', orOperator })

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
}
