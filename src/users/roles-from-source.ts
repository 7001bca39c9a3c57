import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUser } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { changeAndRecordForUsers, recordEach } from '../activity/record.ts'
import { isOwner } from '../organisations/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { assignments, findRoles, presentRole } from '../roles/queries.ts'
import { isSettled, type UpstreamSource } from '../roles/sources.ts'
import { reportUnassigned } from './remove-role.ts'

/** The roles that a user has gained and lost. */
export interface RoleChangesOfUser {
  added: string[]
  removed: string[]
}

const nothing: RoleChangesOfUser = { added: [], removed: [] }

/**
 * Sets the roles that a source gives to a user, and records the changes: a role that another source gives, too, was assigned before and
 * remains so. The owner and the owner role are not affected, nor are deleted users; unknown roles are left out. When nothing has to
 * change, it costs one statement and locks nothing.
 *
 * @param options.addsOnly whether roles that the source no longer gives remain
 */
export async function replaceRolesFromSource(
  tenant: Tenant,
  actor: Actor,
  userId: string,
  source: UpstreamSource,
  roleIds: readonly string[],
  { addsOnly = false }: { addsOnly?: boolean } = {},
): Promise<RoleChangesOfUser> {
  if (isSettled(await assignments.givenBy(tenant, userId, source), roleIds, addsOnly)) return nothing
  // Lock the user before the organisation and the roles, as other changes of a user's roles do.
  if (!(await lockUser(tenant, userId)) || (await isOwner(tenant, userId))) return nothing
  const before = await assignments.givenBy(tenant, userId, source)
  const roles = (await findRoles(tenant, [...roleIds, ...before])).filter(({ isOwner: isOwnerRole }) => !isOwnerRole)
  const asked = roles.filter(({ id }) => roleIds.includes(id)).map(({ id }) => id)
  const taken = addsOnly ? [] : await assignments.take(tenant, userId, source, [...new Set(before).difference(new Set(asked))])
  const given = await assignments.give(tenant, userId, source, asked)

  const actions = new Map([
    ...given.map(({ id, isNew }) => [id, isNew ? 'role.assigned' : 'role.source_added'] as const),
    ...taken.map(({ id, isGone }) => [id, isGone ? 'role.unassigned' : 'role.source_removed'] as const),
  ])
  if (actions.size === 0) return nothing
  const user = presentUser(await getUser(tenant, userId))
  const occurrences = roles.flatMap((role) => {
    const action = actions.get(role.id)
    return action ? [{ action, user, role: presentRole(role), metadata: { roleId: role.id, roleSlug: role.slug, source } }] : []
  })
  await recordEach(tenant, actor, occurrences)
  return {
    added: given.filter(({ isNew }) => isNew).map(({ id }) => id),
    removed: taken.filter(({ isGone }) => isGone).map(({ id }) => id),
  }
}

/**
 * Removes a source, which is about to be deleted, from all roles. The roles that only it gave are unassigned, each with its entry. The
 * caller has locked the source, so that no concurrent sign-in uses it.
 */
export async function removeRolesOfSource(tenant: Tenant, actor: Actor, source: UpstreamSource): Promise<void> {
  // These are the few roles that its mappings name, with any number of users.
  for (const role of await findRoles(tenant, await assignments.lockGivenTo(tenant, source))) {
    const metadata = { roleId: role.id, roleSlug: role.slug, source }
    const change = assignments.removeFromAll(source, role.id)
    const userIds = await changeAndRecordForUsers(tenant, actor, { action: 'role.unassigned', metadata }, change)
    await reportUnassigned(tenant, actor, role, userIds)
  }
  await assignments.forget(tenant, source)
}
