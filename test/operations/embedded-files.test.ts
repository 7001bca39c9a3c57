import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPglite } from '../../src/platform/database/embedded/pglite-options.ts'

describe('the embedded PostgreSQL', () => {
  let pglite: PGlite
  beforeAll(async () => {
    pglite = await startPglite({})
  })
  afterAll(() => pglite?.close())

  it('holds no file of PostgreSQL in memory, and reads those that a statement needs', async () => {
    expect(contentsOf(pglite, '/pglite/lib/postgresql/dict_snowball.so')).toHaveProperty('get')

    const { rows } = await pglite.query(
      `select to_tsvector('english', 'seven cats')::text as words, ('2026-07-01 12:00+00'::timestamptz at time zone 'Europe/Berlin')::text as time`,
    )
    expect(rows).toEqual([{ words: "'cat':2 'seven':1", time: '2026-07-01 14:00:00' }])
  })

  it('keeps what is written over them', async () => {
    const { FS } = pglite.Module

    FS.writeFile('/pglite/share/postgresql/tsearch_data/english.stop', 'cats\n')

    expect(FS.readFile('/pglite/share/postgresql/tsearch_data/english.stop', { encoding: 'utf8' })).toBe('cats\n')
  })
})

const contentsOf = ({ Module: { FS } }: PGlite, path: string) => Object.getOwnPropertyDescriptor(FS.lookupPath(path, {}).node, 'contents')
