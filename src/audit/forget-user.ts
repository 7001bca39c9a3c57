import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'

const personal = ['email', 'firstName', 'lastName', 'name', 'phone', 'metadata', 'subject']

/**
 * Removes a user's name, address, phone number, metadata and subjects at identity providers from the audit log of an organisation. The
 * entries and their ids stay. No other code changes entries. The tenant's role may not, so this runs with the system's.
 *
 * @returns how many entries it changed
 */
export async function forgetUser(
  system: System,
  { organisationId, userId, email }: { organisationId: string; userId: string; email: string },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with concerned as (
      select id, actor_id is not distinct from ${userId} as is_actor,
        target_id = ${userId} or (target_type = 'identity' and metadata ->> 'userId' = ${userId}) is true or (target_type in ('invitation', 'session') and ${email} in (
          target_email, metadata ->> 'email', changes #>> '{email,to}', changes #>> '{email,from}'
        )) is true as is_target
      from audit_logs where organisation_id = ${organisationId}
    )
    update audit_logs entry set
      actor_name = case when is_actor then null else actor_name end,
      actor_email = case when is_actor then null else actor_email end,
      target_name = case when is_target then null else target_name end,
      target_email = case when is_target then null else target_email end,
      changes = case when is_target then changes - ${personal}::text[] else changes end,
      metadata = case when is_target then metadata - ${personal}::text[] else metadata end
    from concerned
    where organisation_id = ${organisationId} and entry.id = concerned.id and (is_actor or is_target)`.execute(system)
  return Number(numAffectedRows)
}
