import { Redis } from 'ioredis'
import { watchDatabase } from './redis-database.ts'

export { DatabaseRefused } from './redis-database.ts'

/** Whether an error is that Redis does not accept user and password. The code of Redis is a word of the message, and older ones share `ERR`. */
export const refusesUser = (error: unknown): boolean =>
  error instanceof Error && /\b(?:NOAUTH|WRONGPASS|NOPERM)\b|^ERR .*\b(?:AUTH|password)\b/.test(error.message)

/** Authenticates at a Redis and pings it, in the database of the URL. Throws the reason of a failure. @returns milliseconds */
export async function pingRedis(url: string): Promise<number> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  const checkDatabase = watchDatabase(redis)
  // Only this event reports a wrong password: the command only learns that the connection has been closed.
  let refusal: Error | undefined
  redis.on('error', (error) => {
    refusal ??= error
  })
  const begun = performance.now()
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw refusal ?? error
  } finally {
    redis.disconnect()
  }
  checkDatabase()
  return Math.round(performance.now() - begun)
}
