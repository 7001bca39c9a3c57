import type { Caller } from '../access/caller.ts'
import type { Tenant } from '../platform/database/database.ts'

/** The user who answers for a record that a caller makes. For the operator, who is no user of the organisation, its owner does. */
export async function responsibleUserId(tenant: Tenant, caller: Caller): Promise<string> {
  if (caller.responsibleUserId !== null) return caller.responsibleUserId
  const { id } = await tenant
    .selectFrom('organisations')
    .innerJoin('users', 'users.id', 'organisations.ownerId')
    .select('users.id')
    .executeTakeFirstOrThrow()
  return id
}
