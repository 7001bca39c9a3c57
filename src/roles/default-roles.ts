import type { Tenant } from '../platform/database/database.ts'
import { grantEveryPermission, insertRoles } from './queries.ts'

/** The slugs of the roles that every organisation starts with. */
export const defaultRoleSlugs = ['owner', 'admin', 'member'] as const

/** The roles that every organisation starts with. */
export type DefaultRoles = Record<(typeof defaultRoleSlugs)[number], { id: string; name: string; slug: string }>

/** Creates `owner` (every permission), `admin` (all but deleting the organisation) and the default role `member` (none). */
export async function createDefaultRoles(tenant: Tenant): Promise<DefaultRoles> {
  const owner = { name: 'Owner', slug: 'owner', description: 'May do everything', isDefault: false, isOwner: true }
  const admin = { name: 'Admin', slug: 'admin', description: 'May do everything but delete the organisation', isDefault: false }
  const member = { name: 'Member', slug: 'member', description: 'May use applications', isDefault: true }
  const [ownerId, adminId, memberId] = (await insertRoles(tenant, [owner, admin, member])) as [string, string, string]
  await grantEveryPermission(tenant, [{ roleId: ownerId }, { roleId: adminId, except: 'organisation:delete' }])
  return { owner: { ...owner, id: ownerId }, admin: { ...admin, id: adminId }, member: { ...member, id: memberId } }
}
