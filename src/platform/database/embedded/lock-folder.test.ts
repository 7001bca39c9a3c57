import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { lockFolder } from './lock-folder.ts'

async function aFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'gatehouse-lock-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  return join(parent, 'database')
}

it('a folder is locked once, by name of the process, until it is released', async () => {
  const folder = await aFolder()
  const release = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(`${folder} is in use by process ${process.pid}`)

  release()
  const releaseAgain = await lockFolder(folder)
  releaseAgain()
})

it.each(['', ' ', 'half a numb'])('a folder whose holder could not say who it is (%j) is in use by another process', async (written) => {
  const folder = await aFolder()
  const release = await lockFolder(folder)
  for (const wreck of [() => writeFile(`${folder}.pid`, written), () => rm(`${folder}.pid`)]) {
    await wreck()
    const error = await lockFolder(folder).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'DATABASE_IN_USE', holder: 'another process', message: `${folder} is in use by another process` })
  }
  release()
})

it('a folder whose lock cannot be written fails as the file system would, and is not locked', async () => {
  const folder = await aFolder()
  await mkdir(`${folder}.pid`)
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'EISDIR', path: `${folder}.pid` })
  await rm(`${folder}.pid`, { recursive: true })

  const release = await lockFolder(folder)
  release()
  await rm(dirname(folder), { recursive: true })
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  await mkdir(dirname(folder))
})

it('a lock that may only be read shuts no process out, so it is refused', async () => {
  const folder = await aFolder()
  await writeFile(`${folder}.lock`, '', { mode: 0o444 })
  await chmod(dirname(folder), 0o777)
  const { href } = new URL('lock-folder.ts', import.meta.url)
  const script = `
    process.getuid() === 0 && process.setuid(65534)
    const { lockFolder } = await import(${JSON.stringify(href)})
    console.log(await lockFolder(${JSON.stringify(folder)}).then(() => 'locked', ({ code, path }) => code + ' ' + path))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe(`EACCES ${folder}.lock\n`)
})

it('of many concurrent attempts, one gets the lock', async () => {
  const folder = await aFolder()
  await writeFile(`${folder}.lock`, '1')

  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder)))

  const held = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(held).toHaveLength(1)
  for (const { value: release } of held) release()
})

it('a lock that names a running process which does not hold it is taken over', async () => {
  const [folder, copy] = [await aFolder(), await aFolder()]
  const release = await lockFolder(folder)
  // This copies the folder while the service runs; by `cp`, since a process that closes the file loses its lock.
  await promisify(execFile)('cp', [`${folder}.lock`, `${copy}.lock`])
  await copyFile(`${folder}.pid`, `${copy}.pid`)
  const releaseCopy = await lockFolder(copy)
  releaseCopy()
  release()
  for (const pid of [process.pid, 1]) {
    // The previous release wrote it in this form; in a container the process id is 1.
    await writeFile(`${copy}.lock`, String(pid))
    const releaseOld = await lockFolder(copy)
    releaseOld()
  }
})
