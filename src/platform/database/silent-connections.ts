import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { dropConnection, endConnection } from './end-connection.ts'
import type { Servers } from './servers.ts'

/** The number of checks during the time after which a silent connection is probed. */
const looksPerSilence = 4
const answerMilliseconds = 5_000
/** The SQLSTATEs of a server that responds, but has no connection to spare: nothing is known about the others. */
const insufficientResources = /^53/

interface Watched {
  client: pg.Client
  /** The id of its process in the database. */
  pid: number | undefined
  bytesRead: number
  /** The time since which it has received nothing although queries are pending. */
  silentSince: number
  isIdle: boolean
}

/** Members of a `pg` connection that its types do not declare. */
type Wired = pg.Client & { readyForQuery: boolean; connection: { stream: { bytesRead: number } } }

const pidsOf = (connections: readonly Watched[]) => connections.flatMap(({ pid = [] }) => pid)

/** Selects processes at work, except those that cannot send their response: no peer reads it. */
const selectAtWork = `select pid from pg_stat_activity
  where pid = any($1) and usename = session_user and state = 'active' and wait_event is distinct from 'ClientWrite'`
const leave = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and usename = session_user and application_name = 'gatehouse'`

export interface SilentConnections {
  /** @param client a connection that has just been opened */
  watch(client: pg.Client): void
  /** Learns from the pool which connections are idle. */
  watchPool(pool: pg.Pool): void
  /** @param pid the id of its process in the database, which tells whether it is at work */
  identify(client: pg.ClientBase, pid: number): void
  close(): void
}

/**
 * Ends connections that will never receive a response: when the network, or the machine of the database, fails silently, TCP notices after
 * a quarter of an hour. Statements may take as long as they need: while a connection is silent, another one asks the database whether it
 * is at work on it. Resources that the database still holds for an ended connection, such as locks, are released.
 *
 * @param options.canAsk false where a pooler hides which process of the database is at work: only the time counts then
 */
export function endSilentConnections(
  { Client, connectionString }: Servers,
  { silentMilliseconds, canAsk = true }: { silentMilliseconds: number; canAsk?: boolean },
): SilentConnections {
  const watched = new Map<pg.ClientBase, Watched>()
  let isLooking = false

  /** The connections that await a response and have received nothing for so long. */
  function silent(): Watched[] {
    const now = performance.now()
    for (const one of watched.values()) {
      const { readyForQuery, connection } = one.client as Wired
      const { bytesRead } = connection.stream
      if (readyForQuery || bytesRead !== one.bytesRead) Object.assign(one, { bytesRead, silentSince: now })
    }
    return [...watched.values()].filter(({ silentSince }) => now - silentSince >= silentMilliseconds)
  }

  const stillSilent = (suspects: readonly Watched[]) => {
    const now = new Set(silent())
    return suspects.filter((one) => now.has(one))
  }

  async function look(): Promise<void> {
    if (isLooking || silent().length === 0) return
    isLooking = true
    // If this process itself was stalled, it has not read responses that have arrived.
    await nextTurn()
    const suspects = silent()
    const lost = canAsk && suspects.length > 0 ? await lostOf(suspects) : suspects
    const dropped = stillSilent(lost)
    const reason = `connection terminated: it has brought no answer for ${silentMilliseconds / 1000} seconds`
    for (const { client } of dropped.length > 0 ? [...dropped, ...idle()] : []) dropConnection(client, new Error(reason))
    isLooking = false
  }

  /** The idle connections, each of which would delay the next request as long if it is lost like the others. */
  const idle = () => [...watched.values()].filter(({ isIdle }) => isIdle)

  /** The connections that the database does not work on and now abandons; all of them if it does not respond. */
  async function lostOf(suspects: readonly Watched[]): Promise<readonly Watched[]> {
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
      application_name: 'gatehouse watch',
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const isHere = ({ client: { host, port } }: Watched) => host === client.host && port === client.port
      // The database may have moved to another server, where these numbers are those of others.
      const here = suspects.filter(isHere)
      const atWork = await client.query<{ pid: number }>(selectAtWork, [pidsOf(here)])
      const pids = new Set(atWork.rows.map(({ pid }) => pid))
      const lost = stillSilent(suspects).filter((one) => one.pid === undefined || !isHere(one) || !pids.has(one.pid))
      await client.query(leave, [pidsOf(lost.filter(isHere))])
      return lost
    } catch (error) {
      return insufficientResources.test(String((error as { code?: unknown }).code)) ? [] : suspects
    } finally {
      await endConnection(client)
    }
  }

  const timer = setInterval(look, silentMilliseconds / looksPerSilence).unref()
  return {
    watch(client) {
      watched.set(client, { client, pid: undefined, bytesRead: 0, silentSince: performance.now(), isIdle: false })
      client.once('end', () => watched.delete(client))
    },
    watchPool(pool) {
      const note = (isIdle: boolean) => (client: pg.ClientBase) => {
        const one = watched.get(client)
        if (one) one.isIdle = isIdle
      }
      const [noteUse, noteIdle] = [note(false), note(true)]
      pool.on('acquire', noteUse)
      pool.on('release', (_error, client) => noteIdle(client))
    },
    identify(client, pid) {
      const one = watched.get(client)
      if (one) one.pid = pid
    },
    close: () => clearInterval(timer),
  }
}
