import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { refusalList } from '../../src/app/refusal-list.ts'
import { variableNames } from '../../src/app/variables.ts'
import { type DescribedRefusal, problems } from '../../src/platform/http/problem.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** The rows of a document's tables whose first cell is in backquotes, cell by cell. */
async function rowsOf(document: string): Promise<string[][]> {
  const text = await readFile(new URL(`../../docs/${document}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const namesIn = (rows: string[][]) => rows.map(([first = '']) => first.replaceAll('`', ''))

describe('docs/configuration.md', () => {
  it('names every variable that exists, and no other', async () => {
    expect(namesIn(await rowsOf('configuration.md')).sort()).toEqual([...variableNames].sort())
  })
})

describe('docs/errors.md', () => {
  it('lists every problem with its status and title, and no other', async () => {
    const rows = (await rowsOf('errors.md')).filter(({ length }) => length === 3)

    const listed = rows.map(([slug = '', status, title]) => [slug.replaceAll('`', ''), { status: Number(status), title }])
    expect(Object.fromEntries(listed)).toEqual(problems)
    expect(rows).toHaveLength(Object.keys(problems).length)
  })
})

describe('the codes of refusals', () => {
  it('are all in the list that documents and pages are generated from', async () => {
    const listed = new Map(refusalList.map((refusal) => [refusal.code, refusal]))
    const files = globSync('src/**/refusals.ts')
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const module: Record<string, DescribedRefusal> = await import(new URL(`../../${file}`, import.meta.url).href)
      for (const { code, slug, text } of Object.values(module)) expect([file, listed.get(code)]).toEqual([file, { code, slug, text }])
    }
  })

  it('are words in kebab-case', () => {
    for (const { code } of refusalList) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  it('are on the page of their problem', async () => {
    for (const { code, slug } of refusalList) {
      expect((await service().anonymous.get(`/problems/${slug}`)).body).toContain(`<dt id="${code}">`)
    }
  })
})

describe('the page of a problem', () => {
  it.each(Object.entries(problems))('%s is at the address of the error type', async (slug, { title }) => {
    const { status, headers, body } = await service().anonymous.get(`/problems/${slug}`)

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';style-src 'self'/)
    expect(body).toContain(`<title>${title}</title>`)
    expect(body).not.toMatch(/<script|style=|`/)
  })

  it('is named by the errors themselves', async () => {
    const refused = await service().anonymous.get('/v1/me/profile')

    const { pathname, host } = new URL(refused.body.type)
    expect(host).toBe('gatehouse.test')
    expect(await service().anonymous.get(pathname)).toMatchObject({ status: 200 })
  })

  it('does not exist for anything else', async () => {
    expect(await service().anonymous.get('/problems/nothing')).toMatchObject({ status: 404, body: { title: 'Not Found' } })
    expect(await service().anonymous.get('/problems/style.css')).toMatchObject({ status: 200 })
  })
})
