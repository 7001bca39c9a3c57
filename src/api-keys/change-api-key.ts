import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller, requireGranting } from '../access/hold-caller.ts'
import { getUser } from '../accounts/queries.ts'
import { changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { isSwitchedOn } from '../clients/extensions.ts'
import { refuseIssuers } from '../clients/federated-credentials.ts'
import { extensionNeeded } from '../clients/refusals.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Language } from '../platform/language.ts'
import type { ApiKeyCreation } from './create-api-key.ts'
import { endExchangedKeys } from './exchanged-keys.ts'
import { apiKeyTrustedMail } from './mails.ts'
import { type ApiKey, apiKeyVersion, lockApiKey, presentApiKey, updateCredentials } from './queries.ts'
import { apiKeyNotFound } from './refusals.ts'
import type { ApiKeyChanges } from './schemas.ts'

/**
 * Changes the credentials of platforms that stand in for a key. Who adds one hands out what the key may do, as who creates a key does. Where
 * one is taken away, the short-lived keys end: a workload that still has another gets a new one. Where one is added, the responsible user gets a mail.
 *
 * @throws Problem `not-found`; `bad-request` while the extension is off; `forbidden` when the caller lacks a permission of the key;
 *   `conflict` when an identity is of another client or key; `precondition-failed` when the key is not the one that `ifMatch` names
 */
export async function changeApiKey(
  { database, outbox, publicUrl, oauthExtensions, outgoing }: ApiKeyCreation,
  caller: Caller,
  id: string,
  { federatedCredentials: sent }: ApiKeyChanges,
  ifMatch: string | undefined,
  language: Language | undefined,
): Promise<ApiKey> {
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    const before = await lockApiKey(tenant, id)
    await holdCallerWith(tenant, caller, 'api_keys:create')
    if (!before) throw apiKeyNotFound()
    apiKeyVersion.check(presentApiKey(before), ifMatch)
    const [former, credentials] = [before.federatedCredentials ?? [], sent ?? before.federatedCredentials ?? []]
    if (isDeepStrictEqual(former, credentials)) return before

    const lacks = (list: typeof former) => (one: (typeof former)[number]) => !list.some((other) => isDeepStrictEqual(one, other))
    const added = credentials.filter(lacks(former))
    if (added.length > 0) {
      if (!isSwitchedOn(oauthExtensions, 'federated_credentials')) throw extensionNeeded('federatedCredentials', 'federated_credentials')
      refuseIssuers(credentials, outgoing.rules)
      await requireGranting(tenant, caller, 'api_keys:create', before.permissions)
    }
    const after = await updateCredentials(tenant, id, credentials)
    if (former.some(lacks(credentials))) await endExchangedKeys(tenant, id)
    const [from, to] = [presentApiKey(before), presentApiKey(after)]
    await record(tenant, caller.actor, { action: 'api_key.updated', api_key: to, changes: changesBetween(from, to) })
    if (added.length > 0) {
      const responsible = await getUser(tenant, after.createdById)
      const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
      await outbox.queue(
        tenant,
        apiKeyTrustedMail(await findLetterhead(tenant), language, responsible, { name: after.name, added }, forgotLink),
      )
    }
    return after
  })
}
