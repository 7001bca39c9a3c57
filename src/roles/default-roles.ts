import type { Tenant } from '../platform/database/database.ts'
import { grantEveryPermission, insertRole } from './queries.ts'

/** The ids of the roles that every organisation starts with. */
export interface DefaultRoles {
  owner: string
  admin: string
  member: string
}

/** Creates the roles `owner` (may do everything), `admin` (everything but delete the organisation) and `member` (the default, nothing). */
export async function createDefaultRoles(tenant: Tenant): Promise<DefaultRoles> {
  const owner = await insertRole(tenant, {
    name: 'Owner',
    slug: 'owner',
    description: 'May do everything',
    isDefault: false,
    isOwner: true,
  })
  const admin = await insertRole(tenant, {
    name: 'Admin',
    slug: 'admin',
    description: 'May do everything but delete the organisation',
    isDefault: false,
  })
  const member = await insertRole(tenant, { name: 'Member', slug: 'member', description: 'May use applications', isDefault: true })
  await grantEveryPermission(tenant, owner)
  await grantEveryPermission(tenant, admin, ['organisation:delete'])
  return { owner, admin, member }
}
