import { connect, createServer } from 'node:net'
import { freePort } from './free-port.ts'

/** Stands between a client and PostgreSQL and reads what the client sends. */
export interface PostgresWire {
  url: string
  /** The names of the statements that were prepared; unnamed ones are not among them. */
  readonly names: string[]
  /** The text of each statement. */
  readonly texts: string[]
  stop(): void
}

export async function tapPostgres(url: string): Promise<PostgresWire> {
  const target = new URL(url)
  const { hostname, port: databasePort } = target
  const names: string[] = []
  const texts: string[] = []
  const server = createServer((client) => {
    const database = connect(Number(databasePort), hostname)
    client.pipe(database).pipe(client)
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
    let unread: Buffer = Buffer.alloc(0)
    let isStarted = false
    client.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk as Buffer])
      for (;;) {
        // Only the first message has no type in front of its length.
        const lengthAt = isStarted ? 1 : 0
        if (unread.length < lengthAt + 4) return
        const end = lengthAt + unread.readUInt32BE(lengthAt)
        if (unread.length < end) return
        if (isStarted) read(String.fromCharCode(unread[0] as number), unread.subarray(5, end))
        isStarted = true
        unread = unread.subarray(end)
      }
    })
  })
  function read(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString().split('\0')
    if (type === 'P' && first !== '') names.push(first)
    if (type === 'P') texts.push(second)
    if (type === 'Q') texts.push(first)
  }
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  target.hostname = '127.0.0.1'
  target.port = String(port)
  return { url: target.href, names, texts, stop: () => server.close() }
}
