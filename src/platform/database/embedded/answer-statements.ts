/** Runs the statements of commands on the one connection of the service that has the embedded database open. */
import { deserialize, serialize } from 'node:v8'
import type { QueryResult } from 'kysely'
import { z } from 'zod'
import type { Engine, EngineTransaction, Query } from '../engine.ts'
import { type Failure, failureOf } from './failure.ts'

/** A command that has stopped must not stop the service: all other work waits for the end of its transaction. */
const defaultIdleMilliseconds = 10_000

/** A query, as {@link packed}. */
const Packed = z.string()

export const StatementRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), query: Packed, setUp: Packed.optional() }),
  z.object({ kind: z.literal('begin'), setUp: Packed.optional(), asOwner: z.boolean().optional() }),
  /** A statement of the transaction that was begun on this connection. */
  z.object({ kind: z.literal('within'), query: Packed }),
  z.object({ kind: z.literal('end'), commits: z.boolean() }),
])
export type StatementRequest = z.output<typeof StatementRequest>

/** Either may contain times, bytes and big numbers, which JSON cannot represent. */
export type StatementAnswer = { result: string } | { failure: Failure }

export const packed = (value: unknown): string => serialize(value).toString('base64')
export const unpacked = <T>(text: string): T => deserialize(Buffer.from(text, 'base64')) as T

interface OpenTransaction {
  execute(query: Query): Promise<QueryResult<unknown>>
  end(commits: boolean): Promise<void>
}

export const isStatement = (request: { kind: string }): request is StatementRequest => kinds.has(request.kind)
const kinds = new Set<string>(StatementRequest.options.map(({ shape }) => shape.kind.value))

/**
 * Runs the statements of one connection of the socket.
 *
 * @param ended aborted when the client has disconnected: an open transaction is rolled back
 */
export function answerStatements(
  engine: Engine,
  ended: AbortSignal,
  idleMilliseconds = defaultIdleMilliseconds,
): (request: StatementRequest) => Promise<StatementAnswer> {
  let transaction: OpenTransaction | undefined

  async function carryOut(request: StatementRequest): Promise<unknown> {
    if (request.kind === 'statement') return engine.execute(unpacked<Query>(request.query), setUpOf(request))
    if (request.kind === 'begin') {
      transaction = await begin(engine, request, ended, idleMilliseconds)
      return undefined
    }
    if (!transaction) throw new Error('There is no transaction')
    if (request.kind === 'within') return transaction.execute(unpacked(request.query))
    const finished = transaction
    transaction = undefined
    return finished.end(request.commits)
  }

  return (request) =>
    carryOut(request).then(
      (result) => ({ result: packed(result) }),
      (error) => ({ failure: failureOf(error) }),
    )
}

const setUpOf = ({ setUp }: { setUp?: string | undefined }) => (setUp === undefined ? undefined : unpacked<Query>(setUp))

type BeginRequest = Extract<StatementRequest, { kind: 'begin' }>

async function begin(engine: Engine, request: BeginRequest, ended: AbortSignal, idleMilliseconds: number): Promise<OpenTransaction> {
  const opened = Promise.withResolvers<EngineTransaction>()
  const commits = Promise.withResolvers<boolean>()
  const undo = new Error('rolled back')
  const work = async (connection: EngineTransaction) => {
    opened.resolve(connection)
    if (!(await commits.promise)) throw undo
  }
  const done = (request.asOwner ? engine.ownerTransaction(work) : engine.transaction(work, setUpOf(request))).catch((error) => {
    if (error !== undo) throw error
  })
  done.catch(opened.reject)
  const rollBack = () => commits.resolve(false)
  ended.addEventListener('abort', rollBack)
  if (ended.aborted) rollBack()

  const connection = await opened.promise
  let isLate = false
  let timer = startTimer()
  function startTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      isLate = true
      rollBack()
    }, idleMilliseconds).unref()
  }
  const refuseLate = () => {
    clearTimeout(timer)
    if (isLate) throw new Error(`The transaction was rolled back, since nothing was asked in it for ${idleMilliseconds / 1_000} seconds`)
  }
  return {
    async execute(query) {
      refuseLate()
      return connection.execute(query).finally(() => {
        timer = startTimer()
      })
    },
    async end(shallCommit) {
      refuseLate()
      commits.resolve(shallCommit)
      await done
    },
  }
}
