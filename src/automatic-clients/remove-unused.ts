import { sql } from 'kysely'
import { systemActor } from '../activity/actor.ts'
import { removeUnusedClient } from '../clients/automatic.ts'
import { daysBefore } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { reportRemoval } from './removed-clients.ts'

const unusedDays = 30
const documentDays = 1
const batch = 200

/** Removes automatic clients that have not been used for 30 days, with their consents. A user who comes back with one is asked again. */
export const removeUnusedClients: Task = {
  name: 'remove-unused-clients',
  everySeconds: 3_600,
  async run(database) {
    const before = daysBefore(database.clock.now(), unusedDays)
    const unused = await database
      .system()
      .selectFrom('clients')
      .select(['id', 'organisationId', 'origin'])
      .where('automaticClientId', 'is not', null)
      .where('deletedAt', 'is', null)
      // What an administrator has revoked stays refused.
      .where('isActive', '=', true)
      .where(sql<boolean>`greatest(last_used_at, updated_at) < ${before}`)
      .limit(batch)
      .execute()
    for (const { id, organisationId, origin } of unused) {
      const isRemoved = await database.transaction(organisationId, (tenant) => removeUnusedClient(tenant, systemActor, id, before))
      if (isRemoved) reportRemoval(origin)
    }
    return unused.length === batch
  },
}

/** Removes documents that no request has named for a day and that are of no client. Those of clients are fetched again when needed. */
export const removeUnusedDocuments: Task = {
  name: 'remove-unused-client-documents',
  everySeconds: 3_600,
  run: (database: Database) => {
    const system = database.system()
    return deleteBatch(
      system,
      'client_documents',
      sql`used_at < ${daysBefore(system.now, documentDays)} and expires_at < ${system.now}
        and not exists (select from clients c where c.automatic_client_id = client_documents.client_id)`,
    )
  },
}
