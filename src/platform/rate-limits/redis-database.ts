import type { Redis } from 'ioredis'

/** Redis does not have, or does not let this user into, the database that the URL names. */
export class DatabaseRefused extends Error {}

/**
 * Watches a connection to Redis: the library stays in database 0 if Redis refuses the one of the URL, and only an event says so.
 *
 * @returns a check, which throws DatabaseRefused while the connection is in another database than the one of the URL
 */
export function watchDatabase(redis: Redis): () => void {
  let refused: DatabaseRefused | undefined
  redis.on('connect', () => {
    refused = undefined
  })
  redis.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') refused = new DatabaseRefused(error.message, { cause: error })
  })
  return () => {
    if (refused) throw refused
  }
}
