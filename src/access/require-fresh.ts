import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from './caller.ts'
import { findProofMethods } from './queries.ts'
import { recentSignInRequired } from './refusals.ts'
import { isFresh, type ProofMethod, proofMaxAgeSeconds } from './rules.ts'

/**
 * Admits a caller who has proven who they are within the last fifteen minutes. It costs a statement only when it
 * refuses, to say how the caller can prove it again.
 *
 * @throws Problem `forbidden`, with `methods` and `maxAgeSeconds`
 */
export async function requireFresh(database: Database, caller: UserCaller): Promise<void> {
  if (isFresh(caller.session.provenAt, database.clock.now())) return
  throw recentSignInRequired(await listProofMethods(database, caller), proofMaxAgeSeconds)
}

/** The ways for the caller to prove who they are; empty for a user who has nothing but sessions. */
export async function listProofMethods(database: Database, caller: UserCaller): Promise<ProofMethod[]> {
  return findProofMethods(database, caller.organisationId, caller.session.userId)
}
