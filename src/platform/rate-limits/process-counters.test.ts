import { describe, expect, it } from 'vitest'
import { countInProcess } from './process-counters.ts'

const limit = { max: 2, windowSeconds: 900 }
const most = 100_000

/** Counters at a moment, and how often that moment has been compared with the end of a window. */
function counting() {
  const steps = { count: 0 }
  class CountedDate extends Date {
    override valueOf(): number {
      steps.count++
      return super.valueOf()
    }
  }
  let now = Date.parse('2026-01-31T09:30:00Z')
  const counters = countInProcess({ now: () => new CountedDate(now) })
  return {
    steps,
    counters,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    async take(prefix: string, count: number) {
      for (let number = 0; number < count; number++) await counters.take(`${prefix} ${number}`, limit)
    },
  }
}

describe('the counters of a process', () => {
  it('do not look at all of them for each made-up key, once they are full', async () => {
    const { steps, take } = counting()
    await take('first', most)
    steps.count = 0
    await take('made up', 100)
    expect(steps.count).toBeLessThan(2 * most)
  })

  it('forget the oldest keys first, once they are full', async () => {
    const { counters, take } = counting()
    await take('first', most)
    await take('second', 1)
    await counters.take('second 0', limit)
    await take('made up', 5_000)
    expect(await counters.take('second 0', limit)).toHaveProperty('fullUntil')
    expect(await counters.take('first 0', limit)).toEqual({ count: 1 })
  })

  it('forget what has ended before what has not', async () => {
    const { counters, pass, take } = counting()
    await counters.take('lasting', { max: 1, windowSeconds: 3_600 })
    await take('ended', most - 1)
    pass(900_000)
    await take('made up', 5_000)
    expect(await counters.take('lasting', { max: 1, windowSeconds: 3_600 })).toHaveProperty('fullUntil')
  })
})
