import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Engine, EngineTransaction, Query } from './engine.ts'
import { isRead, OneConnection } from './one-connection.ts'

type State = { is: 'waiting' } | { is: 'open'; transaction: Promise<Held> } | { is: 'over' }

interface Held {
  one: OneConnection
  /** Commits when it resolves to undefined, rolls back when it resolves to an error. Resolves when that is done. */
  end(failure: unknown): Promise<void>
}

/**
 * The commit of a piece of work, such as a request, which waits until its outcome can be stored with it. From the first write on, everything
 * that the work asks of the database runs in one transaction, as savepoints. Before, it runs as ever, so that slow preparations hold nothing.
 */
export class HeldCommit {
  readonly #engine: Pick<Engine, 'kind' | 'transaction'>
  readonly #begin: (transaction: EngineTransaction) => Promise<void>
  readonly #afterwards: (() => Promise<void>)[] = []
  #state: State = { is: 'waiting' }

  /** @param begin the first statements of the transaction; when it throws, so does the write that would have been the first */
  constructor(engine: Pick<Engine, 'kind' | 'transaction'>, begin: (transaction: EngineTransaction) => Promise<void>) {
    this.#engine = engine
    this.#begin = begin
  }

  /** @returns undefined when the work has to use the engine itself */
  connection(isWrite: boolean): Promise<OneConnection> | undefined {
    if (this.#state.is === 'over' || (this.#state.is === 'waiting' && !isWrite)) return undefined
    return this.#held().then(({ one }) => one)
  }

  /** Runs further work after the commit. @returns false when nothing is to be committed */
  defer(further: () => Promise<void>): boolean {
    if (this.#state.is !== 'open') return false
    this.#afterwards.push(further)
    return true
  }

  /** Commits what the work has written, with what `last` writes; both or none. It does nothing the second time. */
  async commit(last?: (transaction: EngineTransaction) => Promise<void>): Promise<void> {
    if (this.#state.is === 'over' || (this.#state.is === 'waiting' && !last)) {
      this.#state = { is: 'over' }
      return
    }
    const held = await this.#held()
    const failure = await held.one
      .exclusively(async () => {
        this.#state = { is: 'over' }
        await last?.(held.one.ofAllOrganisations())
      })
      .catch((error: unknown) => error ?? new Error('unknown'))
    await held.end(failure)
    for (const further of this.#afterwards.splice(0)) await further()
  }

  async #held(): Promise<Held> {
    if (this.#state.is === 'open') return this.#state.transaction
    const transaction = this.#open()
    this.#state = { is: 'open', transaction }
    // After a refusal to begin, the next write tries again.
    transaction.catch(() => {
      this.#state = { is: 'waiting' }
    })
    return transaction
  }

  async #open(): Promise<Held> {
    const opened = Promise.withResolvers<OneConnection>()
    const ended = Promise.withResolvers<unknown>()
    let hasBegun = false
    const done = this.#engine.transaction(async (connection) => {
      // Where the commit fails as after a deadlock, the engine would run this again; the work is over by then.
      if (hasBegun) throw new Error('What was held could not be committed')
      await this.#begin(connection)
      hasBegun = true
      opened.resolve(new OneConnection(connection, { guardsReads: true }))
      const failure = await ended.promise
      if (failure !== undefined) throw failure
    })
    done.catch(opened.reject)
    const one = await opened.promise
    return {
      one,
      async end(failure) {
        ended.resolve(failure)
        await done
      },
    }
  }
}

/** The engine whose statements come to the transaction of the piece of work that they belong to. */
export function holding(engine: Engine, current: AsyncLocalStorage<HeldCommit>): Engine {
  const held = (isWrite: boolean) => current.getStore()?.connection(isWrite)
  const onHeld =
    (otherwise: Engine['execute'], isWrite: (query: Query) => boolean): Engine['execute'] =>
    (query, setUp) =>
      held(isWrite(query))?.then((one) => one.execute(query, setUp)) ?? otherwise(query, setUp)
  const never = () => false
  return Object.assign(Object.create(engine) as Engine, {
    execute: onHeld(engine.execute, (query) => !isRead(query)),
    pointRead: onHeld(engine.pointRead, never),
    ...(engine.listRead && { listRead: onHeld(engine.listRead, never) }),
    keyedWrite: (query, key) => held(true)?.then((one) => one.execute(query)) ?? engine.keyedWrite(query, key),
    transaction: (work, setUp) => held(true)?.then((one) => one.transaction(work, setUp)) ?? engine.transaction(work, setUp),
  } satisfies Partial<Engine>)
}

/** Statements that never begin the transaction of a piece of work, and run in it once it has begun: no second connection is waited for. */
export const withoutBeginning =
  (engine: Engine, current: AsyncLocalStorage<HeldCommit>): Engine['execute'] =>
  (query, setUp) =>
    current
      .getStore()
      ?.connection(false)
      ?.then((one) => one.execute(query, setUp)) ?? engine.execute(query, setUp)
