import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { childrenFirst, isSecretField, type TenantTable } from './rules.ts'

describe('the order in which tables are emptied', () => {
  it('puts each table before those that it refers to', () => {
    // Each table refers only to earlier ones, or to itself, so that there is no cycle; their order is random.
    const tables = fc
      .array(fc.array(fc.nat()), { maxLength: 12 })
      .map((rows) =>
        rows.map(
          (others, place): TenantTable => ({ name: `t${place}`, key: [], references: others.map((other) => `t${other % (place + 1)}`) }),
        ),
      )
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
    fc.assert(
      fc.property(tables, (given) => {
        const names = childrenFirst(given).map(({ name }) => name)
        expect([...names].sort()).toEqual(given.map(({ name }) => name).sort())
        for (const { name, references } of given) {
          for (const other of references.filter((reference) => reference !== name)) {
            expect(names.indexOf(name)).toBeLessThan(names.indexOf(other))
          }
        }
      }),
    )
  })

  it('is refused for a circle', () => {
    const circle = [
      { name: 'a', key: [], references: ['b'] },
      { name: 'b', key: [], references: ['a'] },
    ]
    expect(() => childrenFirst(circle)).toThrow(/circle: a, b/)
  })
})

describe('a secret field', () => {
  it('is recognised by its name', () => {
    expect(['passwordHash', 'secretEncrypted', 'previousSecretHash', 'tokenHash'].every(isSecretField)).toBe(true)
    expect(['passwordChangedAt', 'name', 'prefix', 'tokensValidAfter'].some(isSecretField)).toBe(false)
  })
})
