import type { Worker } from 'node:cluster'

/** A connection that the primary process has accepted, as node:cluster sends it. */
interface AcceptedConnection {
  close(): void
}

const isConnection = (handle: unknown): handle is AcceptedConnection =>
  typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'

/** What a worker of node:cluster replies to a connection: whether it takes it. One that stops does not, and the connection is passed to another. */
const isReplyToConnection = (message: unknown): boolean => typeof message === 'object' && message !== null && 'accepted' in message

/**
 * Ends the connection that a worker had not replied to yet when it died. node:cluster closes its copy of a connection once the worker has taken it; of one
 * that is killed before that, the copy would stay open for as long as the primary process runs, and its client would wait.
 */
export function endUndelivered(worker: Worker): void {
  const { process: child } = worker
  // It sends one at a time, the next one after the reply to this one.
  let undelivered: AcceptedConnection | undefined
  const send = child.send.bind(child) as (...parameters: unknown[]) => boolean
  child.send = (...parameters: unknown[]) => {
    const [, handle] = parameters
    if (isConnection(handle)) undelivered = handle
    return send(...parameters)
  }
  // First, because node:cluster sends the next one when it learns of a reply.
  child.prependListener('internalMessage', (message: unknown) => {
    if (isReplyToConnection(message)) undelivered = undefined
  })
  child.once('exit', () => undelivered?.close())
}
