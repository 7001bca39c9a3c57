import { once } from 'node:events'
import { copyFile, lstat, mkdir, open, readdir, readFile, rename, stat, symlink, truncate } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { applyMigrations } from '../../src/platform/database/apply-migrations.ts'
import { openEmbedded } from '../../src/platform/database/embedded/open-embedded.ts'
import { openOverSocket } from '../../src/platform/database/embedded/open-over-socket.ts'
import { needsTerminal, runCommand, runOnTerminal, runProcess, startCommand } from '../support/command.ts'
import { cookieOf } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const owner = { email: 'owner@acme.test', password: 'correct horse battery staple' }
const bootstrap = { BOOTSTRAP_OWNER_EMAIL: owner.email, BOOTSTRAP_OWNER_PASSWORD: owner.password, RATE_LIMIT: 'off' }

describe('gatehouse database', () => {
  const homes: ProcessHome[] = []
  const running: ServiceProcess[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.end('SIGKILL')))
    await Promise.all(homes.splice(0).map((home) => home.remove()))
  })

  async function newHome() {
    const home = await processHome()
    homes.push(home)
    const environment: Record<string, string> = { ...home.environment, ...bootstrap }
    const file = (name: string) => join(home.folder, name)
    return { home, environment, file, gatehouse: (...words: string[]) => runCommand(environment, ['database', ...words]) }
  }

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

  const addRole = (by: HttpClient, slug: string) => by.post('/v1/admin/roles', { name: slug, slug })
  const slugsOf = async (by: HttpClient): Promise<string[]> =>
    (await by.get('/v1/admin/roles?limit=200')).body.data.map(({ slug }: { slug: string }) => slug)

  it('is done while the service is stopped where there can be no socket, and the start says so', async () => {
    const { environment, file } = await newHome()
    const deep = { ...environment, DATA_DIR: join(environment.DATA_DIR as string, 'x'.repeat(100)) }
    await mkdir(deep.DATA_DIR)
    await rename(join(environment.DATA_DIR as string, 'database'), join(deep.DATA_DIR, 'database'))
    const service = await start(deep)
    await service.printed(/"code":"no-socket","msg":"DATA_DIR can hold no socket \(its path has more than 100 bytes\): stop the service/)
    expect(await runCommand(deep, ['database', 'backup', file('one.backup')])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /is in use by process \d+, which is probably the service: wait until it is ready, or stop it, and run this again\n$/,
      ),
    })
    await service.end()
    expect(await runCommand(deep, ['database', 'backup', file('one.backup')])).toMatchObject({ status: 0, stderr: '' })
  })

  it('backup writes all that was acknowledged before, while writes continue', async () => {
    const { environment, file, gatehouse } = await newHome()
    const admin = await signIn(await start(environment))
    const acknowledged: string[] = []
    let isOver = false
    const writing = (async () => {
      for (let number = 0; !isOver; number++) {
        expect(await addRole(admin, `role-${number}`)).toMatchObject({ status: 201 })
        acknowledged.push(`role-${number}`)
      }
    })()
    await expect.poll(() => acknowledged.length).toBeGreaterThan(5)
    const before = acknowledged.length

    const { status, stdout, stderr } = await gatehouse('backup', file('one.backup'))
    isOver = true
    await writing

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Wrote .*one\.backup: [\d,]+ files in [\d,]+ bytes, as of 20\S+Z\nKeep it as secret as the database, and SECRET_KEY somewhere else\n$/,
    )
    expect((await stat(file('one.backup'))).mode & 0o777).toBe(0o600)
    const left = async () => (await readdir(environment.DATA_DIR as string)).filter((name) => /snapshot|partial/.test(name))
    await expect.poll(left).toEqual([])

    const other = await newHome()
    await running.splice(0)[0]?.end()
    const secretKey = await readFile(join(environment.DATA_DIR as string, 'secret-key'), 'utf8')
    const restored = { ...other.environment, SECRET_KEY: Buffer.from(secretKey, 'base64url').toString('base64') }
    expect(await runProcess(restored, ['database', 'restore', file('one.backup'), '--replace', '--yes'])).toMatchObject({
      status: 0,
      stderr: '',
    })
    const there = await slugsOf(await signIn(await start(restored)))
    expect(there).toEqual(expect.arrayContaining(acknowledged.slice(0, before)))
  })

  it('restore has a running service start again on what was, and keeps the former database', async () => {
    const { environment, file, gatehouse } = await newHome()
    const service = await start(environment)
    const admin = await signIn(service)
    await addRole(admin, 'before')
    expect(await gatehouse('backup', file('one.backup'))).toMatchObject({ status: 0 })
    await addRole(admin, 'after')

    expect(await gatehouse('restore', file('one.backup'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^There is a database in .*: give --replace, and it is kept beside the restored one\n$/),
    })
    expect(await gatehouse('restore', file('one.backup'), '--replace')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^--yes is missing, and no terminal can ask: The database in \S+ is replaced by what \S+one\.backup holds, as of \S+: 1 organisation with 1 user\. /,
      ),
    })
    expect(await gatehouse('restore', file('one.backup'), '--dry-run')).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^Would restore what \S+one\.backup holds, as of \S+Z: 1 organisation with 1 user, in place of the present database, which would stay beside it\n$/,
      ),
      stderr: 'Nothing was changed: this was a dry run\n',
    })
    expect(await slugsOf(admin)).toContain('after')

    const { status, stdout, stderr } = await gatehouse('restore', file('one.backup'), '--replace', '--yes', '--json')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ restarted: true, former: expect.stringMatching(/database\.before-\d{8}T\d+Z$/) })
    await service.ready()
    // It is the same process, and the session of before the backup is still one.
    expect(service.child.exitCode).toBeNull()
    const slugs = await slugsOf(admin)
    expect(slugs).toContain('before')
    expect(slugs).not.toContain('after')
    expect((await stat(result.former)).isDirectory()).toBe(true)
  })

  it('restore has a running service end by force a response that is read slowly, and start again', async () => {
    const { environment, file, gatehouse } = await newHome()
    const service = await start(environment)
    expect(await gatehouse('backup', file('one.backup'))).toMatchObject({ status: 0 })
    const beside = await openOverSocket(join(environment.DATA_DIR as string, 'database'))
    // More than the system takes from the service for a client that does not read.
    const many = `insert into audit_logs (organisation_id, id, action, actor_type, target_type, target_id, user_agent, created_at)
      select id, 'aud_' || n, 'role.created', 'system', 'role', 'rol_1', repeat('x', 4000), now() from organisations, generate_series(1, 5000) n`
    await beside?.execute({ sql: many, parameters: [] })
    await beside?.close()
    const login = await service.anonymous.post('/v1/auth/login', owner)
    const headers = { cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken }
    const { status, body } = await fetch(`${service.origin}/v1/admin/audit-logs/export`, { headers })
    expect(status).toBe(200)
    const [reader, cut] = [body?.getReader(), Promise.withResolvers<unknown>()]
    const reading = setInterval(() => reader?.read().catch(cut.resolve), 1_000)

    const restored = await gatehouse('restore', file('one.backup'), '--replace', '--yes', '--json')
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(restored.stdout)).toMatchObject({ restarted: true })
    await service.printed(/"code":"stopped-by-force"/)
    expect(await cut.promise).toBeInstanceOf(TypeError)
    clearInterval(reading)
    await service.ready()
  })

  it('backup and restore work while the service is stopped, and refuse what they may not replace', async () => {
    const { home, environment, file, gatehouse } = await newHome()
    const service = await start(environment)
    await addRole(await signIn(service), 'kept')
    await running.splice(0)[0]?.end()

    expect(await gatehouse('backup', file('one.backup'), '--json')).toMatchObject({ status: 0, stderr: '' })
    expect(await gatehouse('backup', file('one.backup'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/one\.backup exists already: name another file, or give --force\n$/),
    })
    expect(await gatehouse('backup', file('one.backup'), '--force')).toMatchObject({ status: 0 })
    await symlink('one.backup', file('latest.backup'))
    expect(await gatehouse('backup', file('latest.backup'), '--force')).toMatchObject({ status: 0 })
    expect((await lstat(file('latest.backup'))).isSymbolicLink()).toBe(true)
    expect(await readdir(home.folder)).not.toContainEqual(expect.stringContaining('partial'))
    // What stands for a device: to replace one would take it from the whole machine.
    const listener = createServer().listen(file('listener.socket'))
    await once(listener, 'listening')
    for (const other of [file('listener.socket'), home.folder])
      expect(await gatehouse('backup', other, '--force')).toEqual({
        status: 1,
        stdout: '',
        stderr: `${other} is not a file: name one, which is made or replaced\n`,
      })
    listener.close()
    expect(await gatehouse('backup', file('nowhere/one.backup'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/cannot be written: there is no such folder \(ENOENT\)\. Name a file in a folder/),
    })
    expect(await gatehouse('restore', file('one.backup'), '--replace', '--yes')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('\nStart the service\n'),
    })
    expect(await slugsOf(await signIn(await start(environment)))).toContain('kept')
    expect(await runProcess({ ...environment, DATABASE_URL: 'postgres://a@localhost/b' }, ['database', 'backup', file('two')])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'DATABASE_URL is set: back up a PostgreSQL by its own tools, such as pg_dump (docs/operations.md)\n',
    })
  })

  it('restore over a database asks for its name on a terminal, and removes what a killed one has left', needsTerminal, async () => {
    const { environment, file, gatehouse } = await newHome()
    expect(await gatehouse('backup', file('one.backup'))).toMatchObject({ status: 0 })
    const folder = join(environment.DATA_DIR as string, 'database')
    await mkdir(`${folder}.restoring-4711/base`, { recursive: true })
    const words = ['database', 'restore', file('one.backup'), '--replace']
    const names = async () => (await readdir(environment.DATA_DIR as string)).filter((name) => /restoring|before/.test(name))

    expect(await runOnTerminal(environment, words, 'acme')).toEqual({
      status: 1,
      shown: expect.stringMatching(
        /The database in \S+ is replaced by what .* holds, as of [\s\S]*Type data to continue: [\s\S]*Nothing was changed: "acme" was typed/,
      ),
    })
    expect(await names()).toEqual([])
    expect(await runOnTerminal(environment, words, 'data')).toEqual({ status: 0, shown: expect.stringContaining('Restored what') })
    expect(await names()).toEqual([expect.stringMatching(/^database\.before-/)])
  })

  it('backup and restore stand in the audit log of each organisation, by the command and who ran it', async () => {
    const { environment, file, gatehouse } = await newHome()
    const service = await start(environment)
    const admin = await signIn(service)
    const entries = async (by: HttpClient) => await by.audit({ action: 'database.*' })
    const entry = (action: string, metadata = {}) => ({
      action,
      actorType: 'system',
      actorId: 'cli',
      targetType: 'organisation',
      metadata: { ...metadata, operatingSystemUser: userInfo().username },
    })

    expect(await gatehouse('backup', file('one.backup'))).toMatchObject({ status: 0 })
    expect(await entries(admin)).toMatchObject([entry('database.backed_up')])
    // What fails or changes nothing is none.
    expect(await gatehouse('backup', file('nowhere/one.backup'))).toMatchObject({ status: 1 })
    expect(await gatehouse('restore', file('one.backup'), '--dry-run')).toMatchObject({ status: 0 })
    expect(await entries(admin)).toHaveLength(1)

    // The backup is from before its own entry.
    const { createdAt } = JSON.parse((await gatehouse('restore', file('one.backup'), '--replace', '--yes', '--json')).stdout)
    await service.ready()
    const restored = entry('database.restored', { asOf: createdAt, release: packageJson.version })
    expect(await entries(admin)).toMatchObject([restored])

    await running.splice(0)[0]?.end()
    expect(JSON.parse((await gatehouse('backup', file('two.backup'), '--json')).stdout)).toMatchObject({ recorded: true })
    expect(await entries(await signIn(await start(environment)))).toMatchObject([entry('database.backed_up'), restored])
  })

  it('restore brings a backup of an earlier release up to date before it takes its place', async () => {
    const { home, file } = await newHome()
    const environment = { DATA_DIR: file('earlier') }
    await mkdir(environment.DATA_DIR)
    const migrations = new URL('../../src/platform/database/migrations/', import.meta.url)
    const names = (await readdir(migrations)).filter((name) => /^\d+-.*\.ts$/.test(name)).sort()
    const earlier = names.slice(0, -1).map((name) => [name.replace('.ts', ''), new URL(name, migrations)] as const)
    const engine = await openEmbedded(join(environment.DATA_DIR, 'database'))
    await applyMigrations(engine, new Map(earlier)).finally(() => engine.close())
    const backup = await runCommand(environment, ['database', 'backup', file('old.backup'), '--json'])
    expect(JSON.parse(backup.stdout)).toMatchObject({ recorded: false, lastMigration: earlier.at(-1)?.[0] })

    const restored = await runCommand(home.environment, ['database', 'restore', file('old.backup'), '--replace', '--yes'])

    expect([restored.status, restored.stderr]).toEqual([0, ''])
    expect(await runCommand(home.environment, 'migrate status --pending')).toEqual({ status: 0, stdout: 'No migrations\n', stderr: '' })
  })

  it('restore takes no file that is damaged, cut, of another key or none at all', async () => {
    const { environment, file, gatehouse } = await newHome()
    await (await start(environment)).end()
    running.splice(0)
    await gatehouse('backup', file('one.backup'))
    const { size } = await stat(file('one.backup'))
    const changed = async (name: string, change: (path: string) => Promise<unknown>) => {
      await copyFile(file('one.backup'), file(name))
      await change(file(name))
      return gatehouse('restore', file(name), '--replace', '--yes')
    }
    const flip = async (path: string) => {
      const handle = await open(path, 'r+')
      const byte = Buffer.alloc(1)
      await handle.read(byte, 0, 1, size >> 1)
      await handle.write(Buffer.from([(byte[0] ?? 0) ^ 0xff]), 0, 1, size >> 1)
      await handle.close()
    }
    const whole = /(is not a whole backup of Gatehouse|is damaged) ?.*: take another one\n$/
    expect(await changed('flipped', flip)).toMatchObject({ status: 1, stderr: expect.stringMatching(whole) })
    expect(await changed('cut', (path) => truncate(path, size - 1_000))).toMatchObject({ status: 1, stderr: expect.stringMatching(whole) })
    expect(await changed('empty', (path) => truncate(path, 0))).toMatchObject({ status: 1, stderr: expect.stringMatching(whole) })
    expect(await gatehouse('restore', file('none'), '--replace', '--yes')).toMatchObject({
      status: 1,
      stderr: `There is no file ${file('none')}\n`,
    })
    const SECRET_KEY = Buffer.alloc(32, 9).toString('base64')
    expect(
      await runProcess({ ...environment, SECRET_KEY }, ['database', 'restore', file('one.backup'), '--replace', '--yes']),
    ).toMatchObject({
      status: 1,
      stderr: 'The backup was made with another SECRET_KEY: give that one\n',
    })
    const left = (await readdir(environment.DATA_DIR as string)).filter((name) => /restoring|restored|taken|before/.test(name))
    expect(left).toEqual([])
    await start(environment)
  })

  it('backup that is killed leaves the service serving, and no file that looks whole', async () => {
    const { environment, file, gatehouse } = await newHome()
    const service = await start(environment)
    const child = startCommand(environment, ['database', 'backup', file('one.backup')])
    await service.printed(/copied the database for a backup/)
    child.kill('SIGKILL')
    await once(child, 'close')

    expect(await readdir(join(file('.')))).not.toContain('one.backup')
    await addRole(await signIn(service), 'later')
    await expect.poll(async () => (await gatehouse('backup', file('one.backup'))).status).toBe(0)
  })

  it('one who asks the service by its socket, and leaves before the answer is read, leaves it serving', async () => {
    const { environment, file, gatehouse } = await newHome()
    const service = await start(environment)
    const admin = await signIn(service)
    const asking = createConnection(join(environment.DATA_DIR as string, 'database.socket')).pause()
    const request = JSON.stringify({ kind: 'recordBackup', operatingSystemUser: 'somebody' })
    asking.write(`not JSON\n${request}\n${request}\n`)
    // The second is carried out once the first has been answered, which is never read.
    await expect.poll(async () => (await admin.audit({ action: 'database.backed_up' })).length).toBe(2)
    asking.destroy()

    expect(await gatehouse('backup', file('one.backup'))).toMatchObject({ status: 0, stderr: '' })
    expect(service.child.exitCode).toBeNull()
    await addRole(admin, 'later')
  })
})
