import { describe, expect, it } from 'vitest'
import { dateTime, limit } from './fields.ts'

describe('a time in a request', () => {
  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-31T09:30:00+05:30'])('may be %s', (time) => {
    expect(dateTime().parse(time)).toEqual(new Date(time))
  })

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00', '2026-02-30T00:00:00Z', '2026-01-31'])(
    'may not be %s, which not every database takes',
    (time) => {
      expect(dateTime().safeParse(time).error?.issues).toEqual([
        expect.objectContaining({ code: 'invalid_format', message: 'Invalid datetime' }),
      ])
    },
  )
})

describe('the limit of a list', () => {
  it.each([
    ['0', 'too_small', 'Too small: expected number to be >=1'],
    ['1001', 'too_big', 'Too big: expected number to be <=1000'],
    ['abc', 'invalid_type', 'Must be a whole number'],
    ['1.5', 'invalid_type', 'Must be a whole number'],
  ])('is refused as %s with the reason', (sent, code, message) => {
    expect(limit(1000).safeParse(sent).error?.issues).toEqual([expect.objectContaining({ code, message })])
  })
})
