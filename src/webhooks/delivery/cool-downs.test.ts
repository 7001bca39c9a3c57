import { describe, expect, it } from 'vitest'
import { createCoolDowns } from './cool-downs.ts'
import { coolDownMilliseconds } from './policies.ts'

/** Cool-downs whose timers the test ends. */
function beginning() {
  const timers: { milliseconds: number; end: () => void; isCancelled: boolean }[] = []
  const ended: string[] = []
  const coolDowns = createCoolDowns(
    (endpointId) => ended.push(endpointId),
    (milliseconds, end) => {
      const timer = { milliseconds, end, isCancelled: false }
      timers.push(timer)
      return () => {
        timer.isCancelled = true
      }
    },
  )
  return { coolDowns, timers, ended }
}

describe('a cool-down', () => {
  it('lasts as long as the policy says, however often it is begun meanwhile', () => {
    const { coolDowns, timers, ended } = beginning()
    coolDowns.begin('a')
    coolDowns.begin('a')
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([coolDownMilliseconds])
    expect([coolDowns.has('a'), coolDowns.ids()]).toEqual([true, ['a']])

    timers[0]?.end()
    expect([coolDowns.has('a'), coolDowns.ids(), ended]).toEqual([false, [], ['a']])
  })

  it('can be ended early, once, and begun again', () => {
    const { coolDowns, timers, ended } = beginning()
    coolDowns.begin('a')
    coolDowns.begin('b')
    coolDowns.endAll()
    expect(timers.map(({ isCancelled }) => isCancelled)).toEqual([true, true])
    expect(ended).toEqual(['a', 'b'])

    coolDowns.begin('a')
    expect(coolDowns.ids()).toEqual(['a'])
  })
})
