import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { textMax } from '../platform/http/fields.ts'
import { cutText } from '../platform/text.ts'
import type { User } from './queries.ts'

/** The reason of the block of a user whom a directory has deactivated. */
export const deactivatedBy = ({ name }: { name: string }): string => cutText(`Deactivated by ${name}`, textMax)

/**
 * What a user is once their block is lifted: blocked by the directory that has deactivated them during that block, which it has said once and will not
 * repeat, else not blocked.
 */
export async function afterBlock(
  tenant: Tenant,
  { id, blockedAt }: Pick<User, 'id' | 'blockedAt'>,
): Promise<{ blockedAt: Date | null; blockedReason: string | null }> {
  const { rows } = await sql<{ name: string; since: Date }>`
    select directories.name, managed.blocked_at as since from directory_users managed
    join directories on directories.organisation_id = managed.organisation_id and directories.id = managed.directory_id
    where managed.organisation_id = ${tenant.organisationId} and managed.user_id = ${id} and managed.blocked_at > ${blockedAt}
    order by managed.blocked_at desc limit 1`.execute(tenant)
  const [directory] = rows
  return directory ? { blockedAt: directory.since, blockedReason: deactivatedBy(directory) } : { blockedAt: null, blockedReason: null }
}
