import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { textMax } from '../platform/http/fields.ts'
import { cutText } from '../platform/text.ts'
import type { User } from './queries.ts'

/** The reason of the block of a user whom a directory has deactivated. */
export const deactivatedBy = ({ name }: { name: string }): string => cutText(`Deactivated by ${name}`, textMax)

/**
 * The directory that blocks a user once their block is lifted: it has deactivated them during that block, which it has said once and will not repeat.
 * Undefined where none has.
 */
export async function afterBlock(
  tenant: Tenant,
  { id, blockedAt }: Pick<User, 'id' | 'blockedAt'>,
): Promise<{ blockedAt: Date; blockedReason: string } | undefined> {
  const { rows } = await sql<{ name: string; since: Date }>`
    select directories.name, managed.blocked_at as since from directory_users managed
    join directories on directories.organisation_id = managed.organisation_id and directories.id = managed.directory_id
    where managed.organisation_id = ${tenant.organisationId} and managed.user_id = ${id} and managed.blocked_at > ${blockedAt}
    order by managed.blocked_at desc limit 1`.execute(tenant)
  const [directory] = rows
  return directory && { blockedAt: directory.since, blockedReason: deactivatedBy(directory) }
}

/** Later than the block of another, whose time the clock of an administrator may have given. */
export const blockAfter = (now: Date, { blockedAt }: Pick<User, 'blockedAt'>): Date =>
  new Date(Math.max(now.getTime(), (blockedAt?.getTime() ?? 0) + 1))

/**
 * Lets what directories have said of a user follow a block that is not theirs. A deactivation that is in force, or awaits the end of the former block,
 * awaits the end of this one. Any other was lifted before, and does not come back with it, whatever time the block is given.
 *
 * @param before the user as they were; the row is locked
 */
export async function followBlock(
  tenant: Tenant,
  { id, blockedAt: before }: Pick<User, 'id' | 'blockedAt'>,
  blockedAt: Date,
): Promise<void> {
  // Of a user who was not blocked, the same time is the directory's own block, which an undo brings back.
  const isInForce = before === null ? sql`blocked_at = ${blockedAt}` : sql`blocked_at >= ${before}`
  await sql`
    update directory_users set blocked_at = case
      when not (${isInForce}) then null
      when blocked_at < ${blockedAt} then ${blockAfter(tenant.now, { blockedAt })}
      else blocked_at end
    where organisation_id = ${tenant.organisationId} and user_id = ${id} and blocked_at is not null`.execute(tenant)
}
