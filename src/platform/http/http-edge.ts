import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from './app.ts'
import { oneRequestAtATime } from './one-request-at-a-time.ts'
import { RepeatedDocuments } from './repeated-documents.ts'
import type { SentResponse } from './sent-response.ts'

// Code that depends on the internals of Node and Fastify is here, so that `server.ts` reads as a list of what a server needs.

/** Ignores the `Expect` header of a request: Node would refuse in words of its own. */
export function takeAnyExpectation({ server }: App): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Lets the service end its connections: each with its next response while it drains, and the idle ones when it stops. */
export function allowDraining(app: App): void {
  const { server } = app
  app.decorate('drain', () => {
    app.repeatedDocuments.close()
    // Register it only now: a service that does not stop pays nothing for it.
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
  })
  // Close the connections of responses during the stop, too: only idle ones are closed at once.
  app.addHook('preClose', async () => {
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
