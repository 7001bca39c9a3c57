import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller, transactionOf } from '../access/hold-caller.ts'
import { withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { grantWithoutExtension, type OAuthExtensions } from '../clients/extensions.ts'
import { extensionNeeded } from '../clients/refusals.ts'
import type { GrantRules } from '../clients/rules.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { claimEnd, insertRegistrationToken, lockAndCountTokens, type RegistrationToken } from './queries.ts'
import { registrationTokenExpiryHasPassed, registrationTokenNotFound, tooManyRegistrationTokens } from './refusals.ts'
import type { NewRegistrationToken, RegistrationTokenRecord } from './schemas.ts'

const registrationTokenPrefix = 'rgs_'
const tokensMax = 100

export interface RegistrationTokenAdministration {
  database: Database
  grants: readonly GrantRules[]
  oauthExtensions: OAuthExtensions
}

export const presentRegistrationToken = ({ expiresAt, lastUsedAt, createdAt, ...token }: RegistrationToken): RegistrationTokenRecord => ({
  ...token,
  expiresAt: presentTime(expiresAt),
  lastUsedAt: presentTime(lastUsedAt),
  createdAt: presentTime(createdAt),
})

/**
 * Creates a token by which programs register clients in the caller's organisation.
 *
 * @returns the record and the token itself, which cannot be shown again
 * @throws Problem `bad-request` for an expiry that has passed, a grant that is switched off, and the 101st token
 */
export async function createRegistrationToken(
  { database, grants, oauthExtensions }: RegistrationTokenAdministration,
  caller: Caller,
  input: NewRegistrationToken,
): Promise<{ record: RegistrationToken; token: string }> {
  const missing = grantWithoutExtension(input.allowedGrantTypes, grants, oauthExtensions)
  if (missing) throw extensionNeeded('allowedGrantTypes', missing)
  const token = newSecret(registrationTokenPrefix)
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    if (input.expiresAt && input.expiresAt <= tenant.now) throw registrationTokenExpiryHasPassed()
    if ((await lockAndCountTokens(tenant)) >= tokensMax) throw tooManyRegistrationTokens()
    await holdCallerWith(tenant, caller, 'clients:create')
    const created = await insertRegistrationToken(tenant, {
      ...input,
      tokenHash: hashSecret(token),
      createdById: caller.responsibleUserId,
    })
    await record(tenant, caller.actor, { action: 'registration_token.created', registration_token: inHistory(created) })
    return { record: created, token }
  })
}

/**
 * Ends a token: it registers no client any more. Clients that were registered by it stay.
 *
 * @throws Problem `not-found`
 */
export async function endRegistrationToken(database: Database, caller: Caller, id: string, reason: string | undefined): Promise<void> {
  await transactionOf(database, caller, 'clients:delete', async (tenant) => {
    const ended = await claimEnd(tenant, id)
    if (!ended) throw registrationTokenNotFound()
    await record(tenant, caller.actor, { action: 'registration_token.ended', ...withReason(reason), registration_token: inHistory(ended) })
  })
}

/** What was decided, without the use that is made of it. */
const inHistory = ({ uses, lastUsedAt, ...token }: RegistrationToken) => {
  const { expiresAt, createdAt } = token
  return { ...token, expiresAt: presentTime(expiresAt), createdAt: presentTime(createdAt) }
}
