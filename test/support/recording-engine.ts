import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { Engine, Query } from '../../src/platform/database/engine.ts'

/** A statement as it was run, with the set-up that bound it to its tenant. */
export interface RecordedStatement {
  query: Query
  setUp: Query | undefined
  /** Whether a request to the service caused it, rather than a job. */
  ofRequest: boolean
}

export interface RecordingEngine extends Engine {
  readonly statements: RecordedStatement[]
  /**
   * From now on, holds all statements whose text contains this, or only those that requests cause, or only the first one, or only those
   * of transactions. Held statements are not recorded.
   *
   * @returns functions that release them or make them fail with an error, and a promise of the first held statement
   */
  holdBack(
    text: string,
    options?: { ofRequests: boolean; firstOnly?: boolean; inTransactions?: boolean },
  ): ((error?: Error) => void) & { reached: Promise<void> }
}

const requests = new AsyncLocalStorage<true>()
channel('http.server.request.start').subscribe(() => requests.enterWith(true))

/** An engine that records its statements. */
export function recordingEngine(engine: Engine): RecordingEngine {
  const statements: RecordedStatement[] = []
  let held:
    | {
        text: string
        ofRequests: boolean
        firstOnly: boolean
        inTransactions: boolean
        isReached: boolean
        released: Promise<void>
        reach: () => void
      }
    | undefined

  const isHeld = ({ sql }: Query, ofRequest: boolean, inTransaction: boolean) =>
    held !== undefined &&
    (inTransaction || !held.inTransactions) &&
    sql.includes(held.text) &&
    (ofRequest || !held.ofRequests) &&
    !(held.firstOnly && held.isReached)

  const note = async (query: Query, setUp?: Query, inTransaction = false) => {
    const ofRequest = requests.getStore() === true
    if (held && isHeld(query, ofRequest, inTransaction)) {
      held.isReached = true
      held.reach()
      await held.released
    }
    statements.push({ query, setUp, ofRequest })
  }
  return {
    ...engine,
    statements,
    holdBack(text, { ofRequests, firstOnly = false, inTransactions = false } = { ofRequests: false }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
      held = { text, ofRequests, firstOnly, inTransactions, isReached: false, released: promise, reach }
      const release = (error?: Error) => {
        held = undefined
        if (error) reject(error)
        else resolve()
      }
      return Object.assign(release, { reached })
    },
    async execute(query, setUp) {
      await note(query, setUp)
      return engine.execute(query, setUp)
    },
    async pointRead(query, setUp) {
      await note(query, setUp)
      return engine.pointRead(query, setUp)
    },
    async keyedWrite(query, key) {
      await note(query)
      return engine.keyedWrite(query, key)
    },
    transaction: (work, setUp) =>
      engine.transaction(
        (transaction) =>
          work({
            async execute(query) {
              await note(query, setUp, true)
              return transaction.execute(query)
            },
          }),
        setUp,
      ),
  }
}
