import { secondsAfter, secondsBefore } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { forEachRow } from '../../platform/jobs/for-each-row.ts'
import type { Task } from '../../platform/jobs/tasks.ts'
import type { Connection } from '../queries.ts'
import { connectionsToRefresh, noteDocuments, putOffDocuments } from './queries.ts'
import { readDocuments } from './refresh.ts'
import { reportFailure } from './report-failure.ts'
import type { Federation } from './start.ts'

const hour = 3_600
const halfDay = 12 * hour
// With ten seconds for each, a batch of unreachable providers ends well within the lease of a task.
const batchSize = 200
const atATime = 10

export type DocumentRefresh = Pick<Federation, 'keyring' | 'outbox' | 'publicUrl' | 'openUpstream' | 'openSaml'>

/**
 * Reads the documents of active connections every twelve hours, so that a failing provider is noticed before its users meet it. After a
 * failure, the documents are read again an hour later; each time counts as an attempt.
 */
export const refreshDocuments = (refresh: DocumentRefresh): Task => ({
  name: 'refresh-documents-of-connections',
  everySeconds: hour,
  async run(database) {
    const before = secondsBefore(database.clock.now(), halfDay)
    const begun: string[] = []
    return forEachRow<Connection>(
      {
        next: () => connectionsToRefresh(database.system(), before, batchSize, begun),
        failure: ({ organisationId, id }) => `the documents of the connection ${id} of ${organisationId} could not be read`,
        atATime,
        atMost: batchSize,
      },
      (connection) => {
        begun.push(connection.id)
        return refreshOne(refresh, database, connection)
      },
    )
  },
})

async function refreshOne(refresh: DocumentRefresh, database: Database, connection: Connection): Promise<void> {
  const tenant = database.tenant(connection.organisationId)
  // Postpone first, so that a connection whose reading ends in a defect does not come first again.
  await putOffDocuments(tenant, connection.id, secondsAfter(secondsBefore(tenant.now, halfDay), hour))
  const refusal = await readDocuments({ ...refresh, database }, connection, tenant.now)
  if (refusal) await reportFailure({ ...refresh, database }, connection, refusal)
  else await noteDocuments(tenant, connection.id)
}
