import { setTimeout as pauseOfNode } from 'node:timers/promises'
import type { FinishedAttempt } from './attempt.ts'
import { flushPolicy } from './policies.ts'

const { quietMilliseconds, longestMilliseconds, longestAfterFailureMilliseconds, batchMax, unflushedMax } = flushPolicy

/**
 * Collects finished attempts and writes them to the database in batches. In the middle of a burst, writing would take processor time from
 * the attempts that are still pending; and the larger a batch, the fewer statements an attempt costs.
 */
export interface Flusher<Attempt> {
  add(attempt: Attempt): void
  /** The number of further attempts that may be started before some are flushed. */
  room(): number
  /** Resolves when everything is flushed; undefined when there is nothing to flush. */
  running(): Promise<void> | undefined
}

export interface FlusherOptions<Attempt> {
  /** Writes a batch; never rejects. */
  write(batch: Attempt[]): Promise<void>
  /** Called after a batch is written that left no room before. */
  onRoom(): void
  pause?: (milliseconds: number) => Promise<unknown>
}

export function createFlusher<Attempt extends Pick<FinishedAttempt, 'verdict'>>({
  write,
  onRoom,
  pause = pauseOfNode,
}: FlusherOptions<Attempt>): Flusher<Attempt> {
  const unflushed: Attempt[] = []
  let running: Promise<void> | undefined

  async function flushAll(): Promise<void> {
    while (unflushed.length > 0) {
      await flushWindow()
      const wasFull = unflushed.length >= unflushedMax
      await write(unflushed.splice(0, batchMax))
      if (wasFull) onRoom()
    }
    // No await since the check that found nothing: the next attempt starts a new flush.
    running = undefined
  }

  async function flushWindow(): Promise<void> {
    for (let waited = 0; !isFlushDue(unflushed, waited); waited += quietMilliseconds) {
      const before = unflushed.length
      await pause(quietMilliseconds)
      if (unflushed.length === before) return
    }
  }

  return {
    add(attempt) {
      unflushed.push(attempt)
      running ??= flushAll()
    },
    room: () => unflushedMax - unflushed.length,
    running: () => running,
  }
}

/** Whether attempts are to be flushed although more are still finishing. */
export function isFlushDue(unflushed: readonly Pick<FinishedAttempt, 'verdict'>[], waitedMilliseconds: number): boolean {
  if (unflushed.length >= batchMax || waitedMilliseconds >= longestMilliseconds) return true
  return waitedMilliseconds >= longestAfterFailureMilliseconds && unflushed.some(({ verdict }) => verdict.kind === 'failed')
}
