import type { Caller } from '../access/caller.ts'
import type { Actor } from '../activity/actor.ts'
import { withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { lockForCaller } from './create-setup-link.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { type SetupLink, updateSetupLink } from './queries.ts'

/**
 * Ends a link at once: the next request of its visitor is refused. What was made by it stays as it is. A link that is finished, or has ended,
 * stays so.
 *
 * @throws Problem `not-found`; `forbidden` when the caller lacks a permission that a purpose of the link takes
 */
export async function deleteSetupLink(database: Database, caller: Caller, id: string, reason: string | undefined): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const link = await lockForCaller(tenant, caller, id)
    if (link.finishedAt === null && link.endedAt === null) await endSetupLink(tenant, caller.actor, link, 'deleted', reason)
  })
}

/** Ends a link whose row is locked. */
export async function endSetupLink(
  tenant: Tenant,
  actor: Actor,
  link: SetupLink,
  because: NonNullable<SetupLink['endedBecause']>,
  reason?: string,
): Promise<void> {
  await updateSetupLink(tenant, link.id, { endedAt: tenant.now, endedBecause: because, visitHash: null, visitExpiresAt: null })
  const metadata = { because, ...withReason(reason).metadata }
  await record(tenant, actor, { action: 'setup_link.ended', setup_link: setupLinkInHistory(link), metadata })
}
