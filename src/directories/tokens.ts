import type { Caller } from '../access/caller.ts'
import { holdCallerWith, refuseVisitorOf, transactionOf } from '../access/hold-caller.ts'
import { setupStepTaken } from '../access/refusals.ts'
import { record } from '../activity/record.ts'
import { secondsAfter } from '../platform/clock.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givenByDirectory } from '../roles/rules.ts'
import { voucherOf } from '../roles/vouchers.ts'
import { directoryInHistory } from './present-directory.ts'
import {
  claimTokenDeletion,
  countLiveTokens,
  endTokensAt,
  insertToken,
  listTokens,
  lockDirectory,
  removeExpiredTokens,
  type StoredToken,
  storeVoucher,
} from './queries.ts'
import { directoryTokenNotFound, tokenExpiryHasPassed, tooManyDirectoryTokens } from './refusals.ts'
import type { NewDirectoryToken } from './schemas.ts'

const directoryTokenPrefix = 'scim_'
const liveTokensMax = 2
// Enough to tell tokens apart, while more than 200 bits of the token stay secret.
const shownCharacters = directoryTokenPrefix.length + 8

export interface CreatedDirectoryToken {
  record: StoredToken
  /** It cannot be shown again. */
  token: string
}

/** The id of the token that a directory got last; empty without one. */
export const latestToken = (tokens: readonly Pick<StoredToken, 'id'>[] = []): string =>
  tokens
    .map(({ id }) => id)
    .sort()
    .at(-1) ?? ''

/**
 * Creates a token of a directory. Who has it says who the users of the directory are.
 *
 * @throws Problem `not-found`; `bad-request` for an expiry that has passed, and a third token that works; `forbidden` when the caller lacks a
 *   permission that another user than the owner holds, or that a mapping gives; `conflict` for a form that replaces another than the latest token
 */
export async function createDirectoryToken(
  database: Database,
  caller: Caller,
  directoryId: string,
  wanted: WantedToken,
): Promise<CreatedDirectoryToken> {
  return database.transaction(caller.organisationId, (tenant) => createDirectoryTokenIn(tenant, caller, directoryId, wanted))
}

type WantedToken = NewDirectoryToken & {
  /** The token that the caller knew as the latest, empty for none: whatever else made one meanwhile came first. */
  replaces?: string
}

/** As {@link createDirectoryToken}, in a transaction that has begun. It locks the directory. */
export async function createDirectoryTokenIn(
  tenant: Tenant,
  caller: Caller,
  directoryId: string,
  { expiresAt, gracePeriodSeconds, replaces }: WantedToken,
): Promise<CreatedDirectoryToken> {
  const token = newSecret(directoryTokenPrefix)
  const directory = await lockDirectory(tenant, directoryId)
  await holdCallerWith(tenant, caller, 'directories:update')
  refuseVisitorOf(caller, directory.isActive)
  await requireEveryHeldPermission(tenant, caller, givenByDirectory(directory))
  if (expiresAt && expiresAt <= tenant.now) throw tokenExpiryHasPassed()
  if (replaces !== undefined && latestToken(await listTokens(tenant, directoryId)) !== replaces) throw setupStepTaken()
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
  await storeVoucher(tenant, directoryId, voucherOf(caller))
  await record(tenant, caller.actor, {
    action: 'directory.token_created',
    directory: directoryInHistory(directory),
    metadata: { ...inHistory(created), ...(formerEndAt && { formerTokensEndAt: presentTime(formerEndAt) }) },
  })
  return { record: created, token }
}

/**
 * Ends a token of a directory: it stops working with the next request, on every process.
 *
 * @throws Problem `not-found`
 */
export async function endDirectoryToken(database: Database, caller: Caller, directoryId: string, id: string): Promise<void> {
  await transactionOf(database, caller, 'directories:update', async (tenant) => {
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
