import { Redis } from 'ioredis'
import { type Clock, secondsAfter } from '../clock.ts'
import type { Counters } from './counters.ts'
import { watchDatabase } from './redis-database.ts'

const commandTimeoutMilliseconds = 1_000
const connectTimeoutMilliseconds = 5_000
const reconnectAtMostEveryMilliseconds = 5_000

// Redis runs one script at a time, so of two attempts at the last count one is refused. Times are the service's, in
// milliseconds, as everywhere; Redis only removes ended windows.
const take = `
  local window = redis.call('HMGET', KEYS[1], 'count', 'endsAt')
  local count, endsAt = tonumber(window[1] or '0'), tonumber(window[2] or '0')
  local now, max, length = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  if endsAt > now + length then
    -- Opened before the clock was set back.
    endsAt = now + length
    redis.call('HSET', KEYS[1], 'endsAt', string.format('%.0f', endsAt))
    redis.call('PEXPIRE', KEYS[1], length)
  end
  if endsAt > now and count > 0 then
    if count >= max then return {0, endsAt} end
    return {redis.call('HINCRBY', KEYS[1], 'count', 1), 0}
  end
  redis.call('HSET', KEYS[1], 'count', 1, 'endsAt', string.format('%.0f', now + length))
  redis.call('PEXPIRE', KEYS[1], length)
  return {1, 0}`
const release = `
  if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HINCRBY', KEYS[1], 'count', -1) <= 0 then redis.call('DEL', KEYS[1]) end
  return 0`

/**
 * Counters in Redis, which all processes share. The first connection is awaited only for a short time. While Redis cannot
 * be reached, the counters throw and reconnect by themselves; they throw as well if it does not have the database of the URL.
 */
export async function countInRedis(url: string, clock: Clock, onError: (error: unknown) => void): Promise<Counters> {
  const redis = new Redis(url, {
    // Count in the process rather than let a sign-in wait until Redis is back.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMilliseconds,
    // A network that fails silently closes no connection: reconnect after this time.
    socketTimeout: commandTimeoutMilliseconds,
    connectTimeout: connectTimeoutMilliseconds,
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(attempt * 200, reconnectAtMostEveryMilliseconds),
  })
  redis.on('error', onError)
  const checkDatabase = watchDatabase(redis)
  await redis.connect().catch(() => {})
  const nameOf = (key: string) => `gatehouse:limit:${key}`
  const timeOf = (milliseconds: unknown) => (Number(milliseconds) > 0 ? new Date(Number(milliseconds)) : undefined)

  return {
    async take(key, { max, windowSeconds }) {
      checkDatabase()
      const taken = await redis.eval(take, 1, nameOf(key), clock.now().getTime(), max, windowSeconds * 1_000)
      const [count, endsAt] = taken as [number, number]
      return count > 0 ? { count } : { fullUntil: new Date(endsAt) }
    },
    async fullUntil(key, { max, windowSeconds }) {
      checkDatabase()
      const [count, endsAt] = await redis.hmget(nameOf(key), 'count', 'endsAt')
      const now = clock.now()
      const until = timeOf(endsAt)
      if (!until || until <= now || Number(count) < max) return undefined
      // The next count shortens a window that was opened before the clock was set back.
      const latest = secondsAfter(now, windowSeconds)
      return new Date(Math.min(until.getTime(), latest.getTime()))
    },
    async release(key) {
      checkDatabase()
      await redis.eval(release, 1, nameOf(key))
    },
    async fill(key, { max }, until) {
      checkDatabase()
      const length = Math.max(1, until.getTime() - clock.now().getTime())
      await redis.multi().hset(nameOf(key), { count: max, endsAt: until.getTime() }).pexpire(nameOf(key), length).exec()
    },
    async forget(key) {
      checkDatabase()
      await redis.del(nameOf(key))
    },
    async close() {
      redis.disconnect()
    },
  }
}
