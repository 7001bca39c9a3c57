import type { Engine, EngineTransaction } from './engine.ts'
import { OneConnection } from './one-connection.ts'

/** An engine whose statements all run in one transaction, which is never committed. */
export interface UncommittedEngine extends Engine {
  /** Whether anything may have been written since the last {@link undo}. */
  hasWritten(): boolean
  /** Undoes what was written since {@link keep} or the last undo. */
  undo(): Promise<void>
  /** From now on, {@link undo} returns to here. */
  keep(): Promise<void>
}

/** Advisory locks, which are skipped: those of the whole database would block other processes, and they protect committed data. */
const advisoryLock = /\bpg_advisory_xact_lock(?:_shared)?\b/

/**
 * Runs `work` on an engine that works as the given one does, except that its writes
 * are visible to no other process, queue or later run, however this one ends.
 *
 * All its statements share one connection. A transaction is a savepoint; its deferred constraints are checked at its end, as a
 * commit would. Roles and settings change with every handle, as they do on connections of their own.
 */
export async function neverCommitted<T>(engine: Engine, work: (engine: UncommittedEngine) => Promise<T>): Promise<T> {
  let result: { of: T } | undefined
  const end = new Error('nothing is committed')
  await engine
    .transaction(async (connection) => {
      // After a deadlock the engine would run the work again.
      if (result) throw end
      result = { of: await work(await uncommittedEngine(engine.kind, connection)) }
      throw end
    })
    .catch((error: unknown) => {
      if (error !== end) throw error
    })
  return (result as { of: T }).of
}

async function uncommittedEngine(kind: Engine['kind'], connection: EngineTransaction): Promise<UncommittedEngine> {
  const one = new OneConnection(connection, { isSkipped: ({ sql }) => advisoryLock.test(sql), guardsReads: false })
  let enteredAtMark = ''

  async function mark(): Promise<void> {
    await one.run('savepoint unchanged')
    enteredAtMark = one.entered
    one.hasWritten = false
    one.hasFailed = false
  }

  await mark()
  return {
    kind,
    execute: one.execute,
    pointRead: one.execute,
    keyedWrite: (query) => one.execute(query),
    transaction: one.transaction,
    ownerTransaction() {
      throw new Error('A database that is never changed is not migrated either')
    },
    // Uncommitted work sends no notices.
    listen: async () => {},
    close: async () => {},
    hasWritten: () => one.hasWritten,
    undo: () =>
      one.exclusively(async () => {
        if (!one.hasWritten && !one.hasFailed) return
        await one.run('rollback to savepoint unchanged')
        one.entered = enteredAtMark
        one.hasWritten = false
        one.hasFailed = false
      }),
    keep: () =>
      one.exclusively(async () => {
        await one.run('release savepoint unchanged')
        await mark()
      }),
  }
}
