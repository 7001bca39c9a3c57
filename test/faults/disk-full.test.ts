import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../support/command.ts'
import { folderSize } from '../support/folder-size.ts'
import { cookieOf } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { needs } from '../support/needs.ts'
import { startTestService } from '../support/service.ts'
import { ServiceProcess } from '../support/service-process.ts'
import { type SmallDisk, smallDisk } from '../support/small-disk.ts'

const owner = { email: 'owner@acme.test', password: 'correct horse battery staple' }
// A backup has room beside the database, however much of its log that still holds.
const disk = smallDisk(320)

describe('the embedded database on a disk that is full', needs('mounting a disk', disk !== undefined), () => {
  const { folder, fill, makeRoom, remove } = disk ?? ({} as SmallDisk)
  const services: ServiceProcess[] = []
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')))
    remove()
  })

  async function start(): Promise<ServiceProcess> {
    const first = { BOOTSTRAP_OWNER_EMAIL: owner.email, BOOTSTRAP_OWNER_PASSWORD: owner.password, RATE_LIMIT: 'off' }
    const service = await (await ServiceProcess.start({ DATA_DIR: join(folder, 'data'), ...first })).ready()
    services.push(service)
    return service
  }

  async function signIn({ anonymous, origin }: ServiceProcess): Promise<HttpClient> {
    const login = await anonymous.post('/v1/auth/login', owner)
    expect(login).toMatchObject({ status: 200 })
    return new HttpClient(origin, { cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })
  }

  it('answers 503, loses nothing that was acknowledged, and continues by itself when there is room', async () => {
    const service = await start()
    const admin = await signIn(service)
    const acknowledged: string[] = []
    const seen = new Set<number>()
    const create = async () => {
      const slug = `role-${seen.size}-${acknowledged.length}-${performance.now().toFixed(0)}`
      const { status, headers } = await admin.post('/v1/admin/roles', { name: slug, slug, description: 'x'.repeat(250) })
      seen.add(status)
      if (status === 201) acknowledged.push(slug)
      if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
      return status
    }
    for (let count = 0; count < 20; count++) expect(await create()).toBe(201)

    await fill()
    await expect.poll(create).toBe(503)
    for (let count = 0; count < 40; count++) {
      await create()
    }
    expect([...seen].sort()).toEqual([201, 503])
    await service.printed(/is full: free space there/)

    await makeRoom()
    await expect.poll(create).toBe(201)
    await service.end()
    const { body } = await (await signIn(await start())).get('/v1/admin/roles?limit=1000')
    const there = new Set(body.data.map(({ slug }: { slug: string }) => slug))
    expect(acknowledged.filter((slug) => !there.has(slug))).toEqual([])
  })

  it('is not filled by a backup or a restore, which say how much is missing, while requests are served', async () => {
    await Promise.all(services.splice(0).map((service) => service.end()))
    const service = await start()
    const gatehouse = (...words: string[]) => runCommand({ DATA_DIR: join(folder, 'data') }, ['database', ...words])
    const elsewhere = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    expect(await gatehouse('backup', join(elsewhere, 'one'))).toMatchObject({ status: 0, stderr: '' })
    // A copy would fit, and leave the database less than it needs.
    const left = Math.ceil((await folderSize(join(folder, 'data', 'database'))) / 2 ** 20) + 20
    await fill()
    await makeRoom(left)
    await service.ready()

    const seen = new Set<number>()
    let isOver = false
    const asking = (async () => {
      while (!isOver) seen.add((await service.anonymous.get('/readyz')).status)
    })()
    const backup = await gatehouse('backup', join(elsewhere, 'two'))
    const restore = await gatehouse('restore', join(elsewhere, 'one'), '--replace', '--yes')
    isOver = true
    await asking

    expect(backup).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^The copy for the backup needs \d+ MiB on the disk of \S+, of which \d+ MiB can be used: free space there, or stop the service\n$/,
      ),
    })
    expect(restore).toMatchObject({
      status: 1,
      stderr: 'The backup does not fit on the disk of DATA_DIR beside the database: free space there, or stop the service\n',
    })
    expect([...seen]).toEqual([200])
    const names = await readdir(join(folder, 'data'))
    expect(names.filter((name) => /snapshot|restoring/.test(name))).toEqual([])
    await makeRoom()
  })
})

describe('a service whose database has no room for what is written', () => {
  it('refuses that, reads on, and logs one line when it begins and one when it has ended', async () => {
    // The time since the last failure, and nothing else.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const service = await startTestService()
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    await service.settled()
    const logged = () => service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request completed')
    const before = logged().length
    let count = 0
    const write = () => owner.post('/v1/admin/roles', { name: `Role ${++count}`, slug: `role-${count}` })
    const asOwner = (sql: string) => service.engine.ownerTransaction((one) => one.execute({ sql, parameters: [] }))

    await asOwner(`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    await asOwner('create trigger no_room before insert on roles for each row execute function no_room()')
    for (let round = 0; round < 3; round++) {
      expect(await write()).toMatchObject({ status: 503 })
      expect(await owner.get('/v1/admin/roles')).toMatchObject({ status: 200 })
    }
    await asOwner('drop trigger no_room on roles')
    expect(await write()).toMatchObject({ status: 201 })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await write()).toMatchObject({ status: 201 })

    expect(logged().slice(before)).toEqual([
      expect.objectContaining({ level: 50, msg: 'the disk of the database is full', reason: expect.stringContaining('No space left') }),
      expect.objectContaining({ level: 30, msg: 'the disk of the database has room again' }),
    ])
  })
})
