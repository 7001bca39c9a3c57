import type { QueryResult } from 'kysely'
import pg from 'pg'
import { CoalescingSocket } from './coalescing-socket.ts'
import { migratorName } from './contended-migration.ts'
import { refuseOtherDatabase } from './database-identity.ts'
import { namedStatements, types } from './driver.ts'
import { dropConnection } from './end-connection.ts'
import type { Engine, Query } from './engine.ts'
import { groupCommits } from './group-commit.ts'
import { createListener } from './listener.ts'
import { isReadOnly } from './outage.ts'
import { createPoll } from './poll.ts'
import type { StatementResult } from './prepared-group.ts'
import { retry } from './retry.ts'
import { serversOf } from './servers.ts'
import { shareConnection } from './shared-connection.ts'
import { endSilentConnections } from './silent-connections.ts'
import { TakenDatabase } from './taken-database.ts'
import { watchForPooler } from './untold-pooler.ts'

const connectionTimeoutMillis = 5_000
const silentMillisecondsMax = 5_000
/** Through a pooler, the service cannot find out whether the database is still working on a statement. */
const silentThroughPoolerMillisecondsMax = 60_000

export interface PostgresOptions {
  poolSize: number
  takesRoles?: boolean
  pooler?: 'transaction' | undefined
  listenUrl?: string | undefined
  silentMilliseconds?: number
}

const takeOnSystemRole: Query = { sql: "select set_config('role', 'gatehouse_system', true)", parameters: [] }

/**
 * Opens PostgreSQL by pools of pipelining connections, with named statements. Each connection takes on a role of the service when it is
 * opened, so that no statement has the privileges of the role that logs in. Half of the connections serve all organisations. The other
 * half serve one organisation at a time, and see nothing until it is set.
 *
 * @param databaseUrl may name several servers: connections are those to the primary then
 * @param options.poolSize the most connections, in addition to the one that listens
 * @param options.takesRoles false for a database without the service's schema
 * @param options.pooler a pooler between the service and the database, which assigns a connection for one transaction: no role and no
 *   named statement persists on a connection then
 * @param options.listenUrl a direct connection for notices; through a pooler
 *   there are none without it, and listeners are called every few seconds
 * @param options.silentMilliseconds the time without a response after which
 *   a connection is checked: five seconds, or through a pooler a minute
 */
export function openPostgres(databaseUrl: string, options: PostgresOptions): Engine {
  const { poolSize, takesRoles = true, pooler, listenUrl, silentMilliseconds } = options
  /** The set-up of a statement that comes without one: where a connection retains no role, each transaction takes it on. */
  const systemSetUp = pooler && takesRoles ? takeOnSystemRole : undefined
  const servers = serversOf(databaseUrl)
  const { Client, connectionString } = servers
  const endWatch = servers.watch()
  const silence = endSilentConnections(servers, {
    silentMilliseconds: silentMilliseconds ?? (pooler ? silentThroughPoolerMillisecondsMax : silentMillisecondsMax),
    canAsk: !pooler,
  })
  /** With a declared pooler, or without roles on a connection, there is nothing to detect. */
  const poolers = pooler || !takesRoles ? undefined : watchForPooler(databaseUrl)
  async function setUpConnection(client: pg.Client, role: string): Promise<void> {
    silence.watch(client)
    if (!poolers) return
    silence.identify(client, await poolers.check(client))
    await client.query(`set role ${role}`)
  }
  const openPool = (max: number, role: string) => {
    const pool = new pg.Pool({
      Client,
      connectionString,
      max: Math.max(1, max),
      types,
      pipeline: true,
      stream: () => new CoalescingSocket(),
      connectionTimeoutMillis,
      application_name: 'gatehouse',
      onConnect: (client: pg.ClientBase) => setUpConnection(client as pg.Client, role),
    } as pg.PoolConfig)
    // The pool replaces an idle connection that breaks; without a listener the process would end.
    pool.on('error', () => {})
    silence.watchPool(pool)
    return connectionsOf(pool)
  }
  const everyOrganisation = openPool(Math.ceil(poolSize / 2), 'gatehouse_system')
  const oneOrganisation = openPool(Math.floor(poolSize / 2), 'gatehouse_tenant')
  const poolFor = (setUp: Query | undefined) => (setUp && setUp !== systemSetUp ? oneOrganisation : everyOrganisation)

  const statements = namedStatements({ isNamed: !pooler })
  /** @throws an explanation of what a pooler has done to the statement: its result cannot be trusted then */
  const explained =
    (client: pg.Client) =>
    async (error: unknown): Promise<never> => {
      // The server was made a replica, or its pooler leads to one: the next connection looks again.
      if (isReadOnly(error)) dropConnection(client, new Error('connection terminated: the server takes no writes'))
      throw poolers ? await poolers.explain(error) : error
    }

  let taken: TakenDatabase | undefined
  /** @throws Error once no statement may run any more */
  function refuse(): void {
    poolers?.refuse()
    if (taken) throw taken
  }

  async function run<Row>(client: pg.PoolClient, query: Query): Promise<QueryResult<Row>> {
    refuse()
    return resultOf<Row>(await statements.run(client, query).catch(explained(client)))
  }

  function runPrepared(client: pg.PoolClient, queries: readonly Query[]): Promise<QueryResult<never>[]> | undefined {
    refuse()
    return statements.runPrepared(client, queries)?.then((results) => results.map(resultOf<never>), explained(client))
  }

  async function runAlone<Row>(client: pg.PoolClient, query: Query, setUp?: Query): Promise<QueryResult<Row>> {
    if (!setUp) return run(client, query)
    const prepared = runPrepared(client, [setUp, query])
    if (prepared) return (await prepared)[1] as QueryResult<Row>
    // Send all in one go, so that no other user of the connection can interleave a statement. Nothing is returned unless `begin` and the
    // set-up, which sets the tenant, have succeeded.
    const outcomes = await Promise.allSettled([client.query('begin'), run(client, setUp), run<Row>(client, query), client.query('commit')])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    return (outcomes[2] as PromiseFulfilledResult<QueryResult<Row>>).value
  }

  async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString, types, connectionTimeoutMillis, application_name: migratorName })
    client.on('error', () => {})
    await client.connect()
    try {
      await poolers?.check(client)
      return await work(client)
    } finally {
      // Closing the connection rolls back an open transaction.
      await client.end()
    }
  }

  const execute: Engine['execute'] = (query, setUp = systemSetUp) =>
    retry(() => poolFor(setUp).withConnection((client) => runAlone(client, query, setUp)))

  const readAlone: Engine['pointRead'] = (query, setUp) =>
    retry(() => poolFor(setUp).withSharedConnection((client) => runAlone(client, query, setUp)))
  const readTogether = groupCommits({
    connectionFor: (setUp) => poolFor(setUp).withSharedConnection,
    run,
    runPrepared,
    runAlone: readAlone,
    groupMax: 64,
  })

  const listener =
    pooler && !listenUrl
      ? createPoll()
      : createListener(
          listenUrl ? serversOf(listenUrl) : { ...servers, watch: () => () => {} },
          silentMilliseconds ?? silentMillisecondsMax,
          {
            prove: listenUrl ? (client) => refuseOtherDatabase(client, readAlone) : undefined,
            onTaken() {
              taken = new TakenDatabase()
            },
          },
        )

  const writeTogether = groupCommits({
    connectionFor: () => everyOrganisation.withConnection,
    run,
    runPrepared,
    runAlone: execute,
    // Limits how many statements wait when one of them waits for a lock.
    groupMax: 16,
  })

  return {
    kind: 'postgres',

    execute,

    // Reads need no order.
    pointRead: (query, setUp = systemSetUp) => readTogether(query, '', setUp),

    keyedWrite: (query, key) => writeTogether(query, key, systemSetUp),

    transaction: (work, setUp = systemSetUp) =>
      retry(() =>
        poolFor(setUp).withConnection(async (client) => {
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

    ownerTransaction: (work) =>
      asOwner(async (client) => {
        await client.query('begin')
        const value = await work({
          async execute<Row>({ sql, parameters }: Query) {
            return resultOf<Row>(await client.query(sql, parameters as unknown[]))
          },
        })
        await client.query('commit')
        return value
      }),

    ownerStatement: ({ sql, parameters }) => asOwner(async (client) => resultOf(await client.query(sql, parameters as unknown[]))),

    listen: listener.listen,

    async close() {
      endWatch()
      silence.close()
      await Promise.all([everyOrganisation.end(), oneOrganisation.end(), listener.close()])
    },
  }
}

const resultOf = <Row>({ rows, rowCount }: StatementResult): QueryResult<Row> => ({
  rows: rows as Row[],
  numAffectedRows: BigInt(rowCount ?? 0),
})

/** The connections of a pool. A connection that breaks while it is in use does not return to the pool. */
function connectionsOf(pool: pg.Pool) {
  async function withConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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
  return { withConnection, withSharedConnection: shareConnection(withConnection), end: () => pool.end() }
}
