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
