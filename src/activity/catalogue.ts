/**
 * Everything that can happen, by its audit action: the kind of object that it happens to, and the names of the webhook
 * events that report it. An occurrence without events is for the audit log alone.
 */
export const catalogue = {
  'user.created': { object: 'user', events: ['user.created'] },
  'user.updated': { object: 'user', events: ['user.updated'] },
  'user.deleted': { object: 'user', events: ['user.deleted'] },
  'user.blocked': { object: 'user', events: ['user.updated', 'user.blocked'] },
  'role.created': { object: 'role', events: ['role.created'] },
  'role.updated': { object: 'role', events: ['role.updated'] },
  'role.deleted': { object: 'role', events: ['role.deleted'] },
  'role.assigned': { object: 'user', events: ['role.assigned'] },
  'role.unassigned': { object: 'user', events: ['role.unassigned'] },
  'permission.granted': { object: 'role', events: ['permission.granted'] },
  'organisation.created': { object: 'organisation', events: [] },
  'organisation.suspended': { object: 'organisation', events: [] },
  'organisation.activated': { object: 'organisation', events: [] },
  'organisation.deleted': { object: 'organisation', events: [] },
  'login.success': { object: 'session', events: ['user.login', 'auth.login', 'login.success', 'session.created'] },
  'login.failed': { object: 'user', events: ['auth.login.failed', 'login.failed'] },
  'session.revoked': { object: 'session', events: ['session.revoked'] },
  'auth.logout': { object: 'session', events: ['user.logout', 'auth.logout', 'session.revoked'] },
  'auth.password_reset': { object: 'user', events: ['auth.password_reset'] },
  'auth.email_verified': { object: 'user', events: ['auth.email_verified'] },
} as const satisfies Record<string, { object: string; events: readonly string[] }>

export type Action = keyof typeof catalogue
type ObjectOf<A extends Action> = (typeof catalogue)[A]['object']

/** An object as the API shows it. */
export type ApiObject = { readonly id: string; readonly [field: string]: unknown }

/**
 * Something that happened: the action and, under the name of its kind, the object in its API form (`data` of the
 * events). Further objects that the events show may stand beside it. Nothing in it may be secret.
 */
export type Occurrence = {
  [A in Action]: { action: A } & { [K in ObjectOf<A>]: ApiObject } & {
    [K in 'user' | 'role' | 'team' | 'client' | 'session' | 'permission']?: Readonly<Record<string, unknown>>
  } & { changes?: Changes; metadata?: Record<string, unknown> }
}[Action]

/** What an update changed, field by field. */
export type Changes = Record<string, { from: unknown; to: unknown }>
