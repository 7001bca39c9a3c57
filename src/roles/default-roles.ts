import type { Tenant } from '../platform/database/database.ts'
import { grantEveryPermission, insertRoles } from './queries.ts'

/** The slugs of the roles that every organisation starts with. */
export const defaultRoleSlugs = ['owner', 'admin', 'member'] as const

/** The ids of the roles that every organisation starts with. */
export type DefaultRoles = Record<(typeof defaultRoleSlugs)[number], string>

/** Creates `owner` (every permission), `admin` (all but deleting the organisation) and the default role `member` (none). */
export async function createDefaultRoles(tenant: Tenant): Promise<DefaultRoles> {
  const [owner, admin, member] = (await insertRoles(tenant, [
    { name: 'Owner', slug: 'owner', description: 'May do everything', isDefault: false, isOwner: true },
    { name: 'Admin', slug: 'admin', description: 'May do everything but delete the organisation', isDefault: false },
    { name: 'Member', slug: 'member', description: 'May use applications', isDefault: true },
  ])) as [string, string, string]
  await grantEveryPermission(tenant, [{ roleId: owner }, { roleId: admin, except: 'organisation:delete' }])
  return { owner, admin, member }
}
