import { Redis } from 'ioredis'

/** Authenticates at a Redis and pings it. Throws the reason of a failure. @returns milliseconds */
export async function pingRedis(url: string): Promise<number> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // Only this event reports a wrong password: the command only learns that the connection has been closed.
  let refusal: Error | undefined
  redis.on('error', (error) => {
    refusal ??= error
  })
  const begun = performance.now()
  try {
    await redis.connect()
    await redis.ping()
    return Math.round(performance.now() - begun)
  } catch (error) {
    throw refusal ?? error
  } finally {
    redis.disconnect()
  }
}
