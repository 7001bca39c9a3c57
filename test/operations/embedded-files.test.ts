import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

/** Something that PostgreSQL does with one of two names, of which each may be open twice. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name: fc.nat(1), stream: fc.nat(1), position: fc.nat(40), length: fc.nat(20) }),
  fc.record({ kind: fc.constant('append' as const), name: fc.nat(1), length: fc.nat(20) }),
  fc.record({ kind: fc.constantFrom('cut' as const, 'cutOpen' as const), name: fc.nat(1), length: fc.nat(40) }),
  fc.record({ kind: fc.constantFrom('empty' as const, 'replace' as const, 'rename' as const), name: fc.nat(1) }),
)

describe('the end of a file on disk', () => {
  let pglite: PGlite
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-sizes-'))
    pglite = await startPglite({ dataDir: folder })
  })
  afterAll(async () => {
    await pglite?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('is where the operating system has it, whatever was written, cut, renamed or removed', () => {
    const { FS } = pglite.Module
    const pathOf = (name: number) => `/pglite/data/file-${name}`
    const endOf = (stream: ReturnType<typeof FS.open>) => FS.llseek(stream, 0, 2)
    const bytes = new Uint8Array(20)
    const openTwice = (name: number) => [FS.open(pathOf(name), 'w+'), FS.open(pathOf(name), 'r+')]
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const streams = [0, 1].map(openTwice)
        for (const one of steps) {
          const path = pathOf(one.name)
          const [first, second] = streams[one.name] ?? []
          if (one.kind === 'write') FS.write(one.stream === 0 ? first : second, bytes, 0, one.length, one.position)
          else if (one.kind === 'append') {
            const stream = FS.open(path, 'a')
            FS.write(stream, bytes, 0, one.length)
            FS.close(stream)
          } else if (one.kind === 'cut') FS.truncate(path, one.length)
          else if (one.kind === 'cutOpen') FS.ftruncate(first.fd, one.length)
          else if (one.kind === 'empty') FS.close(FS.open(path, 'w'))
          else {
            for (const stream of [first, second]) FS.close(stream)
            if (one.kind === 'rename') {
              for (const stream of streams[1 - one.name] ?? []) FS.close(stream)
              FS.rename(path, pathOf(1 - one.name))
              streams[1 - one.name] = [FS.open(pathOf(1 - one.name), 'r+'), FS.open(pathOf(1 - one.name), 'r+')]
            } else FS.unlink(path)
            streams[one.name] = openTwice(one.name)
          }
          for (const name of [0, 1]) {
            const { size } = fs.statSync(join(folder, `file-${name}`))
            expect(streams[name]?.map(endOf)).toEqual([size, size])
          }
        }
        for (const stream of streams.flat()) FS.close(stream)
      }),
    )
  })

  it('is asked of the operating system once, however many statements plan for the table', async () => {
    await pglite.query('create table counted (id int primary key)')
    const insert = () => pglite.query('insert into counted select coalesce(max(id), 0) + 1 from counted')
    await insert()
    const asked = vi.spyOn(fs, 'fstatSync')
    for (let count = 0; count < 20; count++) await insert()
    expect(asked.mock.calls).toEqual([])
    asked.mockRestore()
    expect((await pglite.query('select count(*)::int as count from counted')).rows).toEqual([{ count: 21 }])
  })
})

const contentsOf = ({ Module: { FS } }: PGlite, path: string) => Object.getOwnPropertyDescriptor(FS.lookupPath(path, {}).node, 'contents')
