import { describe, expect, it } from 'vitest'
import { type Asked, choosePrimary, type ServerState } from './choose-primary.ts'

const primary = (server: string, timeline: number, others: Partial<ServerState> = {}): Asked => ({
  server,
  state: { takesWrites: true, isReplica: false, startedAt: `start of ${server}`, system: '7', timeline, ...others },
})
const replica = (server: string, others: Partial<ServerState> = {}) =>
  primary(server, 0, { takesWrites: false, isReplica: true, timeline: null, ...others })
const gone = (server: string): Asked => ({ server, state: new Error(`nothing listens on ${server}`) })
const known = { startedAt: 'start of a', system: '7', timeline: 1 }

const textOf = (asked: Asked[], before?: typeof known) => {
  const { chosen, reasons } = choosePrimary(asked, before)
  return [chosen?.server, ...reasons.map(({ server, reason }) => `${server}: ${reason}`)]
}

describe('the server that is written to', () => {
  it('is the one that takes writes, wherever it stands', () => {
    expect(textOf([replica('a'), primary('b', 1), gone('c')])).toEqual(['b', 'a: it is a replica', 'c: nothing listens on c'])
  })

  it('is none while all of them are replicas, read-only or gone', () => {
    expect(textOf([replica('a'), gone('b'), primary('c', 1, { takesWrites: false })])).toEqual([
      undefined,
      'a: it is a replica',
      'b: nothing listens on b',
      'c: it is read-only',
    ])
  })

  it('is never a former primary: not beside its successor, and not alone once a successor is known', () => {
    expect(textOf([primary('a', 1), primary('b', 2)])).toEqual(['b', 'a: it is a former primary, on time line 1, and 2 has begun'])
    expect(textOf([primary('a', 1), primary('b', 2)], known)).toEqual(['b', 'a: it is a former primary, on time line 1, and 2 has begun'])
    expect(textOf([primary('a', 1), gone('b')], { ...known, timeline: 2 })).toEqual([
      undefined,
      'a: it is a former primary, on time line 1, and 2 has begun',
      'b: nothing listens on b',
    ])
  })

  it('is none of two that were promoted beside each other, unless one is known', () => {
    const two = [primary('a', 2), primary('b', 2)]
    const refused = 'it is not the only one that takes writes: stop the wrong one'
    expect(textOf(two)).toEqual([undefined, `a: ${refused}`, `b: ${refused}`])
    expect(textOf(two, { ...known, startedAt: 'start of b', timeline: 2 })).toEqual(['b', `a: ${refused}`])
  })

  it('may have two addresses', () => {
    expect(choosePrimary([primary('a', 1), primary('b', 1, { startedAt: 'start of a' })]).chosen?.server).toBe('a')
  })

  it('is of one system with the others', () => {
    expect(textOf([primary('a', 1), primary('b', 3, { system: '8' })])).toEqual([
      undefined,
      'a: another one is of another system',
      'b: it is of another system than a',
    ])
    expect(textOf([primary('b', 3, { system: '8' }), primary('a', 1)], known)).toEqual(['a', 'b: it is of another system than before'])
  })
})
