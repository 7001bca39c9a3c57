import type { QueryResult } from 'kysely'
import type { Engine, EngineTransaction, Query } from './engine.ts'

/** An engine whose statements all run in one transaction, which is never committed. */
export interface UncommittedEngine extends Engine {
  /** Whether anything may have been written since the last {@link undo}. */
  hasWritten(): boolean
  /** Undoes what was written since {@link keep} or the last undo. */
  undo(): Promise<void>
  /** From now on, {@link undo} returns to here. */
  keep(): Promise<void>
}

const readOnly = /^\s*(?:select|with)\b/i
const writing = /\b(?:insert|update|delete|merge|truncate|pg_notify|nextval|setval)\b/i
/** Advisory locks, which are skipped: those of the whole database would block other processes, and they protect committed data. */
const advisoryLock = /\bpg_advisory_xact_lock(?:_shared)?\b/

const isRead = ({ sql }: Query) => readOnly.test(sql) && !writing.test(sql)

const leave: Query = {
  sql: "select set_config('app.organisation_id', '', true), set_config('role', 'gatehouse_system', true)",
  parameters: [],
}

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
  const run = (sql: string) => connection.execute({ sql, parameters: [] })
  /** The organisation that the connection's set-up serves; empty for all of them. */
  let entered = ''
  let enteredAtMark = ''
  let hasWritten = false
  let hasFailed = false
  let free: Promise<unknown> = Promise.resolve()

  const exclusively = <R>(work: () => Promise<R>): Promise<R> => {
    const done = free.then(work)
    free = done.catch(() => {})
    return done
  }

  async function enter(setUp: Query | undefined): Promise<void> {
    const wanted = setUp ? JSON.stringify([setUp.sql, setUp.parameters]) : ''
    if (wanted === entered) return
    await connection.execute(setUp ?? leave)
    entered = wanted
  }

  async function mark(): Promise<void> {
    await run('savepoint unchanged')
    enteredAtMark = entered
    hasWritten = false
    hasFailed = false
  }

  async function execute<Row>(query: Query): Promise<QueryResult<Row>> {
    if (advisoryLock.test(query.sql)) return { rows: [] }
    if (!isRead(query)) hasWritten = true
    return connection.execute<Row>(query)
  }

  async function inSavepoint<R>(setUp: Query | undefined, work: () => Promise<R>): Promise<R> {
    await run('savepoint step')
    const former = entered
    try {
      await enter(setUp)
      const value = await work()
      if (hasWritten) {
        await run('set constraints all immediate')
        await run('set constraints all deferred')
      }
      await run('release savepoint step')
      return value
    } catch (error) {
      await run('rollback to savepoint step')
      await run('release savepoint step')
      entered = former
      throw error
    }
  }

  const executeAlone: Engine['execute'] = <Row>(query: Query, setUp?: Query) =>
    exclusively(() => inSavepoint(setUp, () => execute<Row>(query)))

  /** Runs a read without a savepoint of its own: when it fails, the step that it belongs to is undone. */
  const executeRead: Engine['execute'] = <Row>(query: Query, setUp?: Query) =>
    exclusively(async () => {
      try {
        await enter(setUp)
        return await execute<Row>(query)
      } catch (error) {
        hasFailed = true
        throw error
      }
    })

  const executeOne: Engine['execute'] = (query, setUp) => (isRead(query) ? executeRead(query, setUp) : executeAlone(query, setUp))

  await mark()
  return {
    kind,
    execute: executeOne,
    pointRead: executeOne,
    keyedWrite: (query) => executeAlone(query),
    transaction: (work, setUp) => exclusively(() => inSavepoint(setUp, () => work({ execute }))),
    ownerTransaction() {
      throw new Error('A database that is never changed is not migrated either')
    },
    // Uncommitted work sends no notices.
    listen: async () => {},
    close: async () => {},
    hasWritten: () => hasWritten,
    undo: () =>
      exclusively(async () => {
        if (!hasWritten && !hasFailed) return
        await run('rollback to savepoint unchanged')
        entered = enteredAtMark
        hasWritten = false
        hasFailed = false
      }),
    keep: () =>
      exclusively(async () => {
        await run('release savepoint unchanged')
        await mark()
      }),
  }
}
