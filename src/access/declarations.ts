import type { PermissionSlug } from './permission-slugs.ts'

/** Who may use a route. Every route declares it: the service does not start with a route that does not. */
export type Access = AdminAccess | SelfAccess | PageAccess | SystemAccess | PublicAccess | PublicOrOperatorAccess

export interface AdminAccess {
  readonly kind: 'admin'
  /** The caller needs all of these. */
  readonly permissions: readonly PermissionSlug[]
}
export interface SelfAccess {
  readonly kind: 'self'
  readonly duringMfaEnrolment: boolean
  readonly csrf: boolean
}
interface PageAccess {
  readonly kind: 'page'
}
interface SystemAccess {
  readonly kind: 'system'
}
interface PublicAccess {
  readonly kind: 'public'
}
interface PublicOrOperatorAccess {
  readonly kind: 'public-or-operator'
}

/** The admin API: session or API key, CSRF token, tenant, and all of the given permissions. */
export const admin = (...permissions: PermissionSlug[]): AdminAccess => ({ kind: 'admin', permissions })

/** The self-service API: session and CSRF token. `duringMfaEnrolment` lets in sessions that still have to enrol. */
export const self = ({ duringMfaEnrolment = false } = {}): SelfAccess => ({ kind: 'self', duringMfaEnrolment, csrf: true })

/** The session cookie alone. */
export const session = (): SelfAccess => ({ kind: 'self', duringMfaEnrolment: true, csrf: false })

/** A page: for any browser, without a CSRF header. `request.browserSession` is its active session, if it has one. */
export const page = (): PageAccess => ({ kind: 'page' })

/** The operator, by `Authorization: Bearer <SYSTEM_API_KEY>`. */
export const system = (): SystemAccess => ({ kind: 'system' })

export const publicAccess = (): PublicAccess => ({ kind: 'public' })

/** Any caller; `request.isOperator` tells the one with the system API's key. A wrong key is refused. */
export const publicOrOperator = (): PublicOrOperatorAccess => ({ kind: 'public-or-operator' })

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
}
