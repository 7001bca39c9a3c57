import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describedRoutes } from '../http/described.ts'
import { useService } from '../support/service.ts'

const service = useService()
const page = await readFile('docs/lists.md', 'utf8')

/** The cells of the rows of the table that has this head, under this heading if it is given. */
function rowsOf(head: string, heading = ''): string[][] {
  const section = heading === '' ? page : page.slice(page.indexOf(`\n## ${heading}\n`))
  const table = section.slice(section.indexOf(head)).split('\n\n')[0] ?? ''
  const rows = table.split('\n').slice(2)
  return rows.map((row) =>
    row
      .slice(2, -1)
      .split(' |')
      .map((cell) => cell.trim()),
  )
}
const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

const sorted = new Map(rowsOf('| list | `q` searches in | `sort` |').map(([list, , sort]) => [codesIn(list)[0], codesIn(sort)]))
const filtered = new Map(
  rowsOf('| list | filters | without `limit` |').map(([list, filters, unlimited]) => [
    codesIn(list)[0],
    { filters: codesIn(filters), unlimited },
  ]),
)
const filtersUnder = (heading: string, head: string) => rowsOf(head, heading).flatMap(([parameters]) => codesIn(parameters))
const ofUsers = filtersUnder('Users', '| parameter | only users |')
const ofAuditLog = filtersUnder('The audit log', '| parameter | only entries |')
const under: Readonly<Record<string, readonly string[]>> = {
  '/v1/admin/users': ofUsers,
  '/v1/admin/users/export': ofUsers,
  '/v1/admin/audit-logs': ofAuditLog,
  '/v1/admin/audit-logs/export': ofAuditLog,
}

describe('docs/lists.md', () => {
  it('says of each list how it is filtered and sorted, and how long it is without a limit', async () => {
    const routes = await describedRoutes(service().anonymous)
    const described = routes.flatMap(({ method, path, operation: { parameters = [] } }) => {
      const query = parameters.filter((parameter) => parameter.in === 'query')
      const isList = query.some(({ name }) => name === 'cursor') || path.endsWith('/export')
      if (method !== 'GET' || !isList || query.length === 0) return []
      const sort = query.find(({ name }) => name === 'sort')?.schema.enum?.filter((field) => !String(field).startsWith('-'))
      const others = ['limit', 'cursor', 'format', ...(sort ? ['q', 'sort'] : [])]
      const filters = query.map(({ name }) => name).filter((name) => !others.includes(name))
      const limit = query.find(({ name }) => name === 'limit')?.schema.default
      return [{ path, sort: sort ?? [], filters: filters.sort(), limit: limit ?? 'all' }]
    })
    expect(described.length).toBeGreaterThan(30)

    const said = described.map(({ path }) => {
      const { filters = [], unlimited = 'all' } = filtered.get(path) ?? {}
      const limit = unlimited === 'all' ? unlimited : Number(unlimited)
      return { path, sort: sorted.get(path) ?? [], filters: [...(under[path] ?? filters)].sort(), limit }
    })
    expect(said).toEqual(described)
  })
})
