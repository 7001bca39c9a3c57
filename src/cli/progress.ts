import process from 'node:process'
import { formatNumber } from '../platform/text.ts'

const onTerminalMilliseconds = 200
const elsewhereMilliseconds = 10_000

export interface Progress {
  /** @param done the total so far */
  at(done: number): void
  end(): void
}

/**
 * Shows the progress of a command on stderr: on a terminal in one line that is rewritten, elsewhere as a line every ten seconds.
 *
 * @param what the unit, such as `users`
 * @param total how many there are, when that is known
 */
export function showProgress(what: string, total?: number): Progress {
  const isTerminal = process.stderr.isTTY
  const startedAt = performance.now()
  let [last, shown] = [startedAt, false]
  return {
    at(done) {
      const now = performance.now()
      if (now - last < (isTerminal ? onTerminalMilliseconds : elsewhereMilliseconds)) return
      last = now
      shown = true
      const line = progressLine({ what, done, total, seconds: (now - startedAt) / 1_000 })
      process.stderr.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`)
    },
    end() {
      if (isTerminal && shown) process.stderr.write('\r\x1b[K')
    },
  }
}

/** Shows the progress of each step of a command, as {@link showProgress} does. @param whatOf the unit of a step */
export function showSteps<Step extends string>(whatOf: (step: Step) => string): { at(step: Step, done: number): void; end(): void } {
  const shown = new Map<Step, Progress>()
  return {
    at(step, done) {
      const progress = shown.get(step) ?? showProgress(whatOf(step))
      shown.set(step, progress)
      progress.at(done)
    },
    end() {
      for (const progress of shown.values()) progress.end()
    },
  }
}

/** The line, such as `1,200 of 4,000 users, 400 a second, 7 s left`. */
export function progressLine({
  what,
  done,
  total,
  seconds,
}: {
  what: string
  done: number
  total?: number | undefined
  seconds: number
}): string {
  const rate = seconds > 0 ? done / seconds : 0
  const written = (count: number) => formatNumber(Math.round(count))
  const counted = total === undefined ? `${written(done)} ${what}` : `${written(done)} of ${written(total)} ${what}`
  const left = total === undefined || rate === 0 ? '' : `, ${durationOf((total - done) / rate)} left`
  return `${counted}, ${written(rate)} a second${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
