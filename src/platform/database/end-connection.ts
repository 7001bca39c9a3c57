import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

const politeMilliseconds = 1_000

/** Ends a connection. A server that has stopped answering does not end one either: it is dropped then. */
export async function endConnection(client: pg.Client): Promise<void> {
  const ended = client.end().then(
    () => true,
    () => true,
  )
  if (!(await Promise.race([ended, pause(politeMilliseconds, false, { ref: false })]))) dropConnection(client)
}

/** Ends a connection without a word to the server. What waits for an answer on it fails by the error. */
export function dropConnection(client: pg.ClientBase, error?: Error): void {
  const { connection } = client as pg.ClientBase & { connection: { stream: { destroy(error?: Error): void } } }
  connection.stream.destroy(error)
}
