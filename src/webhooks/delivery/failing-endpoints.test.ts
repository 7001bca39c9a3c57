import { describe, expect, it } from 'vitest'
import { createFailingEndpoints } from './failing-endpoints.ts'

const failed = { kind: 'failed' } as const
const delivered = { kind: 'delivered' } as const
const noneInFlight = () => false

/** Failing endpoints with a clock that the test moves. */
function beginning(at = '2026-01-31T09:30:00Z') {
  let now = new Date(at)
  const failing = createFailingEndpoints({ now: () => now })
  const pass = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000)
  }
  return { failing, pass }
}

describe('failing endpoints', () => {
  it('are those whose last attempt failed', () => {
    const { failing } = beginning()
    failing.note('a', failed)
    failing.note('b', { kind: 'retry', at: new Date('2026-01-31T09:31:00Z') })
    failing.note('a', delivered)

    expect(failing.has('a')).toBe(false)
    expect(failing.ids()).toEqual(['b'])
  })

  it('are forgotten ten minutes after they failed, or one minute after the next attempt was due', () => {
    const { failing, pass } = beginning()
    failing.note('deleted', failed)
    failing.note('retried', { kind: 'retry', at: new Date('2026-01-31T10:30:00Z') })

    pass(9)
    failing.forgetOld(noneInFlight)
    expect(failing.ids()).toEqual(['deleted', 'retried'])
    pass(51)
    failing.forgetOld(noneInFlight)
    expect(failing.ids()).toEqual(['retried'])
    pass(2)
    failing.forgetOld(noneInFlight)
    expect(failing.ids()).toEqual([])
  })

  it('are remembered while they have attempts in flight', () => {
    const { failing, pass } = beginning()
    failing.note('slow', failed)
    pass(60)
    failing.forgetOld((endpointId) => endpointId === 'slow')
    expect(failing.has('slow')).toBe(true)
  })

  it('are at most a thousand: the ones that failed last', () => {
    const { failing } = beginning()
    failing.note('slow', failed)
    for (let n = 0; n < 3_000; n++) failing.note(`down-${n}`, failed)
    failing.note('down-0', failed)

    failing.forgetOld((endpointId) => endpointId === 'slow')
    expect(failing.ids()).toHaveLength(1_000)
    for (const id of ['slow', 'down-2999', 'down-0']) expect(failing.has(id)).toBe(true)
  })
})
