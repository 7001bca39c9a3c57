import { sql } from 'kysely'
import { daysBefore } from '../../platform/clock.ts'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import type { Task } from '../../platform/jobs/tasks.ts'

const unboundDays = 1

/**
 * Removes registrations that are a day old and of which no organisation has a client: none has been allowed, or all have gone since. One that a
 * user is being asked about stays until the request has ended: the client that they allow would have no registration otherwise.
 */
export const removeUnboundClients: Task = {
  name: 'remove-unbound-clients',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    return deleteBatch(
      system,
      'unbound_clients',
      sql`created_at < ${daysBefore(system.now, unboundDays)} and not exists (
        select from clients c where c.automatic_client_id = unbound_clients.client_id and c.deleted_at is null)
        and client_id <> all(array(
          select r.parameters -> 'automaticClient' ->> 'clientId' from authorization_requests r
          where r.parameters ? 'automaticClient' and r.expires_at > ${system.now}))`,
    )
  },
}
