import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Requests that one connection may have waiting behind the one that is being answered. */
const waitingMax = 32

/**
 * Answers the requests of a connection one after another, also when a client sends several before it reads a response (RFC 9112 §9.3.2). Node
 * would answer them all at once and hold the responses in memory: one packet of small requests for a large document costs gigabytes.
 * A client that sends more than a few is cut off, which it has to expect.
 */
export function oneRequestAtATime(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    // Node gives a response its socket once the responses before it have left.
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
