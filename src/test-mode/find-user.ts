import { userNotFound } from '../accounts/refusals.ts'
import type { Database } from '../platform/database/database.ts'

export interface FoundUser {
  id: string
  organisationId: string
}

/**
 * Finds a user of any organisation.
 *
 * @param named by id or e-mail address
 * @throws Problem `not-found`
 */
export async function findUser(database: Database, named: string): Promise<FoundUser> {
  const user = await database
    .system()
    .selectFrom('users')
    .select(['id', 'organisationId'])
    .where(named.includes('@') ? 'email' : 'id', '=', named.includes('@') ? named.toLowerCase() : named)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!user) throw userNotFound()
  return user
}
