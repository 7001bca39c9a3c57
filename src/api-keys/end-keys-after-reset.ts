import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import { daysBefore } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { deleteKeysMadeSince, listUsableKeys, presentApiKey } from './queries.ts'

const recentDays = 1

/** The API keys of a user who has recovered their account. */
export interface KeysAfterReset {
  /** Names of the keys that have been ended. */
  ended: string[]
  /** Names of the keys that still work. */
  left: string[]
}

/**
 * Deletes the API keys that were created in a user's name in the last 24 hours: an attacker who had taken over the account
 * may have created them to keep access. Older keys stay, since systems depend on them; the user decides about those.
 */
export async function endKeysAfterReset(tenant: Tenant, actor: Actor, userId: string): Promise<KeysAfterReset> {
  const ended = await deleteKeysMadeSince(tenant, userId, daysBefore(tenant.now, recentDays))
  await recordEach(
    tenant,
    actor,
    ended.map((key) => ({ action: 'api_key.deleted', api_key: presentApiKey(key), metadata: { because: 'auth.password_reset' } })),
  )
  const left = await listUsableKeys(tenant, userId)
  return { ended: ended.map(({ name }) => name), left: left.map(({ name }) => name) }
}
