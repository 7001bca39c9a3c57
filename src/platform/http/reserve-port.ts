import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { App } from './app.ts'

/** A port that nobody else can take, whose connections are answered before there is an application. */
export interface ReservedPort {
  /** Has the application answer from now on. @returns its address, such as `http://127.0.0.1:3000` */
  handTo(app: App): Promise<string>
  /** Gives it up. */
  release(): Promise<void>
}

// Who connects and asks nothing is not waited for.
const silentMilliseconds = 5_000

/**
 * Listens, and answers 503 to each request until an application takes over. Throws what the operating system says when it
 * cannot be listened on the port.
 */
export async function reservePort({ port, host }: { port: number; host: string }): Promise<ReservedPort> {
  const server = createServer((socket) => {
    socket.setTimeout(silentMilliseconds, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.once('data', () => refuse(socket))
  })
  server.listen({ port, host })
  await once(server, 'listening')
  // Node's `listen` takes over the handle of what it is given. In the prototype, so that Fastify does not copy it for the second
  // address of `localhost`.
  const { _handle } = server as typeof server & { _handle: unknown }
  return {
    handTo: (app) => app.listen(Object.assign(Object.create({ _handle }), { port, host })),
    async release() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** As `/readyz` does until the service is ready, but for the texts: nothing that makes them is loaded yet. */
function refuse(socket: Socket): void {
  const body = '{"title":"Service Unavailable","status":503,"detail":"Not ready","code":"not-ready"}'
  const headers = [
    'HTTP/1.1 503 Service Unavailable',
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Retry-After: 1',
    'Connection: close',
  ]
  // The rest of a request is read, so that its sender can read this.
  socket.resume()
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
}
