import { sql } from 'kysely'
import { systemActor } from '../activity/actor.ts'
import { deleteUnusedClient, isUnusedSince } from '../clients/automatic.ts'
import type { Client } from '../clients/queries.ts'
import { daysBefore } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { reportRemoval } from './removed-clients.ts'

const unusedDays = 30
const documentDays = 1
const batch = 200

/**
 * Removes automatic clients that have not been used for 30 days and that no administrator has revoked or changed. Consents for them have no effect any more: a user who comes back with one is
 * asked again. A client that cannot be removed holds no other one up, of its organisation or of another: it is reported at the end.
 */
export const removeUnusedClients: Task = {
  name: 'remove-unused-clients',
  everySeconds: 3_600,
  async run(database, stopping) {
    const before = daysBefore(database.clock.now(), unusedDays)
    return forEachRow(
      {
        next: (after: UnusedClient | undefined) => findUnused(database, before, after?.id ?? ''),
        failure: ({ organisationId, id }) => `the unused client ${id} of ${organisationId} cannot be removed`,
        stopping,
      },
      (client) => removeUnused(database, client, before),
    )
  },
}

type UnusedClient = Pick<Client, 'id' | 'origin'> & { organisationId: string }

/** The next clients that nothing uses, in the order of their ids. */
const findUnused = (database: Database, before: Date, after: string): Promise<UnusedClient[]> =>
  database
    .system()
    .selectFrom('clients')
    .select(['id', 'organisationId', 'origin'])
    .where(isUnusedSince(before))
    .where('id', '>', after)
    .orderBy('id')
    .limit(batch)
    .execute()

async function removeUnused(database: Database, { id, organisationId, origin }: UnusedClient, before: Date): Promise<void> {
  const isRemoved = await database.transaction(organisationId, (tenant) => deleteUnusedClient(tenant, systemActor, id, before))
  if (isRemoved) reportRemoval(origin)
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
        and not exists (select from clients c where c.automatic_client_id = client_documents.client_id and c.deleted_at is null)`,
    )
  },
}
