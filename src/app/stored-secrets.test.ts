import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { storedSecret } from './stored-secrets.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-secrets-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('is the secret of the process that was first, for every process that starts at the same time', async () => {
  const folder = await newFolder()
  const starts = Array.from({ length: 20 }, (_, process) => storedSecret(folder, 'key', () => `of process ${process}`))
  const values = (await Promise.all(starts)).map(({ value }) => value)

  expect(new Set(values).size).toBe(1)
  expect((await storedSecret(folder, 'key', () => 'another')).value).toBe(values[0])
  expect((await readdir(folder)).sort()).toEqual(['key', 'key.unprinted'])
})

it('is the secret that another process has stored while this one made its own', async () => {
  const folder = await newFolder()
  const makeLate = () => {
    writeFileSync(join(folder, 'key'), 'of the other')
    return 'of this one'
  }
  expect((await storedSecret(folder, 'key', makeLate)).value).toBe('of the other')
})
