import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const noticeMilliseconds = 2_000
const connectMilliseconds = 5_000
/** A pooler may have a statement wait for minutes until a connection is free. */
const queryMilliseconds = 4_000
const channel = 'gatehouse_doctor'
/** A pooler that others use may happen to give the same connection again. */
const stateRounds = 20
const stateRoundMilliseconds = 10

/**
 * Asks whether a connection keeps what it has prepared and set, and hears notices, as one to PostgreSQL itself does. Behind a
 * pooler in transaction mode, each transaction may have another connection.
 */
export async function probeSession(connectionString: string): Promise<{ keepsState: boolean; hearsNotices: boolean }> {
  const [client, other] = [1, 2].map(
    () =>
      new pg.Client({
        connectionString,
        connectionTimeoutMillis: connectMilliseconds,
        query_timeout: queryMilliseconds,
        application_name: 'gatehouse doctor',
      }),
  ) as [pg.Client, pg.Client]
  try {
    for (const one of [client, other]) {
      one.on('error', () => {})
      await one.connect()
    }
    const sent = randomUUID()
    let hearsNotices = false
    // Not the notice of another doctor at the same time.
    client.on('notification', ({ payload }) => {
      hearsNotices ||= payload === sent
    })
    await client.query(`listen ${channel}`)
    // Where the connection goes to another one, so does what it hears.
    if (!(await keepsStateBeside(client, other))) return { keepsState: false, hearsNotices: false }
    await other.query(`notify ${channel}, '${sent}'`)
    // Asks nothing meanwhile, as the service does not: some poolers pass a notice on with the next answer.
    for (let waited = 0; !hearsNotices && waited < noticeMilliseconds; waited += 50) await pause(50)
    return { keepsState: true, hearsNotices }
  } finally {
    await Promise.all([client.end(), other.end()].map((ending) => ending.catch(() => {})))
  }
}

/** While another one asks in turn, and is in a transaction: a pooler gives it the connection that was free last. */
async function keepsStateBeside(client: pg.Client, other: pg.Client): Promise<boolean> {
  const prepared = { name: 'gatehouse_doctor', text: "select current_setting('app.doctor', true) as kept" }
  try {
    await client.query("select set_config('app.doctor', 'kept', false)")
    await client.query(prepared)
    const [ofClient, ofOther] = [await backendOf(client), await backendOf(other)]
    // A pooler with no other connection would have the client's next statement wait for the end of the other's transaction.
    if (ofClient === ofOther) return false
    for (let round = 0; round < stateRounds; round++) {
      if ((await backendOf(client)) !== ofClient) return false
      await other.query('begin')
      if ((await backendOf(other)) !== ofOther) return false
      const [{ kept } = {}] = (await client.query(prepared)).rows
      if (kept !== 'kept' || (await backendOf(client)) !== ofClient) return false
      await other.query('commit')
      // Others who ask in turns with these two would leave the same connection to each of them.
      await pause(randomInt(stateRoundMilliseconds))
    }
    return true
  } catch (error) {
    // `prepared statement … does not exist`, or exists already on the connection that it was given.
    if (['26000', '42P05'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

const backendOf = async (client: pg.Client): Promise<number> => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
