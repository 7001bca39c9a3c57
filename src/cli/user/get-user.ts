import { findUserAnywhere } from '../../accounts/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { CommandFailure } from '../failures.ts'

/** @throws CommandFailure when no user has this e-mail address or id */
export async function getUser(database: Database, emailOrId: string): Promise<{ userId: string; organisationId: string; email: string }> {
  const user = await findUserAnywhere(database, emailOrId.trim().toLowerCase())
  if (!user) throw new CommandFailure(`There is no user "${emailOrId}": give the whole e-mail address, or the id`)
  return user
}
