import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'

/** How often a use is noted, where nothing else is said. */
export const touchEveryMilliseconds = 60_000

export interface Use {
  at: Date
  /** The update is skipped when another process has recorded a use since then. */
  notSince: Date
}

/**
 * Records, after the response, that a session, key or client was used, at most once in `everyMilliseconds`: a write would cost more than the
 * rest of a read request. It records the time of the request, however late it is written.
 *
 * @returns the last use that is then stored
 */
export function touchAfterResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  lastUsedAt: Date | null,
  touch: (use: Use) => Promise<void>,
  everyMilliseconds = touchEveryMilliseconds,
): Date {
  const at = clock.now()
  const notSince = new Date(at.getTime() - everyMilliseconds)
  if (lastUsedAt !== null && lastUsedAt >= notSince) return lastUsedAt
  reply.raw.once('finish', () => {
    request.afterResponse(() => touch({ at, notSince }), 'the use of a session, key or client could not be noted')
  })
  return at
}
