import process from 'node:process'
import { expect, it, vi } from 'vitest'
import { progressLine, showProgress } from './progress.ts'

it.each([
  [{ done: 1_200, total: 4_000, seconds: 3 }, '1,200 of 4,000 users, 400 a second, 7 s left'],
  [{ done: 0, total: 10, seconds: 5 }, '0 of 10 users, 0 a second'],
  [{ done: 10, total: 10, seconds: 5 }, '10 of 10 users, 2 a second, 0 s left'],
  [{ done: 1_000, total: 1_000_000, seconds: 1 }, '1,000 of 1,000,000 users, 1,000 a second, 17 min left'],
  [{ done: 100, total: 1_000_000, seconds: 1 }, '100 of 1,000,000 users, 100 a second, 2 h 47 min left'],
  [{ done: 50, seconds: 10 }, '50 users, 5 a second'],
])('progress is shown with its rate and the time left', (progress, line) => {
  expect(progressLine({ what: 'users', ...progress })).toBe(line)
})

it('progress elsewhere than on a terminal is one line in ten seconds', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const progress = showProgress('users', 100)
  for (const second of [1, 9, 10, 15, 20]) {
    now.mockReturnValue(second * 1_000)
    progress.at(second)
  }
  progress.end()
  expect(written.mock.calls.map(([line]) => line)).toEqual([
    '10 of 100 users, 1 a second, 2 min left\n',
    '20 of 100 users, 1 a second, 2 min left\n',
  ])
  vi.restoreAllMocks()
})
