import { describe, expect, it } from 'vitest'
import { createHashQueue, type HashLane } from './hash-queue.ts'

const refused = new Error('too many')

/** A queue whose work ends when the test says so, and which records the work that has begun. */
function aQueue(atOnce: number, waitingMost = { signIn: 100, choosing: 100 }) {
  const run = createHashQueue({ atOnce, waitingMost }, () => refused)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (lane: HashLane, name: string = lane) =>
    run(lane, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const endOne = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { add, begun, endOne }
}

describe('the queue of password hashes', () => {
  it('computes a limited number at once and the others in order', async () => {
    const { add, begun, endOne } = aQueue(2)
    const all = ['a', 'b', 'c', 'd'].map((name) => add('signIn', name))
    expect(begun).toEqual(['a', 'b'])
    await endOne()
    expect(begun).toEqual(['a', 'b', 'c'])
    for (let end = 0; end < 3; end++) await endOne()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('reserves half of the slots for sign-ins, however many users choose a password', () => {
    const { add, begun } = aQueue(4)
    for (let index = 0; index < 20; index++) void add('choosing')
    expect(begun).toEqual(['choosing', 'choosing'])
    void add('signIn')
    void add('signIn')
    expect(begun).toEqual(['choosing', 'choosing', 'signIn', 'signIn'])
  })

  it('with one slot gives new passwords every fourth turn', async () => {
    const { add, begun, endOne } = aQueue(1)
    void add('signIn')
    for (let index = 0; index < 6; index++) void add('choosing')
    for (let index = 0; index < 6; index++) void add('signIn')
    for (let end = 0; end < 9; end++) await endOne()
    const letters = begun.map((lane) => (lane === 'signIn' ? 's' : 'c')).join('')
    expect(letters).toMatch(/^s(s{2,3}c)+/)
    expect(letters.indexOf('c')).toBeLessThanOrEqual(4)
  })

  it('gives every slot to new passwords while there are no sign-ins', async () => {
    const { add, begun, endOne } = aQueue(1)
    for (let index = 0; index < 4; index++) void add('choosing')
    for (let end = 0; end < 3; end++) await endOne()
    expect(begun).toHaveLength(4)
  })

  it('refuses work when too much is waiting, per lane', async () => {
    const { add, begun, endOne } = aQueue(1, { signIn: 2, choosing: 1 })
    const first = add('signIn', 'first')
    const second = add('signIn', 'second')
    void add('signIn')
    await expect(add('signIn')).rejects.toBe(refused)
    void add('choosing')
    await expect(add('choosing')).rejects.toBe(refused)

    await endOne()
    expect(await first).toBe('first')
    expect(begun).toEqual(['first', 'second'])
    void add('signIn')
    await endOne()
    expect(await second).toBe('second')
  })

  it('continues after work that fails', async () => {
    const run = createHashQueue({ atOnce: 1, waitingMost: { signIn: 5, choosing: 5 } }, () => refused)
    const failing = run('signIn', async () => {
      throw new Error('no memory')
    })
    const next = run('choosing', async () => 'made')
    await expect(failing).rejects.toThrow('no memory')
    expect(await next).toBe('made')
  })
})
