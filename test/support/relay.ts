import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Relay {
  url: string
  /** How many requests it has passed on. */
  passedOn: number
  /** What becomes of a response of the service; by default it is passed back. A relay that is away passes on nothing. */
  behaviour: 'passes back' | 'loses once' | 'responds 504 once' | 'is away'
  stop(): void
}

/** A proxy in front of a service, which can lose what the service responds. */
export async function startRelay(origin: string): Promise<Relay> {
  const server = createServer(async (request, response) => {
    if (relay.behaviour === 'is away') return void request.socket.destroy()
    const answer = await passOn(request)
    relay.passedOn++
    const isRead = request.method === 'GET' || relay.behaviour === 'passes back'
    if (isRead) return passBack(answer, response)
    if (relay.behaviour === 'responds 504 once') response.writeHead(504).end()
    else request.socket.destroy()
    relay.behaviour = 'passes back'
  })
  async function passOn(request: IncomingMessage): Promise<Response> {
    const body = request.method === 'GET' ? undefined : await buffer(request)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    return fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: body ?? null,
    })
  }
  async function passBack(answer: Response, response: ServerResponse): Promise<void> {
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passedOn: 0,
    behaviour: 'passes back',
    stop: () => void server.close(),
  }
  return relay
}
