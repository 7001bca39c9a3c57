/**
 * Which statements the service has sent to the database while the tests of a file ran. `test/both-databases.json` is made of them, and at
 * the end of a whole run each that PostgreSQL has run must have run on the embedded database, too.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { QueryResult } from 'kysely'
import type { Engine, Query } from '../../src/platform/database/engine.ts'

declare module 'vitest' {
  interface TaskMeta {
    statements?: string[]
  }
}

/** On whose behalf the service works. Not set within a test that asks the database itself. */
const occasions = new AsyncLocalStorage<'request' | 'task'>()
channel('http.server.request.start').subscribe(() => occasions.enterWith('request'))

/** Runs what a test asks of the service in another way than by a request. */
export const asRequest = <T>(work: () => T): T => occasions.run('request', work)

/** Starts the service: its tasks run when it is time, whatever test runs then. */
export const withTasks = <T>(start: () => T): T => occasions.run('task', start)

/** Whether a test has added the constraint, to see what a refused statement leaves. Those of the service are named otherwise. */
const isOfTest = (constraint: string) => constraint.endsWith('_stays')

const byTask = ' -- by a task'

/** Whether it comes by chance which test is running when it is sent. */
export const isByTask = (text: string): boolean => text.endsWith(byTask)

/** As they were sent, since the last test. */
let sent = new Set<string>()
/** Of what begins before a test, such as the start of a service. */
let ofFile = new Set<string>()
/** By the text that was sent. */
const normalised = new Map<string, string>()

/**
 * The statement, whatever the number of its values. A list of values, or of rows of them, is as one.
 */
export function normalise(sql: string): string {
  return sql
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(\$(?:::[\w[\]]+)?)(?:, ?\$(?:::[\w[\]]+)?)*/g, '$1')
    .replaceAll(/(\([^()]*\))(?:, ?\1)+/g, '$1')
    .trim()
}

/** The engine, with a note of each statement of the service, and of each of its constraints that refused it. */
export function notingEngine(engine: Engine): Engine {
  const noting = <Row>({ sql }: Query, result: Promise<QueryResult<Row>>): Promise<QueryResult<Row>> => {
    const occasion = occasions.getStore()
    if (!occasion) return result
    const end = occasion === 'task' ? byTask : ''
    sent.add(sql + end)
    return result.catch((error) => {
      if (error.constraint && !isOfTest(error.constraint)) sent.add(`${sql} -- ${error.constraint}${end}`)
      throw error
    })
  }
  const { listRead } = engine
  return {
    ...engine,
    execute: (query, setUp) => noting(query, engine.execute(query, setUp)),
    pointRead: (query, setUp) => noting(query, engine.pointRead(query, setUp)),
    ...(listRead && { listRead: <Row>(query: Query, setUp?: Query) => noting<Row>(query, listRead(query, setUp)) }),
    keyedWrite: (query, key) => noting(query, engine.keyedWrite(query, key)),
    transaction: (work, setUp) =>
      engine.transaction((transaction) => work({ execute: (query) => noting(query, transaction.execute(query)) }), setUp),
  }
}

/** Whatever was sent since the last test is not of the next one. */
export function leaveToFile(): void {
  ofFile = ofFile.union(sent)
  sent = new Set()
}

/** Those since the last test. */
export function takeStatementsOfTest(): string[] {
  const texts = textsOf(sent)
  sent = new Set()
  return texts
}

/** All others of the file: where each test has not taken its own, all. */
export function takeStatementsOfFile(): string[] {
  leaveToFile()
  const texts = textsOf(ofFile)
  ofFile = new Set()
  return texts
}

function textsOf(statements: ReadonlySet<string>): string[] {
  const texts = new Set<string>()
  for (const sql of statements) {
    const text = normalised.get(sql) ?? normalise(sql)
    normalised.set(sql, text)
    texts.add(text)
  }
  return [...texts]
}
