import { getUser } from '../../accounts/queries.ts'
import type { Origin } from '../../activity/actor.ts'
import type { Database } from '../../platform/database/database.ts'
import { reportAttempt } from '../../sign-in/attempts.ts'
import { recordFailureIn } from '../../sign-in/start-session.ts'
import type { IdentityRefusal } from '../decide-identity.ts'

/** Records a sign-in that the identity provider accepted and we refused, if the user is known. */
export async function recordRefused(
  { database }: { database: Database },
  { organisationId, id: connectionId }: { organisationId: string; id: string },
  { refusal, userId, reason, origin }: { refusal: IdentityRefusal; userId?: string | undefined; reason: string; origin: Origin },
): Promise<void> {
  reportAttempt(refusal === 'user_blocked' ? 'user_blocked' : 'identity_refused')
  if (userId === undefined) return
  await database.transaction(organisationId, async (tenant) => {
    const { email, name } = await getUser(tenant, userId)
    await recordFailureIn(tenant, { organisationId, id: userId, email, name }, origin, reason, { connectionId })
  })
}
