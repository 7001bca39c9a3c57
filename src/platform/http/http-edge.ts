import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { App } from './app.ts'
import { oneRequestAtATime } from './one-request-at-a-time.ts'
import { RepeatedDocuments } from './repeated-documents.ts'
import type { SentResponse } from './sent-response.ts'

// Code that depends on the internals of Node and Fastify is here, so that `server.ts` reads as a list of what a server needs.

/** Ignores the `Expect` header of a request: Node would refuse in words of its own. */
export function takeAnyExpectation({ server }: App): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** A stop closes idle connections once no request has begun for this long. */
const quietMilliseconds = 50
const quietRoundsMax = 20

/** Lets the service end its connections: each with its next response while it drains or stops, and the idle ones when it stops. */
export function allowDraining(app: App): void {
  const { server } = app
  let isDraining = false
  let begun = 0
  app.decorate('drain', () => {
    if (isDraining) return
    isDraining = true
    app.repeatedDocuments.close()
    // Register it only now: a service that does not stop pays nothing for it.
    server.prependListener('request', (_request, response) => {
      begun++
      response.shouldKeepAlive = false
    })
  })
  app.addHook('preClose', async () => {
    app.drain()
    // To Node, a connection is idle until it reads the request that the client has sent: closed now, it would be reset.
    for (let [before, round] = [-1, 0]; begun !== before && round < quietRoundsMax; round++) {
      before = begun
      await pause(quietMilliseconds)
      // A busy process is late for its timers, before it has read anything. In the first turn it accepts connections, in the second it reads them.
      for (let turn = 0; turn < 2; turn++) await nextTurn()
    }
    // Close the connections of responses during the stop, too: only idle ones are closed at once.
    server.keepAliveTimeout = 1
  })
}

/** Puts the listener that repeats documents in front of the framework. */
export function repeatDocuments(app: App, listeners: ReadonlySet<(sent: SentResponse) => void>): void {
  const { server } = app
  const repeated = new RepeatedDocuments((sent) => {
    for (const listener of listeners) listener(sent)
  })
  app.decorate('repeatedDocuments', repeated)
  app.addHook('preClose', async () => repeated.close())
  const [handle] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
  server.removeAllListeners('request')
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    if (!repeated.answer(request, response)) handle.call(server, request, response)
  }
  server.on('request', oneRequestAtATime(respond))
}

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on each response ends its connection, so that proxies and clients open their next one elsewhere. */
    drain(): void
  }
}
