import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { withReplica } from '../../src/platform/database/replica.ts'
import { onServer } from '../support/database-server.ts'
import { installation, wrongIn } from '../support/doctor.ts'
import { type PostgresWire, tapPostgres } from '../support/postgres-wire.ts'
import { type ReplicatedPostgres, type ReplicatedServer, startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { startTestService, type TestService } from '../support/service.ts'

let servers: ReplicatedPostgres
let wire: PostgresWire
let service: TestService

beforeAll(async () => {
  servers = await startReplicatedPostgres()
  wire = await tapPostgres(servers.replica.url)
  service = await startTestService({
    engine: withReplica(openPostgres(servers.primary.url, { poolSize: 6 }), openPostgres(wire.url, { poolSize: 6 })),
    environment: { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URL: wire.url },
  })
})

afterAll(async () => {
  await service?.stop()
  wire?.stop()
  await servers?.stop()
})

/** Makes a team and lists the teams at once. */
async function makeAndList(owner: { post: TestService['anonymous']['post']; get: TestService['anonymous']['get'] }, slug: string) {
  expect((await owner.post('/v1/admin/teams', { name: slug, slug })).status).toBe(201)
  const { status, body } = await owner.get('/v1/admin/teams?limit=100')
  expect(status).toBe(200)
  return (body as { data: { slug: string }[] }).data.map((team) => team.slug)
}

const readsOnReplica = () => wire.texts.filter((text) => /"teams"|"audit_log/.test(text)).length

describe('DATABASE_REPLICA_URL', () => {
  it('has lists read from the replica, never behind what was written before, and never of another organisation', async () => {
    const [one, other] = await Promise.all([service.given.organisation(), service.given.organisation()])
    for (let round = 0; round < 10; round++) {
      const [ofOne, ofOther] = await Promise.all([makeAndList(one.owner, `one-${round}`), makeAndList(other.owner, `other-${round}`)])
      expect(ofOne).toHaveLength(round + 1)
      expect(ofOne.every((slug) => slug.startsWith('one-'))).toBe(true)
      expect(ofOther).toHaveLength(round + 1)
    }
    expect(readsOnReplica()).toBeGreaterThan(0)
    // The replica is entered by the same door.
    expect(wire.texts).toContain('set role gatehouse_tenant')
  })

  it('reads the primary while the replica is behind', async () => {
    const { owner } = await service.given.organisation()
    await servers.replica.pause()

    expect(await makeAndList(owner, 'written-meanwhile')).toEqual(['written-meanwhile'])

    await servers.replica.resume()
  })

  it('is examined by the doctor, who names what keeps lists from being read there', async () => {
    const { primary, replica } = servers
    const engine = openPostgres(primary.url, { poolSize: 3 })
    onTestFinished(() => engine.close())
    const foundOf = async (DATABASE_REPLICA_URL: string) => {
      const { examine } = await installation({ engine, environment: { DATABASE_URL: primary.url, DATABASE_REPLICA_URL } })
      return (await examine()).checks.find(({ name }) => name === 'database-replica')
    }
    expect(await foundOf(replica.url)).toMatchObject({ state: 'ok' })
    expect(await foundOf(primary.url)).toMatchObject({
      state: 'warning',
      code: 'replica-not-read',
      seen: expect.stringMatching(/^DATABASE_REPLICA_URL is ".*": it is no replica, it takes writes itself$/),
      remedy: 'Name a streaming replica of DATABASE_URL',
    })
    expect(await foundOf(replica.url.replace(/:\d+\//, ':1/'))).toMatchObject({
      state: 'warning',
      seen: expect.stringMatching(/^DATABASE_REPLICA_URL is .*ECONNREFUSED/),
      remedy: expect.stringMatching(/^Start PostgreSQL there/),
    })
    await replica.pause()
    await onServer(primary.url, 'create table written_meanwhile ()')
    expect(await foundOf(replica.url)).toMatchObject({
      state: 'warning',
      seen: expect.stringMatching(/it is behind: after 5000 ms/),
      remedy: expect.stringMatching(/pg_stat_replication/),
    })
    await replica.resume()
    expect(await foundOf(replica.url)).toMatchObject({ state: 'ok' })
  })

  it('is no DATABASE_URL: the doctor says that it takes no writes', async () => {
    const DATABASE_URL = servers.replica.url
    const engine = openPostgres(DATABASE_URL, { poolSize: 3 })
    onTestFinished(() => engine.close())
    const { examine } = await installation({ engine, environment: { DATABASE_URL } })
    expect(wrongIn(await examine())).toEqual([
      expect.objectContaining({
        name: 'database-reachable',
        state: 'failure',
        code: 'database-read-only',
        seen: 'The database takes no writes',
        remedy: expect.stringMatching(/^Have DATABASE_URL name the primary/),
      }),
    ])
  })

  it('reads the primary when the replica is gone', async () => {
    const { owner } = await service.given.organisation()
    await servers.replica.stop()

    expect(await makeAndList(owner, 'without-replica')).toEqual(['without-replica'])
    expect((await owner.get('/v1/admin/audit-logs')).status).toBe(200)
    expect((await owner.get('/v1/admin/users/export')).status).toBe(200)
  })
})

describe('a replica of another time line', () => {
  let followed: ReplicatedPostgres
  beforeAll(async () => {
    followed = await startReplicatedPostgres({ replicas: 2 })
  })
  afterAll(() => followed?.stop())

  it('is not read once the service writes to another server, whose log has the same positions', async () => {
    const [former, successor, replica] = [followed.primary, followed.replica, followed.second as ReplicatedServer]
    const portOf = ({ url }: ReplicatedServer) => new URL(url).port
    await followed.replica.promote()
    // The replica follows it, and has replayed more than the other server has written.
    await onServer(successor.url, 'create table ahead as select n from generate_series(1, 10000) n')
    await expect.poll(() => onServer(replica.url, 'select count(*) from ahead').catch(() => [])).toEqual([{ count: '10000' }])

    const [one, other] = [successor, former].map(({ url }) => openPostgres(url, { poolSize: 2 })) as [Engine, Engine]
    let writable = one
    const primary: Engine = {
      ...one,
      execute: (query, setUp) => writable.execute(query, setUp),
      pointRead: (query, setUp) => writable.pointRead(query, setUp),
    }
    const engine = withReplica(primary, openPostgres(replica.url, { poolSize: 2 }))
    onTestFinished(async () => void (await Promise.all([engine.close(), other.close()])))
    const portRead = async () => {
      const { rows } = await (engine.listRead ?? expect.fail())<{ port: string }>({
        sql: "select current_setting('port') as port",
        parameters: [],
      })
      return rows[0]?.port
    }
    await expect.poll(portRead).toBe(portOf(replica))

    writable = other
    expect(await portRead()).toBe(portOf(former))
  })
})
