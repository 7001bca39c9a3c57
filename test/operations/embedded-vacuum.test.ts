import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import { analyseTables, vacuumTables } from '../../src/platform/jobs/maintain-tables.ts'
import { freshEngine } from '../support/database.ts'

const clock = { now: () => new Date('2026-01-31T09:30:00Z') }

describe('the embedded database', () => {
  it('does not grow with rows that come and go', async () => {
    const engine = await freshEngine()
    onTestFinished(() => engine.close())
    const database = createDatabase(engine, clock)
    const bytesOf = async () =>
      (await sql<{ bytes: number }>`select pg_relation_size('rate_limits') as bytes`.execute(database.system())).rows[0]?.bytes
    const comeAndGo = async () => {
      await sql`insert into rate_limits (key, count, ends_at) select 'key ' || n, 1, now() from generate_series(1, 20000) n`.execute(
        database.system(),
      )
      await sql`delete from rate_limits`.execute(database.system())
    }

    await comeAndGo()
    const once = await bytesOf()
    expect(once).toBeGreaterThan(1_000_000)
    for (let times = 0; times < 3; times++) {
      await vacuumTables.run(database)
      await comeAndGo()
    }

    expect(await bytesOf()).toBe(once)
  })

  it('knows what its tables hold, and looks again once a fifth of their rows have changed', async () => {
    const engine = await freshEngine()
    onTestFinished(() => engine.close())
    const database = createDatabase(engine, clock)
    const insert = (from: number, to: number) =>
      sql`insert into rate_limits (key, count, ends_at) select 'key ' || n, 1, now() from generate_series(${from}::int, ${to}::int) n`.execute(
        database.system(),
      )
    const known = async () => {
      // It notes at most once a second how many rows have changed.
      await sql`select pg_stat_force_next_flush()`.execute(database.system())
      await analyseTables.run(database)
      const { rows } = await sql<{ name: string; rows: number }>`
        select relname as name, reltuples::int as rows from pg_class
        where relname = any('{rate_limits,users}') and reltuples >= 0`.execute(database.system())
      return rows
    }

    await insert(1, 400)
    expect(await known()).toEqual([])
    await insert(401, 5_000)
    expect(await known()).toEqual([{ name: 'rate_limits', rows: 5_000 }])
    await insert(5_001, 6_000)
    expect(await known()).toEqual([{ name: 'rate_limits', rows: 5_000 }])
    await insert(6_001, 8_000)
    expect(await known()).toEqual([{ name: 'rate_limits', rows: 8_000 }])
  })

  it('is read by the same role afterwards, also when a table could not be looked after', async () => {
    const engine = await freshEngine()
    onTestFinished(() => engine.close())
    const database = createDatabase(engine, clock)
    const role = async () => (await sql`select current_user as role`.execute(database.system())).rows

    await database.maintain?.('vacuum', 'rate_limits')
    expect(await role()).toEqual([{ role: 'gatehouse_system' }])
    await expect(database.maintain?.('analyze', 'no such table')).rejects.toThrow('no such table')
    expect(await role()).toEqual([{ role: 'gatehouse_system' }])
  })
})
