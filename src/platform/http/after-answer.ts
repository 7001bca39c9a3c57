import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Does work once the answer that is being made has been written. It is done as long as the process lives, also when
 * whoever asked has gone; a failure is logged.
 *
 * @param failure what the log says when it fails
 */
export type AfterAnswer = (work: () => Promise<void>, failure: string) => void

/** Lets requests leave work for after their answers, which a stop waits for. */
export function allowWorkAfterAnswers(server: FastifyInstance): void {
  const underWay = new Set<Promise<void>>()
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  server.addHook('onClose', settled)
  server.decorate('settled', settled)
  server.decorateRequest('afterAnswer', {
    getter() {
      return (work, failure) => {
        // Not the response's end: a response that is pipelined and then abandoned has none, and would hide what was tried.
        const done = setImmediate()
          .then(work)
          .catch((error) => this.log.error({ err: error }, failure))
          .finally(() => underWay.delete(done))
        underWay.add(done)
      }
    },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    readonly afterAnswer: AfterAnswer
  }
  interface FastifyInstance {
    /** Waits for all that is done after answers. */
    settled(): Promise<void>
  }
}
