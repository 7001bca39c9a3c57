import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Counters } from './counters.ts'
import { countInDatabase } from './database-counters.ts'
import { countWithFallback } from './fallback-counters.ts'
import { countInProcess } from './process-counters.ts'

/** Opens counters in Redis when there is a URL, else in PostgreSQL, which several processes may share, else in the process. */
export async function openCounters(database: Database, redisUrl: string | undefined, logger: FastifyBaseLogger): Promise<Counters> {
  const inProcess = countInProcess(database.clock)
  if (redisUrl) {
    const { countInRedis } = await import('./redis-counters.ts')
    const inRedis = await countInRedis(redisUrl, database.clock, (error) => logger.debug({ err: error }, 'Redis cannot be reached'))
    return countWithFallback(inRedis, inProcess, (error) => {
      if (error) logger.warn({ err: error }, 'Redis cannot be reached: rate limits are counted by each process until it can')
      else logger.info('rate limits are counted in Redis again')
    })
  }
  return database.isEmbedded ? inProcess : countInDatabase(database)
}
