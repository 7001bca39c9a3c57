import { sql } from 'kysely'
import { daysBefore } from '../../platform/clock.ts'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import type { Task } from '../../platform/jobs/tasks.ts'

const endedDays = 1

/**
 * Removes consents a day after their end, and those for clients that were deleted: no page shows them, so their users could not withdraw
 * them. A consent stays while one at a resource server rests on it.
 */
export const removeEndedConsents: Task = {
  name: 'remove-ended-consents',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    const dayAgo = daysBefore(system.now, endedDays)
    // What is granted anew meanwhile has a later time, whatever its former end was.
    const hasEnded = sql`expires_at < ${dayAgo} and granted_at < ${dayAgo}`
    const isOfDeletedClient = sql`
      (organisation_id, client_id) in (select c.organisation_id, c.id from clients c where c.deleted_at is not null)`
    const more = [
      await deleteBatch(system, 'resource_consents', hasEnded),
      await deleteBatch(
        system,
        'consents',
        sql`${hasEnded} and not exists (
          select from resource_consents a
          where a.organisation_id = consents.organisation_id and a.user_id = consents.user_id and a.client_id = consents.client_id)`,
      ),
      await deleteBatch(system, 'resource_consents', isOfDeletedClient),
      await deleteBatch(system, 'consents', isOfDeletedClient),
    ]
    return more.includes(true)
  },
}
