import type { Tenant } from '../../platform/database/database.ts'
import { findRoles, type Role } from '../../roles/queries.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { idsFrom } from './person.ts'
import type { ConnectionToUse } from './queries.ts'

/**
 * The roles that the mappings of a connection give to a user with these claims, locked against deletion. A mapping to a role that has been deleted
 * gives none, and none gives the owner role.
 */
export async function findMappedRoles(
  tenant: Tenant,
  { mapping, roleMappings }: Pick<ConnectionToUse, 'mapping' | 'roleMappings'>,
  { claims }: Pick<UpstreamIdentity, 'claims'>,
): Promise<Role[]> {
  const ids = idsFrom(claims, mapping, roleMappings, ({ roleId }) => roleId)
  return ids.length === 0 ? [] : (await findRoles(tenant, ids)).filter(({ isOwner }) => !isOwner)
}
