import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { CurrentDocument, Document } from './document.ts'
import type { IdentifiedResponse } from './header-block.ts'
import type { SentResponse } from './sent-response.ts'

interface Repeated {
  current: CurrentDocument
  document: Document
  headers: OutgoingHttpHeaders
}

/** Headers on which the response to a GET of a document depends. A request that has one of them goes through the framework. */
const deciding = ['origin', 'if-none-match', 'expect', 'content-length', 'transfer-encoding'] as const

/**
 * Answers what is asked most often of all, a GET of a public document without conditions, with the response that the framework
 * has given to the same request before: the routing, the hooks and the writing of headers would come to the same again, and take
 * longer than all else. The document is compared with that of now each time; what is new goes through the framework first.
 */
export class RepeatedDocuments {
  readonly #byPath = new Map<string, Repeated>()
  readonly #onResponseSent: (sent: SentResponse) => void
  #isClosed = false

  constructor(onResponseSent: (sent: SentResponse) => void) {
    this.#onResponseSent = onResponseSent
  }

  /** Remembers the headers that a document is about to be sent with. */
  remember({ raw, routeOptions }: FastifyRequest, headers: OutgoingHttpHeaders, current: CurrentDocument, document: Document): void {
    // Of the path alone: with queries there would be any number of them.
    if (this.#isClosed || raw.url === undefined || raw.url !== routeOptions.url || !isPlain(raw)) return
    const length = Buffer.byteLength(document.text)
    this.#byPath.set(raw.url, { current, document, headers: { ...headers, 'content-length': length } })
  }

  /** @returns whether it has answered */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const repeated = this.#byPath.get(request.url ?? '')
    if (!repeated || !isPlain(request) || repeated.current() !== repeated.document) return false
    const startedAt = performance.now()
    const requestId = randomUUID()
    const identified = response as ServerResponse & IdentifiedResponse
    identified.requestId = requestId
    response.writeHead(200, repeated.headers)
    response.end(repeated.document.text)
    const path = request.url as string
    this.#onResponseSent({ requestId, method: 'GET', path, route: path, status: 200, milliseconds: performance.now() - startedAt })
    return true
  }

  /** From now on the framework answers: it ends each connection. */
  close(): void {
    this.#isClosed = true
    this.#byPath.clear()
  }
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.host !== undefined && deciding.every((name) => headers[name] === undefined)
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly repeatedDocuments: RepeatedDocuments
  }
}
