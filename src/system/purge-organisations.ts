import { sql } from 'kysely'
import { deleteCancelledOrganisation, removeOwner } from '../organisations/queries.ts'
import { daysBefore } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { childrenFirst } from './rules.ts'
import { listTenantTables } from './tenant-tables.ts'

const fullBatchesAtOnce = 50

export interface Purge {
  retentionDays: number
  onPurged: (organisationId: string) => void
}

/**
 * Deletes all data of organisations that were cancelled longer ago than the retention, a batch of rows at a time. If it is killed, it
 * continues where it stopped. It purges no organisation before its export has been written. One that cannot be purged holds no other one up.
 */
export const purgeOrganisations = ({ retentionDays, onPurged }: Purge): Task => ({
  name: 'purge-organisations',
  everySeconds: 600,
  async run(database, stopping) {
    return forEachRow(
      {
        next: (after: { id: string } | undefined) => findOrganisationToPurge(database, retentionDays, after?.id ?? ''),
        failure: ({ id }) => `the organisation ${id} cannot be purged`,
        atMost: 1,
        stopping,
      },
      async ({ id }) => {
        const system = database.system()
        // The operator may have restored it meanwhile. An organisation without an owner cannot be restored.
        if (!(await removeOwner(system, id, daysBefore(system.now, retentionDays)))) return
        if (!(await removeRows(database, id))) return
        await deleteCancelledOrganisation(database.system(), id)
        onPurged(id)
      },
    )
  },
})

/** The next organisation to purge in the order of their ids, if there is one. */
async function findOrganisationToPurge(database: Database, retentionDays: number, afterId: string): Promise<{ id: string }[]> {
  const system = database.system()
  return system
    .selectFrom('organisations')
    .select('id')
    .where('status', '=', 'cancelled')
    .where('deletedAt', '<=', daysBefore(system.now, retentionDays))
    .where('id', 'not in', (query) => query.selectFrom('organisationExports').select('organisationId').where('finishedAt', 'is', null))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(1)
    .execute()
}

/** @returns whether all rows are deleted; false when there were too many for one run */
async function removeRows(database: Database, organisationId: string): Promise<boolean> {
  const system = database.system()
  // A batch that empties its table costs little: only the others count, however many tables a release adds.
  let fullBatchesLeft = fullBatchesAtOnce
  for (const { name } of childrenFirst(await listTenantTables(system))) {
    while (await deleteBatch(system, name, sql`organisation_id = ${organisationId}`)) {
      fullBatchesLeft--
      if (fullBatchesLeft === 0) return false
    }
  }
  return true
}
