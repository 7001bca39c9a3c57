import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from './caller.ts'
import { findProofMethods } from './queries.ts'
import { recentSignInRequired } from './refusals.ts'
import { isFresh, type ProofMethod, proofMaxAgeSeconds } from './rules.ts'

export interface ProofDependencies {
  database: Database
  /** The relying party whose passkeys count. */
  relyingParty: { readonly id: string | undefined }
}

/**
 * Admits a caller who has proven who they are within the last fifteen minutes. It costs a statement only when it
 * refuses, to say how the caller can prove it again.
 *
 * @throws Problem `forbidden`, with `methods` and `maxAgeSeconds`
 */
export async function requireFresh(dependencies: ProofDependencies, caller: UserCaller): Promise<void> {
  if (isFresh(caller.session.provenAt, dependencies.database.clock.now())) return
  throw recentSignInRequired(await listProofMethods(dependencies, caller), proofMaxAgeSeconds)
}

/** The ways for the caller to prove who they are; empty for a user who has nothing but sessions. */
export async function listProofMethods({ database, relyingParty }: ProofDependencies, caller: UserCaller): Promise<ProofMethod[]> {
  const { organisationId, session } = caller
  return findProofMethods(database, { organisationId, userId: session.userId, rpId: relyingParty.id })
}
