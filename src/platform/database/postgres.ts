import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import { commitTogether } from './commit-together.ts'
import { namedStatements, types } from './driver.ts'
import type { Engine } from './engine.ts'
import { GatheringSocket } from './gathering-socket.ts'
import { shareClient } from './shared-client.ts'
import { untilItRuns } from './until-it-runs.ts'

const reconnectAfterMilliseconds = 1_000

/**
 * PostgreSQL by a pool of pipelining connections, with named statements.
 */
export function openPostgres(connectionString: string, options: { poolSize: number }): Engine {
  const pool = new pg.Pool({
    connectionString,
    max: options.poolSize,
    types,
    pipeline: true,
    stream: () => new GatheringSocket(),
    connectionTimeoutMillis: 5_000,
    application_name: 'gatehouse',
  } as pg.PoolConfig)
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {})

  const runNamed = namedStatements()
  const listeners = new Set<pg.Client>()
  let closing = false

  async function run<Row>(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await runNamed(client, query)
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  async function runAlone<Row>(client: pg.PoolClient, query: CompiledQuery, setUp?: CompiledQuery): Promise<QueryResult<Row>> {
    if (!setUp) return run(client, query)
    // Sent in one go, so that nothing comes between, whoever else uses the connection. Nothing is answered unless `begin` and
    // the set-up succeeded: they carry the tenant.
    const outcomes = await Promise.allSettled([client.query('begin'), run(client, setUp), run<Row>(client, query), client.query('commit')])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    return (outcomes[2] as PromiseFulfilledResult<QueryResult<Row>>).value
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(client)
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  const withSharedClient = shareClient(withClient)

  const execute: Engine['execute'] = (query, setUp) => untilItRuns(() => withClient((client) => runAlone(client, query, setUp)))

  const lookUpAlone: Engine['lookUp'] = (query, setUp) => untilItRuns(() => withSharedClient((client) => runAlone(client, query, setUp)))
  const lookUpTogether = commitTogether({ lend: withSharedClient, run, runAlone: lookUpAlone })

  /** Listens on a connection of its own, and again on a new one whenever it is lost. */
  const listen = async (channel: string, onNotice: () => void): Promise<void> => {
    const client = new pg.Client({ connectionString, application_name: 'gatehouse listen' })
    const again = () => {
      if (closing) return
      setTimeout(() => listen(channel, onNotice).then(onNotice, again), reconnectAfterMilliseconds).unref()
    }
    client.on('notification', onNotice)
    client.on('error', () => {})
    await client.connect()
    client.once('end', again)
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    listeners.add(client)
    client.once('end', () => listeners.delete(client))
  }

  return {
    kind: 'postgres',

    execute,

    lookUp: (query, setUp) => (setUp ? lookUpTogether(query, setUp) : lookUpAlone(query)),

    change: commitTogether({ lend: withClient, run, runAlone: execute }),

    transaction: (work, setUp) =>
      untilItRuns(() =>
        withClient(async (client) => {
          // Sent ahead of the first statement, in the same round trip; awaited with it.
          const begun = Promise.all([client.query('begin'), setUp && run(client, setUp)])
          begun.catch(() => {})
          try {
            const value = await work({
              async execute(query) {
                const [result] = await Promise.all([run<never>(client, query), begun])
                return result
              },
            })
            await begun
            const { command } = await client.query('commit')
            if (command === 'ROLLBACK') throw new Error('The transaction had failed and was rolled back')
            return value
          } catch (error) {
            await client.query('rollback').catch(() => {})
            throw error
          }
        }),
      ),

    listen,

    async close() {
      closing = true
      await Promise.all([pool.end(), ...[...listeners].map((client) => client.end().catch(() => {}))])
    },
  }
}
