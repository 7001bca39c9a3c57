/** Creates new, migrated databases of the kind that the run tests. */
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { inject } from 'vitest'
import { startEmbedded } from '../../src/platform/database/embedded/start-embedded.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { onServer, urlOf } from './database-server.ts'
import { timed } from './profile.ts'
import { notingEngine } from './sent-statements.ts'

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
    // A thread asks it more than enough for the optimising compiler to pay.
    return notingEngine(startEmbedded({ archive: database.snapshot, isBulk: true }))
  }
  const url = await freshPostgresUrl()
  const engine = notingEngine(openPostgres(url, { poolSize: 10 }))
  return { ...engine, close: () => engine.close().then(() => dropDatabase(url)) }
}

/**
 * The URL of a migrated database for this test alone. Only when the run tests PostgreSQL.
 *
 * @param like the URL of another one, to which no session is connected: a copy of that
 */
export async function freshPostgresUrl({ empty = false, like = '' } = {}): Promise<string> {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('This run is about PGlite')
  const name = `${database.run}_${randomUUID().replaceAll('-', '')}`
  // Its files are copied at once: the other way writes each of their pages to the log, too.
  const model = like ? databaseOf(like) : database.template
  const copied = empty ? '' : ` template ${model} strategy file_copy`
  await timed('database', () => onServer(database.serverUrl, `create database ${name}${copied}`))
  return urlOf(database.serverUrl, name)
}

/** Gives back the room of a database that a test is done with, unless a developer needs to look at it. */
export async function dropDatabase(url: string): Promise<void> {
  const database = inject('database')
  if (database.kind !== 'postgres' || process.env.KEEP_DATABASES) return
  await onServer(database.serverUrl, `drop database if exists ${databaseOf(url)} with (force)`)
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1)
