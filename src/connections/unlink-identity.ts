import type { Caller, UserCaller } from '../access/caller.ts'
import { holdCaller, holdCallerWith } from '../access/hold-caller.ts'
import { requireFresh } from '../access/require-fresh.ts'
import { userNotFound } from '../accounts/refusals.ts'
import type { Actor } from '../activity/actor.ts'
import type { Action } from '../activity/catalogue.ts'
import { withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { findRequiredConnection } from '../domains/queries.ts'
import { tellOfIdentity } from '../identities/mails.ts'
import { deleteIdentity, type Identity, listIdentities } from '../identities/queries.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { listPasskeys, listUsableIdentities, lockHolder, type PasskeyHolder } from '../passkeys/queries.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { losesLastWay } from '../passkeys/rules.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { endAccessByConnection } from '../sessions/end-access-by-connection.ts'
import { takeWhatConnectionGave, unlinked } from '../users/unlink-identities.ts'
import { identityNotFound, lastWayToSignIn, ownerIdentitiesOnlyByTheOwner } from './refusals.ts'

export interface IdentityRemoval extends MailSender {
  database: Database
  relyingParty: RelyingParty
}

/**
 * Unlinks an account of the caller at an identity provider, ends their other sessions that began through it, and removes the roles and
 * memberships that the connection alone gave.
 *
 * @throws Problem `not-found`; `forbidden` without a recent sign-in; `bad-request` for the last way to sign in
 */
export async function unlinkOwnIdentity(
  dependencies: IdentityRemoval,
  caller: UserCaller,
  id: string,
  language: Language | undefined,
): Promise<void> {
  const { database, relyingParty } = dependencies
  const { userId, id: exceptSessionId } = caller.session
  await requireFresh(dependencies, caller)
  await database.transaction(caller.organisationId, async (tenant) => {
    const holder = await getLockedHolder(tenant, userId)
    await holdCaller(tenant, caller)
    const usable = await listUsableIdentities(tenant, userId)
    const identity = await unlink(tenant, caller.actor, holder, { userId, id, exceptSessionId })
    const passkeys = holder.policy.passkeys === 'off' ? [] : await listPasskeys(tenant, userId)
    const hasOtherPasskey = passkeys.some((passkey) => passkey.canSignIn && passkey.rpId === relyingParty.id)
    const connectionIds = usable.filter((one) => one.id !== id).map(({ connectionId }) => connectionId)
    const requiredConnectionId = await findRequiredConnection(tenant, userId)
    const signsIn = usable.some((one) => one.id === id)
    if (signsIn && losesLastWay(identity.connection.id, { ...holder, hasOtherPasskey, connectionIds, requiredConnectionId }))
      throw lastWayToSignIn()
    await tellOfIdentity(tenant, dependencies, 'identityUnlinked', { user: holder, connection: identity.connection, language })
  })
}

/**
 * Unlinks an account of a user of the caller's organisation, ends the sessions that began through it, and removes the roles and
 * memberships that the connection alone gave.
 *
 * @throws Problem `not-found`, or `forbidden` for the owner's unless the owner is the caller
 */
export async function unlinkIdentityOfUser(
  dependencies: IdentityRemoval,
  caller: Caller,
  { userId, id, reason, language }: { userId: string; id: string; reason: string | undefined; language: Language | undefined },
): Promise<void> {
  await dependencies.database.transaction(caller.organisationId, async (tenant) => {
    const holder = await getLockedHolder(tenant, userId)
    await holdCallerWith(tenant, caller, 'users:update')
    const identity = await unlink(tenant, caller.actor, holder, { userId, id, ...withReason(reason) })
    if (holder.isOwner && caller.actor.actorId !== userId) throw ownerIdentitiesOnlyByTheOwner()
    await tellOfIdentity(tenant, dependencies, 'identityUnlinked', { user: holder, connection: identity.connection, language })
  })
}

/**
 * Unlinks the accounts of the owner at a connection when a caller other than the owner changes who proves them, or has more believed of it: the
 * owner's account is linked by the owner alone, who links it anew. Until the commit, the ownership is not transferred.
 */
export async function unlinkOwner(tenant: Tenant, sender: MailSender, caller: Caller, connectionId: string): Promise<void> {
  const owner = await lockOwner(tenant)
  if (!owner || caller.actor.actorId === owner.id) return
  await unlinkEach(tenant, sender, caller.actor, owner, 'connection.updated', ({ connection }) => connection.id === connectionId)
}

/**
 * Unlinks all accounts of a user who becomes the owner. Until then administrators could say who the user is, by a connection or by a directory that names
 * its accounts, and nothing tells such an account from one that the user has linked. The row of the organisation is locked.
 */
export async function unlinkNewOwner(tenant: Tenant, sender: MailSender, actor: Actor, userId: string): Promise<void> {
  const holder = await lockHolder(tenant, userId)
  if (!holder) return
  await unlinkEach(tenant, sender, actor, { ...holder, id: userId }, 'organisation.ownership_transferred', () => true)
}

type LockedOwner = PasskeyHolder & { id: string }

/** Locks the owner, and holds the ownership. */
async function lockOwner(tenant: Tenant): Promise<LockedOwner | undefined> {
  const { ownerId: id } = await getOwnOrganisation(tenant)
  const holder = id === null ? undefined : await lockHolder(tenant, id)
  if (id === null || !holder) return undefined
  // Transferred before the lock, which holds it from then on.
  return holder.isOwner ? { ...holder, id } : lockOwner(tenant)
}

async function unlinkEach(
  tenant: Tenant,
  sender: MailSender,
  actor: Actor,
  owner: LockedOwner,
  because: Action,
  isUnlinked: (identity: Identity) => boolean,
): Promise<void> {
  for (const { id, connection } of (await listIdentities(tenant, owner.id)).filter(isUnlinked)) {
    await unlink(tenant, actor, owner, { userId: owner.id, id, metadata: { because } })
    await tellOfIdentity(tenant, sender, 'identityUnlinked', { user: owner, connection, language: undefined })
  }
}

/** Locks the user before the caller is held, who may be the same. */
async function getLockedHolder(tenant: Tenant, userId: string): Promise<PasskeyHolder> {
  const holder = await lockHolder(tenant, userId)
  if (!holder) throw userNotFound()
  return holder
}

async function unlink(
  tenant: Tenant,
  actor: Actor,
  holder: PasskeyHolder,
  { userId, id, exceptSessionId, metadata }: { userId: string; id: string; exceptSessionId?: string; metadata?: Record<string, unknown> },
): Promise<Identity> {
  const identities = await listIdentities(tenant, userId)
  const identity = identities.find((one) => one.id === id)
  if (!identity) throw identityNotFound()
  const { connection, subject } = identity
  await deleteIdentity(tenant, id)
  await endAccessByConnection(tenant, actor, { connectionId: connection.id, userId, subject, exceptSessionId })
  const left = identities.filter((one) => one.id !== id)
  if (left.every((one) => one.connection.id !== connection.id)) await takeWhatConnectionGave(tenant, actor, userId, connection.id)
  await record(tenant, actor, unlinked({ id: userId, email: holder.email, name: holder.name }, identity, metadata))
  return identity
}
