import { deleteUnconfirmed } from '../organisations/queries.ts'
import { secondsBefore } from '../platform/clock.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** How long the owner has to confirm the address: as long as the link works. */
export const confirmationSeconds = 7 * 24 * 3_600

const batch = 100

/** Removes organisations that strangers signed up and did not confirm. */
export const removeUnconfirmedOrganisations: Task = {
  name: 'remove-unconfirmed-organisations',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    const before = secondsBefore(system.now, confirmationSeconds)
    return (await deleteUnconfirmed(system, before, batch)) === batch
  },
}
