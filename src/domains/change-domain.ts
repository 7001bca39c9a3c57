import type { Caller } from '../access/caller.ts'
import { holdSetupLinkOf, lockUserOfCaller, refuseVisitorOf } from '../access/hold-caller.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { channels, notify } from '../platform/database/locks-and-channels.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { endAccessBesides } from '../sessions/end-access-besides.ts'
import { requireAssignable } from './create-domain.ts'
import { presentDomainInHistory } from './present-domain.ts'
import { type Domain, type DomainSettings, deleteDomain, findUsers, lockDomain, updateDomain } from './queries.ts'
import { bypassWithoutMfa, nothingRequiresSso, ssoNeedsConnection, userNotFound } from './refusals.ts'
import type { RequiredSso } from './required-sso.ts'
import { requiresSso } from './rules.ts'
import type { DomainChanges } from './schemas.ts'

export interface DomainOperations {
  database: Database
  requiredSso: RequiredSso
}

/**
 * Changes what a domain means for its users.
 *
 * @throws Problem `not-found` for the domain or the connection; `bad-request` for single sign-on without a connection, users who do not
 *   exist or have no second factor, and sessions to end although nothing is required; `forbidden` when the caller lacks a permission
 *   that a user holds, for a connection that is assigned, `sso` that no longer is `required`, and users who may bypass it
 */
export async function changeDomain(
  { database, requiredSso }: DomainOperations,
  caller: Caller,
  id: string,
  changes: DomainChanges,
): Promise<Domain> {
  const domain = await database.transaction(caller.organisationId, (tenant) => changeDomainIn(tenant, caller, id, changes))
  await requiredSso.refresh()
  return domain
}

/**
 * Changes a domain in a transaction that has begun. `requiredSso` is refreshed after it.
 *
 * @throws Problem as {@link changeDomain}
 */
export async function changeDomainIn(
  tenant: Tenant,
  caller: Caller,
  id: string,
  { endSessions = false, ...changes }: DomainChanges,
): Promise<Domain> {
  await lockUserOfCaller(tenant, caller)
  const before = await lockDomain(tenant, id)
  const changed = changedFields(before, changes)
  const settings: DomainSettings = { ...before, ...changed }
  if (settings.sso !== 'off' && settings.connectionId === null) throw ssoNeedsConnection()
  if (endSessions && !requiresSso({ ...before, ...settings })) throw nothingRequiresSso()
  if (changed?.connectionId) await requireAssignable(tenant, caller, changed.connectionId)
  if (changed?.bypassUserIds) await refuseUnfit(tenant, changed.bypassUserIds)
  if (weakensSignIn(before, settings)) await requireEveryHeldPermission(tenant, caller)

  const after = changed ? await updateDomain(tenant, id, settings) : before
  if (changed || endSessions) {
    const [from, to] = [presentDomainInHistory(before), presentDomainInHistory(after)]
    const metadata = endSessions ? { metadata: { endSessions } } : {}
    await record(tenant, caller.actor, { action: 'domain.updated', domain: to, changes: changesBetween(from, to), ...metadata })
  }
  if (endSessions && after.connectionId !== null)
    await endAccessBesides(tenant, caller.actor, { ...after, connectionId: after.connectionId })
  if (changed) await notify(tenant, channels.domains)
  return after
}

/** Whether the change lets more users sign in without the connection. */
const weakensSignIn = (before: DomainSettings, after: DomainSettings): boolean =>
  (before.sso === 'required' && after.sso !== 'required') || after.bypassUserIds.some((id) => !before.bypassUserIds.includes(id))

/** Refuses users without a second factor: a password alone would be enough to impersonate a user who may bypass the connection. */
async function refuseUnfit(tenant: Tenant, ids: readonly string[]): Promise<void> {
  const found = new Map((await findUsers(tenant, ids)).map((user) => [user.id, user]))
  const errors = ids.flatMap((id, index): FieldError[] => {
    const user = found.get(id)
    if (!user) return [unknownName(['bypassUserIds', index], userNotFound)]
    return user.mfaEnabled ? [] : [bypassWithoutMfa(['bypassUserIds', index])]
  })
  if (errors.length > 0) throw invalidInput(errors)
}

/**
 * Removes a domain. Its users sign in as they did before it was added.
 *
 * @throws Problem `not-found`; `forbidden` when it requires single sign-on and the caller lacks a permission that a user holds
 */
export async function removeDomain(
  { database, requiredSso }: DomainOperations,
  caller: Caller,
  id: string,
  reason: string | undefined,
): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    await holdSetupLinkOf(tenant, caller)
    const domain = await lockDomain(tenant, id)
    refuseVisitorOf(caller, domain.sso !== 'off')
    // As when it only offers it from then on: their passwords let users in again.
    if (requiresSso(domain)) await requireEveryHeldPermission(tenant, caller)
    await deleteDomain(tenant, id)
    await record(tenant, caller.actor, { action: 'domain.deleted', domain: presentDomainInHistory(domain), ...withReason(reason) })
    await notify(tenant, channels.domains)
  })
  await requiredSso.refresh()
}
