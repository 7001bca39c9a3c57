/** The thread that runs PostgreSQL and handles the requests of `startEmbedded` in order. */
import { constants, cpSync, rmSync } from 'node:fs'
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { releaseMemoryOfStart } from '../../memory.ts'
import type { Query } from '../engine.ts'
import type { StatementResult } from '../prepared-group.ts'
import { type Failure, failureOf } from './failure.ts'
import { limitTimers } from './limit-timers.ts'
import { connectToPglite } from './pglite-connection.ts'
import { type EmbeddedOptions, startPglite } from './pglite-options.ts'

/** Sends statements in one go. The response is the result of one of them, or the first error. */
export type Task =
  | { kind: 'run'; statements: readonly Query[]; answered: number }
  | { kind: 'listen'; channel: string }
  | { kind: 'backUp'; folder: string }
  | { kind: 'close' }

export interface Outcome {
  rows: unknown[]
  affectedRows: number
}

export type Message =
  | { kind: 'done'; id: number; outcome: Outcome }
  | { kind: 'failed'; id: number; failure: Failure }
  | { kind: 'notice'; channel: string }
  /** PostgreSQL has given up, and the thread ends. Its committed data is on disk. */
  | { kind: 'gaveUp'; reason: string }

const nothing: Outcome = { rows: [], affectedRows: 0 }

const port = parentPort
if (!port) throw new Error('To be started as a worker thread')
const send = (message: Message) => port.postMessage(message)

limitTimers()
const pglite = await startPglite({ ...workerData, onStderr: endWhenGivenUp })
endWhenTrapped(pglite.Module)
const connection = await connectToPglite(pglite, (channel) => send({ kind: 'notice', channel }))
releaseMemoryOfStart()
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

/** After a panic PostgreSQL would wait for itself for ever at its next statement. */
function endWhenGivenUp(text: string): boolean {
  if (/\bPANIC: |^Aborted\(/.test(text)) {
    giveUp(text.replace(/^.*?(?=PANIC: )/, '').trim())
  }
  return false
}

/**
 * When WebAssembly ends in the middle of a statement, as when its stack or memory runs out, PGlite hides the error, and no answer ever comes.
 * What it throws to leave a statement in an orderly way is no `Error`.
 */
function endWhenTrapped(module: { _PostgresMainLoopOnce(): void }): void {
  const loopOnce = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce()
    } catch (error) {
      if (error instanceof Error) giveUp(error.message)
      throw error
    }
  }
}

function giveUp(reason: string): void {
  send({ kind: 'gaveUp', reason })
  // This ends only the thread, at once.
  process.exit()
}

async function carryOut(task: Task): Promise<Outcome> {
  switch (task.kind) {
    case 'run':
      return run(task.statements, task.answered)
    case 'listen':
      await connection.listen(task.channel)
      return nothing
    case 'backUp':
      // Nothing else runs in this thread meanwhile, so the files are consistent. A file system that can shares their blocks.
      try {
        cpSync((workerData as EmbeddedOptions).dataDir ?? '', task.folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
      } catch (error) {
        // In this turn: on a disk that the copy has filled, the next statement could not write the log.
        rmSync(task.folder, { recursive: true, force: true })
        throw error
      }
      return nothing
    case 'close':
      await pglite.close()
      return nothing
  }
}

async function run(statements: readonly Query[], answered: number): Promise<Outcome> {
  const outcomes = await Promise.allSettled(statements.map(connection.run))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  const { rows, rowCount } = (outcomes[answered] as PromiseFulfilledResult<StatementResult>).value
  return { rows, affectedRows: rowCount ?? 0 }
}
