import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Declaration {
  file: string
  name: string
  value: string
  /** The rules around it, the outermost first: `@layer ui`, `.strip`. */
  within: readonly string[]
}

/** All declarations of a style sheet, in order. */
function declarationsOf(file: string): Declaration[] {
  const within: string[] = []
  const found: Declaration[] = []
  const source = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
  for (const [, text = '', end] of source.matchAll(/((?:"[^"]*"|[^{};"])*)([{};])/g)) {
    const [, name, value] = /^\s*(-{0,2}\w[\w-]*)\s*:\s*(.*\S)\s*$/s.exec(text) ?? []
    if (end === '{') within.push(text.trim())
    else if (name && value) found.push({ file, name, value, within: [...within] })
    if (end === '}') within.pop()
  }
  return found
}

const declarations = globSync(['console/src/**/*.css', 'src/pages/*.css']).flatMap(declarationsOf)

describe('the styles of the console and of the hosted pages', () => {
  it('are read by this test', () => {
    expect(declarations).toContainEqual({
      file: 'console/src/styles/base.css',
      name: 'color-scheme',
      value: 'dark',
      within: [':root[data-theme="dark"]'],
    })
    expect(new Set(declarations.map(({ file }) => file)).size).toBeGreaterThan(60)
    expect(declarations.length).toBeGreaterThan(2_000)
  })

  it('animate by scrolling only in browsers that can: others would show the end of the animation', () => {
    const byScrolling = declarations.filter(({ name, value }) => name === 'animation-timeline' || /\b(scroll|view)\(/.test(value))
    expect(byScrolling).not.toEqual([])
    const animations = declarations.filter(
      ({ file, name, within }) =>
        name === 'animation' && byScrolling.some((one) => one.file === file && one.within.at(-1) === within.at(-1)),
    )
    expect(animations).not.toEqual([])
    const unguarded = [...byScrolling, ...animations].filter(
      ({ within }) => !within.some((rule) => /^@supports \(animation-timeline: ?scroll\(\)\)$/.test(rule)),
    )
    expect(unguarded).toEqual([])
  })

  it('use a size with its line height as a font alone, not as a size, which it is not', () => {
    const withLineHeight = declarations
      .filter(({ name, value }) => name.startsWith('--') && /^\S+ \/ \S+$/.test(value))
      .map(({ name }) => name)
    expect(withLineHeight).toContain('--text-s')
    const misused = declarations.filter(
      ({ name, value }) => name !== 'font' && !name.startsWith('--') && withLineHeight.some((token) => value.includes(`var(${token})`)),
    )
    expect(misused).toEqual([])
  })
})
