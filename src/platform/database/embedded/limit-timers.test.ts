import { expect, it, onTestFinished, vi } from 'vitest'
import { limitTimers } from './limit-timers.ts'
import { startPglite } from './pglite-options.ts'

it('the embedded database does not wait in a circle when the clock is set back by years', async () => {
  const { setTimeout: startTimer } = globalThis
  const now = Date.now
  let aheadMilliseconds = 10 * 365 * 86_400_000
  const waits: number[] = []
  globalThis.setTimeout = ((action: () => void, milliseconds: number) => {
    waits.push(milliseconds)
    return startTimer(action, milliseconds)
  }) as typeof setTimeout
  Date.now = () => now() + aheadMilliseconds
  onTestFinished(() => Object.assign(globalThis, { setTimeout: startTimer }) && Object.assign(Date, { now }) && undefined)
  limitTimers()
  const pglite = await startPglite({})
  onTestFinished(() => pglite.close())
  await pglite.exec(`set idle_in_transaction_session_timeout = '100ms'; begin`)

  aheadMilliseconds = 0

  await vi.waitFor(() => expect(waits).toContain(2 ** 31 - 1), 10_000)
  expect(Math.max(...waits)).toBe(2 ** 31 - 1)
})
