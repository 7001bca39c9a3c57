import { describe, expect, it } from 'vitest'
import { createRecentCounts } from './recent-counts.ts'

function counting(isCostly = true) {
  let time = 0
  let counts = 0
  const recent = createRecentCounts<number>({ now: () => new Date(time) }, () => isCostly)
  return {
    of: async (organisation: string) => (await recent.of(organisation, async () => ({ numbers: ++counts, at: new Date(time) }))).numbers,
    pass: (seconds: number) => {
      time += seconds * 1_000
    },
    recent,
  }
}

describe('the numbers of an organisation', () => {
  it('are counted once a minute', async () => {
    const { of, pass } = counting()

    expect(await Promise.all([of('a'), of('a')])).toEqual([1, 1])
    pass(59)
    expect(await of('a')).toBe(1)
    pass(1)
    expect(await of('a')).toBe(2)
  })

  it('are counted again behind a request when they are older than half a minute', async () => {
    const { of, pass } = counting()

    expect(await of('a')).toBe(1)
    pass(30)
    expect(await Promise.all([of('a'), of('a')])).toEqual([1, 1])
    expect(await of('a')).toBe(2)
    pass(29)
    expect(await of('a')).toBe(2)
  })

  it('are counted again once the clock is set back', async () => {
    const { of, pass } = counting()

    expect(await of('a')).toBe(1)
    pass(-3_600)
    expect(await of('a')).toBe(2)
  })

  it('are answered while counting them again fails, for a minute in all', async () => {
    const { of, pass, recent } = counting()
    const failing = () => recent.of('a', () => Promise.reject(new Error('The database is gone')))

    expect(await of('a')).toBe(1)
    pass(30)
    expect((await failing()).numbers).toBe(1)
    pass(30)
    await expect(failing()).rejects.toThrow('gone')
    expect(await of('a')).toBe(2)
  })

  it('are never those of another', async () => {
    const { of } = counting()

    expect([await of('a'), await of('b'), await of('a')]).toEqual([1, 2, 1])
  })

  it('are counted each time while that is quick', async () => {
    const { of } = counting(false)

    expect([await of('a'), await of('a')]).toEqual([1, 2])
  })

  it('are counted again after a count that failed', async () => {
    const { of, recent } = counting()

    await expect(recent.of('a', () => Promise.reject(new Error('The database is gone')))).rejects.toThrow('gone')
    expect(await of('a')).toBe(1)
  })

  it('are forgotten, the oldest first, when there are those of a thousand others', async () => {
    const { of } = counting()
    for (let n = 0; n <= 1_000; n++) await of(`organisation ${n}`)

    expect(await of('organisation 1')).toBe(2)
    expect(await of('organisation 0')).toBe(1_002)
  })
})
