import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { finishExport } from '../organisations/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { exportOrganisation } from './export-organisation.ts'

const atMost = 10

/** Writes the export of each organisation that has been cancelled to `exports` in the data directory. */
export const exportCancelledOrganisations = (dataDir: string): Task => ({
  name: 'export-cancelled-organisations',
  everySeconds: 60,
  async run(database, stopping) {
    return forEachRow(
      {
        next: (after: PendingExport | undefined) => listPendingExports(database, after?.organisationId ?? ''),
        failure: ({ organisationId }) => `the export of ${organisationId} could not be written`,
        atATime: atMost,
        atMost,
        stopping,
      },
      (scheduled) => writeExport(database, join(dataDir, 'exports'), scheduled),
    )
  },
})

interface PendingExport {
  organisationId: string
  scheduledAt: Date
}

async function listPendingExports(database: Database, afterId: string): Promise<PendingExport[]> {
  return database
    .system()
    .selectFrom('organisationExports')
    .select(['organisationId', 'scheduledAt'])
    .where('finishedAt', 'is', null)
    .where('organisationId', '>', afterId)
    .orderBy('organisationId')
    .limit(atMost)
    .execute()
}

async function writeExport(database: Database, folder: string, { organisationId, scheduledAt }: PendingExport): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Every attempt uses the same name, so the next one overwrites the file of an interrupted one.
  // Releases that imported ids of any form may have left one that names a path.
  const file = join(folder, `${encodeURIComponent(organisationId)}-${scheduledAt.toISOString().replace(/\D/g, '').slice(0, 14)}.json`)
  await pipeline(
    Readable.from(exportOrganisation(database, organisationId)),
    createWriteStream(`${file}.part`, { mode: 0o600, flush: true }),
  )
  await rename(`${file}.part`, file)
  await finishExport(database.tenant(organisationId), scheduledAt)
}
