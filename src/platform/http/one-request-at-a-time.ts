import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** The most pipelined requests that one connection may queue behind the current one. */
const waitingMax = 32

/**
 * Handles the requests of a connection one after another, even when a client sends several before it reads a response (RFC 9112 §9.3.2).
 * Node would handle them all at once and buffer the responses in memory: one packet of small requests for a large document costs
 * gigabytes. A client that sends more than a few is cut off, which it has to expect.
 */
export function oneRequestAtATime(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    // Node assigns a response its socket once the responses before it have been sent.
    if (response.socket !== null) return handle(request, response)
    const { socket } = request
    const before = waiting.get(socket) ?? 0
    if (before >= waitingMax) return void socket.destroy()
    waiting.set(socket, before + 1)
    const begin = AsyncResource.bind(() => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handle(request, response)
    })
    response.once('socket', begin)
  }
}
