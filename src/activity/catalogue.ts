import { type Kinds, type KindWith, kinds } from '../../shared/kinds.ts'
import type { EventName, events } from './events.ts'

/** The consequences of an occurrence of one kind. */
interface Consequences {
  /** The kind of object that it concerns. */
  readonly object: string
  readonly events: readonly EventName[]
  /** Whether it creates or ends the object: the audit entry then holds all of the object's fields. */
  readonly lifecycle?: 'begins' | 'ends'
  /** False when it happens too often to be history, or is part of another entry: then only subscribers learn of it. */
  readonly audited?: false
}

type KindWithHistory = KindWith<'history'>
type EventsOf<K extends KindWithHistory, Verb extends string> = Kinds[K]['history'] extends 'reported'
  ? readonly [`${K}.${Verb}`]
  : readonly []

/** The ordinary actions of the kinds that have them. */
type OfKinds = { readonly [K in KindWithHistory as `${K}.created`]: { object: K; events: EventsOf<K, 'created'>; lifecycle: 'begins' } } & {
  readonly [K in KindWithHistory as `${K}.updated`]: { object: K; events: EventsOf<K, 'updated'> }
} & { readonly [K in KindWithHistory as `${K}.deleted`]: { object: K; events: EventsOf<K, 'deleted'>; lifecycle: 'ends' } }

const ofKinds = Object.fromEntries(
  Object.entries(kinds).flatMap(([object, kind]): [string, unknown][] => {
    if (!('history' in kind)) return []
    const events = (verb: string) => (kind.history === 'reported' ? [`${object}.${verb}`] : [])
    return [
      [`${object}.created`, { object, events: events('created'), lifecycle: 'begins' }],
      [`${object}.updated`, { object, events: events('updated') }],
      [`${object}.deleted`, { object, events: events('deleted'), lifecycle: 'ends' }],
    ]
  }),
) as OfKinds

/**
 * Everything that can happen, by its audit action: the kind of object that it concerns, and the names of the webhook
 * events that report it. An occurrence without events is for the audit log alone.
 */
export const catalogue = {
  ...ofKinds,
  'user.created': { object: 'user', events: ['user.created'], lifecycle: 'begins' },
  'user.updated': { object: 'user', events: ['user.updated'] },
  'user.deleted': { object: 'user', events: ['user.deleted'], lifecycle: 'ends' },
  // A program that mirrors users has deleted this one.
  'user.restored': { object: 'user', events: ['user.created'] },
  'user.erased': { object: 'user', events: [] },
  'user.looked_up': { object: 'user', events: [] },
  'user.recovered': { object: 'user', events: [] },
  'user.blocked': { object: 'user', events: ['user.updated', 'user.blocked'] },
  'role.assigned': { object: 'user', events: ['role.assigned'] },
  'role.unassigned': { object: 'user', events: ['role.unassigned'] },
  // The user has the role before and after, only through another source: receivers need not know.
  'role.source_added': { object: 'user', events: [] },
  'role.source_removed': { object: 'user', events: [] },
  'permission.granted': { object: 'role', events: ['permission.granted'] },
  'permission.created': { object: 'permission', events: [], lifecycle: 'begins' },
  'permission.deleted': { object: 'permission', events: [], lifecycle: 'ends' },
  'client.secret_rotated': { object: 'client', events: ['client.updated'] },
  'client.activated': { object: 'client', events: ['client.updated'] },
  'client.revoked': { object: 'client', events: ['client.updated', 'client.revoked'] },
  'client.logout_tested': { object: 'client', events: [] },
  'client.logout_replayed': { object: 'client', events: [] },
  'client_host.blocked': { object: 'client_host', events: [], lifecycle: 'begins' },
  'client_host.unblocked': { object: 'client_host', events: [], lifecycle: 'ends' },
  'registration_token.created': { object: 'registration_token', events: [], lifecycle: 'begins' },
  'registration_token.ended': { object: 'registration_token', events: [], lifecycle: 'ends' },
  'api_key.exchanged': { object: 'api_key', events: [] },
  'invitation.sent': { object: 'invitation', events: [], lifecycle: 'begins' },
  'invitation.accepted': { object: 'invitation', events: [] },
  'invitation.cancelled': { object: 'invitation', events: [], lifecycle: 'ends' },
  'organisation.created': { object: 'organisation', events: [], lifecycle: 'begins' },
  'organisation.updated': { object: 'organisation', events: [] },
  'organisation.ownership_transferred': { object: 'organisation', events: [] },
  'organisation.suspended': { object: 'organisation', events: [] },
  'organisation.activated': { object: 'organisation', events: [] },
  'organisation.exported': { object: 'organisation', events: [] },
  'organisation.imported': { object: 'organisation', events: [] },
  'organisation.users_imported': { object: 'organisation', events: [] },
  'organisation.deleted': { object: 'organisation', events: [] },
  'organisation.restored': { object: 'organisation', events: [] },
  // An operator acted on the whole database or its keys, and thereby on the organisation.
  'database.backed_up': { object: 'organisation', events: [] },
  'database.restored': { object: 'organisation', events: [] },
  'database.moved': { object: 'organisation', events: [] },
  'database.migrated': { object: 'organisation', events: [] },
  'signing_keys.rotated': { object: 'organisation', events: [] },
  'secret_key.rotated': { object: 'organisation', events: [] },
  'login.success': { object: 'session', events: ['user.login', 'auth.login', 'login.success', 'session.created'] },
  'login.failed': { object: 'user', events: ['auth.login.failed', 'login.failed'] },
  'login.locked': { object: 'user', events: [] },
  'login.unlocked': { object: 'user', events: [] },
  'sign_in.checked': { object: 'user', events: [] },
  'sign_in.unknown_checked': { object: 'organisation', events: [] },
  'session.revoked': { object: 'session', events: ['session.revoked'] },
  // A session ends with its user or its organisation, and the entry of that change covers it.
  'session.ended': { object: 'session', events: ['session.revoked'], audited: false },
  'session.reauthenticated': { object: 'session', events: [] },
  'session.stepped_up': { object: 'session', events: [] },
  'auth.logout': { object: 'session', events: ['user.logout', 'auth.logout', 'session.revoked'] },
  'user.password_changed': { object: 'user', events: [] },
  'user.password_removed': { object: 'user', events: [] },
  'user.password_breached': { object: 'user', events: [] },
  'auth.password_reset_requested': { object: 'user', events: [] },
  'auth.email_code_requested': { object: 'user', events: [] },
  'auth.email_verification_requested': { object: 'user', events: [] },
  'auth.password_expired': { object: 'user', events: [] },
  'auth.password_reset': { object: 'user', events: ['auth.password_reset'] },
  'auth.email_verified': { object: 'user', events: ['auth.email_verified'] },
  'mfa.enrolment_started': { object: 'user', events: [] },
  'mfa.enabled': { object: 'user', events: ['mfa.enabled'] },
  'mfa.disabled': { object: 'user', events: ['mfa.disabled'] },
  'mfa.backup_codes_replaced': { object: 'user', events: [] },
  'identity.linked': { object: 'identity', events: ['identity.linked'], lifecycle: 'begins' },
  'passkey.registered': { object: 'passkey', events: ['passkey.registered'], lifecycle: 'begins' },
  'passkey.renamed': { object: 'passkey', events: [] },
  'passkey.deleted': { object: 'passkey', events: ['passkey.deleted'], lifecycle: 'ends' },
  'passkey.clone_suspected': { object: 'passkey', events: [] },
  'connection.secret_rotated': { object: 'connection', events: ['connection.updated'] },
  'connection.keys_rotated': { object: 'connection', events: ['connection.updated'] },
  'connection.failing': { object: 'connection', events: ['connection.failing'] },
  'connection.certificate_expiring': { object: 'connection', events: ['connection.certificate_expiring'] },
  'identity.unlinked': { object: 'identity', events: ['identity.unlinked'], lifecycle: 'ends' },
  'team.member_added': { object: 'team', events: ['team.updated'] },
  'team.member_removed': { object: 'team', events: ['team.updated'] },
  'team.member_source_added': { object: 'team', events: [] },
  'team.member_source_removed': { object: 'team', events: [] },
  'domain.verified': { object: 'domain', events: ['domain.verified'] },
  'domain.lapsed': { object: 'domain', events: ['domain.lapsed'] },
  'directory.failing': { object: 'directory', events: ['directory.failing'] },
  // An administrator has blocked the user, so the directory cannot activate them.
  'directory.activation_ignored': { object: 'user', events: [] },
  'directory.user_adopted': { object: 'user', events: [] },
  // Nothing of the account itself has changed, only what the directory says besides.
  'directory.user_updated': { object: 'user', events: [] },
  'directory.user_deprovisioned': { object: 'user', events: [] },
  'directory.group_created': { object: 'directory', events: [] },
  'directory.group_updated': { object: 'directory', events: [] },
  'directory.group_deleted': { object: 'directory', events: [] },
  'directory.request_tried': { object: 'directory', events: [] },
  'directory.token_created': { object: 'directory', events: [] },
  'directory.token_ended': { object: 'directory', events: [] },
  'setup_link.created': { object: 'setup_link', events: [], lifecycle: 'begins' },
  'setup_link.used': { object: 'setup_link', events: [] },
  'setup_link.finished': { object: 'setup_link', events: [] },
  'setup_link.activated': { object: 'setup_link', events: [] },
  'setup_link.ended': { object: 'setup_link', events: [] },
  'oauth2.token.issued': { object: 'client', events: ['oauth2.token.issued'], audited: false },
  'oauth2.token.revoked': { object: 'client', events: ['oauth2.token.revoked'] },
  'oauth2.identity_assertion.issued': { object: 'client', events: [] },
  'oauth2.identity_assertion.accepted': { object: 'client', events: [] },
  'oauth2.identity_assertion.checked': { object: 'organisation', events: [] },
  'oauth2.consent.granted': { object: 'client', events: ['oauth2.consent.granted'] },
  'oauth2.consent.revoked': { object: 'client', events: ['oauth2.consent.revoked'] },
  'webhook.secret_rotated': { object: 'webhook', events: [] },
  'webhook.tested': { object: 'webhook', events: [] },
  'webhook.replayed': { object: 'webhook', events: [] },
  'webhook.deactivated': { object: 'webhook', events: [] },
} as const satisfies Record<string, Consequences>

export type Action = keyof typeof catalogue
type ObjectOf<A extends Action> = (typeof catalogue)[A]['object']

/** The kinds of objects that actions concern, in alphabetical order. */
export const actionTargets: readonly ObjectOf<Action>[] = [...new Set(Object.values(catalogue).map(({ object }) => object))].sort()

export type ApiObject = { readonly id: string; readonly [field: string]: unknown }

/** The forms of the data of an event, after its examples. */
type FormOf<E extends EventName> = E extends EventName
  ? (typeof events)[E]['data'] | ((typeof events)[E] extends { otherForms: readonly (infer Form)[] } ? Form : never)
  : never

type FormsOf<A extends Action> = FormOf<(typeof catalogue)[A]['events'][number]>

/** A token is no record of the API, so its fields are those of its examples. */
type Shown<Name, Example> = Name extends 'token' ? Example : Readonly<Record<string, unknown>>

/** The objects that an event shows besides the one that it concerns, and no other. */
type FurtherOf<Form, Own extends string> = Form extends unknown
  ? { [Name in Exclude<keyof Form, Own | 'actor'>]: Shown<Name, Form[Name]> } & {
      [Name in Exclude<FurtherObject, keyof Form | Own>]?: never
    }
  : never

type FurtherObject = 'user' | 'role' | 'team' | 'client' | 'session' | 'permission' | 'token' | 'consent'

/**
 * Something that happened: the action and, under the name of its kind, the object in its API form (`data` of the
 * events), with the further objects that the examples of its events have. A `client` among them also selects the endpoints that
 * receive the event, if they are bound to one client. None of it may be secret.
 */
export type Occurrence = {
  [A in Action]: { action: A } & { [K in ObjectOf<A>]: ApiObject } & ([FormsOf<A>] extends [never]
      ? { [K in Exclude<FurtherObject, ObjectOf<A>>]?: Readonly<Record<string, unknown>> }
      : FurtherOf<FormsOf<A>, ObjectOf<A>>) & { changes?: Changes; metadata?: Record<string, unknown> }
}[Action]

/** The changes, field by field. When an occurrence creates or ends an object, they derive from the object itself. */
export type Changes = Record<string, { from: unknown; to: unknown }>
