import { sql } from 'kysely'
import { type DirectoryMistake, directoryMistakes, mistakeInWords } from '../../../shared/directory-mistakes/texts.ts'
import { systemActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { isServedSince } from '../../organisations/queries.ts'
import { secondsBefore } from '../../platform/clock.ts'
import type { System, Tenant } from '../../platform/database/database.ts'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import { forEachRow } from '../../platform/jobs/for-each-row.ts'
import type { Task } from '../../platform/jobs/tasks.ts'
import { storedError } from '../last-error.ts'
import { directoryInHistory, presentStatus } from '../present-directory.ts'

const daySeconds = 86_400
const keptDays = 7
const silentDays = 7
const silence: DirectoryMistake = { code: 'silent', expected: String(silentDays), received: null }
const batchSize = 200

/** Records once, with its event, that a directory is failing. The caller has noted since when. */
export async function recordFailing(tenant: Tenant, id: string): Promise<void> {
  const directory = await tenant.selectFrom('directories').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await record(tenant, systemActor, {
    action: 'directory.failing',
    directory: { ...directoryInHistory(directory), status: presentStatus(directory) },
  })
}

/**
 * Reports directories that have worked and have not been heard of for a week. The week begins again with a change of their settings, and when
 * their organisation is served again: one that is switched on after a pause has had no time to call.
 */
export const reportSilentDirectories: Task = {
  name: 'report-silent-directories',
  everySeconds: 3_600,
  async run(database, stopping) {
    const system = database.system()
    const since = secondsBefore(system.now, silentDays * daySeconds)
    return forEachRow(
      {
        next: (after: SilentDirectory | undefined) => findSilent(system, since, after?.id ?? ''),
        failure: ({ organisationId, id }) => `the silent directory ${id} of ${organisationId} could not be reported`,
        atMost: batchSize,
        stopping,
      },
      ({ organisationId, id }) => database.transaction(organisationId, (tenant) => noteSilence(tenant, id, since)),
    )
  },
}

interface SilentDirectory {
  organisationId: string
  id: string
}

async function findSilent(system: System, since: Date, afterId: string): Promise<SilentDirectory[]> {
  const { rows } = await sql<SilentDirectory>`
    select d.organisation_id, d.id from directories d
    where d.is_active and d.failing_since is null and d.last_success_at is not null and d.last_request_at < ${since}
      and d.updated_at < ${since} and d.id > ${afterId} and ${isServedSince('d.organisation_id', since)}
    order by d.id limit ${batchSize}`.execute(system)
  return rows
}

async function noteSilence(tenant: Tenant, id: string, since: Date): Promise<void> {
  const noted = await tenant
    .updateTable('directories')
    .set({ failingSince: tenant.now, lastError: storedError(mistakeInWords(directoryMistakes, silence), silence) })
    .where('id', '=', id)
    .where('failingSince', 'is', null)
    .where('isActive', '=', true)
    .where('lastRequestAt', '<', since)
    .where('updatedAt', '<', since)
    .returning('id')
    .executeTakeFirst()
  if (noted) await recordFailing(tenant, id)
}

/** Removes requests from the logs of directories after a week. */
export const removeOldDirectoryRequests: Task = {
  name: 'remove-old-directory-requests',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    return deleteBatch(system, 'directory_requests', sql`created_at < ${secondsBefore(system.now, keptDays * daySeconds)}`)
  },
}
