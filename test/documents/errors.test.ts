import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describedRoutes } from '../http/described.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('docs/errors.md', () => {
  it('names every record that takes If-Match', async () => {
    const page = await readFile('docs/errors.md', 'utf8')
    const [, named = ''] = /^A single ([^\n]*) comes with an `ETag`/m.exec(page) ?? []
    const routes = await describedRoutes(service().anonymous)
    const conditional = routes.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'If-Match'))
    const records = new Set(conditional.map(({ path }) => path.split('/')[3] ?? ''))
    expect(records.size).toBeGreaterThan(10)

    const singular = (record: string) => record.replaceAll('-', ' ').replace(/ies$/, 'y').replace(/s$/, '')
    const unnamed = [...records].map(singular).filter(
      (record) =>
        !named
          .toLowerCase()
          .split(/, | or the /)
          .includes(record),
    )
    expect(unnamed).toEqual([])
  })
})
