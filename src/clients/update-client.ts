import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { changedFields } from '../activity/changes.ts'
import { addsAboutUsers, requireReadUsers } from '../claims/require-read-users.ts'
import { pictureNotHttps } from '../organisations/refusals.ts'
import { isPictureAddress } from '../organisations/rules.ts'
import type { Database } from '../platform/database/database.ts'
import {
  type ClientDependencies,
  refuseForeignUrls,
  refuseGrantsWithoutExtension,
  refuseKeysAddress,
  refuseLogoutAddress,
  refuseMistakes,
  refuseOutsideProfile,
  refuseUnknownResources,
  refuseWithoutExtension,
} from './create-client.ts'
import { refuseIssuers } from './federated-credentials.ts'
import { clientChange, presentClient } from './present-client.ts'
import { holdToProfile } from './profile.ts'
import { type Client, getClient, lockClient, shareResourceServers, updateClient } from './queries.ts'
import { plainPkceDenied } from './refusals.ts'
import { clientMistakes } from './rules.ts'
import type { ClientChanges } from './schemas.ts'
import { withhold } from './withheld.ts'

/**
 * Changes a client's settings. Setting a lifetime to null makes it follow the organisation's policy again.
 *
 * @throws Problem `not-found`; `bad-request` naming each field that no longer fits the client's type or the
 *   organisation's addresses; `precondition-failed`
 */
export async function changeClient(
  { database, pkcePlain, allowLoopbackPictures, signingKeys, grants, oauthExtensions, outgoing, logoutRules }: ClientDependencies,
  caller: Caller,
  id: string,
  changes: ClientChanges,
  ifMatch: string | undefined,
): Promise<Client> {
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<Client>
  // As it is stored, so that an empty list is no change of none.
  if (sent.claimMappings?.length === 0) sent.claimMappings = null
  if (sent.federatedCredentials?.length === 0) sent.federatedCredentials = null
  const updated = await transactionOf(database, caller, 'clients:update', async (tenant) => {
    const concernsResources = sent.resourceServerIds !== undefined || sent.defaultResource !== undefined
    // Before the client, as in everything that locks both: deleting a resource server changes the clients that may ask for it.
    const servers = concernsResources ? await shareResourceServers(tenant) : []
    const before = clientChange.requireCurrent(await lockClient(tenant, id), ifMatch)
    const { forced, mistakes } = holdToProfile(before, sent)
    if (addsAboutUsers(sent.claimMappings ?? [], before.claimMappings)) await requireReadUsers(tenant, caller)
    if (sent.logoUrl && !isPictureAddress(sent.logoUrl, allowLoopbackPictures)) throw pictureNotHttps(['logoUrl'])
    if (sent.jwksUri !== before.jwksUri) refuseKeysAddress(sent.jwksUri, outgoing.rules)
    if (!isDeepStrictEqual(sent.federatedCredentials, before.federatedCredentials)) refuseIssuers(sent.federatedCredentials, outgoing.rules)
    if (sent.backchannelLogoutUri !== before.backchannelLogoutUri) refuseLogoutAddress(sent.backchannelLogoutUri, logoutRules)
    if (concernsResources) refuseUnknownResources({ ...before, ...sent }, servers)
    // A field that was set while the extension was on may be sent unchanged.
    refuseWithoutExtension(changedFields(before, { ...sent, ...forced }) ?? {}, { ...before, ...sent, ...forced }, oauthExtensions)
    const newGrants = (sent.grantTypes ?? []).filter((grantType) => !before.grantTypes.includes(grantType))
    refuseGrantsWithoutExtension(newGrants, grants, oauthExtensions)
    // A client that accepted `plain` before the operator denied it may be sent unchanged.
    if (sent.allowPlainPkce && !before.allowPlainPkce && pkcePlain === 'deny') throw plainPkceDenied()
    refuseOutsideProfile(mistakes)
    Object.assign(sent, forced)
    refuseMistakes(clientMistakes(presentClient({ ...before, ...sent }), grants))
    await refuseForeignUrls(tenant, sent)

    const changed = changedFields(before, sent)
    if (!changed) return before
    await updateClient(tenant, id, { ...changed, ...(await withhold(tenant, before, changed)) })
    const client = await getClient(tenant, id)
    await clientChange.recordUpdate(tenant, caller.actor, before, client)
    return client
  })
  if (sent.idTokenSignedResponseAlg) await signingKeys.ensure(sent.idTokenSignedResponseAlg)
  return updated
}

/**
 * Deletes a client for good: it gets no tokens, and none of its earlier ones is accepted. Webhook endpoints that are bound
 * to it stay bound and so get no further events. Without the binding they would get the events of all clients.
 *
 * @throws Problem `not-found`, `precondition-failed`
 */
export async function deleteClient(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'clients:delete', async (tenant) => {
    const client = clientChange.requireCurrent(await lockClient(tenant, id), ifMatch)
    // A resource server may be deleted while it is the default of a client that is no more.
    await updateClient(tenant, id, { deletedAt: tenant.now, tokensValidAfter: tenant.now, defaultResource: null })
    await clientChange.recordDeletion(tenant, caller.actor, client, reason)
  })
}
