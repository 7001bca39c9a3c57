import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import type { Actor } from '../activity/actor.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { listAuditEntries } from '../audit/queries.ts'
import { endTokensOfEveryClient } from '../clients/queries.ts'
import { resumeDomainChecks } from '../domains/queries.ts'
import { deleteEveryEmailCode } from '../email-codes/codes.ts'
import { expireEveryInvitation } from '../invitations/queries.ts'
import { type Organisation, organisationVersion, presentOrganisation } from '../organisations/present-organisation.ts'
import { lockStatusAndOwner, scheduleExport, updateOrganisationStatus, withdrawExport } from '../organisations/queries.ts'
import {
  onlyOwnerDeletes,
  organisationBeingPurged,
  organisationCancelled,
  organisationNotCancelled,
  organisationNotFound,
} from '../organisations/refusals.ts'
import { runningStatuses } from '../organisations/rules.ts'
import { endLinksOfOrganisation } from '../passwords/action-links.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { endPendingSignInsOfOrganisation } from '../sessions/challenges.ts'
import { endSetupLinks } from '../sessions/end-setup-links.ts'
import { revokeAllSessions } from '../sessions/revoke-sessions.ts'
import { revokeTokensOfOrganisation } from '../tokens/revoke-tokens.ts'
import { resumeDeliveriesOfOrganisation } from '../webhooks/queue.ts'

/**
 * Suspends an organisation: every session ends, and no user can sign in until it is activated.
 *
 * @throws Problem `not-found`, or `conflict` when it is cancelled
 */
export async function suspendOrganisation(database: Database, actor: Actor, organisationId: string, reason: string): Promise<Organisation> {
  return database.transaction(organisationId, async (tenant) => {
    const before = await lockUncancelled(tenant)
    const suspension = { status: 'suspended' as const, suspendedReason: reason }
    if (!changedFields(before, suspension)) return before
    const organisation = await updateOrganisationStatus(tenant, 'suspended', reason)
    await revokeAllSessions(tenant, actor)
    await endSetupLinks(tenant, actor, { because: 'organisation_inactive' })
    await record(tenant, actor, {
      action: 'organisation.suspended',
      organisation: presentOrganisation(organisation),
      // Once it is active again, nothing else says that it was on trial before.
      changes: changesBetween({ status: before.status, suspendedReason: before.suspendedReason }, suspension),
      metadata: { reason },
    })
    return organisation
  })
}

/**
 * Activates an organisation that is on trial or suspended.
 *
 * @throws Problem `not-found`, or `conflict` when it is cancelled
 */
export async function activateOrganisation(database: Database, actor: Actor, organisationId: string): Promise<Organisation> {
  return database.transaction(organisationId, async (tenant) => {
    const before = await lockUncancelled(tenant)
    if (!changedFields(before, { status: 'active' })) return before
    const organisation = await updateOrganisationStatus(tenant, 'active', null)
    await record(tenant, actor, {
      action: 'organisation.activated',
      organisation: presentOrganisation(organisation),
      changes: { status: { from: before.status, to: 'active' } },
    })
    return organisation
  })
}

/**
 * Cancels an organisation: every route responds as if it did not exist, a job exports its data, and the retention later purges it.
 *
 * @param caller must be the owner; undefined for the operator
 * @throws Problem `not-found`, also when it is cancelled already, `forbidden` when another user owns it, `precondition-failed`
 */
export async function deleteOrganisation(
  database: Database,
  actor: Actor,
  organisationId: string,
  { caller, ifMatch, reason }: { caller?: Caller; ifMatch?: string | undefined; reason?: string | undefined } = {},
): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    if (caller) await lockUserOfCaller(tenant, caller)
    const before = await lockStatusAndOwner(tenant)
    if (!before || before.status === 'cancelled') throw organisationNotFound()
    if (caller) {
      // An API key acts as itself, even when the owner created it.
      if (before.ownerId !== caller.actor.actorId) throw onlyOwnerDeletes()
      await holdCallerWith(tenant, caller, 'organisation:delete')
    }
    organisationVersion.check(presentOrganisation(before), ifMatch)
    const organisation = await updateOrganisationStatus(tenant, 'cancelled', null)
    // Webhooks of a cancelled organisation get no further events.
    await revokeAllSessions(tenant, undefined)
    await endSetupLinks(tenant, actor, { because: 'organisation_inactive' })
    await scheduleExport(tenant)
    await record(tenant, actor, {
      action: 'organisation.deleted',
      organisation: presentOrganisation(organisation),
      changes: { status: { from: before.status, to: 'cancelled' } },
      ...withReason(reason),
    })
  })
}

/**
 * Takes the cancellation of an organisation back, as long as its data is there. It is what it was before. Its sessions, tokens,
 * pending sign-ins, mailed links and codes have ended, and its users sign in anew.
 *
 * @throws Problem `not-found`, or `conflict` when it is not cancelled or is being purged
 */
export async function restoreOrganisation(database: Database, actor: Actor, organisationId: string): Promise<Organisation> {
  return database.transaction(organisationId, async (tenant) => {
    const before = await lockStatusAndOwner(tenant)
    if (!before) throw organisationNotFound()
    if (before.status !== 'cancelled') throw organisationNotCancelled()
    // What purges it takes its owner away first.
    if (before.ownerId === null) throw organisationBeingPurged()
    const status = await statusBeforeCancellation(tenant)
    const organisation = await updateOrganisationStatus(tenant, status, status === 'suspended' ? await reasonOfSuspension(tenant) : null)
    // While it was cancelled, they were refused for its status alone.
    await revokeTokensOfOrganisation(tenant)
    await endTokensOfEveryClient(tenant)
    await endPendingSignInsOfOrganisation(tenant)
    await deleteEveryEmailCode(tenant)
    await endLinksOfOrganisation(tenant)
    await expireEveryInvitation(tenant)
    await withdrawExport(tenant)
    await resumeDeliveriesOfOrganisation(tenant)
    await resumeDomainChecks(tenant)
    await record(tenant, actor, {
      action: 'organisation.restored',
      organisation: presentOrganisation(organisation),
      changes: { status: { from: before.status, to: status } },
    })
    return organisation
  })
}

async function statusBeforeCancellation(tenant: Tenant): Promise<Exclude<OrganisationStatus, 'cancelled'>> {
  const [cancellation] = await listAuditEntries(tenant, { action: ['organisation.deleted'] }, 1, undefined)
  const status = cancellation?.changes?.status?.from
  // Without the entry it is unknown whether its users may sign in.
  return runningStatuses.find((running) => running === status) ?? 'suspended'
}

async function reasonOfSuspension(tenant: Tenant): Promise<string | null> {
  const [suspension] = await listAuditEntries(tenant, { action: ['organisation.suspended'] }, 1, undefined)
  return typeof suspension?.metadata?.reason === 'string' ? suspension.metadata.reason : null
}

async function lockUncancelled(tenant: Tenant): Promise<Organisation> {
  const organisation = await lockStatusAndOwner(tenant)
  if (!organisation) throw organisationNotFound()
  if (organisation.status === 'cancelled') throw organisationCancelled()
  return organisation
}
