import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

describe.each(['api', 'web'])('the README of @gatehouse-iam/%s', (name) => {
  it('has each code of a refusal with its status, and no other', async () => {
    const source = await readFile(`packages/${name}/src/errors.ts`, 'utf8')
    const [, statuses = ''] = /^const statuses: [^\n]*\n([\s\S]*?)^}/m.exec(source) ?? []
    const inCode = [...statuses.matchAll(/^ {2}'([\w-]+)': \[(\d+),/gm)].map(([, code, status]) => `${code} ${status}`)
    expect(inCode.length).toBeGreaterThan(8)

    const readme = await readFile(`packages/${name}/README.md`, 'utf8')
    const [, table = ''] = /^\| code \| status \| meaning \|\n([\s\S]*?)^$/m.exec(readme) ?? []
    const explained = [...table.matchAll(/^\| `([\w-]+)` \| (\d+) \| \S/gm)].map(([, code, status]) => `${code} ${status}`)
    expect(explained.sort()).toEqual(inCode.sort())
  })
})

/** The sources below a folder, as one text. */
const sourcesOf = async (folder: string) => {
  const files = globSync(`${folder}/**/*.ts`, { exclude: ['**/*.test.ts'] })
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('')
}

describe('docs/testing.md', () => {
  it('has each code of the test mode and of its package, and no other', async () => {
    const ofMode = (await sourcesOf('src/test-mode')).matchAll(/new Problem\('([\w-]+)'/g)
    const ofPackage = (await sourcesOf('packages/testing/src')).matchAll(/\bcode: (?:[^'\n]* )?'([\w-]+)'/g)
    const inCode = new Set([...ofMode, ...ofPackage].map(([, code]) => code))
    expect(inCode.size).toBeGreaterThan(8)

    const document = await readFile('docs/testing.md', 'utf8')
    const [, table = ''] = /^\| code \| meaning \|\n([\s\S]*?)^$/m.exec(document) ?? []
    const explained = [...table.matchAll(/^\| (`[^|]*) \| \S/gm)].flatMap(([, codes = '']) => codes.match(/[\w-]+/g) ?? [])
    expect(explained.sort()).toEqual([...inCode].sort())
  })
})
