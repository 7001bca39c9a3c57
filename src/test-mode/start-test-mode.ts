import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../app/config.ts'
import { startEmbedded } from '../platform/database/embedded/start-embedded.ts'
import type { Engine } from '../platform/database/engine.ts'
import { reservePort } from '../platform/http/reserve-port.ts'
import { environmentOfTest } from './may-run.ts'
import { migratedDatabase } from './migrated-database.ts'
import type { TestMode, TestModeOptions } from './start-on.ts'

/**
 * Starts the service itself for tests: its database in memory, its clock, mails, text messages and webhooks in the test's hands.
 *
 * @throws ConfigError for an environment, or a database, that may be that of an installation
 */
export async function startTestMode(options: TestModeOptions): Promise<TestMode> {
  const { environment } = options
  // It refuses before anything is opened.
  readConfig(environmentOfTest(environment, { port: 1, dataDir: tmpdir() }))
  const port = await reservePort({ port: options.port, host: '127.0.0.1' })
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-mode-'))
  const config = { ...readConfig(environmentOfTest(environment, { port: port.port, dataDir })), bootstrap: undefined }
  const engine = await openEngine(config.databaseUrl, environment, dataDir)
  // Loaded only now: the embedded database starts in its own thread meanwhile.
  const { startOn } = await import('./start-on.ts')
  return startOn({ config, engine, port }, options)
}

async function openEngine(databaseUrl: string | undefined, environment: TestModeOptions['environment'], dataDir: string): Promise<Engine> {
  if (databaseUrl === undefined) return startEmbedded({ archive: await migratedDatabase(environment, dataDir) })
  const { openPostgres } = await import('../platform/database/postgres.ts')
  return openPostgres(databaseUrl, { poolSize: 10 })
}
