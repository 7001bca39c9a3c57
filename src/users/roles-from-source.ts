import type { RawBuilder } from 'kysely'
import { presentUser } from '../accounts/present-user.ts'
import { findUsers, getUser, lockUser } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { changeAndRecordForUsers, recordEach } from '../activity/record.ts'
import { isOwner } from '../organisations/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { assignments, findRoles, presentRole } from '../roles/queries.ts'
import { type ChangeOfSource, type ChangesOfUser, effectiveOf, isSettled, type UpstreamSource, unchanged } from '../roles/sources.ts'
import { reportUnassigned } from './remove-role.ts'

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
): Promise<ChangesOfUser> {
  if (isSettled(await assignments.givenBy(tenant, userId, source), roleIds, addsOnly)) return unchanged
  // Lock the user before the organisation and the roles, as other changes of a user's roles do.
  if (!(await lockUser(tenant, userId)) || (await isOwner(tenant, userId))) return unchanged
  const before = await assignments.givenBy(tenant, userId, source)
  const roles = (await findRoles(tenant, [...roleIds, ...before])).filter(({ isOwner: isOwnerRole }) => !isOwnerRole)
  const asked = roles.filter(({ id }) => roleIds.includes(id)).map(({ id }) => id)
  const changes = await assignments.replace(tenant, userId, source, { before, asked, addsOnly })
  if (changes.length === 0) return unchanged
  const changeOf = new Map(changes.map((change) => [change.id, change]))
  const user = presentUser(await getUser(tenant, userId))
  const occurrences = roles.flatMap((role) => {
    const change = changeOf.get(role.id)
    return change
      ? [{ action: actionOf(change), user, role: presentRole(role), metadata: { roleId: role.id, roleSlug: role.slug, source } }]
      : []
  })
  await recordEach(tenant, actor, occurrences)
  return effectiveOf(changes)
}

const usersAtATime = 1_000

/**
 * Sets the roles that a source gives to any number of users, and records the changes as {@link replaceRolesFromSource} does. The caller has
 * locked the users, and leaves the owner out.
 */
export async function setRolesFromSource(
  tenant: Tenant,
  actor: Actor,
  source: UpstreamSource,
  given: { users: RawBuilder<string>; wanted: RawBuilder<unknown> },
): Promise<void> {
  const changes = await assignments.set(tenant, source, given)
  if (changes.length === 0) return
  const roles = new Map((await findRoles(tenant, [...new Set(changes.map(({ id }) => id))])).map((role) => [role.id, role]))
  const ofUsers = Map.groupBy(changes, ({ userId }) => userId)
  const userIds = [...ofUsers.keys()]
  for (let start = 0; start < userIds.length; start += usersAtATime) {
    const users = await findUsers(tenant, userIds.slice(start, start + usersAtATime))
    const occurrences = users.flatMap((user) =>
      (ofUsers.get(user.id) ?? []).flatMap((change) => {
        const role = roles.get(change.id)
        const metadata = { roleId: change.id, roleSlug: role?.slug, source }
        return role ? [{ action: actionOf(change), user: presentUser(user), role: presentRole(role), metadata }] : []
      }),
    )
    await recordEach(tenant, actor, occurrences)
  }
}

function actionOf({ gives, isEffective }: ChangeOfSource) {
  if (gives) return isEffective ? ('role.assigned' as const) : ('role.source_added' as const)
  return isEffective ? ('role.unassigned' as const) : ('role.source_removed' as const)
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
