import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { missingPermission } from '../access/refusals.ts'
import type { ClaimMapping } from '../platform/database/column-types.ts'
import type { Tenant } from '../platform/database/database.ts'
import { isAboutUser } from './pointers.ts'

const permission = 'users:read'

/** Whether one of these mappings shows something of users, and is not there already. */
export const addsAboutUsers = (mappings: readonly ClaimMapping[], before: readonly ClaimMapping[] | null = null): boolean =>
  mappings.some((mapping) => isAboutUser(mapping.from) && !before?.some((one) => isDeepStrictEqual(one, mapping)))

/**
 * A caller could read through an application of their own what mappings show of its users.
 *
 * @throws Problem `forbidden` for a caller without `users:read`
 */
export async function requireReadUsers(tenant: Tenant, caller: Caller): Promise<void> {
  if (!caller.permissions.has(permission)) throw missingPermission(permission)
  await holdCallerWith(tenant, caller, permission)
}
