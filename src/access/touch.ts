import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'

const touchEveryMilliseconds = 60_000

export interface Use {
  at: Date
  /** Unless another process has noted one since then. */
  notSince: Date
}

/**
 * Notes after the response that something was used, at most once a minute: a write with every read would be the dearest
 * part of it. What is noted is the time of the request, however late it is written.
 */
export function touchAfterAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  lastUsedAt: Date | null,
  touch: (use: Use) => Promise<void>,
): void {
  const at = clock.now()
  const notSince = new Date(at.getTime() - touchEveryMilliseconds)
  if (lastUsedAt !== null && lastUsedAt >= notSince) return
  reply.raw.once('finish', () => {
    request.afterAnswer(() => touch({ at, notSince }), 'the use of a session or key could not be noted')
  })
}
