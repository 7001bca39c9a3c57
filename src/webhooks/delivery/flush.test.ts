import { describe, expect, it } from 'vitest'
import type { FinishedAttempt } from './attempt.ts'
import { createFlusher, isFlushDue } from './flush.ts'
import { flushPolicy } from './policies.ts'

const { batchMax, longestMilliseconds, longestAfterFailureMilliseconds, quietMilliseconds, unflushedMax } = flushPolicy
const attempt = (kind: 'delivered' | 'failed' = 'delivered') => ({ verdict: { kind } }) as FinishedAttempt
const attempts = (count: number) => Array.from({ length: count }, () => attempt())

/** A flusher whose pauses the test ends, and which records the number of attempts in each batch. */
function beginning(write: (batch: FinishedAttempt[]) => Promise<void> = async () => {}) {
  const batches: number[] = []
  const pauses: (() => void)[] = []
  let rooms = 0
  const flusher = createFlusher<FinishedAttempt>({
    write: async (batch) => {
      batches.push(batch.length)
      await write(batch)
    },
    onRoom: () => rooms++,
    pause: (milliseconds) => {
      expect(milliseconds).toBe(quietMilliseconds)
      return new Promise<void>((resolve) => pauses.push(resolve))
    },
  })
  const endPause = async () => {
    pauses.shift()?.()
    await new Promise(setImmediate)
  }
  return { flusher, batches, endPause, rooms: () => rooms }
}

describe('a flush is due', () => {
  it.each([
    ['nothing waits long', [attempt()], 0, false],
    ['attempts still finish', [attempt()], longestMilliseconds - 1, false],
    ['the window is over', [attempt()], longestMilliseconds, true],
    ['a delivery has just failed for good', [attempt('failed')], longestAfterFailureMilliseconds - 1, false],
    ['a delivery failed for good a while ago', [attempt(), attempt('failed')], longestAfterFailureMilliseconds, true],
    ['a batch is full', attempts(batchMax), 0, true],
  ])('or not: %s', (_, unflushed, waited, isDue) => {
    expect(isFlushDue(unflushed, waited)).toBe(isDue)
  })
})

describe('the flusher', () => {
  it('writes one batch when no attempt has finished for the quiet time', async () => {
    const { flusher, batches, endPause } = beginning()
    flusher.add(attempt())
    flusher.add(attempt())
    await endPause()
    expect(batches).toEqual([])
    await endPause()
    expect(batches).toEqual([2])
    expect(flusher.running()).toBeUndefined()
  })

  it('waits while attempts are finishing, but not longer than the window', async () => {
    const { flusher, batches, endPause } = beginning()
    flusher.add(attempt())
    for (let waited = 0; waited < longestMilliseconds; waited += quietMilliseconds) {
      expect(batches).toEqual([])
      flusher.add(attempt())
      await endPause()
    }
    expect(batches).toEqual([longestMilliseconds / quietMilliseconds + 1])
  })

  it('writes what finishes during a flush with the next one, and loses nothing', async () => {
    let end = () => {}
    const { flusher, batches, endPause } = beginning(() => new Promise<void>((resolve) => (end = resolve)))
    flusher.add(attempt())
    await endPause()
    flusher.add(attempt())
    flusher.add(attempt())
    end()
    await endPause()
    await endPause()
    expect(batches).toEqual([1, 2])
    end()
    await flusher.running()
    expect(flusher.room()).toBe(unflushedMax)
  })

  it('has no room when too much is unflushed, and reports when there is some again', async () => {
    const { flusher, batches, endPause, rooms } = beginning()
    for (const one of attempts(unflushedMax)) flusher.add(one)
    expect([flusher.room(), rooms()]).toEqual([0, 0])
    await endPause()
    await flusher.running()
    expect(batches).toEqual([batchMax, unflushedMax - batchMax])
    expect([flusher.room(), rooms()]).toEqual([unflushedMax, 1])
  })
})
