/** Runs in a thread of its own: PostgreSQL, and what `startEmbedded` asks of it, one thing after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import { startPglite } from './pglite-options.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** Statements stop at the first that fails; of what they return only the last is answered. */
export type Task =
  | { kind: 'run' | 'run-in-transaction'; statements: readonly Statement[] }
  | { kind: 'listen'; channel: string }
  | { kind: 'close' }

export interface Outcome {
  rows: unknown[]
  affectedRows: number
}

export type Message =
  | { kind: 'done'; id: number; outcome: Outcome }
  | { kind: 'failed'; id: number; failure: Failure }
  | { kind: 'notice'; channel: string }

/** What can be sent to another thread of an error: the fields that PostgreSQL gives, not the parameters that it was about. */
export type Failure = { message: string } & Partial<Record<(typeof errorFields)[number], string>>

const errorFields = ['code', 'severity', 'detail', 'hint', 'schema', 'table', 'column', 'constraint', 'where', 'routine'] as const
const nothing: Outcome = { rows: [], affectedRows: 0 }

const port = parentPort
if (!port) throw new Error('To be started as a worker thread')
const send = (message: Message) => port.postMessage(message)

const pglite = await startPglite(workerData)
let turn: Promise<void> = Promise.resolve()
port.on('message', ({ id, task }: { id: number; task: Task }) => {
  turn = turn.then(async () => {
    try {
      send({ kind: 'done', id, outcome: await carryOut(task) })
    } catch (error) {
      send({ kind: 'failed', id, failure: failureOf(error) })
    }
    if (task.kind === 'close') port.close()
  })
})

async function carryOut(task: Task): Promise<Outcome> {
  switch (task.kind) {
    case 'run':
      return run(pglite, task.statements)
    case 'run-in-transaction':
      return (await pglite.transaction((transaction) => run(transaction, task.statements))) ?? nothing
    case 'listen':
      await pglite.listen(task.channel, () => send({ kind: 'notice', channel: task.channel }))
      return nothing
    case 'close':
      await pglite.close()
      return nothing
  }
}

async function run(connection: PGlite | Transaction, statements: readonly Statement[]): Promise<Outcome> {
  let outcome = nothing
  for (const { sql, parameters } of statements) {
    const { rows, affectedRows = 0 } = await connection.query(sql, parameters as unknown[])
    outcome = { rows, affectedRows }
  }
  return outcome
}

function failureOf(error: unknown): Failure {
  const failure: Failure = { message: error instanceof Error ? error.message : String(error) }
  for (const field of errorFields) {
    const value = (error as Partial<Record<string, unknown>>)[field]
    if (typeof value === 'string') failure[field] = value
  }
  return failure
}
