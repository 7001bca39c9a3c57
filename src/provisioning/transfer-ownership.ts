import type { Caller } from '../access/caller.ts'
import { holdCaller, lockUserOfCaller } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { lockUserWithReferences, type UserWithReferences } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { unlinkNewOwner } from '../connections/unlink-identity.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { type Organisation, presentOrganisation } from '../organisations/present-organisation.ts'
import { lockStatusAndOwner, updateOwnOrganisation } from '../organisations/queries.ts'
import { newOwnerIsBlocked, newOwnerNotFound, onlyOwnerTransfers } from '../organisations/refusals.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { assignments, findOwnerRole, presentRole } from '../roles/queries.ts'
import { memberships } from '../teams/queries.ts'

/**
 * Makes another user the owner, with the owner role. The former owner retains that role until it is removed.
 *
 * @throws Problem `forbidden` unless the caller is the owner, `not-found`, or `bad-request` for a blocked user
 */
export async function transferOwnership(
  { database, ...sender }: MailSender & { database: Database },
  caller: Caller,
  userId: string,
): Promise<Organisation> {
  // Check again under the lock: of two concurrent transfers the second then finds another owner.
  if (caller.kind !== 'user' || !caller.isOwner) throw onlyOwnerTransfers()
  return database.transaction(caller.organisationId, async (tenant) => {
    // Lock the users before the organisation, as blocking and deleting a user do, and the session after it, as a suspension does.
    const user = await lockUserWithReferences(tenant, userId)
    await lockUserOfCaller(tenant, caller)
    const before = await lockStatusAndOwner(tenant)
    await holdCaller(tenant, caller)
    if (before?.ownerId !== caller.session.userId) throw onlyOwnerTransfers()
    return handOver(tenant, sender, caller.actor, before, user)
  })
}

/**
 * Makes the user the owner; both rows are locked.
 *
 * @throws Problem `not-found` for an unknown user, `bad-request` for a blocked one
 */
export async function handOver(
  tenant: Tenant,
  sender: MailSender,
  actor: Actor,
  before: Organisation,
  user: UserWithReferences | undefined,
): Promise<Organisation> {
  if (!user) throw newOwnerNotFound()
  if (user.blockedAt) throw newOwnerIsBlocked()
  if (user.id === before.ownerId) return before

  const organisation = await updateOwnOrganisation(tenant, { ownerId: user.id })
  await record(tenant, actor, {
    action: 'organisation.ownership_transferred',
    organisation: presentOrganisation(organisation),
    changes: { ownerId: { from: before.ownerId, to: user.id } },
  })
  // No connection or directory may affect the owner: only administrators can remove what these have assigned, and only the owner links an account.
  await assignments.makeManual(tenant, user.id)
  await memberships.makeManual(tenant, user.id)
  await unlinkNewOwner(tenant, sender, actor, user.id)
  await giveOwnerRole(tenant, actor, user)
  return organisation
}

async function giveOwnerRole(tenant: Tenant, actor: Actor, user: UserWithReferences): Promise<void> {
  const role = await findOwnerRole(tenant)
  const [given] = await assignments.give(tenant, user.id, 'manual', [role.id])
  if (!given?.isNew) return
  const roles = [...user.roles, { id: role.id, name: role.name, slug: role.slug }]
  await record(tenant, actor, {
    action: 'role.assigned',
    user: presentUser({ ...user, roles }),
    role: presentRole(role),
    metadata: { roleId: role.id, roleSlug: role.slug },
  })
}
