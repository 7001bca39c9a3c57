import type { Tenant } from '../platform/database/database.ts'
import { deletePendingCredentials } from './queries.ts'

/**
 * Forgets the second factors that a user has begun to enrol, in the caller's transaction. Whoever knew the password until
 * now may have begun one, or seen its secret.
 */
export async function deletePendingEnrolments(tenant: Tenant, userId: string): Promise<void> {
  await deletePendingCredentials(tenant, userId)
}
