/** The responses to requests that never reach a route, since they could not be read. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { STATUS_CODES } from './node-http.ts'
import { type Problem, presentProblem, problems } from './problem.ts'
import { headersTooLarge, malformedRequest, requestTimeout } from './refusals.ts'

/** The time limits of the service for a client. */
export interface ReadTimeouts {
  headersMilliseconds: number
  /** The limit for the headers and the body together. */
  requestMilliseconds: number
  /** The interval between checks of the connections. */
  checkMilliseconds: number
  /** The longest time without progress on a connection with a request: for a client that does not read its response. */
  stalledMilliseconds: number
}

export const defaultReadTimeouts: ReadTimeouts = {
  headersMilliseconds: 15_000,
  requestMilliseconds: 30_000,
  checkMilliseconds: 2_000,
  stalledMilliseconds: 120_000,
}

/** The time for which further data of the peer is discarded: an immediate close would reset the connection and lose the response. */
const lingerMilliseconds = 1_000

interface Answering {
  problemsHost: string
  /** The headers of every response. */
  headers: Readonly<Record<string, string>>
  logger: Logger
}

type ClientError = Error & { code?: string | undefined; rawPacket?: unknown }

/** Responds with a problem like any other to requests that Node's HTTP server could not read, and closes the connection. */
export const refuseUnreadable = ({ problemsHost, headers, logger }: Answering) => {
  return (error: ClientError, socket: Socket): void => {
    // The response was sent already: the peer continues to send.
    if (socket.writableEnded && !socket.destroyed) return
    const response = responseUnderWay(socket)
    // A response must not end in the middle of another.
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
      socket.destroy()
      return
    }
    const problem = problemOf(error)
    const { status } = problems[problem.slug]
    const reqId = randomUUID()
    const path = (response?.req.url ?? pathOfPacket(error.rawPacket))?.split('?')[0] ?? '/'
    const body = JSON.stringify(presentProblem(problem, problemsHost, path))
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/problem+json',
      'content-length': String(Buffer.byteLength(body)),
      date: new Date().toUTCString(),
      'x-request-id': reqId,
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    logger.info({ reqId, path, status, reason: error.code }, 'could not read a request')
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    // A route that waits for the rest of the body must not get it any more.
    if (response) socket.destroySoon()
    else setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
}

function problemOf(error: ClientError): Problem {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  return error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge() : malformedRequest(error)
}

/** The current response of the socket. Node looks there itself before it responds to such an error. */
const responseUnderWay = (socket: Socket) => (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/** The path of the request line, when the unreadable packet begins with one. */
const pathOfPacket = (packet: unknown): string | undefined =>
  /^[A-Z]+ (\/[\x21-\x7e]*) HTTP\//.exec(Buffer.isBuffer(packet) ? packet.toString('latin1') : '')?.[1]
