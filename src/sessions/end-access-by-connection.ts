import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensOfConnection } from '../tokens/revoke-tokens.ts'
import { deleteChallengesByConnection } from './challenges.ts'
import { type AccessByConnection, revokeSessionsOfConnection } from './revoke-sessions.ts'

/**
 * Ends access by a connection: sessions, sign-ins that await a second factor, and the tokens that applications hold by such sessions.
 *
 * @returns the number of ended sessions
 */
export async function endAccessByConnection(
  tenant: Tenant,
  actor: Actor,
  access: AccessByConnection,
  variants: { recordEachSession?: boolean } = {},
): Promise<number> {
  // This is the order in which one creates the other. Each statement waits for a row in use, so that its result is then found and ended.
  await deleteChallengesByConnection(tenant, access)
  const ended = await revokeSessionsOfConnection(tenant, actor, access, variants)
  await revokeTokensOfConnection(tenant, access)
  return ended
}
