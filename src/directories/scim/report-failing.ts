import { sql } from 'kysely'
import { systemActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { secondsBefore } from '../../platform/clock.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import { presentTime } from '../../platform/http/fields.ts'
import type { Task } from '../../platform/jobs/tasks.ts'
import { directoryInHistory } from '../present-directory.ts'

const daySeconds = 86_400
const keptDays = 7
const silentDays = 7
const batchSize = 200

/** Records once, with its event, that a directory is failing. The caller has noted since when. */
export async function recordFailing(tenant: Tenant, id: string): Promise<void> {
  const directory = await tenant.selectFrom('directories').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const status = { state: 'failing', since: presentTime(directory.failingSince), error: directory.lastError }
  await record(tenant, systemActor, { action: 'directory.failing', directory: { ...directoryInHistory(directory), status } })
}

/** Reports directories that have worked and have not been heard of for a week. */
export const reportSilentDirectories: Task = {
  name: 'report-silent-directories',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    const since = secondsBefore(system.now, silentDays * daySeconds)
    const { rows } = await sql<{ organisationId: string; id: string }>`
      select d.organisation_id, d.id from directories d join organisations o on o.id = d.organisation_id
      where d.is_active and d.failing_since is null and d.last_success_at is not null and d.last_request_at < ${since}
        and o.status in ('trial', 'active')
      order by d.last_request_at limit ${batchSize}`.execute(system)
    for (const { organisationId, id } of rows) await database.transaction(organisationId, (tenant) => noteSilence(tenant, id, since))
    return rows.length === batchSize
  },
}

async function noteSilence(tenant: Tenant, id: string, since: Date): Promise<void> {
  const noted = await tenant
    .updateTable('directories')
    .set({ failingSince: tenant.now, lastError: `No request for ${silentDays} days` })
    .where('id', '=', id)
    .where('failingSince', 'is', null)
    .where('lastRequestAt', '<', since)
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
