import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import bothDatabases from './both-databases.json' with { type: 'json' }
import { filesToRecord, namesOf, onBoth, onPgliteAlone, onPostgresAlone, partOfFile } from './one-database.ts'

const filesOf = (table: Readonly<Record<string, string>>) =>
  Object.keys(table).map((pattern) => [pattern, globSync(pattern).sort()] as const)

const recorded = Object.keys(bothDatabases)
const sourceOf = (file: string) => readFileSync(file, 'utf8')

describe('the tables of tests that run on one database, or whole on both', () => {
  it('name files that are there, each once', () => {
    const named = [onPostgresAlone, onPgliteAlone, onBoth].flatMap(filesOf)
    expect(named.filter(([, files]) => files.length === 0)).toEqual([])
    // Those in a browser are named by their place and by their name.
    const files = named.flatMap(([, files]) => [...new Set(files)]).sort()
    expect(files.filter((file, index) => file === files[index - 1])).toEqual([])
  })

  it('name none for one database that asks which it runs on', () => {
    const named = [onPostgresAlone, onPgliteAlone].flatMap((table) => filesOf(table).flatMap(([, files]) => files))
    expect([...named, ...recorded].filter((file) => /\bdatabaseKind\(/.test(sourceOf(file)))).toEqual([])
  })

  it('name none for what it prints, shows or sends that works on the database itself', () => {
    // A page is shown rows that no request makes, such as those of last year.
    const named = Object.entries(onPostgresAlone)
      .filter(([, why]) => !why.startsWith('what a browser shows') && !why.startsWith('it is about'))
      .flatMap(([pattern]) => globSync(pattern))
    const works = (file: string) => /from 'kysely'|platform\/database\/|\.transaction\(|\.tenant\(/.test(sourceOf(file))
    expect(named.filter(works)).toEqual([])
  })
})

describe('the tests that run on both databases for the statements they send', () => {
  it('are of files that are there, and in no other table', () => {
    expect([...new Set(recorded).difference(new Set(filesToRecord()))]).toEqual([])
  })

  it('are each known by name, so that new ones can be told', () => {
    expect(Object.entries(bothDatabases).flatMap(([file, known]) => ('names' in known ? [] : [file]))).toEqual([])
  })

  it('are of files whose statements are all seen', () => {
    const isUnseen = (file: string) => /service-process|startCommand|runCommand|openPostgres|startEmbedded/.test(sourceOf(file))
    expect(recorded.filter(isUnseen)).toEqual([])
  })

  it('are those of the record and the new ones, or all of a file that has lost one of the record', () => {
    const tests = ['creates', 'lists', 'deletes']
    const record = { 'a.test.ts': { tests: 3, names: namesOf(tests), onBoth: { lists: 4 } } }
    const partNow = (now: readonly string[], file = 'a.test.ts') => partOfFile(file, now, record)

    expect(partNow(tests)).toEqual(new Set(['lists']))
    expect(partNow([...tests, 'archives'])).toEqual(new Set(['lists', 'archives']))
    expect(partNow(['creates anew', 'lists', 'deletes'])).toEqual(new Set(['lists', 'creates anew']))
    expect(partNow(['creates', 'lists anew', 'deletes'])).toBeUndefined()
    expect(partNow(tests, 'b.test.ts')).toBeUndefined()
  })
})
