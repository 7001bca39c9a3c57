import type { SetupLinkCaller } from '../access/caller.ts'
import { holdCaller, lockUserOfCaller } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { lockConnection } from '../connections/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { Problem } from '../platform/http/problem.ts'
import { type Activation, activateMade } from './activate.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { progressOf, readMade } from './progress.ts'
import { lockSetupLink, type SetupLink, updateSetupLink } from './queries.ts'
import { isFulfilled } from './rules.ts'

/**
 * Finishes a link once everything that it is for is set up, and activates that where the link says so. What its creator may not activate by now,
 * since an administrator has changed it meanwhile, awaits an administrator: the visitor has done their part, and can do nothing about it.
 */
export async function finishWhenFulfilled(activation: Activation, caller: SetupLinkCaller): Promise<SetupLink | undefined> {
  const finish = (activates: boolean) =>
    activation.database.transaction(caller.organisationId, (tenant) => finishIn(tenant, activation, caller, activates))
  const finished = await finish(true).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    return finish(false)
  })
  if (finished?.activatedAt) await activation.requiredSso.follow()
  return finished
}

async function finishIn(
  tenant: Tenant,
  activation: Activation,
  caller: SetupLinkCaller,
  activates: boolean,
): Promise<SetupLink | undefined> {
  // Before the link: a block of its creator ends it.
  await lockUserOfCaller(tenant, caller)
  const link = await lockSetupLink(tenant, caller.linkId)
  const isDone = async () => isFulfilled(progressOf(link, await readMade(tenant, link)))
  if (link.finishedAt || link.endedAt || !(await isDone())) return undefined
  if (link.connectionId !== null) {
    await lockConnection(tenant, link.connectionId)
    // An administrator may have changed it until then: what was tested would not be what is activated.
    if (!(await isDone())) return undefined
  }
  const activatesMade = link.activate && activates
  if (activatesMade) await holdCaller(tenant, caller)
  // Before it is finished: afterwards its visitor may do nothing any more.
  const activated = activatesMade ? await activateMade(tenant, activation, caller, link) : link
  const finished = await updateSetupLink(tenant, link.id, { finishedAt: tenant.now })
  await record(tenant, caller.actor, { action: 'setup_link.finished', setup_link: setupLinkInHistory(activated) })
  return finished
}
