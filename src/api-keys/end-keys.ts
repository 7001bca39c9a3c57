import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type ApiKey, deleteKeysOf, listUsableKeys, presentApiKey } from './queries.ts'

/** The API keys of a user who has recovered their account. */
export interface KeysAfterReset {
  /** Names of the keys that were deleted. */
  ended: string[]
  /** Names of the keys that still work. */
  left: string[]
}

/**
 * Deletes the API keys that were created in a user's name since this time: an attacker who had taken over the account
 * may have created them to retain access. Older keys stay, since systems depend on them; the user decides about those.
 */
export async function endKeysAfterReset(tenant: Tenant, actor: Actor, userId: string, since: Date): Promise<KeysAfterReset> {
  const ended = await endKeysOf(tenant, actor, userId, { because: 'auth.password_reset', since })
  const left = await listUsableKeys(tenant, userId)
  return { ended: ended.map(({ name }) => name), left: left.map(({ name }) => name) }
}

/** Deletes the API keys that were created in a user's name: all of them, or those since a time. */
export async function endKeysOf(
  tenant: Tenant,
  actor: Actor,
  userId: string,
  { because, since }: { because: string; since?: Date },
): Promise<ApiKey[]> {
  const ended = await deleteKeysOf(tenant, userId, since)
  await recordEach(
    tenant,
    actor,
    ended.map((key) => ({ action: 'api_key.deleted', api_key: presentApiKey(key), metadata: { because } })),
  )
  return ended
}
