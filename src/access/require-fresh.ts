import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from './caller.ts'
import { findProofMethods } from './queries.ts'
import { recentSignInRequired } from './refusals.ts'
import { isFresh, proofMaxAgeSeconds } from './rules.ts'

/**
 * Lets a caller continue who has proven who they are within the last fifteen minutes. It costs a statement only when it
 * refuses, to say how the caller can prove it again.
 *
 * @throws Problem `forbidden`, with `methods` and `maxAgeSeconds`
 */
export async function requireFresh(database: Database, caller: UserCaller): Promise<void> {
  const { provenAt, userId } = caller.session
  if (isFresh(provenAt, database.clock.now())) return
  throw recentSignInRequired(await findProofMethods(database.tenant(caller.organisationId), userId), proofMaxAgeSeconds)
}
