import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/** A network to a server that can fail without a word: nothing arrives any more, and no connection is closed. */
export interface SilentNetwork {
  /** That of the server, by this network. */
  url: string
  /** Nothing more arrives on the connections of now. */
  loseConnections(): void
  /** Nothing arrives at all, on new connections neither, until it is mended. */
  fail(): void
  mend(): void
  stop(): void
}

export async function silentNetwork(serverUrl: string): Promise<SilentNetwork> {
  const url = new URL(serverUrl)
  const { hostname, port: serverPort } = url
  const sockets = new Set<Socket>()
  let lost = new Set<Socket>()
  let isFailing = false
  const relay = createServer((client) => {
    sockets.add(client)
    if (isFailing) lost.add(client)
    else join(client, connect(Number(serverPort), hostname))
  })
  function join(client: Socket, server: Socket): void {
    sockets.add(server)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (chunk) => lost.has(client) || to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (!lost.has(client)) to.destroy()
      })
    }
  }
  const loseConnections = () => {
    lost = new Set(sockets)
  }
  const port = await freePort()
  await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve))
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    loseConnections,
    fail() {
      loseConnections()
      isFailing = true
    },
    mend() {
      isFailing = false
    },
    stop() {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
