import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const noticeMilliseconds = 2_000
const connectMilliseconds = 5_000
/** A pooler may have a statement wait for minutes until a connection is free. */
const queryMilliseconds = 4_000
const channel = 'gatehouse_doctor'

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
    let notices = 0
    client.on('notification', () => notices++)
    await client.query(`listen ${channel}`)
    // Where the connection goes to another one, so does what it hears.
    if (!(await keepsStateBeside(client, other))) return { keepsState: false, hearsNotices: false }
    await other.query(`notify ${channel}`)
    // Asks nothing meanwhile, as the service does not: some poolers pass a notice on with the next answer.
    for (let waited = 0; notices === 0 && waited < noticeMilliseconds; waited += 50) await pause(50)
    return { keepsState: true, hearsNotices: notices > 0 }
  } finally {
    await Promise.all([client.end(), other.end()].map((ending) => ending.catch(() => {})))
  }
}

/** While another one is in a transaction, to which a pooler has given the connection that was free last. */
async function keepsStateBeside(client: pg.Client, other: pg.Client): Promise<boolean> {
  const prepared = { name: 'gatehouse_doctor', text: "select current_setting('app.doctor', true) as kept" }
  try {
    await client.query("select set_config('app.doctor', 'kept', false)")
    await client.query(prepared)
    const before = await backendOf(client)
    await other.query('begin')
    // A pooler with no other connection would have the next statement wait for the end of this transaction.
    if ((await backendOf(other)) === before) return false
    const [{ kept } = {}] = (await client.query(prepared)).rows
    const after = await backendOf(client)
    await other.query('commit')
    return kept === 'kept' && before === after
  } catch (error) {
    // `prepared statement … does not exist`, or exists already on the connection that it was given.
    if (['26000', '42P05'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

const backendOf = async (client: pg.Client): Promise<number> => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
