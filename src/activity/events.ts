import type { Variant } from '../platform/database/column-types.ts'
import * as example from './example-objects.ts'

/** The facts that a receiver can know of an event before the first one arrives. */
export interface EventDescription {
  /** The variants that include the event; empty for events of our own. Any endpoint may subscribe to it, whatever its variant. */
  readonly variants: readonly Variant[]
  readonly description: string
  /** Example `data`, which a test event of this name carries. */
  readonly data: ExampleData
  /** An example of each other form that `data` takes, which has other objects, or other fields of what is no record of the API. */
  readonly otherForms?: readonly ExampleData[]
}

type ExampleData = Readonly<Record<string, unknown>>

const { actor, client, connection, consent, domain, identity, passkey, permission, role, session, team, token, user } = example
const A = ['A'] as const
const B = ['B'] as const
const both = ['A', 'B'] as const

/** Every event that an endpoint can subscribe to, by name. */
export const events = {
  'user.created': { variants: both, description: 'A user was created, accepted an invitation or was restored', data: { user, actor } },
  'user.updated': { variants: both, description: 'A user was changed, blocked or unblocked', data: { user, actor } },
  'user.deleted': { variants: both, description: 'A user was deleted', data: { user, actor } },
  'user.blocked': {
    variants: B,
    description: 'A user was blocked, which ended their sessions',
    data: { user: example.blockedUser, actor },
  },
  'user.login': { variants: A, description: 'A user signed in', data: { session, user: example.person, actor: example.actingUser } },
  'user.logout': { variants: A, description: 'A user signed out', data: { session, actor: example.actingUser } },
  'auth.login': { variants: A, description: 'A sign-in succeeded', data: { session, user: example.person, actor: example.actingUser } },
  'auth.login.failed': { variants: A, description: 'A sign-in to an existing account failed', data: { user: example.person } },
  'auth.logout': { variants: A, description: 'A user signed out', data: { session, actor: example.actingUser } },
  'auth.password_reset': { variants: A, description: 'A user set a password by a mailed link', data: { user, actor: example.actingUser } },
  'auth.email_verified': { variants: A, description: 'A user proved that an address is theirs', data: { user, actor: example.actingUser } },
  'login.success': { variants: B, description: 'A sign-in succeeded', data: { session, user: example.person, actor: example.actingUser } },
  'login.failed': { variants: B, description: 'A sign-in to an existing account failed', data: { user: example.person } },
  'session.created': { variants: B, description: 'A session began', data: { session, user: example.person, actor: example.actingUser } },
  'session.revoked': { variants: B, description: 'A session was ended before its time', data: { session, actor: example.actingUser } },
  'mfa.enabled': { variants: B, description: 'A user switched on multi-factor authentication', data: { user, actor: example.actingUser } },
  'mfa.disabled': { variants: B, description: 'Multi-factor authentication of a user was switched off', data: { user, actor } },
  'passkey.registered': {
    variants: [],
    description: 'A user registered a passkey',
    data: { passkey, user: example.person, actor: example.actingUser },
  },
  'passkey.deleted': { variants: [], description: 'A passkey was deleted', data: { passkey, user: example.person, actor } },
  'identity.linked': {
    variants: [],
    description: 'A user was linked to an account at an identity provider, or created by signing in there',
    data: { identity, user: example.person, actor: example.actingUser },
  },
  'connection.created': { variants: [], description: 'An identity provider was connected', data: { connection, actor } },
  'connection.updated': { variants: [], description: 'A connection was changed, or its secret rotated', data: { connection, actor } },
  'connection.failing': {
    variants: [],
    description: 'The last three attempts to use a connection have failed at its identity provider',
    data: { connection: example.failingConnection },
  },
  'connection.certificate_expiring': {
    variants: [],
    description: 'The last certificate of a connection by SAML expires within 30 days, or within 7',
    data: { connection: example.expiringConnection },
  },
  'connection.deleted': {
    variants: [],
    description: 'A connection was deleted, with the identities that came by it',
    data: { connection, actor },
  },
  'directory.failing': {
    variants: [],
    description: 'The last 20 requests of a directory were refused, or there has been none for a week',
    data: { directory: example.failingDirectory },
  },
  'identity.unlinked': {
    variants: [],
    description: 'An account at an identity provider was unlinked from a user',
    data: { identity, user: example.person, actor },
  },
  'role.created': { variants: B, description: 'A role was created', data: { role, actor } },
  'role.updated': { variants: B, description: 'A role was changed', data: { role, actor } },
  'role.deleted': { variants: B, description: 'A role was deleted', data: { role, actor } },
  'role.assigned': { variants: A, description: 'A user was given a role', data: { user, role, actor } },
  'role.unassigned': { variants: A, description: 'A role was taken from a user', data: { user, role, actor } },
  'permission.granted': { variants: A, description: 'A permission was added to a role', data: { role, permission, actor } },
  'team.created': { variants: B, description: 'A team was created', data: { team, actor } },
  'team.updated': {
    variants: B,
    description: 'A team was changed, or the `user` joined or left it',
    data: { team, actor },
    otherForms: [{ team, user: example.person, actor }],
  },
  'team.deleted': { variants: B, description: 'A team was deleted', data: { team, actor } },
  'domain.verified': {
    variants: [],
    description: 'The organisation has proven that a domain is its own',
    data: { domain, actor },
  },
  'domain.lapsed': {
    variants: [],
    description: 'The record that proves a domain has been missing for seven days',
    data: { domain: example.lapsedDomain },
  },
  'client.created': { variants: both, description: 'An OAuth client was registered', data: { client, actor } },
  'client.updated': { variants: both, description: 'An OAuth client was changed, revoked or activated', data: { client, actor } },
  'client.deleted': { variants: A, description: 'An OAuth client was deleted', data: { client, actor } },
  'client.revoked': {
    variants: B,
    description: 'An OAuth client and all its tokens were revoked',
    data: { client: example.revokedClient, actor },
  },
  'oauth2.token.issued': {
    variants: A,
    description: 'A client obtained tokens, for a `user` or for itself',
    data: { client, user: example.person, token, actor: example.actingClient },
    otherForms: [{ client, token: example.tokenOfClientItself, actor: example.actingClient }],
  },
  'oauth2.token.revoked': {
    variants: A,
    description: 'A client revoked a token, or used a code or a refresh token twice, which revokes what was issued for it',
    data: { client, token: example.revokedToken, actor: example.actingClient },
    otherForms: [{ client, token: example.revokedAccessToken, actor: example.actingClient }],
  },
  'oauth2.consent.granted': {
    variants: A,
    description: 'A user allowed a client what it asked for',
    data: { client, user: example.consentingUser, consent, actor: example.actingUser },
  },
  'oauth2.consent.revoked': {
    variants: A,
    description: 'A user took back what they had allowed a client',
    data: { client, user: example.consentingUser, consent, actor: example.actingUser },
  },
} as const satisfies Record<string, EventDescription>

/** The event of a test call, whatever the endpoint has subscribed to. */
export const testEvent = {
  variants: both,
  description: 'A test call sends it, without a subscription and to an inactive endpoint too; it cannot be selected',
  data: { message: 'This is a test event', webhookId: 'wh_01kahm3z9n4v7f2t8q6w5r1y0x' },
} as const satisfies EventDescription

export type EventName = keyof typeof events
