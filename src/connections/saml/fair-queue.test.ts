import { describe, expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

describe('a fair queue', () => {
  const filled = (max: number, ...owners: string[]) => {
    const queue = createFairQueue<string>(max)
    for (const [place, owner] of owners.entries()) queue.add(owner, `${owner}${place}`)
    return queue
  }
  const taken = (queue: ReturnType<typeof filled>) => Array.from({ length: queue.length }, () => queue.take())

  it('lets owners take turns, and each of them has its items in order', () => {
    expect(taken(filled(10, 'a', 'a', 'a', 'b', 'b', 'c'))).toEqual(['a0', 'b3', 'c5', 'a1', 'b4', 'a2'])
  })

  it('serves one that comes next to one that has waited, wherever the turn is', () => {
    const queue = filled(10, 'a', 'a', 'a')
    queue.take()
    queue.add('b', 'b')
    expect(taken(queue)).toEqual(['a1', 'b', 'a2'])
  })

  it('gives one owner all of its room, and refuses it what is more', () => {
    const queue = filled(3, 'a', 'a', 'a')
    expect(queue.add('a', 'more')).toBe('more')
    expect(taken(queue)).toEqual(['a0', 'a1', 'a2'])
  })

  it('has room for others, for which the latest of the owner with the most give way, until each has as much', () => {
    const queue = filled(4, 'a', 'a', 'a', 'a')
    expect(queue.add('b', 'b0')).toBe('a3')
    expect(queue.add('b', 'b1')).toBe('a2')
    expect(queue.add('b', 'b2')).toBe('b2')
    expect(queue.add('c', 'c0')).toBe('a1')
    expect(taken(queue)).toEqual(['a0', 'b0', 'c0', 'b1'])
  })

  it('is empty once all has been taken', () => {
    const queue = filled(4, 'a', 'b', 'a')
    expect(queue.takeAll()).toEqual(['a0', 'a2', 'b1'])
    expect([queue.length, queue.take()]).toEqual([0, undefined])
  })
})
