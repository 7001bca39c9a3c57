import { Redis } from 'ioredis'

/** Signs in at a Redis and asks whether it answers. Throws why it does not. @returns milliseconds */
export async function pingRedis(url: string): Promise<number> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // What it refuses is thrown by the command.
  redis.on('error', () => {})
  const begun = performance.now()
  try {
    await redis.connect()
    await redis.ping()
    return Math.round(performance.now() - begun)
  } finally {
    redis.disconnect()
  }
}
