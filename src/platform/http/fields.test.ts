import { describe, expect, it } from 'vitest'
import { dateTime } from './fields.ts'

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
