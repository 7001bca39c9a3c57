import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { App } from './app.ts'

/** A port that is taken before the application exists. Its connections get a response in the meantime. */
export interface ReservedPort {
  readonly port: number
  /** Passes the port to the application. @returns its address, such as `http://127.0.0.1:3000` */
  handTo(app: App): Promise<string>
  /** Releases the port. */
  release(): Promise<void>
}

// A connected client that sends no request is dropped after this time.
const silentMilliseconds = 5_000

/**
 * Listens, and responds with 503 to each request until an application takes over.
 * Throws the error of the operating system when it cannot listen on the port.
 */
export async function reservePort({ port, host }: { port: number; host: string }): Promise<ReservedPort> {
  const server = createServer((socket) => {
    socket.setTimeout(silentMilliseconds, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.once('data', () => refuse(socket))
  })
  server.listen({ port, host })
  await once(server, 'listening')
  // Node's `listen` takes over the handle of its argument. Set it in the prototype,
  // so that Fastify does not copy it for the second address of `localhost`.
  const { _handle } = server as typeof server & { _handle: unknown }
  return {
    port: (server.address() as AddressInfo).port,
    handTo: (app) => app.listen(Object.assign(Object.create({ _handle }), { port, host })),
    async release() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Responds as `/readyz` does until the service is ready, but without texts: no module that creates them is loaded yet. */
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
  // Read the rest of the request, so that its sender can read this response.
  socket.resume()
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
}
