import pg from 'pg'
import { endConnection } from './end-connection.ts'
import { createPrimarySearch, type PrimarySearch } from './primary-search.ts'
import { driverUrl, serverName, serverUrls } from './server-addresses.ts'

/** How connections to the server of an address are opened, or to the primary of several. */
export interface Servers {
  /** The class of connections, which takes the address below. */
  Client: typeof pg.Client
  connectionString: string
  /** Notices when another server is promoted. @returns what ends it */
  watch(): () => void
}

/** With one server, connections are those of `pg`. */
export function serversOf(databaseUrl: string): Servers {
  const urls = serverUrls(databaseUrl)
  if (urls.length === 1) return { Client: pg.Client, connectionString: driverUrl(databaseUrl), watch: () => () => {} }
  const search = createPrimarySearch(urls)
  // The driver knows one host: that of a connection is set when it is opened.
  return { Client: clientOf(search), connectionString: driverUrl(urls[0] as string), watch: search.watch }
}

/** Members of a `pg` connection that its types do not declare. */
interface Wired {
  _ending: boolean
  connectionParameters: { host: string; port: number }
  connection: {
    on(name: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
    once(name: 'end', listener: () => void): void
  }
}

/** What a server says of itself when a connection is opened, unless a pooler does not pass it on. */
const readOnlyParameters = ['in_hot_standby', 'default_transaction_read_only']

class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = '25006'
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** A class of connections to the primary. */
function clientOf(search: PrimarySearch): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(connected: Connected): void
    override connect(connected?: Connected): Promise<pg.Client> | undefined {
      const connecting = this.#connect()
      if (!connected) return connecting
      const call = connected as (error: Error | null, client?: pg.Client) => void
      connecting.then(() => call(null, this), call)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      const url = await search.find()
      const { host, port } = new pg.Client({ connectionString: driverUrl(url) })
      const wired = this as unknown as Wired
      Object.assign(this, { host, port })
      Object.assign(wired.connectionParameters, { host, port })
      const lost = () => search.lost(url)
      this.on('error', lost)
      wired.connection.once('end', () => {
        if (!wired._ending) lost()
      })
      let isReadOnly = false
      wired.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        if (readOnlyParameters.includes(parameterName)) isReadOnly ||= parameterValue === 'on'
      })
      try {
        await super.connect()
        if (isReadOnly) throw new ReadOnlyServer(`${serverName(url)} takes no writes any more`)
      } catch (error) {
        lost()
        endConnection(this)
        throw error
      }
      search.opened(this, url)
      return this
    }
  } as typeof pg.Client
}
