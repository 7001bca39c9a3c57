import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { namedStatements, types } from '../driver.ts'
import type { Query } from '../engine.ts'
import type { StatementResult } from '../prepared-group.ts'

export interface PgliteConnection {
  run(query: Query): Promise<StatementResult>
  listen(channel: string): Promise<void>
}

/**
 * Connects the PostgreSQL driver with PGlite: statements are prepared once, and a batch takes one exchange. PGlite's own
 * `query` takes five exchanges for each statement, and plans it each time.
 */
export async function connectToPglite(pglite: PGlite, onNotice: (channel: string) => void): Promise<PgliteConnection> {
  const client = new pg.Client({
    stream: () => new PgliteStream(pglite),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    types,
    pipeline: true,
  } as pg.ClientConfig)
  await client.connect()
  client.on('notification', ({ channel }) => onNotice(channel))
  const statements = namedStatements()
  return {
    run: (query) => statements.run(client, query),
    async listen(channel) {
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    },
  }
}

/** A socket for the driver that speaks PostgreSQL's protocol within this thread. */
class PgliteStream extends Duplex {
  readonly #pglite: PGlite

  constructor(pglite: PGlite) {
    super()
    this.#pglite = pglite
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'))
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#exchange(chunk, done)
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#exchange(Buffer.concat(parts.map(({ chunk }) => chunk)), done)
  }

  #exchange(message: Buffer, done: (error?: Error) => void): void {
    this.#answer(message).then((answer) => {
      this.push(answer)
      done()
    }, done)
  }

  /** Avoids `execProtocolRaw`, of which PGlite parses the result as well, and holds every row for as long as it is open. */
  async #answer(message: Buffer): Promise<Uint8Array> {
    const isStartup = message[0] === 0
    if (isStartup) return this.#pglite.execProtocolRaw(message)
    const parts: Uint8Array[] = []
    // A part is a view of memory that the next part overwrites.
    await this.#pglite.execProtocolRawStream(message, { onRawData: (part) => parts.push(part.slice()) })
    return Buffer.concat(parts)
  }
}
