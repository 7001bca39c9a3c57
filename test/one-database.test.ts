import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { onPgliteAlone, onPostgresAlone } from './one-database.ts'

const filesOf = (table: Readonly<Record<string, string>>) =>
  Object.keys(table).map((pattern) => [pattern, globSync(pattern).sort()] as const)

describe('the table of tests that run on one database', () => {
  it('names files that are there, each once', () => {
    const named = [...filesOf(onPostgresAlone), ...filesOf(onPgliteAlone)]
    expect(named.filter(([, files]) => files.length === 0)).toEqual([])
    // Those in a browser are named by their place and by their name.
    const files = named.flatMap(([, files]) => [...new Set(files)]).sort()
    expect(files.filter((file, index) => file === files[index - 1])).toEqual([])
  })

  it('names none that asks which database it runs on', () => {
    const named = [onPostgresAlone, onPgliteAlone].flatMap((table) => filesOf(table).flatMap(([, files]) => files))
    expect(named.filter((file) => /\bdatabaseKind\(/.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  it('names none for what it prints, shows or sends that works on the database itself', () => {
    // A page is shown rows that no request makes, such as those of last year.
    const named = Object.entries(onPostgresAlone)
      .filter(([, why]) => !why.startsWith('what a browser shows') && !why.startsWith('it is about'))
      .flatMap(([pattern]) => globSync(pattern))
    const works = (file: string) => /from 'kysely'|platform\/database\/|\.transaction\(|\.tenant\(/.test(readFileSync(file, 'utf8'))
    expect(named.filter(works)).toEqual([])
  })
})
