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

  now(): Date {
    return new Date(Date.now() + this.#offsetMilliseconds)
  }

  advance(by: Duration): void {
    this.#offsetMilliseconds += millisecondsOf(by)
  }
}
