import { describe, expect, it } from 'vitest'
import { forEachRow } from './for-each-row.ts'

/** Works on the numbers up to five, two at a time; those in `bad` fail. */
async function work(bad: readonly number[], atMost?: number) {
  const done: number[] = []
  const next = async (after = 0) => [after + 1, after + 2].filter((number) => number <= 5)
  const rows = { next, failure: (number: number) => `the number ${number} failed`, ...(atMost !== undefined && { atMost }) }
  const outcome = await forEachRow(rows, async (number) => {
    if (bad.includes(number)) throw new Error('Bad number')
    done.push(number)
  }).catch((error: unknown) => error)
  return { done, outcome }
}

describe('work on each of some rows', () => {
  it('ends with the last', async () => {
    expect(await work([])).toEqual({ done: [1, 2, 3, 4, 5], outcome: false })
  })

  it('stops early, and says that there may be more', async () => {
    expect(await work([], 2)).toEqual({ done: [1, 2], outcome: true })
  })

  it('begins no further row once the process stops, and says that there is more', async () => {
    const stopping = new AbortController()
    const done: number[] = []
    const rows = { next: async (after = 0) => [after + 1, after + 2], failure: String, stopping: stopping.signal }
    const outcome = await forEachRow(rows, async (number) => {
      done.push(number)
      if (number === 3) stopping.abort()
    })
    expect({ done, outcome }).toEqual({ done: [1, 2, 3], outcome: true })
  })

  it('continues after one that fails, to the end, and then throws', async () => {
    const { done, outcome } = await work([1, 4], 2)

    expect(done).toEqual([2, 3, 5])
    expect(outcome).toBeInstanceOf(AggregateError)
    expect(outcome).toMatchObject({
      message: 'the number 1 failed: Error: Bad number (and 1 more)',
      errors: [{ message: 'the number 1 failed: Error: Bad number' }, { message: 'the number 4 failed: Error: Bad number' }],
    })
  })
})
