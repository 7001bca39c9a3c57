import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { userCache } from './user-cache.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-user-cache-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe("a user's cache", () => {
  it('is made where the environment says, for its owner alone', async () => {
    const folder = await temporaryFolder()
    expect(await userCache({ XDG_CACHE_HOME: join(folder, 'cache') })).toBe(join(folder, 'cache/gatehouse'))
    expect((await stat(join(folder, 'cache/gatehouse'))).mode & 0o777).toBe(0o700)
  })

  it('is not used where another user could write', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'gatehouse'))
    await chmod(join(folder, 'gatehouse'), 0o777)
    expect(await userCache({ XDG_CACHE_HOME: folder })).toBeUndefined()
  })

  it('is not used where it cannot be made', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    expect(await userCache({ XDG_CACHE_HOME: file })).toBeUndefined()
  })
})
