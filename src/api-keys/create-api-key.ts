import type { Caller } from '../access/caller.ts'
import { apiKeyPrefix } from '../access/explain-credentials.ts'
import { holdCaller, requireGranting, transactionOf } from '../access/hold-caller.ts'
import { getUser } from '../accounts/queries.ts'
import { withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { isSwitchedOn, type OAuthExtensions } from '../clients/extensions.ts'
import { refuseIssuers } from '../clients/federated-credentials.ts'
import { extensionNeeded } from '../clients/refusals.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { responsibleUserId } from '../organisations/responsible-user.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { OutgoingRules } from '../platform/http/outgoing.ts'
import { refuseUnknownIds } from '../platform/http/problem.ts'
import type { Language } from '../platform/language.ts'
import { findPermissionsBySlug } from '../roles/permissions/queries.ts'
import { permissionNotFound } from '../roles/permissions/refusals.ts'
import { apiKeyCreatedMail } from './mails.ts'
import { type ApiKey, apiKeyVersion, claimDeletion, insertApiKey, presentApiKey } from './queries.ts'
import { apiKeyNotFound, expiryHasPassed } from './refusals.ts'
import type { NewApiKey } from './schemas.ts'

export interface ApiKeyCreation extends MailSender {
  database: Database
  oauthExtensions: OAuthExtensions
  /** The keys of issuers are fetched through the guard. */
  outgoing: { readonly rules: OutgoingRules }
}

// Enough to tell keys apart, while more than 200 bits of the key stay secret.
const shownCharacters = apiKeyPrefix.length + 8

/**
 * Creates an API key for the caller's organisation. The caller is responsible for it: it works while their user is active.
 * The creator of a key is also responsible for the keys that this key creates, and the owner of the organisation for the keys
 * that the operator creates. The responsible user gets a mail.
 *
 * @returns the record and the key itself, which cannot be shown again; without a secret undefined in its place
 * @throws Problem `bad-request` pointing at an unknown permission or an expiry that has passed; `forbidden` when the
 *   caller lacks one of the permissions, or has lost one or the right to create keys meanwhile
 */
export async function createApiKey(
  { database, outbox, publicUrl, oauthExtensions, outgoing }: ApiKeyCreation,
  caller: Caller,
  input: NewApiKey,
  language: Language | undefined,
): Promise<{ record: ApiKey; key: string | undefined }> {
  const { federatedCredentials, secret } = input
  if (!isSwitchedOn(oauthExtensions, 'federated_credentials')) {
    const needing = secret === 'none' ? 'secret' : federatedCredentials.length > 0 ? 'federatedCredentials' : undefined
    if (needing !== undefined) throw extensionNeeded(needing, 'federated_credentials')
  }
  refuseIssuers(federatedCredentials, outgoing.rules)
  const key = newSecret(apiKeyPrefix)
  const isSecret = secret === 'key'
  return database.transaction(caller.organisationId, async (tenant) => {
    await holdCaller(tenant, caller)
    if (input.expiresAt && input.expiresAt <= tenant.now) throw expiryHasPassed()
    await refuseUnknownPermissions(tenant, input.permissions)
    await requireGranting(tenant, caller, 'api_keys:create', input.permissions)

    const created = await insertApiKey(tenant, {
      name: input.name,
      prefix: isSecret ? key.slice(0, shownCharacters) : '',
      // Without a secret it is the hash of one that is not shown.
      keyHash: hashSecret(key),
      federatedCredentials,
      permissions: [...new Set(input.permissions)],
      expiresAt: input.expiresAt,
      createdById: await responsibleUserId(tenant, caller),
    })
    await record(tenant, caller.actor, { action: 'api_key.created', api_key: presentApiKey(created) })
    const responsible = await getUser(tenant, created.createdById)
    const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
    await outbox.queue(tenant, apiKeyCreatedMail(await findLetterhead(tenant), language, responsible, created, forgotLink))
    return { record: created, key: isSecret ? key : undefined }
  })
}

/**
 * Deletes an API key: it stops working with the next request, on every process.
 *
 * @throws Problem `not-found`; `precondition-failed` when it is not the one that `ifMatch` names
 */
export async function deleteApiKey(
  database: Database,
  caller: Caller,
  id: string,
  reason: string | undefined,
  ifMatch: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'api_keys:delete', async (tenant) => {
    const deleted = await claimDeletion(tenant, id)
    if (!deleted) throw apiKeyNotFound()
    apiKeyVersion.check(presentApiKey(deleted), ifMatch)
    await record(tenant, caller.actor, { action: 'api_key.deleted', ...withReason(reason), api_key: presentApiKey(deleted) })
  })
}

async function refuseUnknownPermissions(tenant: Tenant, slugs: readonly string[]): Promise<void> {
  const known = await findPermissionsBySlug(tenant, slugs)
  refuseUnknownIds('permissions', slugs, known, permissionNotFound)
}
