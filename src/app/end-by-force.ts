import type { Logger } from 'pino'
import type { Config } from './config.ts'

const stopWithinMilliseconds = 9_000

/** Gives a stop its time: a response that its client reads slowly would hold it up without end. */
export function endByForce({ drainSeconds }: Pick<Config, 'drainSeconds'>, logger: Logger, end: () => void): void {
  const endNow = () => {
    logger.warn({ code: 'stopped-by-force' }, 'what was still being done was ended by force')
    end()
  }
  setTimeout(endNow, drainSeconds * 1_000 + stopWithinMilliseconds).unref()
}
