import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
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

describe('the sources', () => {
  it('hold no half of a merge', () => {
    const files = globSync(['{bench,console,docs,src,test,tools}/**/*.{ts,tsx,js,css,md,json,sql,yaml}', '*.{md,json,ts}'], {
      exclude: (name) => String(name).includes('node_modules'),
    })
    expect(files.length).toBeGreaterThan(1_000)
    expect(files.filter((file) => /^\W*(?:<{7}|>{7}) /m.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
