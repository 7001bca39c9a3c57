import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from './filter.ts'

const equal = (path: string, value: string) => ({ kind: 'compare', operator: 'eq', path, value })

describe('a filter', () => {
  it('compares an attribute with a value', () => {
    expect(parseFilter('userName eq "anna"')).toEqual(equal('userName', 'anna'))
    expect(parseFilter('active EQ true')).toEqual({ kind: 'compare', operator: 'eq', path: 'active', value: true })
    expect(parseFilter('title pr')).toEqual({ kind: 'present', path: 'title' })
  })

  it('binds `not` closer than `and`, and `and` closer than `or`', () => {
    expect(parseFilter('a eq "1" or b eq "2" and not (c eq "3")')).toEqual({
      kind: 'or',
      filters: [equal('a', '1'), { kind: 'and', filters: [equal('b', '2'), { kind: 'not', filter: equal('c', '3') }] }],
    })
  })

  it('asks the values of a list', () => {
    expect(parseFilter('emails[type eq "work" and value co "@"]')).toEqual({
      kind: 'values',
      path: 'emails',
      filter: { kind: 'and', filters: [equal('type', 'work'), { kind: 'compare', operator: 'co', path: 'value', value: '@' }] },
    })
  })

  it('takes every string of JSON for a value that a database can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => {
        const read = () => parseFilter(`userName eq ${JSON.stringify(value)}`)
        if (value.includes('\0') || !value.isWellFormed()) expect(read).toThrow('characters that no attribute has')
        else expect(read()).toEqual(equal('userName', value))
      }),
    )
  })

  it.each([
    ['', 'nothing'],
    ['userName eq', 'no value'],
    ['userName eq "a', 'a string without an end'],
    [String.raw`userName eq "\x41"`, 'a string that is not of JSON'],
    ['userName is "a"', 'an operator that does not exist'],
    ['(userName eq "a"', 'a parenthesis that is not closed'],
    ['userName eq "a")', 'a parenthesis that is not opened'],
    ['emails[type eq "work"', 'brackets that are not closed'],
    [`userName eq "${'a'.repeat(2_048)}"`, 'more than 2 KiB'],
    [`${'('.repeat(11)}a pr${')'.repeat(11)}`, 'eleven parentheses in each other'],
    [`${'not ('.repeat(6)}a pr${')'.repeat(6)}`, 'six negations with parentheses in each other'],
  ])('is refused: %s (%s)', (filter) => {
    expect(() => parseFilter(filter)).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidFilter' }))
  })

  it('may be ten deep, and as long a chain as 2 KiB hold', () => {
    const present = { kind: 'present', path: 'a' }
    expect(parseFilter(`${'('.repeat(10)}a pr${')'.repeat(10)}`)).toEqual(present)
    expect(parseFilter(`${'(a pr) and '.repeat(150)}a pr`)).toEqual({ kind: 'and', filters: Array(151).fill(present) })
  })
})
