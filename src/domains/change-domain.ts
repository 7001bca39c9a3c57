import { type TrustRule, trustedOf, trustRules } from '../../shared/trusted-settings.ts'
import type { Caller } from '../access/caller.ts'
import { refuseVisitorOf, transactionOf } from '../access/hold-caller.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { channels, notify } from '../platform/database/locks-and-channels.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givesNoRoles } from '../roles/rules.ts'
import { endAccessBesides } from '../sessions/end-access-besides.ts'
import { requireAssignable } from './create-domain.ts'
import { domainVersion, presentDomainInHistory } from './present-domain.ts'
import { type Domain, type DomainSettings, deleteDomain, findUsers, lockDomain, updateDomain } from './queries.ts'
import { bypassWithoutMfa, nothingRequiresSso, ssoNeedsConnection, userNotFound } from './refusals.ts'
import type { RequiredSso } from './required-sso.ts'
import { isInUse, requiresSso } from './rules.ts'
import type { DomainChanges } from './schemas.ts'

const trustRuleOf: Record<keyof DomainSettings, TrustRule> = trustRules.domain

export interface DomainOperations {
  database: Database
  requiredSso: RequiredSso
}

/**
 * Changes what a domain means for its users.
 *
 * @throws Problem `not-found` for the domain or the connection; `bad-request` for single sign-on without a connection, users who do not
 *   exist or have no second factor, and sessions to end although nothing is required; `forbidden` when the caller lacks a permission
 *   that a user holds, for a connection that is assigned, `sso` that no longer is `required`, and users who may bypass it;
 *   `precondition-failed` when the domain is not the one that `ifMatch` names
 */
export async function changeDomain(
  { database, requiredSso }: DomainOperations,
  caller: Caller,
  id: string,
  changes: DomainChanges,
  ifMatch: string | undefined,
): Promise<Domain> {
  const domain = await transactionOf(database, caller, 'domains:update', (tenant) => changeDomainIn(tenant, caller, id, changes, ifMatch))
  await requiredSso.follow()
  return domain
}

/**
 * Changes a domain in a transaction that has begun, and holds the caller. `requiredSso` follows it.
 *
 * @throws Problem as {@link changeDomain}
 */
export async function changeDomainIn(
  tenant: Tenant,
  caller: Caller,
  id: string,
  { endSessions = false, ...changes }: DomainChanges,
  ifMatch: string | undefined,
): Promise<Domain> {
  const before = await lockDomain(tenant, id)
  domainVersion.check(before, ifMatch)
  const changed = changedFields(before, changes)
  if (changed) refuseVisitorOf(caller, isInUse(before, changes.connectionId))
  const settings: DomainSettings = { ...before, ...changed }
  if (settings.sso !== 'off' && settings.connectionId === null) throw ssoNeedsConnection()
  if (endSessions && !requiresSso({ ...before, ...settings })) throw nothingRequiresSso()
  if (changed?.connectionId) await requireAssignable(tenant, caller, changed.connectionId)
  if (changed?.bypassUserIds) await refuseUnfit(tenant, changed.bypassUserIds)
  if (trustedOf(trustRuleOf, before, changed).length > 0) await requireEveryHeldPermission(tenant, caller, givesNoRoles)

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
 * @throws Problem `not-found`; `precondition-failed` when it is not the one that `ifMatch` names; `forbidden` when it requires single
 *   sign-on and the caller lacks a permission that a user holds
 */
export async function removeDomain(
  { database, requiredSso }: DomainOperations,
  caller: Caller,
  id: string,
  reason: string | undefined,
  ifMatch: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'domains:update', async (tenant) => {
    const domain = await lockDomain(tenant, id)
    domainVersion.check(domain, ifMatch)
    refuseVisitorOf(caller, isInUse(domain))
    // As when it only offers it from then on: their passwords let users in again.
    if (requiresSso(domain)) await requireEveryHeldPermission(tenant, caller, givesNoRoles)
    await deleteDomain(tenant, id)
    await record(tenant, caller.actor, { action: 'domain.deleted', domain: presentDomainInHistory(domain), ...withReason(reason) })
    await notify(tenant, channels.domains)
  })
  await requiredSso.follow()
}
