import { randomInt } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/**
 * Runs work once the current response has been written. It runs as long as the process lives, even when the client has disconnected, and
 * before a clean stop; a failure is logged.
 *
 * @param failure the log message of a failure
 */
export type AfterResponse = (work: () => Promise<void>, failure: string) => void

/** Waits before work that must not be noticed. It ends early when the signal is aborted, without throwing. */
export type Delay = (signal: AbortSignal) => Promise<void>

const shortestMilliseconds = 200
const longestMilliseconds = 1_000
const randomRange = 2 ** 32
/** The limit on concurrent delayed work: many simultaneous requests must not exhaust the connections. */
const delayedAtOnce = 4

/** @param fraction between 0 and 1, exclusive of 1 */
export function delayMilliseconds(fraction: number): number {
  return shortestMilliseconds + Math.floor(fraction * (longestMilliseconds - shortestMilliseconds + 1))
}

const randomDelay: Delay = async (signal) => {
  const milliseconds = delayMilliseconds(randomInt(randomRange) / randomRange)
  // The only reason to reject is the signal.
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

/** Lets requests leave work for after their responses, which a stop waits for. */
export function allowWorkAfterResponses(server: App, delay: Delay = randomDelay): void {
  const underWay = new Set<Promise<void>>()
  let hurry = new AbortController()
  let running = 0
  const waiting: (() => void)[] = []

  const settled = async () => {
    while (underWay.size > 0) {
      // Delayed work may start now.
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
      // The response's end would not do: a response that is pipelined and then abandoned has none, and would hide the attempt.
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
     * The same for work that must not betray what the response conceals: it begins after a random 0.2 to 1 s, so that the caller's next
     * request does not reveal whether there was any.
     */
    readonly afterRandomDelay: AfterResponse
  }
  interface FastifyInstance {
    /** Starts all delayed work at once, and waits for it. */
    settled(): Promise<void>
  }
}
