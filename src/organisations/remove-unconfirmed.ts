import type { Task } from '../platform/jobs/tasks.ts'
import { deleteUnconfirmed } from './sign-up-queries.ts'

const batch = 100

/** Removes organisations that strangers have asked for and nobody has confirmed. */
export const removeUnconfirmedOrganisations: Task = {
  name: 'remove-unconfirmed-organisations',
  everySeconds: 3_600,
  run: async (database) => (await deleteUnconfirmed(database.system(), batch)) === batch,
}
