import type { Worker } from 'node:cluster'

/** A connection that the primary process has accepted, as node:cluster sends it. */
interface AcceptedConnection {
  close(): void
}

const isConnection = (handle: unknown): handle is AcceptedConnection =>
  typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'

/**
 * Ends the connection that a worker had not taken yet when it died. node:cluster closes its copy of a connection once the worker confirms that it has it; of
 * one that is killed before that, the copy would stay open for as long as the primary process runs, and its client would wait.
 */
export function endUndelivered(worker: Worker): void {
  const { process: child } = worker
  // It sends one at a time, the next one when this one is confirmed.
  let latest: AcceptedConnection | undefined
  const send = child.send.bind(child) as (...parameters: unknown[]) => boolean
  child.send = (...parameters: unknown[]) => {
    const [, handle] = parameters
    if (isConnection(handle)) latest = handle
    return send(...parameters)
  }
  // One that was confirmed is closed already, and is not closed twice.
  child.once('exit', () => latest?.close())
}
