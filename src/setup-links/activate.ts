import type { Caller } from '../access/caller.ts'
import { record } from '../activity/record.ts'
import { changeConnectionIn } from '../connections/change-connection.ts'
import type { ConnectionAdministration } from '../connections/create-connection.ts'
import { changeDirectoryIn } from '../directories/change-directory.ts'
import { changeDomainIn, type DomainOperations } from '../domains/change-domain.ts'
import type { Tenant } from '../platform/database/database.ts'
import { requirePurposes } from './create-setup-link.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { lockSetupLink, type SetupLink, updateSetupLink } from './queries.ts'
import { setupLinkNotFinished } from './refusals.ts'

export interface Activation extends ConnectionAdministration, DomainOperations {}

/**
 * Activates what was made by a finished link: the connection and the directory, and the domain gets the connection with the `sso` of the link.
 *
 * @throws Problem `not-found`; `conflict` before it is finished; `forbidden` when the caller may not activate one of them
 */
export async function activateSetupLink(activation: Activation, caller: Caller, id: string): Promise<SetupLink> {
  const link = await activation.database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockSetupLink(tenant, id)
    requirePurposes(caller, before.purposes)
    if (before.finishedAt === null) throw setupLinkNotFinished()
    if (before.activatedAt !== null) return before
    return activateMade(tenant, activation, caller, before)
  })
  await activation.requiredSso.refresh()
  return link
}

/** Activates what was made by a link whose row is locked. What an administrator has deleted meanwhile stays so. */
export async function activateMade(tenant: Tenant, activation: Activation, caller: Caller, link: SetupLink): Promise<SetupLink> {
  const { connectionId, domainId, directoryId, settings } = link
  if (connectionId !== null) await changeConnectionIn(tenant, activation, caller, connectionId, { isActive: true })
  if (connectionId !== null && domainId !== null) await changeDomainIn(tenant, caller, domainId, { connectionId, sso: settings.sso })
  if (directoryId !== null) await changeDirectoryIn(tenant, caller, directoryId, { isActive: true })
  const activated = await updateSetupLink(tenant, link.id, { activatedAt: tenant.now })
  await record(tenant, caller.actor, { action: 'setup_link.activated', setup_link: setupLinkInHistory(link) })
  return activated
}
