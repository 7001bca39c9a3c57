import type { Caller } from '../access/caller.ts'
import { holdCallerWith, refuseVisitorOf } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { secondsAfter } from '../platform/clock.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { rolesOf } from './create-directory.ts'
import { directoryInHistory } from './present-directory.ts'
import {
  claimTokenDeletion,
  countLiveTokens,
  endTokensAt,
  insertToken,
  lockDirectory,
  removeExpiredTokens,
  type StoredToken,
} from './queries.ts'
import { directoryTokenNotFound, tokenExpiryHasPassed, tooManyDirectoryTokens } from './refusals.ts'
import type { NewDirectoryToken } from './schemas.ts'

const directoryTokenPrefix = 'scim_'
const liveTokensMax = 2
// Enough to tell tokens apart, while more than 200 bits of the token stay secret.
const shownCharacters = directoryTokenPrefix.length + 8

/**
 * Creates a token of a directory. Who has it says who the users of the directory are.
 *
 * @returns the record and the token itself, which cannot be shown again
 * @throws Problem `not-found`; `bad-request` for an expiry that has passed, and a third token that works; `forbidden` when the caller lacks a
 *   permission that another user than the owner holds, or that a mapping gives
 */
export async function createDirectoryToken(
  database: Database,
  caller: Caller,
  directoryId: string,
  { expiresAt, gracePeriodSeconds }: NewDirectoryToken,
): Promise<{ record: StoredToken; token: string }> {
  const token = newSecret(directoryTokenPrefix)
  return database.transaction(caller.organisationId, async (tenant) => {
    const directory = await lockDirectory(tenant, directoryId)
    await holdCallerWith(tenant, caller, 'directories:update')
    refuseVisitorOf(caller, directory.isActive)
    await requireEveryHeldPermission(tenant, caller, { andOfRoles: rolesOf(directory) })
    if (expiresAt && expiresAt <= tenant.now) throw tokenExpiryHasPassed()
    const formerEndAt = gracePeriodSeconds === undefined ? undefined : secondsAfter(tenant.now, gracePeriodSeconds)
    if (formerEndAt) await endTokensAt(tenant, directoryId, formerEndAt)
    await removeExpiredTokens(tenant, directoryId)
    if ((await countLiveTokens(tenant, directoryId)) >= liveTokensMax) throw tooManyDirectoryTokens()

    const created = await insertToken(tenant, {
      directoryId,
      prefix: token.slice(0, shownCharacters),
      tokenHash: hashSecret(token),
      expiresAt,
    })
    await record(tenant, caller.actor, {
      action: 'directory.token_created',
      directory: directoryInHistory(directory),
      metadata: { ...inHistory(created), ...(formerEndAt && { formerTokensEndAt: presentTime(formerEndAt) }) },
    })
    return { record: created, token }
  })
}

/**
 * Ends a token of a directory: it stops working with the next request, on every process.
 *
 * @throws Problem `not-found`
 */
export async function endDirectoryToken(database: Database, caller: Caller, directoryId: string, id: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const directory = await lockDirectory(tenant, directoryId)
    const ended = await claimTokenDeletion(tenant, directoryId, id)
    if (!ended) throw directoryTokenNotFound()
    await record(tenant, caller.actor, {
      action: 'directory.token_ended',
      directory: directoryInHistory(directory),
      metadata: inHistory(ended),
    })
  })
}

const inHistory = ({ id, prefix, expiresAt }: StoredToken) => ({ tokenId: id, prefix, expiresAt: presentTime(expiresAt) })
