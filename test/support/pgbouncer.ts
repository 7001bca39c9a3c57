import process from 'node:process'
import { freePort } from './free-port.ts'
import { needs } from './needs.ts'
import { runSystemServer, systemProgram } from './system-program.ts'

const pgbouncer = systemProgram('pgbouncer')

export const needsPgBouncer = needs('pgbouncer', pgbouncer !== undefined)

/**
 * A real pgBouncer before a database.
 *
 * @param connections how many it has to the database
 */
export async function startPgBouncer(
  databaseUrl: string,
  connections: number,
  mode: 'transaction' | 'session' = 'transaction',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const port = await freePort()
  const settings = `[databases]
${pathname.slice(1)} = host=${hostname} port=${databasePort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 200
server_login_retry = 1
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`
  const { stop } = await runSystemServer(
    pgbouncer as string,
    { 'pgbouncer.ini': settings },
    { port, parameters: (folder) => [`${folder}/pgbouncer.ini`] },
  )
  return { url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`, stop }
}
