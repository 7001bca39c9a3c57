import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { dropConnection, endConnection } from './end-connection.ts'

/** Looks at them so many times in the time after which one that is silent is asked about. */
const looksPerSilence = 4
const answerMilliseconds = 5_000
/** The server answers, and has no connection to spare: nothing is known about the others. */
const insufficientResources = /^53/

interface Watched {
  client: pg.ClientBase
  /** Of its process in the database. */
  pid: number | undefined
  bytesRead: number
  /** Since when nothing has come, of what was asked for. */
  silentSince: number
  isIdle: boolean
}

/** What `pg` knows of a connection and does not declare. */
type Wired = pg.ClientBase & { readyForQuery: boolean; connection: { stream: { bytesRead: number } } }

const pidsOf = (connections: readonly Watched[]) => connections.flatMap(({ pid = [] }) => pid)

/** One that is at work and cannot send its answer has nobody who takes it. */
const selectAtWork = `select pid from pg_stat_activity
  where pid = any($1) and usename = session_user and state = 'active' and wait_event is distinct from 'ClientWrite'`
const leave = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and usename = session_user and application_name = 'gatehouse'`

export interface SilentConnections {
  /** @param client one that has just connected */
  watch(client: pg.ClientBase): void
  /** Learns from the pool which of them are idle. */
  watchPool(pool: pg.Pool): void
  /** @param pid of its process in the database, by which that can be asked whether it is at work */
  identify(client: pg.ClientBase, pid: number): void
  close(): void
}

/**
 * Ends connections on which no answer will come: where the network, or the machine of the database, fails without a word, TCP
 * notices after a quarter of an hour. Statements may take as long as they need: while one says nothing, the database is asked by
 * another connection whether it is at work on it. What the database still holds for one that is ended, such as locks, is let go.
 *
 * @param options.canAsk false where a pooler hides which process of the database is at work: the time alone counts
 */
export function endSilentConnections(
  connectionString: string,
  { silentMilliseconds, canAsk = true }: { silentMilliseconds: number; canAsk?: boolean },
): SilentConnections {
  const watched = new Map<pg.ClientBase, Watched>()
  let isLooking = false

  /** Those that wait for an answer, and have heard nothing for so long. */
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
    // Where this process itself stood still, answers have come that it has not read yet.
    await nextTurn()
    const suspects = silent()
    const lost = canAsk && suspects.length > 0 ? await lostOf(suspects) : suspects
    const dropped = stillSilent(lost)
    const reason = `connection terminated: it has brought no answer for ${silentMilliseconds / 1000} seconds`
    for (const { client } of dropped.length > 0 ? [...dropped, ...idle()] : []) dropConnection(client, new Error(reason))
    isLooking = false
  }

  /** Each would have the next request wait as long, if it is lost like the others. */
  const idle = () => [...watched.values()].filter(({ isIdle }) => isIdle)

  /** Those that the database does not work on, and now leaves. All of them where it does not answer. */
  async function lostOf(suspects: readonly Watched[]): Promise<readonly Watched[]> {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
      application_name: 'gatehouse watch',
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const atWork = await client.query<{ pid: number }>(selectAtWork, [pidsOf(suspects)])
      const pids = new Set(atWork.rows.map(({ pid }) => pid))
      const lost = stillSilent(suspects).filter(({ pid }) => pid === undefined || !pids.has(pid))
      await client.query(leave, [pidsOf(lost)])
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
