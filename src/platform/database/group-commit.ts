import type { QueryResult } from 'kysely'
import type pg from 'pg'
import type { Query } from './engine.ts'

interface Connections {
  connectionFor(setUp: Query | undefined): <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>
  /** Runs statements in one transaction, if the connection has prepared them. */
  runPrepared(client: pg.PoolClient, queries: readonly Query[]): Promise<QueryResult<never>[]> | undefined
  run<Row>(client: pg.PoolClient, query: Query): Promise<QueryResult<Row>>
  /** Runs a statement in a transaction of its own, after `setUp` if there is one. */
  runAlone<Row>(query: Query, setUp?: Query): Promise<QueryResult<Row>>
  /** The most statements of a transaction. */
  groupMax: number
}

interface Pending extends PromiseWithResolvers<QueryResult<never>> {
  query: Query
  key: string
  setUp: Query | undefined
}

/**
 * Runs the statements of one turn of the event loop in one transaction for each organisation:
 * they share what costs more than most of them, sending, waking up, the commit and its wait
 * for the disk. When one of them fails, the group is rolled back and each runs again alone.
 */
export function groupCommits({
  connectionFor,
  runPrepared,
  run,
  runAlone,
  groupMax,
}: Connections): <Row>(query: Query, key: string, setUp?: Query) => Promise<QueryResult<Row>> {
  let pending = new Map<unknown, Pending[]>()

  function runPending(): void {
    const ofOrganisations = pending
    pending = new Map()
    for (const ofOne of ofOrganisations.values()) {
      const inOrder = ofOne.sort(byKey)
      for (let start = 0; start < inOrder.length; start += groupMax) {
        const group = inOrder.slice(start, start + groupMax)
        runGroup(group).catch((error) => {
          for (const { reject } of group) reject(error)
        })
      }
    }
  }

  async function runGroup(group: readonly Pending[]): Promise<void> {
    const outcomes = await connectionFor(group[0]?.setUp)((client) => transact(client, group))
    for (const [index, { query, setUp, resolve, reject }] of group.entries()) {
      const outcome = outcomes?.[index]
      if (!outcome) runAlone<never>(query, setUp).then(resolve, reject)
      else if (outcome.status === 'fulfilled') resolve(outcome.value)
      else reject(outcome.reason)
    }
  }

  /** @returns undefined when nothing was committed: the group was rolled back, or is one statement that is not prepared yet */
  async function transact(
    client: pg.PoolClient,
    group: readonly Pending[],
  ): Promise<PromiseSettledResult<QueryResult<never>>[] | undefined> {
    const setUp = group[0]?.setUp
    const queries = group.map(({ query }) => query)
    const prepared = runPrepared(client, setUp ? [setUp, ...queries] : queries)
    if (prepared) return settleTogether(prepared, queries.length)
    if (group.length === 1) return undefined
    // Send both in one go, so that no other user of the connection can interleave a statement.
    const begun = Promise.all([client.query('begin'), setUp && run(client, setUp)])
    const running = queries.map((query) => run<never>(client, query))
    const committed = client.query('commit')
    const [opening, ...outcomes] = await Promise.allSettled([begun, ...running])
    // The commit of a failed transaction returns ROLLBACK.
    if ((await committed).command !== 'COMMIT') return undefined
    if (opening.status === 'rejected') throw opening.reason
    return outcomes as PromiseSettledResult<QueryResult<never>>[]
  }

  return async (query, key, setUp) => {
    const statement = { query, key, setUp, ...Promise.withResolvers<QueryResult<never>>() }
    if (pending.size === 0) setImmediate(runPending)
    const organisation = setUp?.parameters[0]
    const ofOne = pending.get(organisation)
    if (ofOne) ofOne.push(statement)
    else pending.set(organisation, [statement])
    return statement.promise
  }
}

/** @returns the results of the last so many statements; undefined when the transaction was rolled back */
async function settleTogether(
  running: Promise<QueryResult<never>[]>,
  count: number,
): Promise<PromiseSettledResult<QueryResult<never>>[] | undefined> {
  try {
    return (await running).slice(-count).map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    // PostgreSQL has refused a statement, and the connection is still usable.
    if ((error as Partial<pg.DatabaseError>).severity === 'ERROR') return undefined
    throw error
  }
}

/** Uses the same order everywhere, so that two transactions do not wait for each other's rows: by statement, then by key. */
function byKey(one: Pending, other: Pending): number {
  const [left, right] = one.query.sql === other.query.sql ? [one.key, other.key] : [one.query.sql, other.query.sql]
  return left < right ? -1 : Number(left > right)
}
