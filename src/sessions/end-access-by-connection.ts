import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensOfConnection } from '../tokens/revoke-tokens.ts'
import { deleteChallengesByConnection } from './challenges.ts'
import type { AccessVariants } from './end-access.ts'
import { type AccessByConnection, revokeSessionsOfConnection } from './revoke-sessions.ts'

/**
 * Ends what came by a connection: sessions, sign-ins that wait for a second factor, and the tokens that applications hold by such
 * sessions.
 *
 * @returns how many sessions it ended
 */
export async function endAccessByConnection(
  tenant: Tenant,
  actor: Actor,
  access: AccessByConnection,
  variants: Pick<AccessVariants, 'recordEachSession'> = {},
): Promise<number> {
  // In the order in which one comes of the other. Each waits for one that is being used, so that what it made is then found and ended.
  await deleteChallengesByConnection(tenant, access)
  const ended = await revokeSessionsOfConnection(tenant, actor, access, variants)
  await revokeTokensOfConnection(tenant, access)
  return ended
}
