import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const noticeMilliseconds = 2_000
const channel = 'gatehouse_doctor'

/**
 * Asks whether a connection keeps what it has prepared and set, and hears notices, as one to PostgreSQL itself does. Behind a
 * pooler in transaction mode, each transaction may have another connection.
 */
export async function probeSession(connectionString: string): Promise<{ keepsState: boolean; hearsNotices: boolean }> {
  const [client, other] = [1, 2].map(
    () => new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'gatehouse doctor' }),
  ) as [pg.Client, pg.Client]
  try {
    for (const one of [client, other]) {
      one.on('error', () => {})
      await one.connect()
    }
    let notices = 0
    client.on('notification', () => notices++)
    await client.query(`listen ${channel}`)
    const keepsState = await keepsStateBeside(client, other)
    await other.query(`notify ${channel}`)
    for (let waited = 0; notices === 0 && waited < noticeMilliseconds; waited += 50) {
      await pause(50)
      // What a pooler held back comes with the next answer.
      await client.query('select 1')
    }
    return { keepsState, hearsNotices: notices > 0 }
  } finally {
    await Promise.all([client.end(), other.end()].map((ending) => ending.catch(() => {})))
  }
}

/** While another one begins a transaction in between, so that a pooler with a single connection gives that to it. */
async function keepsStateBeside(client: pg.Client, other: pg.Client): Promise<boolean> {
  const prepared = { name: 'gatehouse_doctor', text: "select current_setting('app.doctor', true) as kept" }
  try {
    await client.query("select set_config('app.doctor', 'kept', false)")
    await client.query(prepared)
    const before = await backendOf(client)
    await other.query('begin')
    await backendOf(other)
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
