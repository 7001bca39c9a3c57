import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { recorded } from '../support/recorded.ts'

describe('a task', () => {
  it('waits for its time where the database is new', async () => {
    const { own, statements } = await recorded({ isDatabaseNew: true })
    const stored = () => own.database.system().selectFrom('tasks').selectAll().execute()
    const atStart = await stored()
    // Each that is declared anywhere. A server of PostgreSQL looks after its tables itself.
    const ofEmbedded = databaseKind() === 'postgres' ? ['vacuum-tables', 'analyse-tables'] : []
    expect([...atStart.map(({ name }) => name), ...ofEmbedded].sort()).toEqual(declaredTasks())
    expect(atStart.length).toBeGreaterThan(30)
    for (const { nextRunAt, lastRunAt } of atStart) expect(nextRunAt.getTime()).toBeGreaterThan(lastRunAt?.getTime() ?? Number.NaN)
    expect(statements.filter(({ query }) => /\bdelete from\b/.test(query.sql))).toEqual([])
  })
})

/** The names of the tasks that the source declares, in order. */
function declaredTasks(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/.test(path))
  const named = files.flatMap((path) => {
    const text = readFileSync(join('src', path), 'utf8')
    const [, ofFile = path] = /^const name = '([\w-]+)'$/m.exec(text) ?? []
    return [...text.matchAll(/\bname(?:: '([\w-]+)'|[^\n]*),\n +everySeconds: /g)].map(([, name]) => name ?? ofFile)
  })
  return named.sort()
}
