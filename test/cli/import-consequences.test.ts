import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { breachedPasswordFile } from '../support/breached-passwords.ts'
import { recordsOf, runCommand } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { SignedInUser } from '../support/given.ts'
import { useReceiver } from '../support/receiver.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const password = 'Grüße aus Köln 7'
// By libxcrypt.
const bcrypt = '$2b$06$CCCCCCCCCCCCCCCCCCCCC.LSAABKenFgzRMNFXayddkd7FDChAeL.'

let home: ProcessHome
let smtp: TestSmtpServer
const gatehouse = (line: string) => runCommand(home.environment, line)
const inFile = async (name: string, content: string) => {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}
const named = (email: string, more = {}) => ({ email, firstName: 'Anna', lastName: 'Berg', ...more })
const fileOf = (name: string, users: readonly object[]) => inFile(name, users.map((user) => `${JSON.stringify(user)}\n`).join(''))
const imported = async (file: string, options = '') => {
  const result = await gatehouse(`import users ${file} --organisation acme ${options} --json`)
  expect(result).toMatchObject({ status: 0 })
  return JSON.parse(result.stdout)
}

async function serving(environment: Record<string, string> = {}) {
  const service = await (await ServiceProcess.start({ ...home.environment, ...environment })).ready()
  onTestFinished(() => service.end('SIGKILL').then(() => {}))
  const login = (email: string) => service.anonymous.post('/v1/auth/login', { email, password })
  const owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
  return { service, login, owner }
}

/** An import writes the same rows on both databases, which import-users.test.ts shows, and the services that read them are the same. */
const whatFollows = it.runIf(databaseKind() === 'postgres')

beforeAll(async () => {
  smtp = await TestSmtpServer.start()
  home = await processHome()
  Object.assign(home.environment, {
    BOOTSTRAP_OWNER_PASSWORD: account.password,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
    NODE_EXTRA_CA_CERTS: await inFile('ca.pem', receiver.ca),
    LOG_LEVEL: 'error',
  })
  const service = await (await ServiceProcess.start(home.environment)).ready()
  expect(await service.end()).toBe(0)
})
afterAll(async () => {
  await home.remove()
  await smtp.stop()
})

describe('an import with --send-links', () => {
  whatFollows('mails each user without a password the link that sets one, once, and no other user', async () => {
    const silent = await fileOf('silent.jsonl', [named('silent@acme.test'), named('silent-too@acme.test', { passwordHash: bcrypt })])
    expect(await imported(silent)).toMatchObject({ created: 2 })
    const users = await fileOf('links.jsonl', [
      named('link-1@acme.test'),
      named('link-2@acme.test', { firstName: 'Zoë' }),
      named('hash@acme.test', { passwordHash: bcrypt }),
      named('blocked@acme.test', { blocked: true }),
    ])
    expect(await imported(users, '--send-links --dry-run')).toMatchObject({ created: 4 })
    expect(await imported(users, '--send-links')).toMatchObject({ created: 4 })
    // Those who are there already are not mailed again.
    const more = await fileOf('more-links.jsonl', [named('link-1@acme.test'), named('silent@acme.test'), named('link-3@acme.test')])
    expect(await imported(more, '--send-links --resume')).toMatchObject({ created: 1, existing: 2 })

    const { service } = await serving()
    const addressees = () => smtp.mails.flatMap(({ to = [] }) => to.map(({ address }) => address)).sort()
    await expect.poll(addressees).toEqual(['link-1@acme.test', 'link-2@acme.test', 'link-3@acme.test'])

    const [mail] = smtp.mailsTo('link-2@acme.test')
    expect(mail).toMatchObject({ subject: 'Your account at Acme', text: expect.stringContaining('Hello Zoë Berg,') })
    const token = /\/password\/reset\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    const chosen = { email: 'link-2@acme.test', password: 'seventeen trees on a hill' }
    expect((await service.anonymous.post('/v1/auth/login', chosen)).status).toBe(401)
    expect((await service.anonymous.post('/v1/auth/password/reset', { token, password: chosen.password })).status).toBe(200)
    expect((await service.anonymous.post('/v1/auth/login', chosen)).body).toMatchObject({ status: 'authenticated' })
    expect(await service.end()).toBe(0)
    for (const email of ['silent@acme.test', 'silent-too@acme.test', 'hash@acme.test', 'blocked@acme.test'])
      expect(smtp.mailsTo(email)).toEqual([])
  })
})

describe('an imported user', () => {
  whatFollows('is in the teams that the file names, by slug or id', async () => {
    const { service, owner } = await serving()
    const { body: europe } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe', description: '' })
    const { body: sales } = await owner.post('/v1/admin/teams', { name: 'Sales', slug: 'sales', description: '' })

    const csv = `email,firstName,lastName,teams\nboth@acme.test,A,B,"europe ${sales.id}"\none@acme.test,A,B,sales\nnone@acme.test,A,B,\n`
    expect(await imported(await inFile('teams.csv', csv))).toMatchObject({ created: 3 })
    const twice = await fileOf('teams.jsonl', [named('twice@acme.test', { teams: ['europe', europe.id] })])
    expect(await imported(twice)).toMatchObject({ created: 1 })
    const unknown = await inFile('unknown.csv', 'email,firstName,lastName,teams\nx@acme.test,A,B,"europe, senate"\n')
    expect(await gatehouse(`import users ${unknown} --organisation acme`)).toMatchObject({
      status: 1,
      stdout: 'line 2: teams: there is no team senate\nNothing was written: 1 mistake in 1 user\n',
    })

    const membersOf = async (teamId: string) => {
      const { body } = await owner.get(`/v1/admin/users?teamId=${teamId}`)
      return body.data.map(({ email }: { email: string }) => email).sort()
    }
    expect(await membersOf(europe.id)).toEqual(['both@acme.test', 'twice@acme.test'])
    expect(await membersOf(sales.id)).toEqual(['both@acme.test', 'one@acme.test'])
    expect((await owner.get('/v1/admin/users?q=none')).body.data).toMatchObject([{ teams: [] }])
    const { body: teams } = await owner.get('/v1/admin/teams')
    expect(teams.data).toMatchObject([
      { slug: 'europe', memberCount: 2 },
      { slug: 'sales', memberCount: 2 },
    ])
    expect(await service.end()).toBe(0)
  })

  const breached = 'with a password of the list of breached ones signs in and is warned once, or has to change it'
  // What a sign-in makes of such a password is tested on both; an import writes it as any other.
  whatFollows(breached, async () => {
    const emails = ['warned@acme.test', 'changed@acme.test']
    expect(
      await imported(
        await fileOf(
          'breached.jsonl',
          emails.map((email) => named(email, { passwordHash: bcrypt })),
        ),
      ),
    ).toMatchObject({
      created: 2,
    })
    const list = { BREACHED_PASSWORDS: `file:${await breachedPasswordFile([password])}` }
    const entriesFor = async (owner: SignedInUser, email: string) => {
      return (await owner.audit({ action: 'user.password_breached' })).filter(
        ({ targetEmail }: { targetEmail: string }) => targetEmail === email,
      )
    }

    const warning = await serving({ ...list, BREACHED_PASSWORDS_AT_SIGN_IN: 'warn' })
    expect((await warning.login('warned@acme.test')).body).toMatchObject({ status: 'authenticated' })
    await expect.poll(() => smtp.mailsTo('warned@acme.test').length).toBe(1)
    // The first sign-in has replaced the hash, and that is still the password that was told of.
    expect((await warning.login('warned@acme.test')).body).toMatchObject({ status: 'authenticated' })
    expect(await warning.service.end()).toBe(0)

    const changing = await serving({ ...list, BREACHED_PASSWORDS_AT_SIGN_IN: 'change' })
    expect(smtp.mailsTo('warned@acme.test')).toMatchObject([{ subject: 'Your password is known from a data breach' }])
    expect(await entriesFor(changing.owner, 'warned@acme.test')).toHaveLength(1)
    const refused = await changing.login('changed@acme.test')
    expect(refused).toMatchObject({ status: 403, body: { code: 'password-expired', resetToken: expect.any(String) } })
    const reset = (chosen: string) =>
      changing.service.anonymous.post('/v1/auth/password/reset', { token: refused.body.resetToken, password: chosen })
    expect(await reset(password)).toMatchObject({ status: 400, body: { code: 'password-breached' } })
    expect(await reset('seventeen trees on a hill')).toMatchObject({ status: 200 })
    expect((await changing.login('changed@acme.test')).status).toBe(401)
    expect(await entriesFor(changing.owner, 'changed@acme.test')).toHaveLength(1)
    expect(await changing.service.end()).toBe(0)

    expect(await imported(await fileOf('off.jsonl', [named('off@acme.test', { passwordHash: bcrypt })]))).toMatchObject({ created: 1 })
    const off = await serving(list)
    expect((await off.login('off@acme.test')).body).toMatchObject({ status: 'authenticated' })
    expect(await off.service.end()).toBe(0)
  })

  whatFollows('is reported by one event with roles and teams, and not at all by a dry run or a file with a mistake', async () => {
    const hook = receiver.hook()
    const before = await serving()
    const { id } = await createEndpoint(before.owner, { url: hook.url, events: ['*'], variant: 'B' })
    await before.owner.post('/v1/admin/teams', { name: 'Reported', slug: 'reported', description: '' })
    await hook.request(1)
    expect(await before.service.end()).toBe(0)
    const known = hook.requests.length

    const emails = ['event-1@acme.test', 'event-2@acme.test']
    const users = emails.map((email) => named(email, { roles: ['admin', 'member'], teams: ['reported'], passwordHash: bcrypt }))
    const file = await fileOf('events.jsonl', users)
    const builtIn = '--map-role admin=admin --map-role member=member'
    expect(await imported(file, `${builtIn} --dry-run`)).toMatchObject({ created: 2 })
    const wrong = await fileOf('wrong.jsonl', [named('event-3@acme.test'), named('nonsense')])
    expect(await gatehouse(`import users ${wrong} --organisation acme`)).toMatchObject({ status: 1 })
    expect(await imported(file, builtIn)).toMatchObject({ created: 2 })
    expect(await imported(file, `${builtIn} --resume`)).toMatchObject({ created: 0 })
    const queued = recordsOf(await gatehouse(`webhooks deliveries --organisation acme --webhook ${id} --json`))
    const ofUsers = queued.filter(({ event }) => String(event).startsWith('user.'))
    expect(ofUsers).toMatchObject([{ event: 'user.created' }, { event: 'user.created' }])

    const after = await serving()
    const names = () => hook.requests.slice(known).map(({ headers }) => headers['x-svc-event'])
    const created = () =>
      hook.requests.filter(({ headers }) => headers['x-svc-event'] === 'user.created').map(({ body }) => JSON.parse(body))
    await expect.poll(() => created().length).toBe(2)
    expect(await after.service.end()).toBe(0)
    // Besides, only the owner has signed in.
    expect(names().filter((name) => /^(user\.(?!login)|role|team|mfa|organisation)/.test(String(name)))).toEqual([
      'user.created',
      'user.created',
    ])
    expect(
      created()
        .map(({ data }) => data.user.email)
        .sort(),
    ).toEqual(emails)
    for (const { data } of created())
      expect(data.user).toMatchObject({ roles: [{ slug: 'admin' }, { slug: 'member' }], teams: [{ slug: 'reported' }] })
    expect(JSON.stringify(created())).not.toContain(bcrypt)
  })
})

describe('two imports of a file at the same time', () => {
  const count = 3_000
  const usersOf = (name: string) =>
    Array.from({ length: count }, (_, index) => named(`${name}-${index}@acme.test`, { externalId: `${name}-${index}` }))
  const inUse = expect.stringContaining('stop it, and run this again')

  it('create each user once: one is done, the other says on which line it met the first', async () => {
    const file = await fileOf('race.jsonl', usersOf('race'))
    const results = await Promise.all([1, 2].map(() => gatehouse(`import users ${file} --organisation acme`)))

    const [done, stopped] = results.toSorted((one, other) => Number(one.status) - Number(other.status))
    expect(done).toEqual({ status: 0, stdout: 'Created 3,000 of 3,000 users in acme\n', stderr: '' })
    expect(stopped?.status).toBe(1)
    // It depends on when each of them checked.
    const met =
      /^(The import has stopped(?: after [\d,]+ users, whom --resume passes over)?: )?line \d+: race-\d+@acme\.test is in the organisation already: --resume passes over those who are$/m
    if (databaseKind() === 'pglite') expect(stopped).toMatchObject({ stdout: '', stderr: inUse })
    else expect(`${stopped?.stdout}${stopped?.stderr}`).toMatch(met)
    expect(await imported(file, '--resume')).toMatchObject({ created: 0, existing: count })
  })

  it.runIf(databaseKind() === 'postgres')('are both done with --resume, each with what it created', async () => {
    const file = await fileOf('resumed.jsonl', usersOf('resumed'))
    const results = await Promise.all([1, 2, 3].map(() => imported(file, '--resume')))

    expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(count)
    for (const { created, existing } of results) expect(created + existing).toBe(count)
    expect(await imported(file, '--resume')).toMatchObject({ created: 0, existing: count })
  })
})
