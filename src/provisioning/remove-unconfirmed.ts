import { deleteUnconfirmed, type RemovedOrganisation } from '../organisations/queries.ts'
import { secondsBefore } from '../platform/clock.ts'
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
  async run(database) {
    const removed = await database.systemTransaction((system) =>
      deleteUnconfirmed(system, secondsBefore(system.now, confirmationSeconds), batch),
    )
    for (const organisation of removed) onUnconfirmedRemoved(organisation)
    return removed.length === batch
  },
})
