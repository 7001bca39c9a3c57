import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../activity/actor.ts'
import { changesBetween } from '../activity/changes.ts'
import { record, recordEach } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { endExchangedKeys } from './exchanged-keys.ts'
import { type ApiKey, deleteKeysOf, findFormerCredentials, listUsableKeys, presentApiKey, updateCredentials } from './queries.ts'

const because = 'auth.password_reset'

/** The API keys of a user who has recovered their account. */
export interface KeysAfterReset {
  /** Names of the keys that were deleted. */
  ended: string[]
  /** Names of the keys that still work. */
  left: string[]
  /** Names of those that lost credentials of platforms. */
  withoutCredentials: string[]
}

/**
 * Deletes the API keys that were created in a user's name since this time, and removes the credentials of platforms that older ones have got
 * since: an attacker who had taken over the account may have created them to retain access. Older ones stay, since systems depend on them;
 * the user decides about those.
 */
export async function endKeysAfterReset(tenant: Tenant, actor: Actor, userId: string, since: Date): Promise<KeysAfterReset> {
  const ended = await endKeysOf(tenant, actor, userId, { because, since })
  const left = await listUsableKeys(tenant, userId)
  const withoutCredentials = await endCredentials(tenant, actor, left, since)
  const namesOf = (keys: readonly ApiKey[]) => keys.map(({ name }) => name)
  return { ended: namesOf(ended), left: namesOf(left), withoutCredentials: namesOf(withoutCredentials) }
}

/** @returns the keys that lost credentials */
async function endCredentials(tenant: Tenant, actor: Actor, keys: readonly ApiKey[], since: Date): Promise<ApiKey[]> {
  const changed = new Map(
    (
      await findFormerCredentials(
        tenant,
        keys.map(({ id }) => id),
        since,
      )
    ).map(({ id, former }) => [id, former]),
  )
  const ended: ApiKey[] = []
  for (const key of keys) {
    const former = changed.get(key.id)
    const credentials = key.federatedCredentials ?? []
    const stay = credentials.filter((one) => former?.some((other) => isDeepStrictEqual(one, other)))
    if (!former || stay.length === credentials.length) continue
    const [from, to] = [presentApiKey(key), presentApiKey(await updateCredentials(tenant, key.id, stay))]
    await endExchangedKeys(tenant, key.id)
    await record(tenant, actor, { action: 'api_key.updated', api_key: to, changes: changesBetween(from, to), metadata: { because } })
    ended.push(key)
  }
  return ended
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
