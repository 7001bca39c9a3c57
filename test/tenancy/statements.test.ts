import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { declaredStatements, type Statement, statement } from '../../src/platform/database/statement.ts'
import { useService } from '../support/service.ts'

const service = useService()

// Row-level security does not hold these to an organisation: they run as the system.
const declaring = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/database/statement.ts'] }).filter((file) =>
  /\bstatement[<(]/.test(readFileSync(file, 'utf8')),
)

/** What the statements of the product do to the tables of organisations, under the names that they give them. */
function tablesOf(text: string, tenantTables: ReadonlySet<string>) {
  const mentions = text.matchAll(
    /\b(?:from|join|update|into)\s+([a-z_]+)(?:\s+(?!set\b|where\b|on\b|join\b|order\b|limit\b|returning\b|values\b|for\b)([a-z_]+))?/g,
  )
  return [...mentions].flatMap(([, table = '', alias]) => (tenantTables.has(table) ? [{ table, alias: alias ?? table }] : []))
}

/** Whether each table of organisations is tied to an organisation: to the parameter, or to that of another table. */
function isTied({ table, alias }: { table: string; alias: string }, text: string): boolean {
  const column = table === 'organisations' ? 'id' : 'organisation_id'
  const other = '(?::organisationId|[a-z_]+\\.organisation_id)'
  const own = `(?:${alias}\\.)?${column}`
  return new RegExp(`(?<![.\\w])${own} = ${other}|${other} = ${alias}\\.${column}|insert into ${table} \\(organisation_id,`).test(text)
}

describe('the statements that run as the system', () => {
  const tenantTables = new Set(['organisations'])

  beforeAll(async () => {
    await Promise.all(declaring.map((file) => import(pathToFileURL(join(process.cwd(), file)).href)))
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`.execute(service().database.system())
    for (const { name } of rows) tenantTables.add(name)
  })

  it('are all declared where the walk finds them', () => {
    const written = declaring.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/= statement[<(]|return statement\(/g)])
    expect(declaredStatements.length).toBeGreaterThanOrEqual(written.length)
    expect(written.length).toBeGreaterThan(15)
  })

  it('each name their organisation, unless they say why they find it out', () => {
    const wrong = declaredStatements.filter(({ text, crossesOrganisations }) => {
      const reachesTenants = tablesOf(text, tenantTables).length > 0
      return (
        reachesTenants &&
        (crossesOrganisations === undefined) !== /organisation_id = :organisationId|(select|values \() ?:organisationId/.test(text)
      )
    })
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('read and write no table of organisations without tying it to one, apart from what finds the organisation', () => {
    const loose = declaredStatements.flatMap(({ text, crossesOrganisations }) => {
      const untied = tablesOf(text, tenantTables).filter((table) => !isTied(table, text))
      // One table may be found by its secret; the others belong to the same organisation.
      return untied.length > (crossesOrganisations ? 1 : 0) ? [{ untied, text }] : []
    })
    expect(loose).toEqual([])
  })

  it('can be prepared, with a value for each name', async () => {
    const anything = new Proxy<Record<string, unknown>>({}, { get: () => null })
    for (const declared of declaredStatements as readonly unknown[] as readonly Statement<Record<string, unknown>, unknown>[]) {
      await service().engine.transaction(async (transaction) => {
        await transaction.execute({ sql: `prepare walked as ${declared.with(anything).sql}`, parameters: [] })
        await transaction.execute({ sql: 'deallocate walked', parameters: [] })
      })
    }
  })

  it('refuse to run without a value', () => {
    const one = statement<{ id: string }, object>('select :id::text as id, :id as same')
    declaredStatements.pop()
    expect(one.with({ id: 'x' })).toEqual({ sql: 'select $1::text as id, $1 as same', parameters: ['x'] })
    expect(() => one.with({} as { id: string })).toThrow('The statement lacks a value for id')
  })
})
