import type { Tenant } from '../platform/database/database.ts'
import { deletePendingCredentials } from './queries.ts'

/**
 * Deletes a user's pending enrolments, in the caller's transaction. An attacker who knew the old password may have started
 * one or seen its secret.
 */
export async function deletePendingEnrolments(tenant: Tenant, userId: string): Promise<void> {
  await deletePendingCredentials(tenant, userId)
}
