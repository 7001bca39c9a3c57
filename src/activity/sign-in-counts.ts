import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { daysBefore, secondsBefore } from '../platform/clock.ts'
import type { System, Tenant } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

const quarterMilliseconds = 15 * 60_000
/** The longest day of any time zone: Troll in Antarctica changes its clocks by two hours. */
const longestDaySeconds = 26 * 3_600
const longAgo = new Date(0)
const storedDays = 400
const foldedAtOnce = 1_000

/** The quarter of an hour that contains a time. In every time zone, hours and days begin with a quarter. */
const quarterOf = (time: Date) => new Date(Math.floor(time.getTime() / quarterMilliseconds) * quarterMilliseconds)

/**
 * Counts a successful sign-in, in the statement that records it.
 *
 * @param previousAt when the user had signed in before
 */
export function countSuccess(tenant: Tenant, previousAt: Date | null): RawBuilder<unknown> {
  const quarterAt = quarterOf(tenant.now)
  const isRecent = previousAt !== null && previousAt >= secondsBefore(quarterAt, longestDaySeconds)
  return insertChange({ quarterAt, previousAt: isRecent ? quarterOf(previousAt) : longAgo, succeeded: 1, failed: 0 })
}

/** Counts a failed sign-in to an existing account, in the statement that records it. */
export const countFailure = (tenant: Tenant): RawBuilder<unknown> =>
  insertChange({ quarterAt: quarterOf(tenant.now), previousAt: longAgo, succeeded: 0, failed: 1 })

interface Change {
  quarterAt: Date
  previousAt: Date
  succeeded: number
  failed: number
}

/** Rows are appended and never updated, so no sign-in waits for another. */
const insertChange = ({ quarterAt, previousAt, succeeded, failed }: Change) => sql`
  insert into sign_in_count_changes (quarter_at, previous_at, succeeded, failed)
  values (${quarterAt}, ${previousAt}, ${succeeded}, ${failed})`

// One statement, so that every sum includes each change exactly once. Concurrent folds take different changes.
const fold = `
  with folded as (
    delete from sign_in_count_changes
    where ctid = any(array(select ctid from sign_in_count_changes limit ${foldedAtOnce} for update skip locked))
    returning organisation_id, quarter_at, previous_at, succeeded, failed
  ), stored as (
    insert into sign_in_counts (organisation_id, quarter_at, previous_at, succeeded, failed)
    select organisation_id, quarter_at, previous_at, sum(succeeded), sum(failed) from folded group by 1, 2, 3 order by 1, 2, 3
    on conflict (organisation_id, quarter_at, previous_at)
      do update set succeeded = sign_in_counts.succeeded + excluded.succeeded, failed = sign_in_counts.failed + excluded.failed
  )
  select count(*) as count from folded`

/**
 * Folds the counted sign-ins, so that a sum reads few rows. The sums do not change.
 *
 * @returns whether there may be more
 */
export async function foldSignIns(system: System): Promise<boolean> {
  const query = CompiledQuery.raw(fold) as CompiledQuery<{ count: number }>
  const { rows } = await system.getExecutor().executeQuery(query)
  return (rows[0]?.count ?? 0) >= foldedAtOnce
}

export const foldCountedSignIns: Task = {
  name: 'fold-counted-sign-ins',
  everySeconds: 10,
  run: (database) => foldSignIns(database.system()),
}

export const removeOldSignInCounts: Task = {
  name: 'remove-old-sign-in-counts',
  everySeconds: 3_600,
  run(database) {
    const system = database.system()
    return deleteBatch(system, 'sign_in_counts', sql`quarter_at < ${daysBefore(system.now, storedDays)}`)
  },
}
