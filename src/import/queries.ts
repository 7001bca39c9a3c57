import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'

/** The external ids among these whose users have been imported. */
export async function findImported(tenant: Tenant, externalIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (externalIds.length === 0) return new Set()
  const { rows } = await sql<{ externalId: string }>`${sql.raw(plannedEachTime)}
    select external_id from imported_users
    where organisation_id = ${tenant.organisationId} and external_id = any(${externalIds}::text[])`.execute(tenant)
  return new Set(rows.map(({ externalId }) => externalId))
}

export interface ImportedFields {
  userId: string
  externalId: string | null
  metadata: Record<string, unknown>
}

/** Stores the users' ids in the other system, and its further knowledge of them. */
export async function insertImported(tenant: Tenant, users: readonly ImportedFields[]): Promise<void> {
  await tenant
    .insertInto('importedUsers')
    .values(
      users.map(({ userId, externalId, metadata }) => ({
        userId,
        externalId,
        metadata: JSON.stringify(metadata),
        importedAt: tenant.now,
      })),
    )
    .execute()
}
