import type { Clock } from '../../src/platform/clock.ts'

export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

export const millisecondsOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration) =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000

/** The real time plus what the test has added to it. */
export class TestClock implements Clock {
  #offsetMilliseconds = 0
  #stoppedAt: number | undefined

  now(): Date {
    return new Date((this.#stoppedAt ?? Date.now()) + this.#offsetMilliseconds)
  }

  /** From now on only the test moves the time: for what would be late on a slow machine. */
  stop(): void {
    this.#stoppedAt = Date.now()
  }

  advance(by: Duration): void {
    this.#offsetMilliseconds += millisecondsOf(by)
  }
}
