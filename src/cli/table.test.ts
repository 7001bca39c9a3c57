import { describe, expect, it } from 'vitest'
import { tableOf } from './table.ts'

const now = new Date('2026-11-24T12:00:00Z')
const row = { slug: 'acme', createdAt: '2026-11-24T09:59:00.123Z', lastError: 'x'.repeat(90), nextAttemptAt: '2026-11-27T12:00:00.000Z' }
const columns = ['slug', 'createdAt', 'lastError', 'nextAttemptAt'] as const
const linesOf = (text: string) =>
  text
    .replaceAll(/[\uFDD0-\uFDDF]/g, '')
    .split('\n')
    .slice(0, -1)

describe('a table of a command', () => {
  it('fits the terminal, and says how long ago times are', () => {
    const [headings = '', line = ''] = linesOf(tableOf([row], columns, { width: 60, now }))
    expect([headings.length, line.length].every((length) => length <= 60)).toBe(true)
    expect(headings).toMatch(/^SLUG {2}CREATED AT {3}LAST ERROR +NEXT ATTEMPT AT$/)
    expect(line).toMatch(/^acme {2}2 hours ago {2}x+… {2}in 3 days$/)
  })

  it('is whole elsewhere', () => {
    const [, line = ''] = linesOf(tableOf([row], columns, { width: undefined, now: undefined }))
    expect(line.split(/ +/)).toEqual(['acme', row.createdAt, row.lastError, row.nextAttemptAt])
  })
})
