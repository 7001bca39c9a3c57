import { type TrustRule, trustedOf, trustRules } from '../../shared/trusted-settings.ts'
import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import type { Actor } from '../activity/actor.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givenByDirectory } from '../roles/rules.ts'
import { sourceOfDirectory } from '../roles/sources.ts'
import { voucherOf } from '../roles/vouchers.ts'
import { removeTeamsOfSource } from '../teams/teams-from-source.ts'
import { removeRolesOfSource } from '../users/roles-from-source.ts'
import { applyMappings, type GivingDirectory, lockUsersOf } from './apply-mappings.ts'
import { requireMatchable } from './create-directory.ts'
import { namedGroupMappings } from './group-mappings.ts'
import { linkManagedUsers } from './link-managed-users.ts'
import { directoryInHistory, directoryVersion } from './present-directory.ts'
import { type DirectorySettings, deleteDirectoryRow, getDirectory, lockDirectory, updateDirectory, type WholeDirectory } from './queries.ts'
import type { DirectoryChanges } from './schemas.ts'
import { deleteTeamOf, releaseTeams, requireTeams } from './team-of-group.ts'
import { listGroupsWithoutTeam, listGroupsWithTeam } from './team-queries.ts'

export interface DirectoryChanging extends MailSender {
  database: Database
}

const trustRuleOf: Record<keyof DirectorySettings, TrustRule> = trustRules.directory

/**
 * Changes a directory. While it is inactive, its requests are refused; its users stay as they are. What new mappings give and no longer
 * give, its users get and lose at once, and where subjects are compared from now on, their accounts are linked.
 *
 * @throws Problem as {@link createDirectory}, `forbidden` only where a field changes that is trusted, or it is switched on again;
 *   `not-found`, `precondition-failed`
 */
export async function changeDirectory(
  changing: DirectoryChanging,
  caller: Caller,
  id: string,
  changes: DirectoryChanges,
  ifMatch: string | undefined,
): Promise<WholeDirectory> {
  const { database } = changing
  return transactionOf(database, caller, 'directories:update', (tenant) =>
    changeDirectoryIn(tenant, changing, caller, id, changes, ifMatch),
  )
}

/**
 * Changes a directory in a transaction that has begun, and holds the caller.
 *
 * @throws Problem as {@link changeDirectory}
 */
export async function changeDirectoryIn(
  tenant: Tenant,
  sender: MailSender,
  caller: Caller,
  id: string,
  { groupMappings: sentMappings, ...changes }: DirectoryChanges,
  ifMatch?: string,
): Promise<WholeDirectory> {
  const before = await lockDirectory(tenant, id)
  directoryVersion.check(directoryInHistory(before), ifMatch)
  const groupMappings = sentMappings && (await namedGroupMappings(tenant, sentMappings))
  const changed = changedFields(before, { ...changes, groupMappings })
  if (!changed) return getDirectory(tenant, id)
  if (changed.connectionId !== undefined || changed.userMatch !== undefined) await requireMatchable(tenant, { ...before, ...changed })
  const isVouchedAnew = trustedOf(trustRuleOf, before, changed).length > 0
  if (isVouchedAnew) await requireEveryHeldPermission(tenant, caller, givenByDirectory({ ...before, ...changed }))
  const after = await updateDirectory(tenant, id, { ...changed, ...(isVouchedAnew && voucherOf(caller)) })
  const [from, to] = [directoryInHistory(before), directoryInHistory(after)]
  await record(tenant, caller.actor, { action: 'directory.updated', directory: to, changes: changesBetween(from, to) })
  if (changed.userMatch !== undefined || changed.connectionId !== undefined) await linkManagedUsers(tenant, sender, caller.actor, after)
  if (changed.groupMappings !== undefined || changed.groups !== undefined) await applyNewSettings(tenant, caller.actor, after)
  return getDirectory(tenant, id)
}

/** The present members get at once what the new settings give. The directory is locked, so none of its requests changes a group meanwhile. */
async function applyNewSettings(tenant: Tenant, actor: Actor, directory: GivingDirectory): Promise<void> {
  const context = { tenant, actor, directory }
  await lockUsersOf(context)
  const released = await releaseTeams(context, await listGroupsWithTeam(tenant, directory.id))
  await requireTeams(context, await listGroupsWithoutTeam(tenant, directory.id))
  await applyMappings(context)
  for (const group of released) await deleteTeamOf(context, group)
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
  await transactionOf(database, caller, 'directories:delete', async (tenant) => {
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
