import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/platform/database/engine.ts'
import { advisoryLocks } from '../../src/platform/database/locks-and-channels.ts'
import { migrationState, rehearsePending } from '../../src/platform/database/migrate.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import { rehearseMigrations } from '../../src/platform/database/rehearse-migrations.ts'
import { recordsOf, runCommand } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'

const pending = '0099-imported-users'

describe('gatehouse migrate status --rehearse', () => {
  let home: ProcessHome
  const rehearse = (line = '') => runCommand(home.environment, `migrate status --rehearse ${line}`)
  async function onDatabase<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: home.environment.DATA_DIR as string })
    return work(engine).finally(() => engine.close())
  }
  const asOwner = (sql: string) => onDatabase((engine) => engine.ownerTransaction((owner) => owner.execute({ sql, parameters: [] })))
  const migrationNames = () =>
    onDatabase(async (engine) =>
      Object.values(await migrationState(engine))
        .flat()
        .sort(),
    )
  /** Every relation, function and schema, and what has been applied. */
  const everything = async () =>
    (
      await asOwner(`select 'relation ' || oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace
        union all select 'schema ' || nspname from pg_namespace where nspname not like 'pg\\_%'
        union all select 'function ' || oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
        union all select 'applied ' || name from kysely_migration order by 1`)
    ).rows
  beforeAll(async () => {
    home = await processHome()
  })
  afterAll(() => home.remove())

  it('says that nothing is pending', async () => {
    expect(await rehearse()).toEqual({ status: 0, stdout: 'No migrations\n', stderr: '' })
  })

  it('says how long each pending one took and which locks it held, and leaves nothing behind', async () => {
    await asOwner(`delete from kysely_migration where name = '${pending}'`)
    const before = await everything()

    const { status, stdout, stderr } = await rehearse()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(
      new RegExp(
        `^NAME +MILLISECONDS +LOCKS\\n${pending} +\\d+ +organisations ShareRowExclusiveLock \\(holds up writes.*\\), users ShareRowExclusiveLock \\(holds up writes.*\\)\\n\\nThe tables of the copy are empty`,
      ),
    )
    const [record] = recordsOf(await rehearse('--json'))
    expect(record).toMatchObject({ name: pending, milliseconds: expect.any(Number), failure: null })
    expect(record?.locks).toContainEqual({
      table: 'users',
      mode: 'ShareRowExclusiveLock',
      holdsUp: 'writes',
      rows: expect.toBeOneOf([null, expect.any(Number)]),
      writesAnHour: expect.toBeOneOf([null, expect.any(Number)]),
    })
    expect(await everything()).toEqual(before)
  })

  it.runIf(databaseKind() === 'postgres')('can be run twice at once', async () => {
    const before = await everything()
    const results = await Promise.all([rehearse('--json'), rehearse('--json')])
    for (const result of results) {
      expect(result).toMatchObject({ status: 0, stderr: '' })
      expect(recordsOf(result)).toMatchObject([{ name: pending, failure: null }])
    }
    expect(await everything()).toEqual(before)
  })

  it.runIf(databaseKind() === 'postgres')(
    'leaves the roles of the server as they are, and waits for no transaction that adds a permission',
    async () => {
      const members = () =>
        asOwner(`select roleid::regrole::text, member::regrole::text, grantor::regrole::text from pg_auth_members
          where member = session_user::regrole::oid order by 1`).then(({ rows }) => rows)
      const other = new pg.Client({ connectionString: home.environment.DATABASE_URL })
      await other.connect()
      await other.query(`begin; select pg_advisory_xact_lock(${advisoryLocks.permissions})`)
      const applied = (await migrationNames()).filter((name) => name < '0070')
      const roles = await onDatabase(async (engine) => {
        const before = await members()
        const statements: string[] = []
        const watched: Engine = {
          ...engine,
          ownerTransaction: (work) =>
            engine.ownerTransaction((owner) =>
              work({
                execute(query) {
                  statements.push(query.sql)
                  return owner.execute(query)
                },
              }),
            ),
        }
        await rehearsePending(watched, { applied, pending: (await migrationNames()).slice(applied.length), unknown: [] })
        expect(statements.filter((text) => /\b(create|alter) role\b|grant .*gatehouse_\w+"? to (current_user|%I)/i.test(text))).toEqual([])
        return { before, after: await members() }
      })
      await other.end()
      expect(roles.after).toEqual(roles.before)
    },
  )

  it.runIf(databaseKind() === 'postgres')('waits for no lock on the tables of the service, and takes none', async () => {
    const other = new pg.Client({ connectionString: home.environment.DATABASE_URL })
    await other.connect()
    await other.query('begin; lock table users, organisations, audit_logs in access exclusive mode')
    try {
      expect(await rehearse()).toMatchObject({ status: 0, stderr: '' })
    } finally {
      await other.end()
    }
  })

  it('says of one that cannot be applied why, tries none after it, and keeps nothing', async () => {
    const before = await everything()
    const folder = pathToFileURL(`${home.folder}/`)
    const file = async (name: string, text: string): Promise<[string, URL]> => {
      const url = new URL(`${name}.mjs`, folder)
      await writeFile(url, text)
      return [name, url]
    }
    const query = (sql: string) =>
      `export const up = (database) => database.executeQuery({ sql: ${JSON.stringify(sql)}, parameters: [], query: { kind: 'RawNode' } })`
    const files = new Map([
      await file('0001-made', query('create table made (id int)')),
      await file('0002-fails', query('select nothing from made')),
      await file('0003-next', query('drop table made')),
    ])
    const rehearsed = await onDatabase((engine) =>
      rehearseMigrations(engine, { applied: ['0001-made'], pending: ['0002-fails', '0003-next'], files }),
    )
    expect(rehearsed).toEqual([
      {
        name: '0002-fails',
        milliseconds: expect.any(Number),
        locks: [],
        concurrentIndexes: [],
        failure: 'column "nothing" does not exist',
      },
    ])
    expect(await everything()).toEqual(before)
  })
})
