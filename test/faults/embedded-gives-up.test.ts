import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import { channels } from '../../src/platform/database/locks-and-channels.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import { isDatabaseGone } from '../../src/platform/database/outage.ts'
import { TestClock } from '../support/test-clock.ts'

/** A migrated database in a folder of its own. */
async function installed() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-gives-up-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const engine = await openEngine({ databaseUrl: undefined, dataDir: folder })
  onTestFinished(() => engine.close())
  await migrate(engine)
  const database = createDatabase(engine, new TestClock())
  return { folder, engine, database, system: () => database.system() }
}

describe('the embedded database that cannot write its log', () => {
  it('gives up, starts again when it can, and has all that was acknowledged', async () => {
    const { folder, database, system } = await installed()
    let notices = 0
    await database.listen(channels.domains, () => notices++)
    const acknowledged: string[] = []
    const write = async (key: string) => {
      await sql`insert into tasks (name, next_run_at) values (${key}, now())`.execute(system())
      acknowledged.push(key)
      await sql`select pg_logical_emit_message(true, 'filling', repeat('x', 100000))`.execute(system())
    }
    await write('before')
    const [log, away] = [join(folder, 'database', 'pg_wal'), join(folder, 'pg_wal')]

    await rename(log, away)
    const failures: unknown[] = []
    for (let number = 0; failures.length === 0; number++) await write(`key ${number}`).catch((error) => failures.push(error))
    expect(String(failures[0])).toMatch(/connection terminated: PANIC: .*pg_wal/)
    // A transaction that had begun does not continue in another session.
    const refused = database.systemTransaction(async (inside) => {
      await sql`select 1`.execute(inside)
    })
    await expect(refused).rejects.toThrow('connection terminated')
    await rename(away, log)

    await expect.poll(() => sql`select 1`.execute(system()).then(() => 'answers', String), { interval: 100 }).toBe('answers')
    const { rows } = await sql<{ name: string; role: string }>`select name, current_user as role from tasks`.execute(system())
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['gatehouse_system']))
    const before = notices
    await sql`select pg_notify(${channels.domains}, '')`.execute(system())
    await expect.poll(() => notices).toBeGreaterThan(before)
  })
})

describe('the embedded database whose thread ends in another way', () => {
  it('is unreachable for a moment, starts again, and has all that was acknowledged', async () => {
    const { engine, system } = await installed()
    await sql`insert into tasks (name, next_run_at) values ('before', now())`.execute(system())
    // With a limit that is too high, what calls itself runs out of the stack of the thread.
    const failed = engine
      .ownerTransaction(async (transaction) => {
        const run = (statement: string) => transaction.execute({ sql: statement, parameters: [] })
        await run(`set local max_stack_depth = '7MB'`)
        await run('create function again(n integer) returns integer language plpgsql as $$ begin return again(n + 1); end $$')
        await run('select again(1)')
      })
      .catch((error: unknown) => error)
    expect(await failed).toMatchObject({ message: expect.stringMatching(/^connection terminated: .*(stack|memory)/) })
    expect(await failed).toSatisfy(isDatabaseGone)

    await expect.poll(() => sql`select 1`.execute(system()).then(() => 'answers', String), { interval: 100 }).toBe('answers')
    const { rows } = await sql`select name, current_user as role from tasks`.execute(system())
    expect(rows).toEqual([{ name: 'before', role: 'gatehouse_system' }])
  })
})
