import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import { missingPermission } from '../access/refusals.ts'
import { record } from '../activity/record.ts'
import { changeConnectionIn } from '../connections/change-connection.ts'
import type { ConnectionChanging } from '../connections/create-connection.ts'
import { changeDirectoryIn } from '../directories/change-directory.ts'
import { changeDomainIn, type DomainOperations } from '../domains/change-domain.ts'
import { lockDomain } from '../domains/queries.ts'
import { isInUse } from '../domains/rules.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import type { Tenant } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { lockForCaller } from './create-setup-link.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { type SetupLink, updateSetupLink } from './queries.ts'
import { setupLinkNotFinished } from './refusals.ts'

export interface Activation extends ConnectionChanging, DomainOperations, MailSender {}

/**
 * Activates what was made by a finished link: the connection and the directory, and the domain gets the connection with the `sso` of the link,
 * unless an administrator has put it into use since.
 *
 * @throws Problem `not-found`; `conflict` before it is finished; `forbidden` when the caller may not change, or not activate one of them
 */
export async function activateSetupLink(activation: Activation, caller: Caller, id: string): Promise<SetupLink> {
  const link = await activation.database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockForCaller(tenant, caller, id)
    if (before.finishedAt === null) throw setupLinkNotFinished()
    if (before.activatedAt !== null) return before
    return activateMade(tenant, activation, caller, before)
  })
  await activation.requiredSso.follow()
  return link
}

/** Activates what was made by a link whose row is locked, for a caller who is held. What an administrator has deleted or put into use meanwhile stays so. */
export async function activateMade(tenant: Tenant, activation: Activation, caller: Caller, link: SetupLink): Promise<SetupLink> {
  const { connectionId, domainId, directoryId, settings } = link
  if (connectionId !== null) await requireChanging(tenant, caller, 'connections:update')
  if (directoryId !== null) await requireChanging(tenant, caller, 'directories:update')
  if (connectionId !== null) await changeConnectionIn(tenant, activation, caller, connectionId, { isActive: true })
  if (connectionId !== null && domainId !== null) {
    // An administrator decides for the domain once it is in use, and what they have set stays. A visitor is refused, so that one of them looks at it.
    const isKept = caller.kind !== 'setup-link' && isInUse(await lockDomain(tenant, domainId), connectionId)
    if (!isKept) await changeDomainIn(tenant, caller, domainId, { connectionId, sso: settings.sso }, undefined)
  }
  if (directoryId !== null) await changeDirectoryIn(tenant, activation, caller, directoryId, { isActive: true })
  const activated = await updateSetupLink(tenant, link.id, { activatedAt: tenant.now })
  const { activatedAt } = activated
  await record(tenant, caller.actor, {
    action: 'setup_link.activated',
    setup_link: setupLinkInHistory(link),
    changes: { activatedAt: { from: presentTime(link.activatedAt), to: presentTime(activatedAt) } },
  })
  return activated
}

/**
 * Admits an administrator who may change such records otherwise, too. A visitor acts within the link.
 *
 * @throws Problem `forbidden`
 */
async function requireChanging(tenant: Tenant, caller: Caller, permission: PermissionSlug): Promise<void> {
  if (caller.kind === 'setup-link') return
  if (!caller.permissions.has(permission)) throw missingPermission(permission)
  await holdCallerWith(tenant, caller, permission)
}
