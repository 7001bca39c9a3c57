import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import { vacuumTables } from '../../src/platform/jobs/vacuum-tables.ts'
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

  it('is read by the same role afterwards, also when a table could not be vacuumed', async () => {
    const engine = await freshEngine()
    onTestFinished(() => engine.close())
    const database = createDatabase(engine, clock)
    const role = async () => (await sql`select current_user as role`.execute(database.system())).rows

    await database.vacuum?.('rate_limits')
    expect(await role()).toEqual([{ role: 'gatehouse_system' }])
    await expect(database.vacuum?.('no such table')).rejects.toThrow('no such table')
    expect(await role()).toEqual([{ role: 'gatehouse_system' }])
  })
})
