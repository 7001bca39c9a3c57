import type { SetupLinkCaller } from '../access/caller.ts'
import { record } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type Activation, activateMade } from './activate.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { progressOf, readMade } from './progress.ts'
import { lockSetupLink, type SetupLink, updateSetupLink } from './queries.ts'
import { isFulfilled } from './rules.ts'

/** Finishes a link once everything that it is for is set up, and activates that where the link says so. */
export async function finishWhenFulfilled(activation: Activation, caller: SetupLinkCaller): Promise<SetupLink | undefined> {
  const finished = await activation.database.transaction(caller.organisationId, (tenant) => finishIn(tenant, activation, caller))
  if (finished?.activatedAt) await activation.requiredSso.refresh()
  return finished
}

async function finishIn(tenant: Tenant, activation: Activation, caller: SetupLinkCaller): Promise<SetupLink | undefined> {
  const link = await lockSetupLink(tenant, caller.linkId)
  if (link.finishedAt || link.endedAt || !isFulfilled(progressOf(link, await readMade(tenant, link)))) return undefined
  // Before it is finished: afterwards its visitor may do nothing any more.
  const activated = link.activate ? await activateMade(tenant, activation, caller, link) : link
  const finished = await updateSetupLink(tenant, link.id, { finishedAt: tenant.now })
  await record(tenant, caller.actor, { action: 'setup_link.finished', setup_link: setupLinkInHistory(activated) })
  return finished
}
