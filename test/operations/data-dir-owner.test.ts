import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { builtService } from '../support/built-service.ts'
import { runProcess } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { needs } from '../support/needs.ts'
import { processHome } from '../support/service-process.ts'

const [owner, other] = [65_534, 65_533]

/** A folder with a database, all of which belongs to another user than root. */
async function foreignHome() {
  const home = await processHome()
  onTestFinished(() => home.remove())
  await chmod(home.folder, 0o755)
  const dataDir = home.environment.DATA_DIR as string
  await mkdir(dataDir, { recursive: true })
  execFileSync('chown', ['-R', `${owner}:${owner}`, dataDir])
  await chmod(dataDir, 0o700)
  // Commands that write elsewhere do it as that user, too.
  const shared = await mkdtemp(join(tmpdir(), 'gatehouse-shared-'))
  onTestFinished(() => rm(shared, { recursive: true }))
  await chmod(shared, 0o777)
  return { dataDir, shared, environment: { ...home.environment, PORT: String(await freePort()) } }
}

const ofOthers = (folder: string) => execFileSync('find', [folder, '!', '-uid', String(owner)], { encoding: 'utf8' })

describe('a command of root on the data directory of another user', needs('root', process.getuid?.() === 0), () => {
  it('is carried out as that user, whose service then starts', async () => {
    const { dataDir, shared, environment } = await foreignHome()
    const backup = join(shared, 'one.backup')
    for (const line of [
      'organisation list',
      'migrate',
      'doctor',
      `database backup ${backup}`,
      `database restore ${backup} --replace --yes`,
      'organisation create --name Acme --slug acme --email it@acme.test --owner-email owner@acme.test',
    ]) {
      const { status, stderr } = await runProcess(environment, line)
      // The doctor fails, since nothing listens.
      expect([line, status, stderr]).toEqual([line, line === 'doctor' ? 1 : 0, line === 'doctor' ? expect.any(String) : ''])
      expect([line, ofOthers(dataDir)]).toEqual([line, ''])
    }
    expect((await stat(backup)).uid).toBe(owner)

    const service = spawn(process.execPath, [builtService, 'serve'], {
      env: { PATH: process.env.PATH, ...environment },
      uid: owner,
      gid: owner,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void service.kill('SIGKILL'))
    let output = ''
    for (const stream of [service.stdout, service.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    await expect.poll(() => output).toMatch(/Gatehouse is ready/)

    expect(await runProcess(environment, `database restore ${backup} --replace --yes`)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('The service has started again on it'),
      stderr: '',
    })
    expect(ofOthers(dataDir)).toBe('')
    service.kill('SIGTERM')
    await once(service, 'exit')
  })

  it('leaves in the audit log who ran it, and says as whom it could not read a file', async () => {
    const { dataDir, environment, shared } = await foreignHome()
    await runProcess(environment, 'organisation create --name Acme --slug acme --email it@acme.test --owner-email owner@acme.test')
    const file = join(shared, 'users.jsonl')
    await writeFile(file, '{}\n', { mode: 0o600 })
    const { status, stderr } = await runProcess(environment, `import users ${file} --organisation acme`)
    expect(status).toBe(1)
    expect(stderr).toMatch(/\nThis command runs as nobody, who owns DATA_DIR: that user must be able to use the file\n$/)
    const engine = await openEmbedded(join(dataDir, 'database'))
    onTestFinished(() => engine.close())
    const query = { sql: `select metadata->>'operatingSystemUser' as name from audit_logs where actor_id = 'cli'`, parameters: [] }
    expect(new Set((await engine.execute<{ name: string }>(query)).rows.map(({ name }) => name))).toEqual(new Set(['root']))
  })

  it('is refused to other users, by the name of the owner', async () => {
    const { dataDir, environment } = await foreignHome()
    await chmod(dataDir, 0o777)
    for (const line of [
      'serve',
      'organisation list',
      'database backup /tmp/never.backup',
      'database restore never.backup --replace --yes',
    ]) {
      expect(await runProcess(environment, line, { user: other })).toEqual({
        status: 1,
        stdout: '',
        stderr: `DATA_DIR is "${dataDir}", where the database belongs to nobody (uid ${owner}), and this process runs as uid ${other}: run it as nobody (uid ${owner}), or as root, which takes that user on, or set DATA_DIR to another folder\n`,
      })
    }
  })
})

describe('a database with a file of another user', needs('root', process.getuid?.() === 0), () => {
  it('is no database that is away: the start names the file', async () => {
    const { dataDir, environment } = await foreignHome()
    const file = join('database', 'global', 'pg_control')
    execFileSync('chown', ['root:root', join(dataDir, file)])
    const { status, stdout, stderr } = await runProcess(environment, 'serve', { user: owner })
    expect([status, `${stdout}${stderr}`]).toEqual([
      1,
      expect.stringContaining(`where the user of this process may not use ${file} (EACCES)`),
    ])
    expect(`${stdout}${stderr}`).not.toContain('Waiting')
  })
})
