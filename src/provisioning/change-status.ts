import type { Actor } from '../activity/actor.ts'
import { changedFields, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { type Organisation, organisationVersion, presentOrganisation } from '../organisations/present-organisation.ts'
import { lockOwnOrganisation, scheduleExport, updateOrganisationStatus } from '../organisations/queries.ts'
import { onlyOwnerDeletes, organisationCancelled, organisationNotFound } from '../organisations/refusals.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { revokeAllSessions } from '../sessions/revoke-sessions.ts'

/**
 * Suspends an organisation: every session ends, and no user can sign in until it is activated.
 *
 * @throws Problem `not-found`, or `conflict` when it is cancelled
 */
export async function suspendOrganisation(database: Database, actor: Actor, organisationId: string, reason: string): Promise<Organisation> {
  return database.transaction(organisationId, async (tenant) => {
    const before = await lockUncancelled(tenant)
    if (!changedFields(before, { status: 'suspended', suspendedReason: reason })) return before
    const organisation = await updateOrganisationStatus(tenant, 'suspended', reason)
    await revokeAllSessions(tenant, actor)
    await record(tenant, actor, {
      action: 'organisation.suspended',
      organisation: presentOrganisation(organisation),
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
 * Cancels an organisation: every route responds as if it did not exist, a job exports its data, and the retention later
 * purges it.
 *
 * @param ownerId the user who must own it, when the owner calls
 * @throws Problem `not-found`, also when it is cancelled already, `forbidden` when another user owns it, `precondition-failed`
 */
export async function deleteOrganisation(
  database: Database,
  actor: Actor,
  organisationId: string,
  { ownerId, ifMatch, reason }: { ownerId?: string; ifMatch?: string | undefined; reason?: string | undefined } = {},
): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    const before = await lockOwnOrganisation(tenant)
    if (!before || before.status === 'cancelled') throw organisationNotFound()
    if (ownerId !== undefined && before.ownerId !== ownerId) throw onlyOwnerDeletes()
    organisationVersion.check(presentOrganisation(before), ifMatch)
    const organisation = await updateOrganisationStatus(tenant, 'cancelled', null)
    // Webhooks of a cancelled organisation get no further events.
    await revokeAllSessions(tenant, undefined)
    await scheduleExport(tenant)
    await record(tenant, actor, {
      action: 'organisation.deleted',
      organisation: presentOrganisation(organisation),
      changes: { status: { from: before.status, to: 'cancelled' } },
      ...withReason(reason),
    })
  })
}

async function lockUncancelled(tenant: Tenant): Promise<Organisation> {
  const organisation = await lockOwnOrganisation(tenant)
  if (!organisation) throw organisationNotFound()
  if (organisation.status === 'cancelled') throw organisationCancelled()
  return organisation
}
