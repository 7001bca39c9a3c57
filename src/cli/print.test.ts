import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { jsonOf, print, styled } from './print.ts'

/** The text that a stream receives. */
function shownBy(text: string, terminal: { isTTY?: boolean; hasColors?: () => boolean } = {}): string {
  const shown: unknown[] = []
  print(text, { ...terminal, write: (part: string | Uint8Array) => shown.push(part) > 0 })
  return shown.join('')
}

describe('what a command prints', () => {
  it('moves no cursor and hides nothing, whatever a name in the database holds', () => {
    expect(shownBy('a\x1b]0;PWNED\x07b\u009b31mc\u202ed\ud800\r\n\tnext\n')).toBe(
      'a\uFFFD]0;PWNED\uFFFDb\uFFFD31mc\uFFFDd\uFFFD\uFFFD\n\tnext\n',
    )
  })

  it('has colours on a terminal that has them, and nowhere else', () => {
    const text = `${styled('red', 'FAILURE')} x\n`
    expect(shownBy(text, { isTTY: true, hasColors: () => true })).toBe('\x1b[31mFAILURE\x1b[0m x\n')
    expect(shownBy(text, { isTTY: true, hasColors: () => false })).toBe('FAILURE x\n')
    expect(shownBy(text)).toBe('FAILURE x\n')
  })

  it('is JSON that a terminal can show, and that says the same', () => {
    const document = { name: 'a\x1b[31m\u009b\u202e\uFDD0é', list: [1, 'b\nc'] }
    const text = jsonOf(document, 2)
    expect(shownBy(text, { isTTY: true, hasColors: () => true })).toBe(text)
    expect(JSON.parse(text)).toEqual(document)
  })

  it('goes through one function', () => {
    // Progress rewrites its one line, and the command's first file runs on a Node that cannot load the other modules.
    const others = ['src/cli/print.ts', 'src/cli/progress.ts', 'src/cli/gatehouse.ts']
    const files = globSync('src/cli/**/*.ts').filter((file) => !file.endsWith('.test.ts') && !others.includes(file))
    expect(files.filter((file) => /std(out|err)\.write\(|console\./.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
