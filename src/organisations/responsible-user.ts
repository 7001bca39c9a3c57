import type { Caller } from '../access/caller.ts'
import type { Tenant } from '../platform/database/database.ts'

/**
 * The user who is responsible for a record that a caller creates. The operator
 * is no user of the organisation, so its owner is responsible instead.
 */
export async function responsibleUserId(tenant: Tenant, caller: Caller): Promise<string> {
  if (caller.responsibleUserId !== null) return caller.responsibleUserId
  const { id } = await tenant
    .selectFrom('organisations')
    .innerJoin('users', 'users.id', 'organisations.ownerId')
    .select('users.id')
    .executeTakeFirstOrThrow()
  return id
}
