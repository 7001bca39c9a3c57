import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { ServerResponse } from './node-http.ts'

export interface IdentifiedResponse {
  /** Sent as `X-Request-Id`. */
  requestId?: string
}

/**
 * A class of responses that all begin with these headers, whatever writes them: a route, an error, a stream, a preflight request. A header
 * that a response sets itself replaces that of the block.
 *
 * The headers are written as one text after those that Node has written. When they are given to Node one by
 * one, it checks, copies and joins each of them with every response, which takes as long as all the rest of a
 * response that does not use the database. The text goes into `_header`, where `writeHead` stores the bytes to
 * send: no documented property, so `test/http/header-block.test.ts` reads what arrives at the socket.
 */
export function responsesWith(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  const blockBeside = blocksOf(headers)

  class BlockResponse extends ServerResponse<IncomingMessage> implements IdentifiedResponse {
    requestId?: string

    override writeHead(statusCode: number, ...rest: unknown[]): this {
      super.writeHead(statusCode, ...(rest as [OutgoingHttpHeaders]))
      const sent = this as unknown as { _header: string }
      const id = this.requestId === undefined ? '' : `x-request-id: ${this.requestId}\r\n`
      // The block replaces the empty line that ends the head, since it has its own.
      sent._header = sent._header.slice(0, -2) + id + blockBeside(rest.at(-1), this.getHeaderNames())
      return this
    }
  }
  return BlockResponse as unknown as typeof ServerResponse
}

/** @returns the text of the headers that are neither in `given` nor among `names`. Each combination is built once. */
function blocksOf(headers: Readonly<Record<string, string>>): (given: unknown, names: readonly string[]) => string {
  const bits = new Map(Object.keys(headers).map((name, place) => [name, 1 << place]))
  const blocks = new Map<number, string>()
  const bitOf = (name: string) => bits.get(name.toLowerCase()) ?? 0

  return (given, names) => {
    let taken = 0
    if (typeof given === 'object') for (const name in given) taken |= bitOf(name)
    for (const name of names) taken |= bitOf(name)
    let block = blocks.get(taken)
    if (block === undefined) {
      const left = Object.entries(headers).filter(([name]) => !(bitOf(name) & taken))
      block = `${left.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
      blocks.set(taken, block)
    }
    return block
  }
}
