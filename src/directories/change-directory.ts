import type { Caller } from '../access/caller.ts'
import { lockUserOfCaller } from '../access/hold-caller.ts'
import type { Actor } from '../activity/actor.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { sourceOfDirectory } from '../roles/sources.ts'
import { removeTeamsOfSource } from '../teams/teams-from-source.ts'
import { removeRolesOfSource } from '../users/roles-from-source.ts'
import { applyMappings, type GivingDirectory } from './apply-mappings.ts'
import { requireMatchable, rolesOf } from './create-directory.ts'
import { namedGroupMappings } from './group-mappings.ts'
import { linkManagedUsers } from './link-managed-users.ts'
import { directoryInHistory, directoryVersion } from './present-directory.ts'
import { type DirectorySettings, deleteDirectoryRow, getDirectory, lockDirectory, updateDirectory, type WholeDirectory } from './queries.ts'
import type { DirectoryChanges } from './schemas.ts'
import { requireTeam } from './team-of-group.ts'
import { listGroupsWithoutTeam } from './team-queries.ts'

/** The settings that decide whose accounts a directory reaches, and what its users may do. */
const trusted: readonly (keyof DirectorySettings)[] = ['groupMappings', 'userMatch', 'connectionId']

/**
 * Changes a directory. While it is inactive, its requests are refused; its users stay as they are. What new mappings give and no longer
 * give, its users get and lose at once, and where subjects are compared from now on, their accounts are linked.
 *
 * @throws Problem as {@link createDirectory}, `forbidden` only where a field changes that is trusted, or it is switched on again;
 *   `not-found`, `precondition-failed`
 */
export async function changeDirectory(
  database: Database,
  caller: Caller,
  id: string,
  changes: DirectoryChanges,
  ifMatch: string | undefined,
): Promise<WholeDirectory> {
  return database.transaction(caller.organisationId, (tenant) => changeDirectoryIn(tenant, caller, id, changes, ifMatch))
}

/**
 * Changes a directory in a transaction that has begun.
 *
 * @throws Problem as {@link changeDirectory}
 */
export async function changeDirectoryIn(
  tenant: Tenant,
  caller: Caller,
  id: string,
  { groupMappings: sentMappings, ...changes }: DirectoryChanges,
  ifMatch?: string,
): Promise<WholeDirectory> {
  await lockUserOfCaller(tenant, caller)
  const before = await lockDirectory(tenant, id)
  directoryVersion.check(directoryInHistory(before), ifMatch)
  const groupMappings = sentMappings && (await namedGroupMappings(tenant, sentMappings))
  const changed = changedFields(before, { ...changes, groupMappings })
  if (!changed) return getDirectory(tenant, id)
  if (changed.connectionId !== undefined || changed.userMatch !== undefined) await requireMatchable(tenant, { ...before, ...changed })
  // It may have been switched off for a reason: another party may hold its token.
  if (trusted.some((field) => field in changed) || changed.isActive === true) {
    await requireEveryHeldPermission(tenant, caller, { andOfRoles: rolesOf({ ...before, ...changed }) })
  }
  const after = await updateDirectory(tenant, id, changed)
  const [from, to] = [directoryInHistory(before), directoryInHistory(after)]
  await record(tenant, caller.actor, { action: 'directory.updated', directory: to, changes: changesBetween(from, to) })
  if (changed.userMatch !== undefined || changed.connectionId !== undefined) await linkManagedUsers(tenant, caller.actor, after)
  if (changed.groupMappings !== undefined || changed.groups !== undefined) await applyNewSettings(tenant, caller.actor, after)
  return getDirectory(tenant, id)
}

/** The present members get at once what the new settings give. The directory is locked, so none of its requests changes a group meanwhile. */
async function applyNewSettings(tenant: Tenant, actor: Actor, directory: GivingDirectory): Promise<void> {
  for (const group of await listGroupsWithoutTeam(tenant, directory.id)) await requireTeam({ tenant, actor, directory }, group)
  await applyMappings({ tenant, actor, directory })
}

/**
 * Deletes a directory with its tokens, and the roles and memberships that it alone gave. Users and teams stay.
 *
 * @throws Problem `not-found`, `precondition-failed`
 */
export async function deleteDirectory(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const directory = await lockDirectory(tenant, id)
    directoryVersion.check(directoryInHistory(directory), ifMatch)
    const { counts } = await getDirectory(tenant, id)
    await removeRolesOfSource(tenant, caller.actor, sourceOfDirectory(id))
    await removeTeamsOfSource(tenant, caller.actor, sourceOfDirectory(id))
    await deleteDirectoryRow(tenant, id)
    await record(tenant, caller.actor, {
      action: 'directory.deleted',
      directory: directoryInHistory(directory),
      metadata: { ...counts, ...withReason(reason).metadata },
    })
  })
}
