import type pg from 'pg'
import { endConnection } from './end-connection.ts'
import { shareWhileConnected } from './locks-and-channels.ts'
import type { Servers } from './servers.ts'

const reconnectAfterMilliseconds = 1_000
/** The timeout of a connection attempt, and of each response. */
const answerMilliseconds = 5_000
/** The time within which a process that has lost its connection meets a lock that was taken meanwhile, while the server answers it. */
export const meetsLockWithinMilliseconds = reconnectAfterMilliseconds + answerMilliseconds

export interface Listener {
  /**
   * Calls back at every notice on the channel, and once after the connection was lost, when notices may have been missed.
   *
   * @throws Error of the first connection. A connection that is lost later is re-established
   */
  listen(channel: string, onNotice: () => void): Promise<void>
  close(): Promise<void>
}

/**
 * Listens for all channels on one connection, which is opened with the first, and again whenever it is lost.
 *
 * @param silentMilliseconds the interval of probes of the connection: nothing else would reveal a silent network failure
 * @param options.prove throws for a connection that is not to be used
 * @param options.onTaken called when a command has the database for itself at the moment at which the lost connection is opened again: what it
 *   does may have ended the use of this process's key or of the whole database, so there is no way back
 */
export function createListener(
  { Client, connectionString, watch }: Servers,
  silentMilliseconds: number,
  { prove, onTaken }: { prove?: ((client: pg.Client) => Promise<void>) | undefined; onTaken(): void },
): Listener {
  const callbacks = new Map<string, Set<() => void>>()
  let connection: Promise<pg.Client> | undefined
  let wasConnected = false
  let reconnecting: NodeJS.Timeout | undefined
  let isClosing = false
  const endWatch = watch()

  async function connect(): Promise<pg.Client> {
    const client = new Client({
      connectionString,
      application_name: 'gatehouse listen',
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
      // A LISTEN may be sent while a probe is pending.
      pipeline: true,
    } as pg.ClientConfig)
    client.on('notification', ({ channel }) => call(callbacks.get(channel)))
    client.on('error', () => {})
    try {
      await client.connect()
      await prove?.(client)
      await shareDatabase(client)
      for (const channel of callbacks.keys()) await listenTo(client, channel)
    } catch (error) {
      await endConnection(client)
      if (wasConnected && error instanceof DatabaseHeld) {
        isClosing = true
        onTaken()
      }
      throw error
    }
    wasConnected = true
    const asking = setInterval(() => client.query('select 1').catch(() => endConnection(client)), silentMilliseconds).unref()
    client.once('end', () => {
      clearInterval(asking)
      reconnect()
    })
    return client
  }

  function connected(): Promise<pg.Client> {
    connection ??= connect().catch((error) => {
      connection = undefined
      throw error
    })
    return connection
  }

  function reconnect(): void {
    connection = undefined
    if (isClosing) return
    const callAll = () => {
      for (const ofChannel of callbacks.values()) call(ofChannel)
    }
    clearTimeout(reconnecting)
    reconnecting = setTimeout(() => connected().then(callAll, reconnect), reconnectAfterMilliseconds).unref()
  }

  return {
    async listen(channel, onNotice) {
      const ofChannel = callbacks.get(channel) ?? new Set()
      callbacks.set(channel, ofChannel)
      ofChannel.add(onNotice)
      try {
        await listenTo(await connected(), channel)
      } catch (error) {
        if (wasConnected) return reconnect()
        ofChannel.delete(onNotice)
        throw error
      }
    },
    async close() {
      isClosing = true
      endWatch()
      clearTimeout(reconnecting)
      await connection?.then(endConnection, () => {})
    },
  }
}

class DatabaseHeld extends Error {}

/** Holds out commands that need the database for themselves, as long as the connection lasts. @throws DatabaseHeld while one of them runs */
async function shareDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(shareWhileConnected('service'))
  if (rows[0]?.held) return
  throw new DatabaseHeld(
    'The database cannot be served now, since a command is at work on all of it: `gatehouse secret-key rotate`, after which the service starts with the new key, or `gatehouse database move`, after which the service starts on the new one. Wait until it has ended',
  )
}

const listenTo = (client: pg.Client, channel: string) => client.query(`listen ${client.escapeIdentifier(channel)}`)

function call(callbacks: Iterable<() => void> = []): void {
  for (const callback of callbacks) callback()
}
