import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'

/** Those of these external ids whose users have been imported. */
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

/** Stores what the other system called the users, and knew of them besides. */
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
