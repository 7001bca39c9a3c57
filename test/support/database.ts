/** Creates new, migrated databases of the kind that the run tests. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { startEmbedded } from '../../src/platform/database/embedded/start-embedded.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { onServer, urlOf } from './database-server.ts'

export type TestDatabase =
  | { kind: 'pglite'; folder: string; snapshot: string }
  | { kind: 'postgres'; serverUrl: string; run: string; template: string }

declare module 'vitest' {
  interface ProvidedContext {
    database: TestDatabase
  }
}

export const databaseKind = () => inject('database').kind

export async function freshEngine(): Promise<Engine> {
  const database = inject('database')
  if (database.kind === 'pglite') {
    const snapshot = await readFile(database.snapshot)
    return startEmbedded({ loadDataDir: new Blob([snapshot]) })
  }
  return openPostgres(await freshPostgresUrl(), { poolSize: 10 })
}

/** The URL of a migrated database for this test alone. Only when the run tests PostgreSQL. */
export async function freshPostgresUrl({ empty = false } = {}): Promise<string> {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('This run is about PGlite')
  const name = `${database.run}_${randomUUID().replaceAll('-', '')}`
  await onServer(database.serverUrl, `create database ${name}${empty ? '' : ` template ${database.template}`}`)
  return urlOf(database.serverUrl, name)
}
