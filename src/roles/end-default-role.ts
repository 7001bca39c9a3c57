import type { Caller } from '../access/caller.ts'
import { requireGranting } from '../access/hold-caller.ts'
import type { Tenant } from '../platform/database/database.ts'
import { clearDefaultRole, getRole, roleChange } from './queries.ts'

/**
 * Makes room for another default role: the former one becomes an ordinary role, which is a change of it with an entry of its own.
 *
 * @param needed the permission of the operation
 * @throws Problem `forbidden` when the former one holds a permission that the caller lacks, as for any other change of it
 */
export async function endDefaultRole(tenant: Tenant, caller: Caller, needed: string): Promise<void> {
  const id = await clearDefaultRole(tenant)
  if (id === undefined) return
  const role = await getRole(tenant, id)
  await requireGranting(
    tenant,
    caller,
    needed,
    role.permissions.map(({ slug }) => slug),
  )
  await roleChange.recordUpdate(tenant, caller.actor, { ...role, isDefault: true }, role)
}
