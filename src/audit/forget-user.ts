import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'

const personal = ['email', 'firstName', 'lastName', 'name', 'phone', 'metadata', 'subject']

/** An address that a user has had, and until when; null for the present one. What concerns it later is another person's. */
export interface HadAddress {
  email: string
  until: Date | null
}

/** The addresses that a user had before the present one, by the entries of their changes: a directory may change it. */
export async function listFormerAddresses(
  system: System,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<HadAddress[]> {
  const { rows } = await sql<HadAddress>`
    select changes #>> '{email,from}' as email, max(created_at) as until from audit_logs
    where organisation_id = ${organisationId} and target_id = ${userId} and target_type = 'user' and changes #>> '{email,from}' is not null
    group by 1`.execute(system)
  return rows
}

/**
 * Removes a user's name, addresses, phone number, metadata and subjects at identity providers from the audit log of an organisation. The
 * entries and their ids stay. No other code changes entries. The tenant's role may not, so this runs with the system's.
 *
 * @returns how many entries it changed
 */
export async function forgetUser(
  system: System,
  { organisationId, userId, addresses }: { organisationId: string; userId: string; addresses: readonly HadAddress[] },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with had as (
      select email, until from jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as had (email text, until timestamptz)
    ), concerned as (
      select id, actor_id is not distinct from ${userId} as is_actor,
        target_id = ${userId} or (target_type = 'identity' and metadata ->> 'userId' = ${userId}) is true or (target_type in ('invitation', 'session') and exists (
          select from had where (until is null or created_at <= until)
            and email in (target_email, metadata ->> 'email', changes #>> '{email,to}', changes #>> '{email,from}')
        )) as is_target
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
