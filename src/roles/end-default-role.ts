import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { clearDefaultRole, getRole, roleChange } from './queries.ts'

/** Makes room for another default role: the former one becomes an ordinary role, which is a change of it with an entry of its own. */
export async function endDefaultRole(tenant: Tenant, actor: Actor): Promise<void> {
  const id = await clearDefaultRole(tenant)
  if (id === undefined) return
  const role = await getRole(tenant, id)
  await roleChange.recordUpdate(tenant, actor, { ...role, isDefault: true }, role)
}
