import type { Clock } from '../platform/clock.ts'

export interface Duration {
  days?: number | undefined
  hours?: number | undefined
  minutes?: number | undefined
  seconds?: number | undefined
  milliseconds?: number | undefined
}

export const millisecondsOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }: Duration): number =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds

/** The position of a clock: the real time plus an offset, or one moment. */
export interface ClockPosition {
  offsetMilliseconds: number
  frozenAt: number | undefined
}

/** A clock in the hands of a test. It begins with the real time. */
export class MovableClock implements Clock {
  #offsetMilliseconds = 0
  #frozenAt: number | undefined
  #moves = 0

  now(): Date {
    return new Date(this.#frozenAt ?? Date.now() + this.#offsetMilliseconds)
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  /** How often it was moved: of two of its times, the one with more moves is the later news. */
  get moves(): number {
    return this.#moves
  }

  advance(by: Duration): void {
    this.#moves++
    const milliseconds = millisecondsOf(by)
    if (this.#frozenAt === undefined) this.#offsetMilliseconds += milliseconds
    else this.#frozenAt += milliseconds
  }

  /** From this time on it continues, or stays there if it is frozen. */
  set(time: Date | string): void {
    this.#moves++
    const milliseconds = new Date(time).getTime()
    if (this.#frozenAt === undefined) this.#offsetMilliseconds = milliseconds - Date.now()
    else this.#frozenAt = milliseconds
  }

  /** From now on only the test moves the time. */
  freeze(): void {
    this.#moves++
    this.#frozenAt = this.now().getTime()
  }

  /** Returns to the real time. */
  real(): void {
    this.position = { offsetMilliseconds: 0, frozenAt: undefined }
  }

  get position(): ClockPosition {
    return { offsetMilliseconds: this.#offsetMilliseconds, frozenAt: this.#frozenAt }
  }

  set position({ offsetMilliseconds, frozenAt }: ClockPosition) {
    this.#moves++
    this.#offsetMilliseconds = offsetMilliseconds
    this.#frozenAt = frozenAt
  }
}
