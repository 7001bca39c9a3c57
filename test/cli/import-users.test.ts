import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openEngine } from '../../src/platform/database/open.ts'
import { Authenticator } from '../support/authenticator.ts'
import { recordsOf, runCommand, startCommand } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { folderSize } from '../support/folder-size.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { TestClock } from '../support/test-clock.ts'

const password = 'Grüße aus Köln 7'
// By libxcrypt and by OpenSSL.
const bcrypt = '$2b$06$CCCCCCCCCCCCCCCCCCCCC.LSAABKenFgzRMNFXayddkd7FDChAeL.'
const sha512Crypt = '$6$openssl16$YJg..p2HiBxOFByVW63zT.92cNCzytaaZJYeo3ccUfmcIsfCtu9.cnjBDLpkOWPCfgorFf5QxQVT6SJ1V.6sy/'
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

let home: ProcessHome
const gatehouse = (line: string) => runCommand(home.environment, line)
const done = async (line: string) => {
  const result = await gatehouse(`${line} --json`)
  expect(result).toMatchObject({ status: 0, stderr: '' })
  return JSON.parse(result.stdout)
}
const inFile = async (name: string, content: string) => {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}
const linesOf = (users: readonly object[]) => users.map((user) => `${JSON.stringify(user)}\n`).join('')
const named = (email: string, more = {}) => ({ email, firstName: 'Anna', lastName: 'Berg', ...more })
const organisation = async (slug: string, { isActive = true } = {}) => {
  await done(`organisation create --name ${slug} --slug ${slug} --email it@${slug}.test --owner-email owner@${slug}.test`)
  if (isActive) await done(`organisation activate ${slug}`)
}
/** The rows of a table in a new export of the organisation. */
const exportedRows = async (name: string, table: string): Promise<Record<string, unknown>[]> => {
  const path = join(home.folder, name)
  await done(`organisation export globex ${path}`)
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.flatMap((line) => (line.startsWith(`{"table":"${table}"`) ? JSON.parse(line).rows : []))
}
const usersOf = async (slug: string) => recordsOf(await gatehouse('organisation list --json')).find((one) => one.slug === slug)

// What is read of a file and of options is the same on either database. A command is done sooner with this one.
const ofFile = it.runIf(databaseKind() === 'postgres')

beforeAll(async () => {
  home = await processHome()
  await organisation('globex')
})
afterAll(() => home.remove())

describe('gatehouse import users', () => {
  it('creates users who sign in with the password and the second factor that they have elsewhere', async () => {
    const file = await inFile(
      'users.jsonl',
      linesOf([
        named('Plain@globex.test', {
          phone: '+49 221 1',
          emailVerified: true,
          createdAt: '2020-02-01T10:00:00Z',
          roles: ['admin'],
          metadata: { plan: 'gold' },
          passwordHash: bcrypt,
          externalId: 'old-1',
        }),
        named('app@globex.test', { passwordHash: sha512Crypt, totpSecret }),
        named('blocked@globex.test', { passwordHash: bcrypt, blocked: true }),
        named('none@globex.test'),
      ]),
    )

    const before = await gatehouse(`import users ${file} --organisation globex --map-role admin=admin --dry-run`)
    expect(before).toEqual({
      status: 0,
      stdout: 'Would create 4 of 4 users in globex\n',
      stderr: 'Nothing was changed: this was a dry run\n',
    })
    expect(await done(`import users ${file} --organisation globex --map-role admin=admin`)).toEqual({
      users: 4,
      created: 4,
      existing: 0,
      mistakeCount: 0,
      mistakes: [],
      report: [],
    })
    expect(await gatehouse(`import users ${file} --organisation globex --map-role admin=admin`)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('line 1: plain@globex.test is in the organisation already: --resume passes over those who are'),
    })
    expect(await gatehouse(`import users ${file} --organisation globex --map-role admin=admin --resume`)).toEqual({
      status: 0,
      stdout: 'Created 0 of 4 users in globex; 4 there already\n',
      stderr: '',
    })

    const service = await (await ServiceProcess.start(home.environment)).ready()
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    const login = (email: string, typed = password) => service.anonymous.post('/v1/auth/login', { email, password: typed })
    const signedIn = await login('plain@globex.test')
    expect(signedIn.body).toMatchObject({ status: 'authenticated' })
    expect((await login('plain@globex.test', 'another')).status).toBe(401)
    expect((await login('blocked@globex.test')).status).toBe(403)
    expect((await login('none@globex.test')).status).toBe(401)
    const challenged = await login('app@globex.test')
    expect(challenged.body).toMatchObject({ status: 'mfa_required', methods: ['totp'] })
    const code = new Authenticator(totpSecret, new TestClock()).code()
    expect((await service.anonymous.post('/v1/auth/login/mfa', { mfaToken: challenged.body.mfaToken, code })).status).toBe(200)

    const admin = new SignedInUser(service.origin, signedIn, { email: 'plain@globex.test', password })
    const { body: list } = await admin.get('/v1/admin/users?q=plain')
    expect(list.data).toMatchObject([
      {
        email: 'plain@globex.test',
        firstName: 'Anna',
        phone: '+49 221 1',
        emailVerifiedAt: expect.any(String),
        createdAt: '2020-02-01T10:00:00.000Z',
        metadata: { plan: 'gold' },
        roles: [{ slug: 'admin' }],
      },
    ])
    expect((await admin.get('/v1/admin/users?createdTo=2020-02-02T00:00:00Z')).body.data).toHaveLength(1)
    const { body: entries } = await admin.get('/v1/admin/audit-logs?action=user.created&actorId=cli')
    expect(entries.data.filter(({ targetEmail }: { targetEmail: string }) => targetEmail === 'plain@globex.test')).toHaveLength(1)
    const { body: runs } = await admin.get('/v1/admin/audit-logs?action=organisation.users_imported')
    expect(runs.data).toMatchObject([
      { actorId: 'cli', metadata: { source: 'users.jsonl', created: 0, existing: 4 } },
      { actorId: 'cli', metadata: { source: 'users.jsonl', created: 4, existing: 0 } },
    ])
    // The default role.
    expect((await admin.get('/v1/admin/users?q=none')).body.data).toMatchObject([{ roles: [{ slug: 'member' }] }])
    expect(await service.end()).toBe(0)
  })

  ofFile('takes a time before 1970, by which such a user is the oldest, and not the newest', async () => {
    await organisation('vandelay')
    // .NET and Go write the first one where they know no time.
    const times = ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z']
    const file = await inFile('old.jsonl', linesOf(times.map((createdAt, place) => named(`old-${place}@vandelay.test`, { createdAt }))))

    expect(await done(`import users ${file} --organisation vandelay`)).toMatchObject({ created: 2 })

    const listed = async (filter: string) => recordsOf(await gatehouse(`user list --organisation vandelay --json ${filter}`))
    const oldest = (await listed('--sort createdAt')).slice(0, 2)
    expect(oldest.map(({ createdAt }) => createdAt).sort()).toEqual(['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z'])
    for (const { id } of oldest) expect(id).toMatch(/^usr_0{10}[0-9a-z]{16}$/)
    expect(await listed('--created-to 1970-01-02T00:00:00Z')).toHaveLength(2)
    expect(await listed('--created-from 1970-01-02T00:00:00Z')).toHaveLength(1)
  })

  ofFile('gives no user a built-in role by its name, and the owner role in no way', async () => {
    const file = await inFile(
      'rights.csv',
      ['email,firstName,lastName,roles', 'rights-1@globex.test,A,B,owner', 'rights-2@globex.test,A,B,admin member', ''].join('\n'),
    )
    expect(await gatehouse(`import users ${file} --organisation globex --map-role owner=owner`)).toMatchObject({
      status: 1,
      stderr: '--map-role: no import gives the owner role: transfer the ownership\n',
    })

    const { created, report } = await done(`import users ${file} --organisation globex`)

    expect(created).toBe(2)
    expect(report).toMatchObject([
      { outcome: 'changed', what: 'roles', names: ['owner is owner-2', 'admin is admin-2', 'member is member-2'] },
    ])
    const may = async (name: string) => (await done(`explain user ${name}@globex.test users:delete`)).allowed
    expect([await may('rights-1'), await may('rights-2')]).toEqual([false, false])
    const { id } = (await exportedRows('rights.jsonl', 'roles')).find(({ isOwner }) => isOwner) ?? {}
    const byId = await inFile('by-id.csv', `email,firstName,lastName,roles\nrights-3@globex.test,A,B,${id}\n`)
    expect(await gatehouse(`import users ${byId} --organisation globex`)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('line 2: roles: no import gives the owner role\n'),
    })
  })

  ofFile('stores what is known of users elsewhere: metadata with the user, or apart where they are too large', async () => {
    const [small, large] = [{ plan: 'gold' }, { text: 'x'.repeat(9_000) }]
    const file = await inFile(
      'metadata.jsonl',
      linesOf([
        named('small@globex.test', { externalId: 'm-1', metadata: small }),
        named('large@globex.test', { externalId: 'm-2', metadata: large }),
      ]),
    )
    expect(await done(`import users ${file} --organisation globex`)).toMatchObject({ created: 2 })
    expect(await done('user find small@globex.test')).toMatchObject({ metadata: small })
    const { id } = await done('user find large@globex.test')
    expect(await done('user find large@globex.test')).toMatchObject({ metadata: {} })
    const rows = await exportedRows('metadata-exported.jsonl', 'imported_users')
    const apart = new Map(rows.map(({ externalId, metadata, userId }) => [externalId, { metadata, userId }]))
    expect(apart.get('m-1')).toEqual({ metadata: {}, userId: expect.any(String) })
    expect(apart.get('m-2')).toEqual({ metadata: large, userId: id })
  })

  ofFile('knows a user by the external id, whatever the address is', async () => {
    const first = await inFile('known.jsonl', linesOf([named('known@globex.test', { externalId: 'k-1' })]))
    expect(await done(`import users ${first} --organisation globex`)).toMatchObject({ created: 1 })
    const moved = await inFile('moved.jsonl', linesOf([named('moved@globex.test', { externalId: 'k-1' })]))

    expect(await gatehouse(`import users ${moved} --organisation globex`)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('line 1: moved@globex.test is in the organisation already: --resume passes over those who are'),
    })
    expect(await done(`import users ${moved} --organisation globex --resume`)).toMatchObject({ created: 0, existing: 1 })
    expect(await gatehouse('user find moved@globex.test')).toMatchObject({ status: 1 })
  })

  ofFile('says what is wrong, line by line, and writes nothing', async () => {
    const file = await inFile(
      'mistakes.jsonl',
      `${linesOf([named('right@globex.test', { externalId: 'x-1' }), named('nonsense'), named('role@globex.test', { roles: ['emperor'], teams: ['senate'] })])}{"email":
${linesOf([
  named('hash@globex.test', { passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' }),
  named('RIGHT@globex.test'),
  named('id@globex.test', { externalId: 'x-1' }),
  named('field@globex.test', { nickname: 'x' }),
  named('owner@globex.test'),
])}`,
    )

    const { status, stdout } = await gatehouse(`import users ${file} --organisation globex`)

    expect(status).toBe(1)
    expect(stdout.split('\n')).toEqual([
      'line 2: email: Invalid email',
      'line 4: not a JSON object',
      expect.stringMatching(/^line 5: passwordHash: the form of the password hash is unknown: Argon2, bcrypt,/),
      'line 8: there is no field "nickname"',
      'line 3: roles: there is no role emperor',
      'line 3: teams: there is no team senate',
      'line 6: the same e-mail address or external id as line 1',
      'line 7: the same e-mail address or external id as line 1',
      'line 9: owner@globex.test is in the organisation already: --resume passes over those who are',
      'Nothing was written: 9 mistakes in 9 users',
      '',
    ])
    expect(await gatehouse('user find right@globex.test')).toMatchObject({ status: 1 })
  })

  ofFile('reads CSV, with columns of other names', async () => {
    const file = await inFile(
      'users.csv',
      '\uFEFFmail,given_name,family_name,roles,emailVerified,passwordHash,nickname,blocked\r\n' +
        `csv@globex.test,"Anna, the first",Berg,"admin member",true,${bcrypt},x,false\r\n` +
        '"second@globex.test",Bo,Lind,,,,,\r\n' +
        'third@globex.test,Cy,Moss,,false,,,0\r\n' +
        'fourth@globex.test,Di,Nash,,0,,,yes\r\n',
    )
    const map = 'mail=email,given_name=firstName,family_name=lastName,nickname='

    expect(await done(`import users ${file} --organisation globex --map ${map}`)).toMatchObject({ created: 4 })
    const [verified, blocked] = [{ emailVerifiedAt: expect.any(String) }, { blockedAt: expect.any(String) }]
    const [unverified, active] = [{ emailVerifiedAt: null }, { blockedAt: null }]
    expect(await done('user find csv@globex.test')).toMatchObject({ firstName: 'Anna, the first', ...verified, ...active })
    expect(await done('user find second@globex.test')).toMatchObject({ ...unverified, ...active })
    expect(await done('user find third@globex.test')).toMatchObject({ ...unverified, ...active })
    expect(await done('user find fourth@globex.test')).toMatchObject({ ...unverified, ...blocked })

    const ragged = await inFile('ragged.csv', 'email,firstName,lastName\na@globex.test,Anna\n')
    expect(await gatehouse(`import users ${ragged} --organisation globex`)).toMatchObject({
      status: 1,
      stdout: 'line 2: it has 2 fields, and the header names 3\nNothing was written: 1 mistake in 1 user\n',
    })
  })

  it('refuses a user of another organisation, and more users than a trial may have', async () => {
    await organisation('initech', { isActive: false })
    const taken = await inFile('taken.jsonl', linesOf([named('owner@globex.test')]))
    expect(await gatehouse(`import users ${taken} --organisation initech --resume`)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('line 1: owner@globex.test is registered in another organisation'),
    })

    const many = await inFile('many.jsonl', linesOf(Array.from({ length: 200 }, (_, index) => named(`u${index}@initech.test`))))
    expect(await gatehouse(`import users ${many} --organisation initech`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Trial limit reached: users\n',
    })
    expect(await usersOf('initech')).toBeDefined()
    expect(await done(`import users ${many} --organisation initech --ignore-trial-limit`)).toMatchObject({ created: 200 })
  })

  ofFile('is used wrongly with a format or pair that there is not, and fails without the file', async () => {
    const file = await inFile('one.jsonl', linesOf([named('one@globex.test')]))
    expect(await gatehouse(`import users ${file} --organisation globex --format xml`)).toMatchObject({ status: 2 })
    expect(await gatehouse(`import users ${file} --organisation globex --map mail`)).toMatchObject({ status: 2 })
    expect(await gatehouse(`import users ${file}`)).toMatchObject({ status: 2 })
    expect(await gatehouse('import users /nowhere.jsonl --organisation globex')).toEqual({
      status: 1,
      stdout: '',
      stderr: '/nowhere.jsonl cannot be read: there is no such file (ENOENT)\n',
    })
    expect(await gatehouse(`import users ${file} --organisation nowhere`)).toMatchObject({ status: 1 })
  })

  it('continues after it was killed in the middle, without doubling or losing a user', async () => {
    await organisation('hooli')
    const count = 5_000
    const users = Array.from({ length: count }, (_, index) =>
      named(`u${index}@hooli.test`, { externalId: `h-${index}`, passwordHash: bcrypt }),
    )
    const file = await inFile('large.jsonl', linesOf(users))

    const isWriting = await watchWriting('hooli')
    const child = startCommand(home.environment, `import users ${file} --organisation hooli`)
    const exited = once(child, 'exit')
    // Killed at some moment after it has begun to write. It must hold at every one.
    await expect.poll(async () => child.exitCode !== null || (await isWriting()), { interval: 20 }).toBe(true)
    expect(child.exitCode, 'the import has ended before it could be killed').toBeNull()
    child.kill('SIGKILL')
    await exited

    const { status, stdout } = await gatehouse(`import users ${file} --organisation hooli --resume --json`)
    expect(status).toBe(0)
    const resumed = JSON.parse(stdout)
    expect(resumed.created + resumed.existing).toBe(count)
    // Whole batches or none.
    expect(resumed.existing % 1_000).toBe(0)
    expect(resumed.existing).toBeLessThan(count)
    expect(await done(`import users ${file} --organisation hooli --resume`)).toMatchObject({ created: 0, existing: count })
    expect(await done('user find u4999@hooli.test')).toMatchObject({ email: 'u4999@hooli.test' })
  })
})

describe('Ctrl-C during gatehouse import users', () => {
  const manyIn = async (slug: string, count: number) => {
    await organisation(slug)
    const users = Array.from({ length: count }, (_, index) => named(`u${index}@${slug}.test`, { passwordHash: bcrypt }))
    return inFile(`${slug}.jsonl`, linesOf(users))
  }
  const started = (line: string) => {
    const child = startCommand(home.environment, line)
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    return { child, stderr: () => stderr, ended: once(child, 'close').then(([status]) => ({ status, stderr })) }
  }

  // The files of the embedded database show only late that it writes: there may be no batch left to be ended.
  it.runIf(databaseKind() === 'postgres')(
    'ends it after whole batches, and says how many users are there and how to continue',
    async () => {
      const file = await manyIn('umbrella', 5_000)
      const isWriting = await watchWriting('umbrella')
      const { child, ended } = started(`import users ${file} --organisation umbrella`)
      await expect.poll(async () => child.exitCode !== null || (await isWriting()), { interval: 20 }).toBe(true)
      expect(child.exitCode, 'the import has ended before it could be interrupted').toBeNull()
      child.kill('SIGINT')
      // As npm passes it on once more.
      child.kill('SIGINT')

      const { status, stderr } = await ended
      expect(status).toBe(1)
      const [, said = ''] =
        /^The import was ended: ([\d,]+) of 5,000 users are in the organisation\. .* --resume, .*\n$/m.exec(stderr) ?? []
      const there = Number(said.replaceAll(',', ''))
      expect([1_000, 2_000, 3_000, 4_000]).toContain(there)
      expect(await done(`import users ${file} --organisation umbrella --resume`)).toMatchObject({ created: 5_000 - there, existing: there })
    },
  )

  it.runIf(databaseKind() === 'postgres')('ends a dry run, which says that nothing was changed', async () => {
    const file = await manyIn('soylent', 2_000)
    // The first batch waits for this transaction.
    const other = new pg.Client({ connectionString: home.environment.DATABASE_URL })
    await other.connect()
    await other.query('begin; lock table imported_users in share mode')
    const { child, ended, stderr } = started(`import users ${file} --organisation soylent --dry-run`)
    const isWaiting = async () => {
      const { rows } = await other.query(`select from pg_locks where relation = 'imported_users'::regclass and not granted`)
      return rows.length > 0
    }
    await expect.poll(isWaiting, { interval: 20 }).toBe(true)
    child.kill('SIGINT')
    await expect.poll(stderr, { interval: 20 }).toContain('Ending after the users that are just being written')
    await other.end()

    const { status, stderr: said } = await ended
    expect({ status, last: said.trimEnd().split('\n').at(-1) }).toEqual({ status: 1, last: 'The dry run was ended: nothing was changed' })
    expect(await gatehouse('user find u0@soylent.test')).toMatchObject({ status: 1 })
  })
})

/** Tells whether an import has begun to write users. */
async function watchWriting(slug: string): Promise<() => Promise<boolean>> {
  if (databaseKind() === 'pglite') {
    // Two segments of its log. What is only checked writes none.
    const muchBytes = 2 * 2 ** 20
    const before = await folderSize(home.folder)
    return async () => (await folderSize(home.folder)) > before + muchBytes
  }
  const engine = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: home.folder })
  onTestFinished(() => engine.close())
  return async () => {
    const { rows } = await engine.execute({ sql: 'select from users where email like $1 limit 1', parameters: [`u%@${slug}.test`] })
    return rows.length > 0
  }
}
