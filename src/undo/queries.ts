import { type SqlBool, sql } from 'kysely'
import type { StoredEntry } from '../audit/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { idsFrom } from '../platform/ids.ts'

export type Recorded = Pick<StoredEntry, 'id' | 'action' | 'targetType' | 'targetId' | 'targetName' | 'changes' | 'metadata'>

/** The entries that this transaction has written for a request which undoes the entry `undoOf`: entries that name fields come first. */
export async function findRecorded(tenant: Tenant, requestId: string | null, undoOf: string): Promise<Recorded[]> {
  return tenant
    .selectFrom('auditLogs')
    .select(['id', 'action', 'targetType', 'targetId', 'targetName', 'changes', 'metadata'])
    .where('id', '>=', idsFrom('aud', tenant.now))
    .where('createdAt', '=', tenant.now)
    .where('requestId', 'is not distinct from', requestId)
    .where(sql<SqlBool>`metadata ->> 'undoOf' = ${undoOf}`)
    .orderBy(sql`changes is null`)
    .orderBy('id')
    .execute()
}
