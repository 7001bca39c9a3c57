import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { serversOf } from './servers.ts'

const noticeMilliseconds = 2_000
const connectMilliseconds = 5_000
/** A pooler may delay a statement for minutes until a connection is free. */
const queryMilliseconds = 4_000
const channel = 'gatehouse_doctor'
/** A shared pooler may happen to assign the same connection again. */
const stateRounds = 20
const stateRoundMilliseconds = 10

/**
 * Probes whether a connection retains prepared statements and settings, and receives notices, as a direct one to PostgreSQL does. Behind a
 * pooler in transaction mode, each transaction may have another connection.
 *
 * @param sentTo where the notice is sent: a connection that hears those of another database hears none of the service
 */
export async function probeSession(databaseUrl: string, sentTo = databaseUrl): Promise<{ keepsState: boolean; hearsNotices: boolean }> {
  const [client, other, sender] = [databaseUrl, databaseUrl, sentTo].map(clientOf) as [pg.Client, pg.Client, pg.Client]
  const clients = [client, other, sender]
  try {
    for (const one of clients) {
      one.on('error', () => {})
      await one.connect()
    }
    const sent = randomUUID()
    let hearsNotices = false
    // Ignore the notice of another doctor at the same time.
    client.on('notification', ({ payload }) => {
      hearsNotices ||= payload === sent
    })
    await client.query(`listen ${channel}`)
    // Where the connection changes, its LISTEN does not follow.
    if (!(await keepsStateBeside(client, other))) return { keepsState: false, hearsNotices: false }
    await sender.query(`notify ${channel}, '${sent}'`)
    // Send nothing meanwhile, as the service does not: some poolers deliver a notice only with the next response.
    for (let waited = 0; !hearsNotices && waited < noticeMilliseconds; waited += 50) await pause(50)
    return { keepsState: true, hearsNotices }
  } finally {
    await Promise.all(clients.map((one) => one.end().catch(() => {})))
  }
}

function clientOf(databaseUrl: string): pg.Client {
  const { Client, connectionString } = serversOf(databaseUrl)
  return new Client({
    connectionString,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: queryMilliseconds,
    application_name: 'gatehouse doctor',
  })
}

/** Tests while another connection queries in turn and is in a transaction: a pooler assigns it the connection that was free last. */
async function keepsStateBeside(client: pg.Client, other: pg.Client): Promise<boolean> {
  const prepared = { name: 'gatehouse_doctor', text: "select current_setting('app.doctor', true) as kept" }
  try {
    await client.query("select set_config('app.doctor', 'kept', false)")
    await client.query(prepared)
    const [ofClient, ofOther] = [await backendOf(client), await backendOf(other)]
    // With a pooler of a single connection, the client's next statement would wait for the end of the other's transaction.
    if (ofClient === ofOther) return false
    for (let round = 0; round < stateRounds; round++) {
      if ((await backendOf(client)) !== ofClient) return false
      await other.query('begin')
      if ((await backendOf(other)) !== ofOther) return false
      const [{ kept } = {}] = (await client.query(prepared)).rows
      if (kept !== 'kept' || (await backendOf(client)) !== ofClient) return false
      await other.query('commit')
      // Other clients that query in turn with these two would leave each of them the same connection.
      await pause(randomInt(stateRoundMilliseconds))
    }
    return true
  } catch (error) {
    // The error is `prepared statement … does not exist`, or one that exists already on the assigned connection.
    if (['26000', '42P05'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

const backendOf = async (client: pg.Client): Promise<number> => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
