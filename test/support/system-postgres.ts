import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const versions = '/usr/lib/postgresql'
const folders = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : []

/** The programs of the operating system's PostgreSQL, such as `pg_dump`, which npm's binaries lack; undefined where there are none. */
export const systemPostgres = folders.filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_dump'))).at(-1)

/** Starts that PostgreSQL, which asks for no password. @returns its address, with a superuser */
export async function startSystemPostgres(programs: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-system-postgres-'))
  // PostgreSQL refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  if (asUser.length > 0) await chown(folder, await idOf('-u'), await idOf('-g'))
  const [initdb = '', ...words] = [
    ...asUser,
    join(programs, 'initdb'),
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '--no-sync',
  ]
  await run(initdb, [...words, folder])
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((one) => ['-c', one])
  const [postgres = '', ...parameters] = [...asUser, join(programs, 'postgres'), '-D', folder, ...settings]
  const server = spawn(postgres, parameters, { stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  while (!(await accepts(url))) {
    if (server.exitCode !== null) throw new Error(`${postgres} ended with ${server.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    async stop() {
      // It ends all connections, and itself.
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const idOf = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout)

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
