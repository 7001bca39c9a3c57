import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { claimPolicy } from './policies.ts'
import { startScheduler } from './scheduler.ts'

const now = new Date('2026-01-31T09:30:00Z')

/** A scheduler whose timers the test ends, and whose claims it counts. */
async function beginning(claim: () => Promise<boolean> = async () => false) {
  const timers: { milliseconds: number; end: () => void }[] = []
  let claims = 0
  const scheduler = startScheduler(
    () => {
      claims++
      return claim()
    },
    {
      clock: { now: () => now },
      onError: () => {},
      start: (milliseconds, end) => timers.push({ milliseconds, end }) as unknown as () => void,
    },
  )
  onTestFinished(() => scheduler.stop())
  await nextTick()
  return { scheduler, timers, claims: () => claims }
}

describe('the scheduler', () => {
  it('claims at the start, when it is woken, and again at once while there is more', async () => {
    const more = [true, true, false, false]
    const { scheduler, claims } = await beginning(async () => more.shift() ?? false)
    expect(claims()).toBe(3)
    scheduler.wake()
    await nextTick()
    expect(claims()).toBe(4)
  })

  it('claims once for all slots that are released within a short time, sooner for healthy endpoints', async () => {
    const { scheduler, timers, claims } = await beginning()
    for (const demand of ['healthy', 'healthy', undefined, 'failing', 'failing'] as const) scheduler.claimFor(demand)
    const { healthy, failing } = claimPolicy.debounceMilliseconds
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([healthy, failing])
    expect(claims()).toBe(1)

    timers[0]?.end()
    await nextTick()
    expect(claims()).toBe(2)
    scheduler.claimFor('healthy')
    expect(timers).toHaveLength(3)
  })

  it('claims when a retry is due that is near, and leaves others to the poll', async () => {
    const { scheduler, timers } = await beginning()
    const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
    for (const seconds of [-1, 2, 60]) scheduler.claimAt(inSeconds(seconds))
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([0, 2_000])
  })

  it('makes one claim at a time, also after one that failed', async () => {
    let running = 0
    let most = 0
    const { scheduler, claims } = await beginning(async () => {
      most = Math.max(most, ++running)
      await nextTick()
      running--
      throw new Error('The database is gone')
    })
    const outcomes = await Promise.allSettled([scheduler.claimNow(), scheduler.claimNow(), scheduler.claimNow()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect([most, claims()]).toEqual([1, 4])
  })

  it('makes no claim after it was stopped', async () => {
    const { scheduler, timers, claims } = await beginning()
    scheduler.claimFor('healthy')
    await scheduler.stop()
    timers[0]?.end()
    scheduler.wake()
    await nextTick()
    expect(claims()).toBe(1)
  })
})
