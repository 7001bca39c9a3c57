import { presentUser } from '../accounts/present-user.ts'
import { findUserByEmail, type UserWithReferences } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import type { Database } from '../platform/database/database.ts'

/**
 * The user of an organisation with this address, deleted or not: at most one. The organisation's audit log records that
 * the operator has searched.
 *
 * @throws Problem `not-found` for the organisation
 */
export async function findUsersFor(database: Database, actor: Actor, organisationId: string, email: string): Promise<UserWithReferences[]> {
  return database.transaction(organisationId, async (tenant) => {
    await getOwnOrganisation(tenant)
    const user = await findUserByEmail(tenant, email)
    if (!user) return []
    await record(tenant, actor, { action: 'user.looked_up', user: presentUser(user) })
    return [user]
  })
}
