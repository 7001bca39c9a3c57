import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, it } from 'vitest'

describe('CONTRIBUTING.md', () => {
  it('names only files that exist', () => {
    const text = readFileSync('CONTRIBUTING.md', 'utf8')
    const named = [...text.matchAll(/`((?:src|test|tools|docs)\/[\w./-]+)`/g)].map(([, file = '']) => file)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((file) => !existsSync(file))).toEqual([])
  })

  it('leads to the tests of a change: the table of folders is complete', () => {
    expect(() => execFileSync(process.execPath, ['tools/test-changed.ts', '--list'], { stdio: 'pipe' })).not.toThrow()
  })
})
