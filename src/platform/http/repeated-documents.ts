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

/** Headers that affect the response to a GET of a document. A request with one of them goes through the framework. */
const deciding = ['origin', 'if-none-match', 'expect', 'content-length', 'transfer-encoding'] as const

/**
 * Repeats the response that the framework has given before to the most frequent request, a GET of a public document without conditions:
 * the routing, the hooks and the writing of headers would have the same result, and take longer than all the rest. The document is
 * compared with the current one each time; a new version goes through the framework first.
 */
export class RepeatedDocuments {
  readonly #byPath = new Map<string, Repeated>()
  readonly #onResponseSent: (sent: SentResponse) => void
  #isClosed = false

  constructor(onResponseSent: (sent: SentResponse) => void) {
    this.#onResponseSent = onResponseSent
  }

  /** Stores the headers with which a document is about to be sent. */
  remember({ raw, routeOptions }: FastifyRequest, headers: OutgoingHttpHeaders, current: CurrentDocument, document: Document): void {
    // Store it for the path without a query only: the number of queries is unlimited.
    if (this.#isClosed || raw.url === undefined || raw.url !== routeOptions.url || !isPlain(raw)) return
    const length = Buffer.byteLength(document.text)
    this.#byPath.set(raw.url, { current, document, headers: { ...headers, 'content-length': length } })
  }

  /** @returns whether it has sent the response */
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

  /** Leaves all further requests to the framework, which ends each connection. */
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
