/** The embedded database for commands beside the service that has it open, through its socket. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packed } from '../../src/platform/database/embedded/answer-statements.ts'
import { findHolder, openControlSocket } from '../../src/platform/database/embedded/control-socket.ts'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { openOverSocket } from '../../src/platform/database/embedded/open-over-socket.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { runCommand, runProcess } from '../support/command.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

let folder: string
let ofService: Engine
let beside: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-beside-'))
  ofService = await openEmbedded(join(folder, 'database'))
  await openControlSocket(join(folder, 'database'), {
    engine: ofService,
    idleMilliseconds: 100,
    answer: async () => ({ refused: 'not asked here' }),
  })
  beside = (await openOverSocket(join(folder, 'database'))) as Engine
  await ofService.execute(query('create table things (id int primary key, text text)'))
})
afterAll(async () => {
  await beside.close()
  await ofService.close()
  await rm(folder, { recursive: true })
})

const query = (sql: string, ...parameters: unknown[]) => ({ sql, parameters })
const idsSeen = async () => (await ofService.execute<{ id: number }>(query('select id from things order by id'))).rows.map(({ id }) => id)

describe('the database of a service, through its socket', () => {
  it('returns what the service itself gets, of each type', async () => {
    const values = query(
      'select $1::timestamptz as time, $2::bytea as bytes, $3::bigint as number, $4::jsonb as document, $5::text[] as texts, null as nothing',
      new Date(1_000),
      Buffer.from([0, 255]),
      2 ** 40,
      JSON.stringify({ a: [1] }),
      ['ä', '\n'],
    )
    expect(await beside.execute(values)).toEqual(await ofService.execute(values))
  })

  it('commits what returns, and rolls back what throws', async () => {
    const insert = (id: number) => query('insert into things values ($1)', id)
    expect(await beside.transaction(async (own) => (await own.execute(insert(1))).numAffectedRows)).toBe(1n)
    const failed = beside.transaction(async (own) => {
      await own.execute(insert(2))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await idsSeen()).toEqual([1])
  })

  it('says by which constraint something is refused', async () => {
    await expect(beside.execute(query('insert into things values (1)'))).rejects.toMatchObject({ code: '23505', constraint: 'things_pkey' })
  })

  it('runs the setting of an organisation with its statement', async () => {
    const setUp = query("select set_config('app.organisation_id', 'org_1', true)")
    const read = query("select current_setting('app.organisation_id', true) as id")
    expect((await beside.execute(read, setUp)).rows).toEqual([{ id: 'org_1' }])
    expect((await beside.execute(read)).rows).not.toEqual([{ id: 'org_1' }])
  })

  it('rolls back the transaction of a command that is gone, and of one that has stopped', async () => {
    const gone = await findHolder(join(folder, 'database'))
    await gone?.ask({ kind: 'begin' })
    await gone?.ask({ kind: 'within', query: packed(query('insert into things values (3)')) })
    gone?.close()
    expect(await idsSeen()).toEqual([1])

    const stopped = await findHolder(join(folder, 'database'))
    await stopped?.ask({ kind: 'begin' })
    await stopped?.ask({ kind: 'within', query: packed(query('insert into things values (4)')) })
    // It waits for the end of the transaction.
    expect(await idsSeen()).toEqual([1])
    expect(await stopped?.ask({ kind: 'end', commits: true })).toMatchObject({
      failure: { message: expect.stringContaining('rolled back, since nothing was asked') },
    })
    stopped?.close()
  })
})

describe('a command beside a service with the embedded database', () => {
  it('works, but for those that need the database for themselves', async () => {
    const { environment, folder, remove } = await processHome()
    const service = await (await ServiceProcess.start(environment)).ready()
    try {
      expect(await runProcess(environment, 'organisation list --json')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('"acme"'),
      })
      expect(await runCommand(environment, 'user block owner@acme.test')).toMatchObject({
        status: 1,
        stderr: 'The organisation owner cannot be blocked\n',
      })
      expect(await runCommand(environment, 'migrate status --pending')).toEqual({ status: 0, stdout: 'No migrations\n', stderr: '' })
      expect(await runCommand(environment, ['organisation', 'export', 'acme', join(folder, 'acme.jsonl')])).toMatchObject({ status: 0 })
      const users = join(folder, 'users.csv')
      await writeFile(users, 'email,firstName,lastName\nanna@acme.test,Anna,Shaw\n')
      expect(await runCommand(environment, ['import', 'users', users, '--organisation', 'acme'])).toMatchObject({ status: 0 })
      expect(await runCommand(environment, 'user find anna@acme.test')).toMatchObject({ status: 0 })
      const examined = await runCommand({ ...environment, PUBLIC_URL: service.origin, PORT: new URL(service.origin).port }, 'doctor --json')
      expect(JSON.parse(examined.stdout).checks).toContainEqual(expect.objectContaining({ name: 'database-reachable', state: 'ok' }))
      for (const line of ['migrate up', 'database move --to postgres://nobody@127.0.0.1:1/none'])
        expect(await runCommand(environment, line)).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(
            new RegExp(`in use by process ${service.child.pid}, .*stop it, run this again, and start it afterwards\n$`),
          ),
        })
    } finally {
      await service.end('SIGKILL')
      await remove()
    }
  })
})
