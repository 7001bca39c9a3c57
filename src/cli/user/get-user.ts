import { emailsBeginningWith, findUserAnywhere } from '../../accounts/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { missing } from '../known-names.ts'

const comparedMax = 1_000

/** @throws CommandFailure when no user has this e-mail address or id */
export async function getUser(database: Database, emailOrId: string): Promise<{ userId: string; organisationId: string; email: string }> {
  const typed = emailOrId.trim().toLowerCase()
  const user = await findUserAnywhere(database, typed)
  if (user) return user
  const alike = await emailsBeginningWith(database, typed.slice(0, 2), comparedMax)
  throw missing(`user "${emailOrId}"`, typed, alike, 'give the whole e-mail address, or the id')
}
