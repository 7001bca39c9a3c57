import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { FilterBuilder, openFilter } from './breached-filter.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-filter-'))
afterAll(() => rm(folder, { recursive: true }))

const hashes = (count: number) => {
  const bytes = randomBytes(20 * count)
  return Array.from({ length: count }, (_, index) => bytes.subarray(20 * index, 20 * (index + 1)))
}
const filterOf = (added: readonly Buffer[]) => {
  const filter = new FilterBuilder(added.length)
  for (const hash of added) filter.add(hash)
  return filter
}
const written = async (added: readonly Buffer[], minCount = 10) => {
  const path = join(folder, randomBytes(6).toString('hex'))
  const bytes = await filterOf(added).write(path, { passwords: added.length, minCount })
  return { path, bytes }
}
const anyHash = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes))

describe('a filter', () => {
  it('has whatever was added, also when its hash is far from random', () => {
    fc.assert(
      fc.property(fc.array(anyHash, { maxLength: 50 }), (added) => {
        const filter = filterOf(added)
        return added.every((hash) => filter.has(hash))
      }),
    )
  })

  it('has in its file what it has in memory, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyHash, { maxLength: 20 }), fc.array(anyHash, { maxLength: 20 }), async (added, others) => {
        const { path } = await written(added)
        const inMemory = filterOf(added)
        const file = await openFilter(path)
        try {
          for (const hash of [...added, ...others]) expect(await file.has(hash)).toBe(inMemory.has(hash))
        } finally {
          await file.close()
        }
      }),
      { numRuns: 20 },
    )
  })

  it('misses none of 100,000, and is wrong about one other in a million at most', () => {
    const added = hashes(100_000)
    const filter = filterOf(added)

    expect(added.every((hash) => filter.has(hash))).toBe(true)
    // About 0.3 of half a million are to be expected: five are so by chance once in 100,000 runs.
    expect(hashes(500_000).filter((hash) => filter.has(hash)).length).toBeLessThan(5)
  })

  it('of no passwords has none', async () => {
    const { path } = await written([])
    const file = await openFilter(path)
    expect(file).toMatchObject({ passwords: 0, minCount: 10 })
    for (const hash of hashes(100)) expect(await file.has(hash)).toBe(false)
    await file.close()
  })
})

describe('the file of a filter', () => {
  it('says what it was made of, and takes 30 bits for each password', async () => {
    const { path, bytes } = await written(hashes(10_000), 37)
    const file = await openFilter(path)

    expect(file).toMatchObject({ passwords: 10_000, minCount: 37 })
    expect(bytes).toBe((await stat(path)).size)
    expect(bytes).toBe(4_096 * (1 + Math.ceil((10_000 * 30) / 32_768)))
    await file.close()
  })

  it('takes the place of the former one when it is complete, which a reader continues with', async () => {
    const [former, latter] = [hashes(50), hashes(50)]
    const { path } = await written(former)
    const reader = await openFilter(path)
    await filterOf(latter).write(path, { passwords: 50, minCount: 1 })

    for (const hash of former) expect(await reader.has(hash)).toBe(true)
    await reader.close()
    const next = await openFilter(path)
    for (const hash of latter) expect(await next.has(hash)).toBe(true)
    await next.close()
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  const overwrite = (at: number, bytes: Buffer) => async (path: string) => {
    const file = await open(path, 'r+')
    await file.write(bytes, 0, bytes.length, at)
    await file.close()
  }
  it.each([
    ['that is not there', (path: string) => rm(path), 'cannot be read: there is no such file (ENOENT)'],
    ['that is empty', (path: string) => truncate(path), 'is no list of ours'],
    ['that is a text', (path: string) => writeFile(path, 'PASSWORD\n'.repeat(1_000)), 'is no list of ours'],
    ['without its last byte', async (path: string) => truncate(path, (await stat(path)).size - 1), 'has been cut'],
    ['without its last block', async (path: string) => truncate(path, (await stat(path)).size - 4_096), 'has been cut'],
    ['with another number of blocks', overwrite(20, Buffer.from([0, 0, 0, 4])), 'is damaged'],
    ['with another checksum', overwrite(64, Buffer.alloc(32)), 'is damaged'],
    ['of another format', overwrite(8, Buffer.from([0, 0, 0, 2])), 'is of another release (format 2, not 1)'],
  ] as [string, (path: string) => Promise<void>, string][])('%s cannot be used', async (_, bend, why) => {
    const path = join(folder, randomBytes(6).toString('hex'))
    await copyFile((await written(hashes(5_000))).path, path)
    await bend(path)

    await expect(openFilter(path)).rejects.toThrow(`${path} ${why}`)
  })

  it('that is a folder cannot be used', async () => {
    await expect(openFilter(folder)).rejects.toThrow(`${folder} cannot be read: it is a folder (EISDIR)`)
  })
})
