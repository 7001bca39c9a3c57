import { randomInt } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/**
 * Does work once the answer that is being made has been written. It is done as long as the process lives, also when
 * the client has gone, and before a clean stop; a failure is logged.
 *
 * @param failure what the log says when it fails
 */
export type AfterResponse = (work: () => Promise<void>, failure: string) => void

/** Waits before work that must not be noticed. It ends at once when the signal is aborted, without throwing. */
export type Delay = (signal: AbortSignal) => Promise<void>

const shortestMilliseconds = 200
const longestMilliseconds = 1_000
const randomRange = 2 ** 32
/** Many who ask at once must not have the requests of others wait for connections. */
const delayedAtOnce = 4

/** @param fraction of 1, which it does not reach */
export function delayMilliseconds(fraction: number): number {
  return shortestMilliseconds + Math.floor(fraction * (longestMilliseconds - shortestMilliseconds + 1))
}

const randomDelay: Delay = async (signal) => {
  const milliseconds = delayMilliseconds(randomInt(randomRange) / randomRange)
  // The only reason to reject is the signal.
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

/** Lets requests leave work for after their answers, which a stop waits for. */
export function allowWorkAfterResponses(server: App, delay: Delay = randomDelay): void {
  const underWay = new Set<Promise<void>>()
  let hurry = new AbortController()
  let running = 0
  const waiting: (() => void)[] = []

  const settled = async () => {
    while (underWay.size > 0) {
      // What waits for its time need not wait any longer.
      hurry.abort()
      await Promise.all(underWay)
    }
    hurry = new AbortController()
  }
  server.addHook('onClose', settled)
  server.decorate('settled', settled)

  const follow = (request: FastifyRequest, done: Promise<void>, failure: string) => {
    const followed = done.catch((error) => request.log.error({ err: error }, failure)).finally(() => underWay.delete(followed))
    underWay.add(followed)
  }
  const oneOfFew = async (work: () => Promise<void>) => {
    if (running >= delayedAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  server.decorateRequest('afterResponse', {
    getter() {
      // Not the response's end: a response that is pipelined and then abandoned has none, and would hide what was tried.
      return (work, failure) => follow(this, setImmediate().then(work), failure)
    },
  })
  server.decorateRequest('afterRandomDelay', {
    getter() {
      return (work, failure) => {
        const { signal } = hurry
        const delayed = setImmediate()
          .then(() => delay(signal))
          .then(() => oneOfFew(work))
        follow(this, delayed, failure)
      }
    },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    readonly afterResponse: AfterResponse
    /**
     * The same for work that must not betray what the answer does not say: it begins after a random 0.2 to 1 s, so that
     * the caller's next request does not tell whether there was any.
     */
    readonly afterRandomDelay: AfterResponse
  }
  interface FastifyInstance {
    /** Has all that is done after answers done at once, and waits for it. */
    settled(): Promise<void>
  }
}
