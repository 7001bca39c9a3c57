import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'

const sources = globSync('console/src/**/*.{ts,tsx}').filter((file) => !file.includes('/texts/') && !file.endsWith('.test.ts'))

/** Attributes that a person reads or hears. */
const read = /^(label|title|description|placeholder|hint|alt|legend|text|emptyText|closeLabel|searchLabel|aria-label|aria-description)$/
/** Names that are the same in every language. */
const names = ['curl', 'fetch', 'openapi-fetch', 'JSON', 'English', 'Deutsch', 'UTC', 'ms', 'https://']

interface Node {
  type: string
  [field: string]: unknown
}

/** The texts that stand in the JSX of a source. */
function textsIn(source: string, lang: 'ts' | 'tsx' = 'tsx'): string[] {
  const found: string[] = []
  const look = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) look(one)
    else if (node !== null && typeof node === 'object') {
      const { type, name, value } = node as Node & { name?: { name?: string }; value?: string & Node }
      if (type === 'JSXText' && /\p{L}{2}/u.test(value as string)) found.push((value as string).trim())
      if (type === 'JSXAttribute' && read.test(name?.name ?? '') && value?.type === 'Literal' && /\p{L}{2}/u.test(value.value as string))
        found.push(value.value as string)
      for (const child of Object.values(node)) look(child)
    }
  }
  look(parseAst(source, { lang }))
  return found
}

// The sources are the same whatever the database.
describe.runIf(databaseKind() === 'pglite')('the texts of the console', () => {
  it('stand in the catalogues, none in JSX', () => {
    const found = sources.flatMap((file) =>
      textsIn(readFileSync(file, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts')
        .filter((text) => !names.includes(text))
        .map((text) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
  })

  it('would be found in JSX', () => {
    expect(sources.filter((file) => file.endsWith('.tsx')).length).toBeGreaterThan(60)
    expect(textsIn('const Example = () => <p title="Read me">Hello</p>')).toEqual(['Read me', 'Hello'])
  })

  it('are all used', async () => {
    const all = sources.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    const unused: string[] = []
    for (const file of globSync('console/src/texts/en/*.ts')) {
      const name = basename(file, '.ts')
      const users = all
        .filter(({ text }) => text.includes(`/texts/${name}.ts'`))
        .map(({ text }) => text)
        .join('\n')
      const { default: texts } = await import(pathToFileURL(file).href)
      for (const key of Object.keys(texts))
        if (!new RegExp(`\\.${key}\\b|\\b${key}\\b.*\\} = \\w*[tT]exts`).test(users)) unused.push(`${name}: ${key}`)
    }
    expect(unused).toEqual([])
  })
})
