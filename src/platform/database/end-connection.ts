import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

const politeMilliseconds = 1_000

/** Ends a connection. A server that does not respond cannot end it properly: the connection is dropped then. */
export async function endConnection(client: pg.Client): Promise<void> {
  const ended = client.end().then(
    () => true,
    () => true,
  )
  if (!(await Promise.race([ended, pause(politeMilliseconds, false, { ref: false })]))) dropConnection(client)
}

/** Drops a connection without a message to the server. Pending queries on it fail with the error. */
export function dropConnection(client: pg.ClientBase, error?: Error): void {
  const { connection } = client as pg.ClientBase & { connection: { stream: { destroy(error?: Error): void } } }
  connection.stream.destroy(error)
}
