import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { deleteBatch } from '../database/delete-batch.ts'
import type { Task } from '../jobs/tasks.ts'
import type { Counters } from './counters.ts'

/** Counters in PostgreSQL, which all processes share. */
export function countInDatabase(database: Database): Counters {
  async function fullUntil(key: string, max: number): Promise<Date | undefined> {
    const system = database.system()
    const { rows } = await sql<{ endsAt: Date }>`
      select ends_at from rate_limits where key = ${key} and count >= ${max} and ends_at > ${system.now}`.execute(system)
    return rows[0]?.endsAt
  }

  return {
    async take(key, { max, windowSeconds }) {
      const system = database.system()
      const endsAt = secondsAfter(system.now, windowSeconds)
      // A full window returns no row.
      const { rows } = await sql<{ count: number }>`
        insert into rate_limits as window_of (key, count, ends_at) values (${key}, 1, ${endsAt})
        on conflict (key) do update set
          count = case when window_of.ends_at > ${system.now} and window_of.count > 0 then window_of.count + 1 else 1 end,
          ends_at = case when window_of.ends_at > ${system.now} and window_of.count > 0 then window_of.ends_at else excluded.ends_at end
        where window_of.count < ${max} or window_of.ends_at <= ${system.now}
        returning window_of.count`.execute(system)
      if (rows[0]) return rows[0]
      // One was released in between: the next request gets it.
      return { fullUntil: (await fullUntil(key, max)) ?? system.now }
    },
    fullUntil: (key, { max }) => fullUntil(key, max),
    async release(key) {
      const system = database.system()
      await sql`update rate_limits set count = count - 1 where key = ${key} and count > 0 and ends_at > ${system.now}`.execute(system)
    },
    async fill(key, { max }, until) {
      await sql`
        insert into rate_limits (key, count, ends_at) values (${key}, ${max}, ${until})
        on conflict (key) do update set count = excluded.count, ends_at = excluded.ends_at`.execute(database.system())
    },
    async forget(key) {
      await sql`delete from rate_limits where key = ${key}`.execute(database.system())
    },
    async close() {},
  }
}

/** Removes the windows that have ended. */
export const removeEndedWindows: Task = {
  name: 'remove-ended-rate-limit-windows',
  everySeconds: 600,
  run(database) {
    const system = database.system()
    return deleteBatch(system, 'rate_limits', sql`ends_at <= ${system.now}`)
  },
}
