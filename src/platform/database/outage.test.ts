import { expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from './engine.ts'
import { reportOutages } from './outage.ts'

/** An engine whose next statement fails with a code, or succeeds. */
function engineWith(codes: (string | undefined)[]) {
  const execute = async () => {
    const code = codes.shift()
    if (code) throw Object.assign(new Error(code), { code })
    return { rows: [] }
  }
  const reported: string[] = []
  const of = (what: string) => ({
    began: (error: Error) => void reported.push(`${what}: ${error.message}`),
    ended: (milliseconds: number) => void reported.push(`${what} for ${milliseconds} ms`),
  })
  const engine = reportOutages({ execute } as unknown as Engine, { away: of('away'), diskFull: of('full') })
  return { reported, run: () => engine.execute({ sql: '', parameters: [] }).catch(() => {}) }
}

it.each([
  ['takes no writes once, however many reads succeed', '25006'],
  ['takes no more connections once, however many statements succeed on open ones', '53300'],
])('reports a server that %s meanwhile', async (_, code) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { reported, run } = engineWith([code, undefined, code, undefined, code, undefined, undefined, 'NO_PRIMARY', undefined])
  for (let count = 0; count < 6; count++) {
    await run()
    vi.advanceTimersByTime(1_000)
  }
  expect(reported).toEqual([`away: ${code}`])

  vi.advanceTimersByTime(30_000)
  await run()
  expect(reported.splice(0)).toEqual([`away: ${code}`, 'away for 4000 ms'])
  // When the server itself is gone, what succeeds shows that it is back.
  await run()
  vi.advanceTimersByTime(1_000)
  await run()
  expect(reported).toEqual(['away: NO_PRIMARY', 'away for 1000 ms'])
})
