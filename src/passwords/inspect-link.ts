import type { StoredPolicy } from '../organisations/rules.ts'
import type { Database } from '../platform/database/database.ts'
import { findActionLink } from './action-links.ts'
import { findPasswordConditions } from './queries.ts'

/** Whether a link that sets a password still works, and what the password must be. A dead one says nothing more. */
export async function inspectPasswordLink(
  database: Database,
  token: string,
): Promise<{ valid: boolean; expiresAt: Date | null; passwordPolicy: StoredPolicy }> {
  const link = await findActionLink(database, token, 'password_reset', 'password_change')
  if (!link) return { valid: false, expiresAt: null, passwordPolicy: null }
  const { passwordPolicy } = await findPasswordConditions(database.tenant(link.organisationId), link.userId)
  return { valid: true, expiresAt: link.expiresAt, passwordPolicy }
}
