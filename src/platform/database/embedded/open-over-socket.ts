/** The embedded database for commands beside the service that has it open. */
import type { Engine, EngineTransaction, Query } from '../engine.ts'
import { createPoll } from '../poll.ts'
import { packed, unpacked } from './answer-statements.ts'
import { type ControlAnswer, findHolder } from './control-socket.ts'
import { errorOf } from './failure.ts'

/**
 * Opens the database of the process that has it open, by its socket. Each transaction has a connection of its own; when the connection
 * closes, the process rolls the transaction back.
 *
 * @returns undefined when no process responds
 */
export async function openOverSocket(folder: string): Promise<Engine | undefined> {
  const shared = await findHolder(folder)
  if (!shared) return undefined
  // The socket transfers no notices.
  const poll = createPoll()
  const execute: Engine['execute'] = (query, setUp) =>
    resultOf(shared.ask({ kind: 'statement', query: queryOf(query), ...(setUp && { setUp: queryOf(setUp) }) }))

  async function transaction<T>(work: (open: EngineTransaction) => Promise<T>, how: { setUp?: string; asOwner?: boolean }): Promise<T> {
    const own = await findHolder(folder)
    if (!own) throw new Error('connection terminated: the service has ended')
    try {
      await resultOf(own.ask({ kind: 'begin', ...how }))
      const value = await work({ execute: (query) => resultOf(own.ask({ kind: 'within', query: queryOf(query) })) })
      await resultOf(own.ask({ kind: 'end', commits: true }))
      return value
    } finally {
      own.close()
    }
  }

  return {
    kind: 'pglite',
    execute,
    pointRead: execute,
    keyedWrite: (query) => execute(query),
    transaction: (work, setUp) => transaction(work, setUp ? { setUp: queryOf(setUp) } : {}),
    ownerTransaction: (work) => transaction(work, { asOwner: true }),
    listen: poll.listen,
    async close() {
      await poll.close()
      shared.close()
    },
  }
}

async function resultOf<T>(asked: Promise<ControlAnswer>): Promise<T> {
  const answer = await asked
  if ('result' in answer) return unpacked<T>(answer.result)
  if ('failure' in answer) throw errorOf(answer.failure)
  throw new Error('refused' in answer ? answer.refused : 'The service answered something else')
}

const queryOf = ({ sql, parameters }: Query): string => packed({ sql, parameters })
