import { sql } from 'kysely'
import { secondsBefore } from '../platform/clock.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import type { Activation } from './activate.ts'
import { finishWhenFulfilled } from './finish.ts'
import { judgeOpen } from './open-setup-link.ts'
import { type Found, findOpenSetupLinks, lockSetupLink } from './queries.ts'

/** What the task needs besides the database. */
export type Following = Omit<Activation, 'database'>

const batch = 200
const keptDays = 90

/**
 * Ends the links that no longer stand although they are not opened, and finishes those whose directory has sent its first request since. A right
 * that was lost and given back meanwhile would otherwise bring a link back. A link that fails is reported once all have had their turn: it must not
 * stop those of other organisations.
 */
export const followSetupLinks = (following: Following): Task => ({
  name: 'follow-setup-links',
  everySeconds: 60,
  async run(database, stopping) {
    return forEachRow(
      {
        next: (after: Found | undefined) => findOpenSetupLinks(database.system(), after, batch),
        failure: ({ organisationId, id }) => `the set-up link ${id} of ${organisationId} could not be followed`,
        stopping,
      },
      (link) => follow({ ...following, database }, link),
    )
  },
})

async function follow(activation: Activation, { organisationId, id }: Found): Promise<void> {
  const judgement = await activation.database.transaction(organisationId, async (tenant) =>
    judgeOpen(tenant, await lockSetupLink(tenant, id)),
  )
  if (judgement?.stands) await finishWhenFulfilled(activation, judgement.caller)
}

/** Removes links some time after their end. What was made by them stays. */
export const removeOldSetupLinks: Task = {
  name: 'remove-old-setup-links',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    return deleteBatch(system, 'setup_links', sql`coalesce(finished_at, ended_at) < ${secondsBefore(system.now, keptDays * 86_400)}`)
  },
}
