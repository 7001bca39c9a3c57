import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { AuditLogsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { idsFrom } from '../platform/ids.ts'
import type { AuditEntry, AuditFilters } from './schemas.ts'

export type StoredEntry = Selectable<AuditLogsTable>

/** At most `limit` entries that match the filters and are older than the entry `before`, newest first. */
export async function listAuditEntries(
  tenant: Tenant,
  filters: AuditFilters,
  limit: number,
  before: string | undefined,
): Promise<StoredEntry[]> {
  let query = tenant.selectFrom('auditLogs').selectAll()
  if (filters.action) query = query.where('action', '=', filters.action)
  if (filters.actorId) query = query.where('actorId', '=', filters.actorId)
  if (filters.targetType) query = query.where('targetType', '=', filters.targetType)
  if (filters.targetId) query = query.where('targetId', '=', filters.targetId)
  if (filters.email) query = query.where(concerns(filters.email))
  if (filters.from) query = query.where('id', '>=', idsFrom('aud', filters.from))
  if (filters.to) query = query.where('id', '<', idsFrom('aud', filters.to))
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/**
 * An address belongs to one user for good. So the user's id finds all entries, also those from before entries had
 * addresses.
 */
function concerns(email: string) {
  return sql<boolean>`(
    actor_id = (select id from users where users.email = ${email}) or target_id = (select id from users where users.email = ${email})
    or (target_type = 'invitation' and target_email = ${email})
  )`
}

export function presentAuditEntry({ organisationId, createdAt, ...entry }: StoredEntry): AuditEntry {
  return { ...entry, createdAt: presentTime(createdAt) }
}
