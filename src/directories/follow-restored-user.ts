import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { DirectoriesTable } from '../platform/database/tables.ts'
import { sourceOfDirectory } from '../roles/sources.ts'
import type { Voucher } from '../roles/vouchers.ts'
import type { FollowDirectories } from '../users/restore-user.ts'
import { applyMappings } from './apply-mappings.ts'
import { linkManagedUsers } from './link-managed-users.ts'

type ConcernedDirectory = Pick<
  Selectable<DirectoriesTable>,
  'id' | 'groups' | 'groupMappings' | 'userMatch' | 'connectionId' | keyof Voucher
>

/**
 * Lets a restored user follow their directories again: what a directory gives is taken from deleted users with its next change, their accounts
 * were unlinked, and a directory that has nothing new to say never sends them again.
 *
 * The directories are held first, since their requests and changes lock them before users.
 */
export const followDirectories: FollowDirectories = async (tenant, userId) => {
  const directories = await holdDirectoriesOf(tenant, userId)
  return async (sender, actor) => {
    for (const directory of directories) {
      await applyMappings({ tenant, directory, actor }, { userIds: [userId] })
      await linkManagedUsers(tenant, sender, actor, directory, userId)
    }
  }
}

/** The directories that manage a user, have them in a group or give them anything. They stay as they are until the commit. */
async function holdDirectoriesOf(tenant: Tenant, userId: string): Promise<ConcernedDirectory[]> {
  const ofUser = (held: string) =>
    sql`from ${sql.table(held)} held where held.organisation_id = d.organisation_id and held.user_id = ${userId}`
  const isSource = sql`held.source = ${sourceOfDirectory('')} || d.id`
  const { rows } = await sql<ConcernedDirectory>`
    select d.id, d.groups, d.group_mappings, d.user_match, d.connection_id, d.vouched_by_id, d.vouched_by_key_id from directories d
    where d.organisation_id = ${tenant.organisationId} and (
      exists (select ${ofUser('directory_users')} and held.directory_id = d.id)
      or exists (
        select from directory_groups g join directory_group_members gm on gm.organisation_id = g.organisation_id and gm.group_id = g.id
        where g.organisation_id = d.organisation_id and g.directory_id = d.id and gm.user_id = ${userId})
      or exists (select ${ofUser('user_role_sources')} and ${isSource})
      or exists (select ${ofUser('team_member_sources')} and ${isSource}))
    order by d.id for share of d`.execute(tenant)
  return rows
}
