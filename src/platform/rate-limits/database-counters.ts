import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { deleteBatch } from '../database/delete-batch.ts'
import type { Task } from '../jobs/tasks.ts'
import type { Counters, Limit } from './counters.ts'

/**
 * Counters in PostgreSQL, which all processes share. What is limited is often slow, such as a request to another server: a count must not
 * begin the transaction in which a request with an `Idempotency-Key` then stays, with the row of the key locked.
 */
export function countInDatabase(database: Database): Counters {
  /** Shortens a window that ends later than one that opens now: it was opened before the clock was set back. */
  async function fullUntil(key: string, { max, windowSeconds }: Limit): Promise<Date | undefined> {
    const system = database.counting()
    const { rows } = await sql<{ endsAt: Date }>`
      select ends_at from rate_limits where key = ${key} and count >= ${max} and ends_at > ${system.now}`.execute(system)
    const endsAt = rows[0]?.endsAt
    const latest = secondsAfter(system.now, windowSeconds)
    if (!endsAt || endsAt <= latest) return endsAt
    await sql`update rate_limits set ends_at = ${latest} where key = ${key} and ends_at > ${latest}`.execute(system)
    return latest
  }

  return {
    async take(key, limit) {
      const { max, windowSeconds } = limit
      const system = database.counting()
      const endsAt = secondsAfter(system.now, windowSeconds)
      // A full window returns no row.
      const { rows } = await sql<{ count: number }>`
        insert into rate_limits as window_of (key, count, ends_at) values (${key}, 1, ${endsAt})
        on conflict (key) do update set
          count = case when window_of.ends_at > ${system.now} and window_of.count > 0 then window_of.count + 1 else 1 end,
          ends_at = case when window_of.ends_at > ${system.now} and window_of.count > 0 then least(window_of.ends_at, excluded.ends_at)
            else excluded.ends_at end
        where window_of.count < ${max} or window_of.ends_at <= ${system.now}
        returning window_of.count`.execute(system)
      if (rows[0]) return rows[0]
      // A count was released in between: the next request gets it.
      return { fullUntil: (await fullUntil(key, limit)) ?? system.now }
    },
    fullUntil,
    async release(key) {
      const system = database.counting()
      await sql`update rate_limits set count = count - 1 where key = ${key} and count > 0 and ends_at > ${system.now}`.execute(system)
    },
    async fill(key, { max }, until) {
      await sql`
        insert into rate_limits (key, count, ends_at) values (${key}, ${max}, ${until})
        on conflict (key) do update set count = excluded.count, ends_at = excluded.ends_at`.execute(database.counting())
    },
    async forget(key) {
      await sql`delete from rate_limits where key = ${key}`.execute(database.counting())
    },
    async close() {},
  }
}

export const removeEndedWindows: Task = {
  name: 'remove-ended-rate-limit-windows',
  everySeconds: 600,
  run(database) {
    const system = database.system()
    return deleteBatch(system, 'rate_limits', sql`ends_at <= ${system.now}`)
  },
}
