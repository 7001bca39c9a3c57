import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { trialLimitReached } from './refusals.ts'

/**
 * Makes sure that a trial organisation may have one more user, or the given number more. It locks the organisation's row until the end of
 * the transaction, so that two concurrent requests cannot both take the last seat.
 *
 * @throws Problem `forbidden` when the limit is reached
 */
export async function checkTrialLimit(tenant: Tenant, trialMaxUsers: number, more = 1): Promise<void> {
  const trial = await tenant.selectFrom('organisations').select('id').where('status', '=', 'trial').forNoKeyUpdate().executeTakeFirst()
  if (!trial) return
  const { count } = await tenant
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (count + more > trialMaxUsers) throw trialLimitReached()
}
