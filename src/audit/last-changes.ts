import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'

/** The last entry of the audit log that changed something. */
export interface LastChange {
  readonly at: Date
  readonly action: string
  readonly actorType: string
  readonly actorId: string | null
  readonly actorName: string | null
  readonly actorEmail: string | null
}

const columns = sql.raw('last.action, last.created_at as at, last.actor_type, last.actor_id, last.actor_name, last.actor_email')

/** Who last changed each field of a record, in the given order; undefined for a field without an entry in the audit log. */
export async function findLastChanges(
  tenant: Tenant,
  asked: readonly { targetId: string; field: string }[],
): Promise<(LastChange | undefined)[]> {
  const found: (LastChange | undefined)[] = asked.map(() => undefined)
  if (asked.length === 0) return found
  const { rows } = await sql<LastChange & { place: number }>`
    select asked.place::int - 1 as place, ${columns}
    from unnest(${asked.map(({ targetId }) => targetId)}::text[], ${asked.map(({ field }) => field)}::text[])
      with ordinality as asked (target_id, field, place)
    cross join lateral (
      select * from audit_logs entry
      where entry.organisation_id = ${tenant.organisationId} and entry.target_id = asked.target_id and entry.changes ? asked.field
      order by entry.id desc limit 1
    ) last`.execute(tenant)
  for (const { place, ...last } of rows) found[place] = last
  return found
}

/** The last change of the grant that this metadata identifies, such as the role of a user. */
export async function findLastChangeOfGrant(
  tenant: Tenant,
  targetId: string,
  { member, value }: { member: string; value: string },
): Promise<LastChange | undefined> {
  const { rows } = await sql<LastChange>`
    select ${columns} from audit_logs last
    where organisation_id = ${tenant.organisationId} and target_id = ${targetId} and metadata ->> ${member} = ${value}
    order by id desc limit 1`.execute(tenant)
  return rows[0]
}

/** The end of these records: the latest entry, if several have ended. */
export async function findEnd(tenant: Tenant, targetIds: readonly string[]): Promise<LastChange | undefined> {
  const { rows } = await sql<LastChange>`
    select ${columns}
    from unnest(${targetIds}::text[]) as asked (target_id)
    cross join lateral (
      select * from audit_logs entry
      where entry.organisation_id = ${tenant.organisationId} and entry.target_id = asked.target_id
        and entry.action ~ '\\.(deleted|erased)$'
      order by entry.id desc limit 1
    ) last
    order by last.id desc limit 1`.execute(tenant)
  return rows[0]
}

export const presentLastChange = (last: LastChange) => ({ ...last, at: presentTime(last.at) })
