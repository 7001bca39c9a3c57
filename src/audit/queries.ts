import type { Selectable } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { AuditLogsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { idsFrom } from '../platform/ids.ts'
import type { AuditEntry, AuditFilters } from './schemas.ts'

type StoredEntry = Selectable<AuditLogsTable>

/** At most `limit` entries that pass the filters, newest first, from before the entry `before`. */
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
  if (filters.from) query = query.where('id', '>=', idsFrom('aud', filters.from))
  if (filters.to) query = query.where('id', '<', idsFrom('aud', filters.to))
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

export function presentAuditEntry({ organisationId, createdAt, ...entry }: StoredEntry): AuditEntry {
  return { ...entry, createdAt: presentTime(createdAt) }
}
