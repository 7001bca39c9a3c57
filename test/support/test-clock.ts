import { MovableClock } from '../../src/test-mode/movable-clock.ts'

export { type Duration, millisecondsOf } from '../../src/test-mode/movable-clock.ts'

/** The real time plus what the test has added to it. */
export class TestClock extends MovableClock {
  /** From now on only the test moves the time: for what would be late on a slow machine. */
  stop(): void {
    this.freeze()
  }
}
