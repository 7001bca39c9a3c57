import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Colour, contrastOf, parseColour } from '../../shared/colour.ts'
import { stylesheet } from '../../src/pages/stylesheet.ts'

type Scheme = 'light' | 'dark'

const tokens = readFileSync(new URL('../../console/src/styles/tokens.css', import.meta.url), 'utf8')

/** The values of the custom properties that are colours, of the console in one colour scheme. */
function consoleColours(scheme: Scheme): Map<string, string> {
  const declarations = tokens.matchAll(/--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/g)
  return new Map([...declarations].map(([, name = '', light = '', dark = '', both]) => [name, both ?? (scheme === 'light' ? light : dark)]))
}

/** The same of the hosted pages, which repeat in a media query what is different in the dark. */
function pageColours(scheme: Scheme): Map<string, string> {
  const blocks = [...stylesheet.matchAll(/(@media \(prefers-color-scheme: ?dark\) ?\{\s*)?:root ?\{([^}]*)\}/g)]
  const applied = blocks.filter(([, dark]) => scheme === 'dark' || dark === undefined)
  return new Map(
    applied.flatMap(([, , block = '']) => [...block.matchAll(/--([\w-]+): ?(#\w+)/g)].map(([, name = '', value = '']) => [name, value])),
  )
}

function colour(scheme: Scheme, name: string): Colour {
  const value = parseColour(consoleColours(scheme).get(name))
  if (!value) throw new Error(`tokens.css has no colour --${name}`)
  return value
}

/** What is written on what: WCAG 2.2 §1.4.3 asks for 4.5. */
const texts: [text: string, ...surfaces: string[]][] = [
  ['text', 'page', 'card', 'raised', 'sunken', 'hover', 'pressed', 'accent-surface'],
  ['muted', 'page', 'card', 'raised', 'sunken', 'hover', 'pressed', 'accent-surface'],
  ['link', 'page', 'card', 'raised', 'sunken', 'hover', 'accent-surface'],
  ['on-accent', 'accent', 'accent-pressed', 'danger-solid'],
  ['danger', 'card', 'raised', 'page', 'danger-surface'],
  ['warning', 'card', 'page', 'warning-surface'],
  ['success', 'card', 'raised', 'page', 'success-surface'],
]

/** The edges of controls and the bars of charts: WCAG 2.2 §1.4.11 asks for 3. */
const shapes: [shape: string, ...surfaces: string[]][] = [
  ['field-line', 'page', 'card', 'raised'],
  ['text', 'hover'],
  ['accent', 'page', 'card', 'raised'],
  ['link', 'page', 'card', 'raised', 'hover'],
  ['danger', 'card', 'raised', 'page'],
  ['danger-solid', 'page', 'card'],
  ['warning', 'page', 'card'],
]

const schemes: Scheme[] = ['light', 'dark']

describe.each(schemes)('the colours of the console, %s,', (scheme) => {
  const pairs = (rows: typeof texts) => rows.flatMap(([front, ...surfaces]) => surfaces.map((surface) => [front, surface] as const))

  it.each(pairs(texts))('let %s be read on %s', (front, surface) => {
    expect(contrastOf(colour(scheme, front), colour(scheme, surface))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(pairs(shapes))('let %s be seen on %s', (front, surface) => {
    expect(contrastOf(colour(scheme, front), colour(scheme, surface))).toBeGreaterThanOrEqual(3)
  })

  it('are those of the hosted pages where both have one of that name', () => {
    // The hosted pages derive these from whatever colour an organisation has; the console's are chosen.
    const derived = scheme === 'dark' ? ['accent', 'accent-pressed', 'link'] : ['accent-pressed']
    const own = consoleColours(scheme)
    const shared = [...pageColours(scheme)].filter(([name]) => own.has(name) && !derived.includes(name))
    expect(shared.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'page',
        'card',
        'text',
        'muted',
        'line',
        'field-line',
        'danger',
        'success',
        'on-accent',
        ...(scheme === 'light' ? ['accent', 'link'] : []),
      ]),
    )
    expect(Object.fromEntries(shared.map(([name]) => [name, own.get(name)]))).toEqual(Object.fromEntries(shared))
  })
})

it('hides no colour of the console from the computation', () => {
  const mentioned = new Set([...texts, ...shapes].flat())
  const decoration = ['line', 'danger-line', 'warning-line', 'success-line']
  expect([...consoleColours('light').keys()].filter((name) => !mentioned.has(name) && !decoration.includes(name))).toEqual([])
})
