import type { QueryResult } from 'kysely'
import type { Engine, EngineTransaction, Query } from './engine.ts'
import { retry } from './retry.ts'

const readOnly = /^\s*(?:select|with)\b/i
const writing = /\b(?:insert|update|delete|merge|truncate|pg_notify|nextval|setval)\b/i

export const isRead = ({ sql }: Query) => readOnly.test(sql) && !writing.test(sql)

const leave: Query = {
  sql: "select set_config('app.organisation_id', '', true), set_config('role', 'gatehouse_system', true)",
  parameters: [],
}

/**
 * Runs statements and transactions one after another on one connection, which is in a transaction already. A transaction is a savepoint;
 * its deferred constraints are checked at its end, as a commit would. Roles and settings change with every handle, as they do on
 * connections of their own.
 */
export class OneConnection {
  /** Whether anything may have been written since this was last set to false. */
  hasWritten = false
  /** Whether a read outside of a savepoint has failed, so that nothing can run before the return to an earlier one. */
  hasFailed = false
  /** The organisation that the connection's set-up serves; empty for all of them. It returns with a savepoint. */
  entered = ''
  readonly #connection: EngineTransaction
  readonly #isSkipped: (query: Query) => boolean
  readonly #guardsReads: boolean
  #free: Promise<unknown> = Promise.resolve()

  /**
   * @param options.isSkipped whether a statement is not sent, and returns no rows
   * @param options.guardsReads whether a read has a savepoint of its own, as writes have: two round trips more
   */
  constructor(
    connection: EngineTransaction,
    { isSkipped = () => false, guardsReads }: { isSkipped?: (query: Query) => boolean; guardsReads: boolean },
  ) {
    this.#connection = connection
    this.#isSkipped = isSkipped
    this.#guardsReads = guardsReads
  }

  /** Runs work while no statement and no transaction is under way. */
  exclusively<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#free.then(work)
    this.#free = done.catch(() => {})
    return done
  }

  /** Runs a statement at once: for work that is run {@link exclusively}. */
  run(sql: string): Promise<unknown> {
    return this.#connection.execute({ sql, parameters: [] })
  }

  /** The connection for all organisations: for work that is run {@link exclusively}. */
  ofAllOrganisations(): EngineTransaction {
    return {
      execute: async (query) => {
        await this.#enter(undefined)
        return this.#send(query)
      },
    }
  }

  readonly execute: Engine['execute'] = <Row>(query: Query, setUp?: Query) =>
    isRead(query) && !this.#guardsReads
      ? this.exclusively(() => this.#read<Row>(query, setUp))
      : this.exclusively(() => this.#inSavepoint(setUp, () => this.#send<Row>(query)))

  readonly transaction: Engine['transaction'] = (work, setUp) =>
    this.exclusively(() => this.#inSavepoint(setUp, () => work({ execute: (query) => this.#send(query) })))

  async #send<Row>(query: Query): Promise<QueryResult<Row>> {
    if (this.#isSkipped(query)) return { rows: [] }
    if (!isRead(query)) this.hasWritten = true
    return this.#connection.execute<Row>(query)
  }

  /** Runs a read without a savepoint of its own: when it fails, the step that it belongs to is undone. */
  async #read<Row>(query: Query, setUp: Query | undefined): Promise<QueryResult<Row>> {
    try {
      await this.#enter(setUp)
      return await this.#send(query)
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }

  /** Runs work again as an engine does. */
  #inSavepoint<R>(setUp: Query | undefined, work: () => Promise<R>): Promise<R> {
    return retry(() => this.#inOneSavepoint(setUp, work))
  }

  async #inOneSavepoint<R>(setUp: Query | undefined, work: () => Promise<R>): Promise<R> {
    await this.run('savepoint step')
    const former = this.entered
    try {
      await this.#enter(setUp)
      const value = await work()
      if (this.hasWritten) {
        await this.run('set constraints all immediate')
        await this.run('set constraints all deferred')
      }
      await this.run('release savepoint step')
      return value
    } catch (error) {
      await this.run('rollback to savepoint step')
      await this.run('release savepoint step')
      this.entered = former
      throw error
    }
  }

  async #enter(setUp: Query | undefined): Promise<void> {
    const wanted = setUp ? JSON.stringify([setUp.sql, setUp.parameters]) : ''
    if (wanted === this.entered) return
    await this.#connection.execute(setUp ?? leave)
    this.entered = wanted
  }
}
