import type { QueryResult } from 'kysely'
import type pg from 'pg'
import type { Query } from './engine.ts'

interface Connections {
  lend<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  run<Row>(client: pg.PoolClient, query: Query): Promise<QueryResult<Row>>
  /** Runs a statement in a transaction of its own, after `setUp` if there is one. */
  runAlone<Row>(query: Query, setUp?: Query): Promise<QueryResult<Row>>
}

interface Waiting extends PromiseWithResolvers<QueryResult<never>> {
  query: Query
  key: string
  setUp: Query | undefined
}

/** Whoever is in a transaction waits for the locks that any other in it waits for: so not too many. */
const togetherMax = 16

/**
 * Runs the statements that come in one turn of the event loop in one transaction, those of each organisation in one of their
 * own: they share what is dearer than most of them, sending, waking up, the commit and its wait for the disk. When one of them
 * fails nothing has been done, and each runs again alone.
 */
export function commitTogether({
  lend,
  run,
  runAlone,
}: Connections): <Row>(query: Query, key: string, setUp?: Query) => Promise<QueryResult<Row>> {
  let gathered = new Map<unknown, Waiting[]>()

  function runGathered(): void {
    const groups = gathered
    gathered = new Map()
    for (const group of groups.values()) {
      const all = group.sort(byKey)
      for (let start = 0; start < all.length; start += togetherMax) {
        const some = all.slice(start, start + togetherMax)
        runTogether(some).catch((error) => {
          for (const { reject } of some) reject(error)
        })
      }
    }
  }

  async function runTogether(some: readonly Waiting[]): Promise<void> {
    const outcomes = some.length > 1 ? await lend((client) => transact(client, some)) : undefined
    for (const [index, { query, setUp, resolve, reject }] of some.entries()) {
      const outcome = outcomes?.[index]
      if (!outcome) runAlone<never>(query, setUp).then(resolve, reject)
      else if (outcome.status === 'fulfilled') resolve(outcome.value)
      else reject(outcome.reason)
    }
  }

  /** @returns undefined when it was rolled back */
  async function transact(client: pg.PoolClient, some: readonly Waiting[]) {
    const setUp = some[0]?.setUp
    // Sent in one go, so that nothing comes between, whoever else uses the connection.
    const begun = Promise.all([client.query('begin'), setUp && run(client, setUp)])
    const running = some.map(({ query }) => run<never>(client, query))
    const committed = client.query('commit')
    const [opening, ...outcomes] = await Promise.allSettled([begun, ...running])
    // The answer of a transaction in which something has failed is ROLLBACK.
    if ((await committed).command !== 'COMMIT') return undefined
    if (opening.status === 'rejected') throw opening.reason
    return outcomes as PromiseSettledResult<QueryResult<never>>[]
  }

  return async (query, key, setUp) => {
    const waiting = { query, key, setUp, ...Promise.withResolvers<QueryResult<never>>() }
    if (gathered.size === 0) setImmediate(runGathered)
    const organisation = setUp?.parameters[0]
    const group = gathered.get(organisation)
    if (group) group.push(waiting)
    else gathered.set(organisation, [waiting])
    return waiting.promise
  }
}

/** In one order everywhere, so that two transactions do not wait for each other's rows: by statement, then by its key. */
function byKey(one: Waiting, other: Waiting): number {
  const [left, right] = one.query.sql === other.query.sql ? [one.key, other.key] : [one.query.sql, other.query.sql]
  return left < right ? -1 : Number(left > right)
}
