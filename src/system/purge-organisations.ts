import { sql } from 'kysely'
import { deleteCancelledOrganisation, removeOwner } from '../organisations/queries.ts'
import { daysBefore } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
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
 * continues where it stopped. It purges no organisation before its export has been written.
 */
export const purgeOrganisations = ({ retentionDays, onPurged }: Purge): Task => ({
  name: 'purge-organisations',
  everySeconds: 600,
  async run(database) {
    const organisationId = await findOrganisationToPurge(database, retentionDays)
    if (organisationId === undefined) return false
    // The operator may have restored it meanwhile. An organisation without an owner cannot be restored.
    if (!(await removeOwner(database.system(), organisationId))) return true
    if (!(await removeRows(database, organisationId))) return true
    await deleteCancelledOrganisation(database.system(), organisationId)
    onPurged(organisationId)
    return true
  },
})

async function findOrganisationToPurge(database: Database, retentionDays: number): Promise<string | undefined> {
  const system = database.system()
  const organisation = await system
    .selectFrom('organisations')
    .select('id')
    .where('status', '=', 'cancelled')
    .where('deletedAt', '<=', daysBefore(system.now, retentionDays))
    .where('id', 'not in', (query) => query.selectFrom('organisationExports').select('organisationId').where('finishedAt', 'is', null))
    .orderBy('deletedAt')
    .limit(1)
    .executeTakeFirst()
  return organisation?.id
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
