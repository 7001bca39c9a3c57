import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'

interface Connections {
  lend<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  run<Row>(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<Row>>
  /** Runs a statement in a transaction of its own. */
  runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
}

interface Waiting extends PromiseWithResolvers<QueryResult<never>> {
  query: CompiledQuery
}

/** Whoever is in a transaction waits for the locks that any other in it waits for: so not too many. */
const togetherMax = 16

/**
 * Runs the statements that come in one turn of the event loop in one transaction: they share what is dearer than most of
 * them, sending, waking up, the commit and its wait for the disk. When one of them fails nothing has been done, and each
 * runs again alone.
 */
export function commitTogether({ lend, run, runAlone }: Connections): Connections['runAlone'] {
  let gathered: Waiting[] = []

  function runGathered(): void {
    const all = gathered.sort(byKey)
    gathered = []
    for (let start = 0; start < all.length; start += togetherMax) {
      const some = all.slice(start, start + togetherMax)
      runTogether(some).catch((error) => {
        for (const { reject } of some) reject(error)
      })
    }
  }

  async function runTogether(some: readonly Waiting[]): Promise<void> {
    const outcomes = some.length > 1 ? await lend((client) => transact(client, some)) : undefined
    for (const [index, { query, resolve, reject }] of some.entries()) {
      const outcome = outcomes?.[index]
      if (!outcome) runAlone<never>(query).then(resolve, reject)
      else if (outcome.status === 'fulfilled') resolve(outcome.value)
      else reject(outcome.reason)
    }
  }

  /** @returns undefined when it was rolled back */
  async function transact(client: pg.PoolClient, some: readonly Waiting[]) {
    const begun = client.query('begin')
    const running = some.map(({ query }) => run<never>(client, query))
    const committed = client.query('commit')
    const [, ...outcomes] = await Promise.allSettled([begun, ...running])
    // The answer of a transaction in which something has failed is ROLLBACK.
    return (await committed).command === 'COMMIT' ? (outcomes as PromiseSettledResult<QueryResult<never>>[]) : undefined
  }

  return async (query) => {
    const waiting = { query, ...Promise.withResolvers<QueryResult<never>>() }
    if (gathered.push(waiting) === 1) setImmediate(runGathered)
    return waiting.promise
  }
}

/** In one order everywhere, so that two transactions do not wait for each other's rows: by statement, then by its key. */
function byKey({ query: one }: Waiting, { query: other }: Waiting): number {
  const [left, right] = one.sql === other.sql ? [keyOf(one), keyOf(other)] : [one.sql, other.sql]
  return left < right ? -1 : Number(left > right)
}

/** What comes first among the parameters: the organisation, and what is unique in it. */
const keyOf = ({ parameters }: CompiledQuery) => `${parameters[0]} ${parameters[1]}`
