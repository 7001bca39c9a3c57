import type { Caller } from '../access/caller.ts'
import { apiKeyPrefix } from '../access/explain-credentials.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { refuseGrantBeyond } from '../access/refuse-grant-beyond.ts'
import { getUser } from '../accounts/queries.ts'
import { withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { responsibleUserId } from '../organisations/responsible-user.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { refuseUnknownIds } from '../platform/http/problem.ts'
import type { Language } from '../platform/language.ts'
import { findPermissionsBySlug } from '../roles/permissions/queries.ts'
import { permissionNotFound } from '../roles/permissions/refusals.ts'
import { apiKeyCreatedMail } from './mails.ts'
import { type ApiKey, claimDeletion, insertApiKey, presentApiKey } from './queries.ts'
import { apiKeyNotFound, expiryHasPassed } from './refusals.ts'
import type { NewApiKey } from './schemas.ts'

export interface ApiKeyCreation extends MailSender {
  database: Database
}

// Enough to tell keys apart, while more than 200 bits of the key stay secret.
const shownCharacters = apiKeyPrefix.length + 8

/**
 * Creates an API key for the caller's organisation. The caller is responsible for it: it works while their user is active.
 * The creator of a key is also responsible for the keys that this key creates, and the owner of the organisation for the keys
 * that the operator creates. The responsible user gets a mail.
 *
 * @returns the record and the key itself, which cannot be shown again
 * @throws Problem `bad-request` pointing at an unknown permission or an expiry that has passed; `forbidden` when the
 *   caller lacks one of the permissions
 */
export async function createApiKey(
  { database, outbox, publicUrl }: ApiKeyCreation,
  caller: Caller,
  input: NewApiKey,
  language: Language | undefined,
): Promise<{ record: ApiKey; key: string }> {
  const key = newSecret(apiKeyPrefix)
  return database.transaction(caller.organisationId, async (tenant) => {
    await holdCaller(tenant, caller)
    if (input.expiresAt && input.expiresAt <= tenant.now) throw expiryHasPassed()
    await refuseUnknownPermissions(tenant, input.permissions)
    refuseGrantBeyond(caller, input.permissions)

    const created = await insertApiKey(tenant, {
      name: input.name,
      prefix: key.slice(0, shownCharacters),
      keyHash: hashSecret(key),
      permissions: [...new Set(input.permissions)],
      expiresAt: input.expiresAt,
      createdById: await responsibleUserId(tenant, caller),
    })
    await record(tenant, caller.actor, { action: 'api_key.created', api_key: presentApiKey(created) })
    const responsible = await getUser(tenant, created.createdById)
    const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
    await outbox.queue(tenant, apiKeyCreatedMail(await findLetterhead(tenant), language, responsible, created, forgotLink))
    return { record: created, key }
  })
}

/**
 * Deletes an API key: it stops working with the next request, on every process.
 *
 * @throws Problem `not-found`
 */
export async function deleteApiKey(database: Database, caller: Caller, id: string, reason: string | undefined): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const deleted = await claimDeletion(tenant, id)
    if (!deleted) throw apiKeyNotFound()
    await record(tenant, caller.actor, { action: 'api_key.deleted', ...withReason(reason), api_key: presentApiKey(deleted) })
  })
}

async function refuseUnknownPermissions(tenant: Tenant, slugs: readonly string[]): Promise<void> {
  const known = await findPermissionsBySlug(tenant, slugs)
  refuseUnknownIds('permissions', slugs, known, permissionNotFound)
}
