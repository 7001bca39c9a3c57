import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import buildService, { allocatorSettings, builtService, nodeFlags } from '../../test/support/built-service.ts'
import { onServer, urlOf } from '../../test/support/database-server.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { type StartedProcess, startProcess } from './started-process.ts'

const owner = { email: 'owner@bench.test', password: 'correct horse battery' }

export interface StartedService extends StartedProcess {
  databaseUrl: string
  /** Whether its database was made for it. */
  isNew: boolean
  /** Signs the owner of its one organisation in. @returns the headers of the session */
  signIn(): Promise<{ cookie: string; 'x-csrf-token': string }>
}

/**
 * Starts the built service on a PostgreSQL: the one that `DATABASE_URL` names, or else npm's.
 *
 * @param lasting the name of a database that is left when the service stops; a new one is used and dropped otherwise
 */
export async function startService(lasting?: string): Promise<StartedService> {
  const server = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL, stop: async () => {} } : await startPostgres({ ages: true })
  const name = lasting ?? `bench_${randomBytes(6).toString('hex')}`
  const isNew = (await onServer(server.url, `select from pg_database where datname = '${name}'`)).length === 0
  if (isNew) await onServer(server.url, `create database ${name}`)
  const databaseUrl = urlOf(server.url, name)
  buildService()
  const environment = {
    ...allocatorSettings,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(tmpdir(), name),
    BOOTSTRAP_OWNER_EMAIL: owner.email,
    BOOTSTRAP_OWNER_PASSWORD: owner.password,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  }
  const service = await startProcess(builtService, environment, '/readyz', nodeFlags, ['serve'])
  return {
    ...service,
    databaseUrl,
    isNew,
    async signIn() {
      const login = await fetch(`${service.origin}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(owner),
      })
      if (login.status !== 200) throw new Error(`The owner cannot sign in: ${login.status}`)
      const { csrfToken } = (await login.json()) as { csrfToken: string }
      return { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'x-csrf-token': csrfToken }
    },
    async stop() {
      await service.stop()
      if (!lasting) await onServer(server.url, `drop database ${name} with (force)`)
      await server.stop()
    },
  }
}
