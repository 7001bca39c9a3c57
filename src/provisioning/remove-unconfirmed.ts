import { deleteUnconfirmed, findUnconfirmed, type RemovedOrganisation } from '../organisations/queries.ts'
import { secondsBefore } from '../platform/clock.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** The time that the owner has to confirm the address: as long as the link works. */
export const confirmationSeconds = 7 * 24 * 3_600

const batch = 100

export interface UnconfirmedRemoval {
  onUnconfirmedRemoved: (organisation: RemovedOrganisation) => void
}

/** Removes organisations that strangers signed up and that neither their owner nor the operator confirmed. */
export const removeUnconfirmedOrganisations = ({ onUnconfirmedRemoved }: UnconfirmedRemoval): Task => ({
  name: 'remove-unconfirmed-organisations',
  everySeconds: 3_600,
  async run(database, stopping) {
    const before = secondsBefore(database.clock.now(), confirmationSeconds)
    return forEachRow(
      {
        next: (after: { id: string } | undefined) => findUnconfirmed(database.system(), before, after?.id ?? '', batch),
        failure: ({ id }) => `the unconfirmed organisation ${id} cannot be removed`,
        atMost: batch,
        stopping,
      },
      async ({ id }) => {
        const removed = await database.systemTransaction((system) => deleteUnconfirmed(system, id))
        if (removed) onUnconfirmedRemoved(removed)
      },
    )
  },
})
