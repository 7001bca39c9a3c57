import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { advisoryLocks, channels } from './locks-and-channels.ts'

const sources = globSync('src/**/*.ts', { exclude: ['**/locks-and-channels*.ts'] }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}))
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

describe('advisory locks', () => {
  it('have an id each', () => {
    const ids = Object.values(advisoryLocks)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are taken by their names alone', () => {
    // The triggers use a lock of their own. Transactions that are never
    // committed, or only rehearsed, leave out locks that the services take.
    expect(filesWith(/pg_(try_)?advisory/)).toEqual([
      'src/platform/database/rehearse-migrations.ts',
      'src/platform/database/uncommitted.ts',
      'src/platform/database/migrations/0102-kept-addresses.ts',
    ])
    expect(filesWith(/7_?161_?735/)).toEqual([])
  })
})

describe('channels', () => {
  const names: string[] = Object.values(channels)

  it('have a name each', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  it('are notified by their names alone, but in the triggers of the migrations, which name them', () => {
    for (const { file, text } of sources) {
      for (const [, literal] of text.matchAll(/pg_notify\((?:'(\w+)')?/g)) {
        expect([file, literal]).toEqual([expect.stringContaining('/migrations/'), expect.toBeOneOf(names)])
      }
    }
    expect(filesWith(/\.listen\(['"`]/)).toEqual([])
  })
})
