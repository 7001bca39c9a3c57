import type { StoredPolicy } from '../organisations/rules.ts'
import type { Database } from '../platform/database/database.ts'
import { findActionLink } from './action-links.ts'
import { findPasswordConditions } from './queries.ts'

/**
 * Whether a link that sets a password still works, and the requirements of the password. The result for an invalid one says nothing more.
 */
export async function inspectPasswordLink(
  database: Database,
  token: string,
): Promise<{ valid: boolean; expiresAt: Date | null; passwordPolicy: StoredPolicy }> {
  const link = await findActionLink(database, token, 'password_reset', 'password_change')
  if (!link) return { valid: false, expiresAt: null, passwordPolicy: null }
  return { valid: true, expiresAt: link.expiresAt, passwordPolicy: await findPasswordPolicy(database, link.organisationId) }
}

/** The organisation's requirements of a password, as they were set. */
export async function findPasswordPolicy(database: Database, organisationId: string): Promise<StoredPolicy> {
  return (await findPasswordConditions(database.tenant(organisationId), undefined)).passwordPolicy
}
