import type { Task } from '../platform/jobs/tasks.ts'
import { expireInvitations } from './queries.ts'

const batch = 1_000

/** Marks expired invitations. Until it has run, reads and new invitations compare with the clock. */
export const markExpiredInvitations: Task = {
  name: 'mark-expired-invitations',
  everySeconds: 300,
  run: async (database) => (await expireInvitations(database.system(), batch)) === batch,
}
