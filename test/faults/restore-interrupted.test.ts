import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findHolder } from '../../src/platform/database/embedded/control-socket.ts'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { acceptRestore, describeRestore } from '../../src/platform/database/embedded/restore-folder.ts'
import { runCommand, runProcess, startCommand } from '../support/command.ts'
import { cookieOf } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { needs } from '../support/needs.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { type SmallDisk, smallDisk } from '../support/small-disk.ts'

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'gatehouse-restore-'))

const id = 'a1b2c3'
const former = 'database.before-20261123T054606917Z'
const described = { id, asOf: '2026-11-23T05:46:02.772Z', release: '1.0.0', former, isProven: false }

/** Two databases that say which one they are, to be copied. */
let models: string
beforeAll(async () => {
  models = await temporaryFolder()
  for (const name of ['former', 'restored']) {
    const engine = await openEmbedded(join(models, name))
    await engine.ownerTransaction((owner) => owner.execute({ sql: `create table model as select '${name}' as name`, parameters: [] }))
    await engine.close()
  }
})
afterAll(() => rm(models, { recursive: true, force: true }))

/** Names of folders, each with the database that it is a copy of; and files, which are empty. */
type State = Readonly<Record<string, 'former' | 'restored' | 'file'>>

async function folderWith(state: State, parent?: string): Promise<string> {
  const home = parent ?? (await temporaryFolder())
  if (!parent) onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const [name, model] of Object.entries(state)) {
    const path = join(home, name)
    if (model === 'file') await writeFile(path, '')
    else execFileSync('cp', ['-R', join(models, model), path])
    if (model === 'restored') await describeRestore(path, described)
  }
  return join(home, 'database')
}

async function opened(folder: string) {
  const engine = await openEmbedded(folder)
  try {
    const { rows } = await engine.ownerTransaction((owner) =>
      owner.execute<{ name: string }>({ sql: 'select name from model', parameters: [] }),
    )
    return { is: rows[0]?.name, origin: engine.origin }
  } finally {
    await engine.close()
  }
}

const foldersBeside = async (folder: string) =>
  (await readdir(dirname(folder), { withFileTypes: true }))
    .flatMap((one) => (one.isDirectory() && one.name.startsWith('database') ? [one.name] : []))
    .sort()

describe('a start after a restore that was killed', () => {
  const left: readonly [when: string, state: State, is: 'former' | 'restored', remains: readonly string[]][] = [
    ['while its copy was unpacked', { database: 'former', [`database.restoring-${id}`]: 'restored' }, 'former', ['database']],
    ['when the service had taken the copy over', { database: 'former', [`database.taken-${id}`]: 'restored' }, 'former', ['database']],
    ['when it was accepted', { database: 'former', [`database.restored-${id}`]: 'restored' }, 'restored', ['database', former]],
    ['when the present one was away', { [former]: 'former', [`database.restored-${id}`]: 'restored' }, 'restored', ['database', former]],
    ['when it was in place', { [former]: 'former', database: 'restored' }, 'restored', ['database', former]],
    ['when one that failed was away', { [former]: 'former', [`database.failed-${id}`]: 'restored' }, 'former', ['database']],
    ['when the former one was back', { database: 'former', [`database.failed-${id}`]: 'restored' }, 'former', ['database']],
    ['after a backup that was killed, too,', { database: 'former', 'database.snapshot': 'former' }, 'former', ['database']],
    ['where there was none, when it was accepted', { [`database.restored-${id}`]: 'restored' }, 'restored', ['database']],
  ]
  it.each(left)('%s loses nothing', async (_, state, is, remains) => {
    const folder = await folderWith({ 'database.lock': 'file', ...state })
    expect(await opened(folder)).toMatchObject({ is, origin: { isFirstStart: is === 'restored', undone: undefined } })
    expect(await foldersBeside(folder)).toEqual(remains)
    // It is no new one again, and stays what it is.
    expect(await opened(folder)).toMatchObject({ is, origin: { isFirstStart: false } })
  })

  it('puts the former database back where the restored one does not open', async () => {
    for (const state of [
      { database: 'former', [`database.restored-${id}`]: 'restored' },
      { [former]: 'former', database: 'restored' },
    ] as const) {
      const folder = await folderWith(state)
      await truncate(
        join('database' in state && state.database === 'restored' ? folder : `${folder}.restored-${id}`, 'global/pg_control'),
        100,
      )
      expect(await opened(folder)).toMatchObject({ is: 'former', origin: { undone: { id, reason: expect.any(String) } } })
      expect(await foldersBeside(folder)).toEqual(['database'])
    }
  })

  it('refuses a copy that belongs to another user, and leaves the database as it is', needs('root', process.getuid?.() === 0), async () => {
    const folder = await folderWith({ database: 'former', [`database.restoring-${id}`]: 'restored' })
    execFileSync('chown', ['-R', '65534:65534', dirname(folder)])
    execFileSync('chown', ['-R', 'root:root', `${folder}.restoring-${id}`])
    chmodSync(dirname(folder), 0o755)
    const { href } = new URL('../../src/platform/database/embedded/open-embedded.ts', import.meta.url)
    const script = `
      process.setgroups([]); process.setgid(65534); process.setuid(65534)
      const { openEmbedded } = await import(${JSON.stringify(href)})
      await openEmbedded(${JSON.stringify(folder)}, { prepared: 'database.restoring-${id}' }).catch(({ message }) => console.log(message))
      const engine = await openEmbedded(${JSON.stringify(folder)})
      const { rows } = await engine.ownerTransaction((owner) => owner.execute({ sql: 'select name from model', parameters: [] }))
      console.log(rows[0].name)
      await engine.close()`
    await writeFile(`${folder}.mjs`, script)
    expect(execFileSync(process.execPath, [`${folder}.mjs`], { encoding: 'utf8' })).toBe(
      `database.restoring-${id} belongs to the user 0, and the service runs as 65534: restore as that user\nformer\n`,
    )
  })

  it.each<[what: string, state: State, found: RegExp]>([
    [
      'its lock',
      { 'database.lock': 'file' },
      /there is database\.lock: put the folder database back, restore a backup, or remove database\.lock/,
    ],
    [
      'a former one',
      { [former]: 'former' },
      /there is database\.before-\S+ and database\.lock: rename the folder that is to be the database to database/,
    ],
    ['one that failed, and no former one', { [`database.failed-${id}`]: 'restored' }, /there is database\.failed-/],
    [
      'two restored ones',
      { [`database.restored-${id}`]: 'restored', 'database.restored-other': 'former' },
      /there is database\.restored-a1b2c3 and database\.restored-other: remove those/,
    ],
  ])('never makes an empty database where there is %s alone, and names it', async (_, state, found) => {
    const folder = await folderWith(state)
    if ('database.restored-other' in state) await describeRestore(`${folder}.restored-other`, { ...described, id: 'other' })
    const before = await foldersBeside(folder)
    await expect(openEmbedded(folder)).rejects.toMatchObject({ code: 'DATABASE_MISSING', message: expect.stringMatching(found) })
    await expect(openEmbedded(folder)).rejects.toMatchObject({ code: 'DATABASE_MISSING' })
    expect(await foldersBeside(folder)).toEqual(before)
  })

  it('makes the first database though a start before was killed while it did', async () => {
    const folder = await folderWith({ 'database.lock': 'file' })
    await mkdir(`${folder}.unfinished/database`, { recursive: true })
    await (await openEmbedded(folder)).close()
    expect(await foldersBeside(folder)).toEqual(['database'])
  })
})

const owner = { email: 'owner@acme.test', password: 'correct horse battery staple' }
const bootstrap = { BOOTSTRAP_OWNER_EMAIL: owner.email, BOOTSTRAP_OWNER_PASSWORD: owner.password, RATE_LIMIT: 'off' }

describe('restores beside a running service', () => {
  const homes: ProcessHome[] = []
  const running: ServiceProcess[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.end('SIGKILL')))
    await Promise.all(homes.splice(0).map((home) => home.remove()))
  })

  async function start(environment: Record<string, string>) {
    const service = await (await ServiceProcess.start(environment)).ready()
    running.push(service)
    return service
  }

  async function signIn({ anonymous, origin }: ServiceProcess): Promise<HttpClient> {
    const login = await anonymous.post('/v1/auth/login', owner)
    expect(login).toMatchObject({ status: 200 })
    return new HttpClient(origin, { cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })
  }

  const addRole = async (by: HttpClient, slug: string) =>
    expect(await by.post('/v1/admin/roles', { name: slug, slug })).toMatchObject({ status: 201 })
  const slugsOf = async (service: ServiceProcess): Promise<string[]> =>
    (await (await signIn(service)).get('/v1/admin/roles?limit=200')).body.data.map(({ slug }: { slug: string }) => slug)

  /** A request whose end the service waits for when it stops. */
  async function unfinishedRequest({ origin }: ServiceProcess) {
    const socket = createConnection(Number(new URL(origin).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const head =
      'POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n'
    socket.write(head)
    await once(socket, 'data')
    return () => socket.destroy()
  }

  async function given() {
    const home = await processHome()
    homes.push(home)
    const environment: Record<string, string> = { ...home.environment, ...bootstrap }
    const service = await start(environment)
    const admin = await signIn(service)
    await addRole(admin, 'before')
    const file = join(home.folder, 'one.backup')
    expect(await runCommand(environment, ['database', 'backup', file])).toMatchObject({ status: 0 })
    await addRole(admin, 'after')
    const restore = ['database', 'restore', file, '--replace', '--yes']
    return { environment, service, admin, restore, folder: join(environment.DATA_DIR as string, 'database') }
  }

  it('are done once where two are asked for, and where one is interrupted and asked for again', async () => {
    const { environment, service, restore, folder } = await given()
    const finish = await unfinishedRequest(service)

    const first = startCommand(environment, restore)
    let said = ''
    first.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    await service.printed(/stopping, to start again on a restored database/)
    expect(await runCommand(environment, restore)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Another restore is at work (process ${first.pid}): run this again when it has ended\n`,
    })
    first.kill('SIGINT')
    expect(await once(first, 'close')).toEqual([130, null])
    expect(said).toMatch(/^The service restores anyway: /)
    expect(await runCommand(environment, restore)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Another restore waits for the service to start: run this again when it has started\n',
    })
    finish()

    await service.printed(/serving a restored database/)
    await service.ready()
    const slugs = await slugsOf(service)
    expect(slugs).toContain('before')
    expect(slugs).not.toContain('after')
    expect(await foldersBeside(folder)).toEqual(['database', expect.stringMatching(/^database\.before-\d+T\d+Z$/)])
  })

  it('are finished by the next start where the service is killed meanwhile, and the command says so', async () => {
    const { environment, service, restore } = await given()
    await unfinishedRequest(service)
    const command = runProcess(environment, [...restore, '--json'])
    await service.printed(/stopping, to start again on a restored database/)
    await service.end('SIGKILL')
    const next = await start(environment)
    const { status, stdout, stderr } = await command
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ restarted: true, former: expect.stringContaining('database.before-') })
    expect(await slugsOf(next)).not.toContain('after')
  })

  it('are finished by the next start where the service is killed before it answers the command', async () => {
    const { environment, service, restore, folder } = await given()
    await service.end('SIGKILL')
    await rm(`${folder}.socket`)
    // Stands for a service that takes the copy over, and is killed then.
    const killed = createServer((socket) =>
      socket.once('data', async (request) => {
        await acceptRestore(folder, JSON.parse(String(request)).prepared)
        killed.close()
        socket.destroy()
      }),
    ).listen(`${folder}.socket`)
    await once(killed, 'listening')
    const command = runProcess(environment, [...restore, '--json'])
    await once(killed, 'close')
    const next = await start(environment)
    const { status, stdout, stderr } = await command
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ restarted: true })
    expect(await slugsOf(next)).not.toContain('after')
  })

  it('are undone where the copy does not open in its place, which the log and the command say', async () => {
    const { environment, service, restore, folder } = await given()
    await unfinishedRequest(service)
    const command = runProcess(environment, restore)
    await service.printed(/stopping, to start again on a restored database/)
    await service.end('SIGKILL')
    const copy = (await foldersBeside(folder)).find((name) => name.includes('.restored-')) ?? ''
    await truncate(join(dirname(folder), copy, 'global/pg_control'), 100)
    const next = await start(environment)
    await next.printed(/the restored database could not take its place; the former one is in it again/)
    expect(await command).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The backup could not take the place of the database, which is as it was: .+\n$/),
    })
    expect(await foldersBeside(folder)).toEqual(['database'])
    expect(await slugsOf(next)).toContain('after')
  })

  it('are refused by the service before it moves anything where the copy is gone, not described, or does not open', async () => {
    const { service, folder } = await given()
    await folderWith({ [`database.restoring-${id}`]: 'restored', 'database.restoring-plain': 'former' }, dirname(folder))
    await truncate(join(`${folder}.restoring-${id}`, 'global/pg_control'), 100)
    const holder = await findHolder(folder)
    const ask = (prepared: string) => holder?.ask({ kind: 'restore', prepared })
    expect(await ask('database.restoring-none')).toEqual({ refused: 'There is no folder database.restoring-none any more' })
    expect(await ask('../../etc')).toEqual({ refused: '../../etc is no copy that a restore prepares' })
    expect(await ask('database.restoring-plain')).toEqual({ refused: 'database.restoring-plain does not say which backup it is of' })
    expect(await ask(`database.restoring-${id}`)).toEqual({ refused: expect.any(String) })
    holder?.close()
    expect(await foldersBeside(folder)).toEqual(['database'])
    expect(await slugsOf(service)).toContain('after')
  })
})

const disk = smallDisk(160)

describe('a restore on a disk that is full', needs('mounting a disk', disk !== undefined), () => {
  const { folder: mounted, fill, makeRoom, remove } = disk ?? ({} as SmallDisk)
  afterAll(() => remove())

  it('leaves the database as it was, and nothing else', async () => {
    const folder = await folderWith({ database: 'former' }, mounted)
    const backup = join(models, 'one.backup')
    expect(await runProcess({ DATA_DIR: mounted }, ['database', 'backup', backup])).toMatchObject({ status: 0 })
    await fill()
    // Enough to begin with.
    await makeRoom(36)
    expect(await runProcess({ DATA_DIR: mounted }, ['database', 'restore', backup, '--replace', '--yes'])).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/does not fit on the disk of DATA_DIR|is full/),
    })
    expect(await foldersBeside(folder)).toEqual(['database'])
    await makeRoom()
    expect(await opened(folder)).toMatchObject({ is: 'former' })
  })
})
