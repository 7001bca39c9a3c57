import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { removeEndedWindows } from '../../src/platform/rate-limits/database-counters.ts'
import { databaseKind, freshEngine, freshPostgresUrl } from '../support/database.ts'

const now = new Date('2026-01-31T09:30:00Z')
const clock = { now: () => now }
const ended = new Date(now.getTime() - 1_000)
const later = new Date(now.getTime() + 60_000)

describe('a task that cleans up', () => {
  it('deletes at most 1,000 rows at a time, and only expired ones', async () => {
    const engine = await freshEngine()
    onTestFinished(() => engine.close())
    const database = createDatabase(engine, clock)
    const insert = (prefix: string, count: number, endsAt: Date) =>
      sql`insert into rate_limits (key, count, ends_at) select ${prefix} || n, 1, ${endsAt} from generate_series(1, ${count}::integer) n`.execute(
        database.system(),
      )
    await insert('ended ', 1_500, ended)
    await insert('open ', 3, later)
    const countOf = async () => (await sql`select from rate_limits`.execute(database.system())).rows.length

    expect(await removeEndedWindows.run(database)).toBe(true)
    expect(await countOf()).toBe(503)
    expect(await removeEndedWindows.run(database)).toBe(false)
    expect(await countOf()).toBe(3)
  })

  it.runIf(databaseKind() === 'postgres')('leaves a row that is renewed while it runs', async () => {
    const url = await freshPostgresUrl()
    const engine = openPostgres(url, { poolSize: 2 })
    onTestFinished(() => engine.close())
    await migrate(engine)
    const connect = async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }
    const other = await connect()
    // A transaction sees the activity as of its first query.
    const observer = await connect()
    await other.query(`insert into rate_limits (key, count, ends_at) values ('a', 5, $1), ('b', 5, $1)`, [ended])

    await other.query('begin')
    await other.query(`update rate_limits set count = 1, ends_at = $1 where key = 'a'`, [later])
    const removal = removeEndedWindows.run(createDatabase(engine, clock))
    const isWaiting = async () =>
      (await observer.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from%rate_limits%'`))
        .rowCount
    while (!(await isWaiting()));
    await other.query('commit')
    await removal

    expect((await other.query('select key, count from rate_limits')).rows).toEqual([{ key: 'a', count: 1 }])
  })
})
