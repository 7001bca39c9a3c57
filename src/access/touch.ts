import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'

const touchEveryMilliseconds = 60_000

/**
 * Notes after the answer that something was used, at most once a minute: a write with every read would be the dearest
 * part of it.
 *
 * @param touch writes the time unless another process has since `notSince`
 */
export function touchAfterAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  lastUsedAt: Date | null,
  touch: (notSince: Date) => Promise<void>,
): void {
  const notSince = new Date(clock.now().getTime() - touchEveryMilliseconds)
  if (lastUsedAt !== null && lastUsedAt >= notSince) return
  reply.raw.once('finish', () => {
    touch(notSince).catch((error) => request.log.warn({ err: error }, 'could not note the use of a session or key'))
  })
}
