import type { Task } from '../platform/jobs/tasks.ts'
import { expireInvitations } from './queries.ts'

const batch = 1_000

/** Marks invitations whose time is over. Until it has run, reading them and inviting again go by the clock. */
export const markExpiredInvitations: Task = {
  name: 'mark-expired-invitations',
  everySeconds: 300,
  run: async (database) => (await expireInvitations(database.system(), batch)) === batch,
}
