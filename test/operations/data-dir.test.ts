import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { type CommandProcess, runProcess } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { needs } from '../support/needs.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'

const commands = [
  'serve',
  'migrate',
  'migrate up',
  'migrate status',
  'organisation list',
  'keys rotate',
  'database backup never.backup',
  'database restore never.backup --replace',
]
/** These make a database where there is none. */
const makers = ['serve', 'migrate', 'migrate up']

/** What a command prints that ends with 1. */
async function failureOf(dataDir: string, line: string, as?: CommandProcess): Promise<string> {
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  const { status, stdout, stderr } = await runProcess(environment, line, as)
  expect([status, `${stdout}${stderr}`], line).toEqual([1, expect.not.stringContaining('    at ')])
  return `${stdout}${stderr}`
}

const lineOf = (dataDir: string, mistake: string) => `DATA_DIR is "${dataDir}", ${mistake}, or set DATA_DIR to another folder\n`

/** Root may do everything, so the command runs as another user then. */
const unprivileged: CommandProcess = process.getuid?.() === 0 ? { user: 65_534 } : {}

let used: ProcessHome
beforeAll(async () => {
  used = await processHome()
  expect(await runProcess(used.environment, 'keys list')).toMatchObject({ status: 0 })
})
afterAll(() => used?.remove())

/** A folder with a database that was used, all of which belongs to the user that the command runs as. */
async function ownHome(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-own-'))
  onTestFinished(async () => {
    // A user other than root could not remove it otherwise.
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    await rm(folder, { recursive: true })
  })
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  execFileSync('cp', ['-R', used.environment.DATA_DIR as string, dataDir])
  const { user } = unprivileged
  if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, dataDir])
  return dataDir
}

describe('a DATA_DIR that the user of the process may not use', () => {
  it('is named by every command when it cannot be written to', async () => {
    const dataDir = await ownHome()
    await chmod(dataDir, 0o555)
    for (const line of commands) {
      expect(await failureOf(dataDir, line, unprivileged)).toBe(
        lineOf(dataDir, 'which the user of this process may not write to (EACCES): let that user own it'),
      )
    }
  })

  it('is named by every command when nothing in it can be seen', async () => {
    const dataDir = await ownHome()
    await chmod(dataDir, 0)
    for (const line of commands) {
      const said = await failureOf(dataDir, line, unprivileged)
      // A backup looks for the key first.
      const ofKey = 'where the user of this process may not use secret-key (EACCES): let that user own all that is in it'
      const ofFolder = 'which the user of this process may not write to (EACCES): let that user own it'
      expect(said).toBe(lineOf(dataDir, line.startsWith('database backup') ? ofKey : ofFolder))
    }
  })

  it.each([
    ['database', 0, commands.slice(0, -1)],
    ['database/PG_VERSION', 0, commands.slice(0, -1)],
    ['database.lock', 0o444, commands.slice(0, -1)],
    ['database.pid', 0o444, commands.slice(0, -1)],
    ['secret-key', 0, ['serve', 'organisation list', 'keys rotate', 'database backup never.backup']],
  ])('is named with %s, when that is what it is', async (name, mode, lines) => {
    const dataDir = await ownHome()
    await chmod(join(dataDir, name), mode)
    for (const line of lines) {
      expect(await failureOf(dataDir, line, unprivileged)).toBe(
        lineOf(dataDir, `where the user of this process may not use ${name} (EACCES): let that user own all that is in it`),
      )
    }
  })
})

const disk = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
const mount = (...options: string[]) => spawnSync('mount', [...options, 'tmpfs', disk]).status === 0
// Only root may make a disk of its own size.
const isMounted = mount('-t', 'tmpfs', '-o', 'size=128m')
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

describe('a DATA_DIR on a disk', needs('mounting a disk', isMounted), () => {
  const dataDir = join(disk, 'data')
  beforeEach(async () => {
    expect(mount('-o', 'remount,rw')).toBe(true)
    for (const name of ['data', 'filler']) await rm(join(disk, name), { recursive: true, force: true })
  })

  async function copyDatabase(): Promise<void> {
    const database = inject('database')
    if (database.kind !== 'pglite') return
    await mkdir(dataDir)
    execFileSync('cp', ['-R', database.folder, join(dataDir, 'database')])
  }

  /** Leaves no more than so much. */
  async function fill(freeBytes: number): Promise<void> {
    const handle = await open(join(disk, 'filler'), 'w')
    const chunk = Buffer.alloc(2 ** 20)
    let written = 0
    try {
      for (;;) written += (await handle.write(chunk)).bytesWritten
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
      await handle.truncate(Math.max(0, written - freeBytes))
    } finally {
      await handle.close()
    }
  }

  it.each([
    ['the folder itself', disk],
    ['a folder above', dataDir],
    ['one further above', join(dataDir, 'below')],
  ])('is named by what makes a database when %s is read-only', async (_case, place) => {
    expect(mount('-o', 'remount,ro')).toBe(true)
    for (const line of makers) {
      expect(await failureOf(place, line)).toBe(lineOf(place, 'which is on a read-only file system (EROFS): mount a volume there'))
    }
  })

  it('is named by every command when it is read-only', async () => {
    await copyDatabase()
    expect(mount('-o', 'remount,ro')).toBe(true)
    for (const line of commands) {
      expect(await failureOf(dataDir, line)).toBe(lineOf(dataDir, 'which is on a read-only file system (EROFS): mount a volume there'))
    }
  })

  it.each([0, 2 ** 16])('is named by every command when it is full but for %d bytes', async (freeBytes) => {
    await copyDatabase()
    await fill(freeBytes)
    for (const line of commands) {
      expect((await failureOf(dataDir, line)).replace(/\(0 MiB are free, 32 MiB are needed\)/, '(ENOSPC)')).toBe(
        lineOf(dataDir, 'which is on a disk that is full (ENOSPC): free space there'),
      )
    }
  })

  it.each([
    [0, /^which is on a disk that is full \(ENOSPC\): free space there$/],
    [2 ** 20, /^which is on a disk that is full \([01] MiB are free, 72 MiB are needed\): free space there$/],
    [60 * 2 ** 20, /^which is on a disk that is full \((59|60) MiB are free, 72 MiB are needed\): free space there$/],
  ])('is named by what makes a database when it has %d bytes, too few for one', async (freeBytes, expected) => {
    await mkdir(dataDir)
    await fill(freeBytes)
    for (const line of makers) {
      const said = await failureOf(dataDir, line)
      const [, mistake = ''] = /^DATA_DIR is ".*?", (.*), or set DATA_DIR to another folder\n$/.exec(said) ?? []
      expect(mistake, said).toMatch(expected)
    }
  })

  it('has room for a first database where the start says so', async () => {
    await mkdir(dataDir)
    await fill(73 * 2 ** 20)
    expect(await runProcess({ DATA_DIR: dataDir }, 'migrate up')).toMatchObject({ status: 0 })
    expect(await runProcess({ DATA_DIR: dataDir }, 'organisation list')).toMatchObject({ status: 0 })
  })
})
