import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import shownSafe from './shown-safe.json' with { type: 'json' }

const lastBeforeTheRule = 55
const lastThatSaysNothingOfTheFormerRelease = 97
const lastThatIndexesInItsTransaction = 99
const folder = new URL('migrations/', import.meta.url)
const files = readdirSync(folder).filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file))
const numbers = files.map((file) => Number(file.slice(0, 4))).sort((left, right) => left - right)

describe('the migrations', () => {
  it('are numbered without gaps, each number once', () => {
    const governed = numbers.filter((number) => number > lastBeforeTheRule)
    expect(governed).toEqual(governed.map((_, index) => lastBeforeTheRule + 1 + index))
  })

  it('say whether they stop the former release, when they end or change what it may use', () => {
    const endsSomething =
      /\b(drop (table|column|function|type|role)|rename (column|to)|alter column \S+ (set not null|type))\b|\.(dropTable|dropColumn|renameTo|renameColumn)\(/i
    const silent = files.filter((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const isGoverned = Number(file.slice(0, 4)) > lastThatSaysNothingOfTheFormerRelease
      return isGoverned && endsSomething.test(text) && !text.includes('export const stopsFormerRelease')
    })
    expect(silent).toEqual([])
  })

  it('are called safe while the former release runs only when the upgrade under load has applied them beside it', () => {
    const { endsWith, migrations } = shownSafe
    expect(files.map((file) => file.slice(0, -'.ts'.length)).filter((name) => name > endsWith)).toEqual(migrations)
  })

  it('build indexes on tables that are there before concurrently', () => {
    const holdingUp = files.filter((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const made = [...text.matchAll(/create table (\w+)/g)].map(([, table]) => table)
      const indexed = [...text.matchAll(/create (?:unique )?index \S+ on (\w+)/g)].map(([, table]) => table)
      return Number(file.slice(0, 4)) > lastThatIndexesInItsTransaction && indexed.some((table) => !made.includes(table))
    })
    expect(holdingUp).toEqual([])
  })

  it('read and write rows as the system: the role that logs in sees none', () => {
    const changesRows = /\b(insert into|delete from|update) [a-z_$]+/
    const unaware = files.filter((file) => {
      // The body of a function runs later, in transactions that change rows then; `update of` and `update on` are clauses, not statements.
      const text = readFileSync(new URL(file, folder), 'utf8')
        .replaceAll(/\bupdate o[fn]\b/g, '')
        .replaceAll(/as \$\$.*?\$\$/gs, '')
      return Number(file.slice(0, 4)) > lastBeforeTheRule && changesRows.test(text) && !text.includes('await asSystem(')
    })
    expect(unaware).toEqual([])
  })
})
