import { type SqlBool, sql } from 'kysely'
import { entriesOfRequest, type Recorded } from '../audit/queries.ts'
import type { Tenant } from '../platform/database/database.ts'

/** The entries that this transaction has written for a request which undoes the entry `undoOf`: entries that name fields come first. */
export async function findRecorded(tenant: Tenant, requestId: string | null, undoOf: string): Promise<Recorded[]> {
  return entriesOfRequest(tenant, requestId).where(sql<SqlBool>`metadata ->> 'undoOf' = ${undoOf}`).execute()
}
