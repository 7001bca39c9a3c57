import { truncate } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type BreachedPasswordSettings, openBreachedPasswords } from '../../src/passwords/breached-passwords.ts'
import { createRangeServer } from '../../src/passwords/range-server.ts'
import { checkBootstrap } from '../../src/provisioning/bootstrap.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { breachedPasswordFile, servePasswords, sha1Of } from '../support/breached-passwords.ts'
import { freshEngine } from '../support/database.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { acceptance, invite } from '../support/invite.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useReceiver } from '../support/receiver.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService, useService } from '../support/service.ts'

const breached = 'purple monkey dishwasher'
const good = 'seventeen trees on a hill'

const receiver = await useReceiver()
const rangeServer = { ca: receiver.ca, timeoutMilliseconds: 60_000 }
const list = receiver.folder()
servePasswords(list, [breached])
const filter = await breachedPasswordFile([breached])
const service = useService({ environment: { BREACHED_PASSWORDS: list.url }, rangeServer, ofItsOwn: true })

const [warningEngine, changingEngine] = [recordingEngine(await freshEngine()), recordingEngine(await freshEngine())]

const newUser = (password: string) => ({ email: `user-${unique()}@example.test`, firstName: 'Carol', lastName: 'Shaw', password })
const refusal = (field = 'password') => ({
  status: 400,
  body: {
    detail: 'Invalid input',
    code: 'password-breached',
    errors: [{ code: 'custom', path: [field], message: 'This password is known from a data breach', reason: 'password-breached' }],
  },
})
/** What the server of breached passwords is asked for meanwhile. */
async function askedDuring(work: () => Promise<unknown>): Promise<string[]> {
  const before = list.requests.length
  await work()
  return list.requests.slice(before).map(({ path }) => path.slice(-5))
}
const errorsIn = async (from: TestService, reason: string) => {
  const { body } = await from.anonymous.get('/metrics')
  const series = `gatehouse_breached_password_errors_total{reason="${reason}"} `
  return Number(
    (body as string)
      .split('\n')
      .find((line) => line.startsWith(series))
      ?.slice(series.length),
  )
}
const unreachable = { status: 503, body: { code: 'breached-passwords-unreachable' } }

describe('a password that is known from a data breach', () => {
  it('is refused when an administrator chooses it, and no user is created', async () => {
    const { owner } = await service().given.organisation()

    expect(await owner.post('/v1/admin/users', newUser(breached))).toMatchObject(refusal())

    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(await owner.post('/v1/admin/users', newUser(good))).toMatchObject({ status: 201 })
  })

  it('is refused when an invitation is accepted, which stays open', async () => {
    const { owner } = await service().given.organisation()
    const { token } = await invite(service(), owner)
    const accept = (password: string) => service().anonymous.post('/v1/auth/invitations/accept', acceptance(token, { password }))

    expect(await accept(breached)).toMatchObject(refusal())
    expect(await accept(good)).toMatchObject({ status: 201 })
  })

  it('is refused when a link sets it, which still works, and does not count as a change', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
    const reset = (password: string) => service().anonymous.post('/v1/auth/password/reset', { token, password })

    for (let attempt = 1; attempt <= 11; attempt++) expect(await reset(breached)).toMatchObject(refusal())
    await service().given.signIn(user.email)
    expect(await reset(good)).toMatchObject({ status: 200 })
  })

  it('is refused when its user changes it, by the name of the field', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])

    const change = { currentPassword: user.password, newPassword: breached }
    expect(await user.post('/v1/me/password', change)).toMatchObject(refusal('newPassword'))
    await service().given.signIn(user.email)
  })

  it('is looked up only when it is within the policy', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { requireNumbers: true } })

    const asked = await askedDuring(async () => {
      const refused = await owner.post('/v1/admin/users', newUser(breached))
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ message: 'Password must contain a number' }] } })
    })
    expect(asked).toEqual([])
  })

  it('is not looked up where the organisation does not want it', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { refuseBreached: false } })

    expect(await askedDuring(() => owner.post('/v1/admin/users', newUser(`${breached} ${unique()}`)))).toEqual([])
    expect(await owner.post('/v1/admin/users', newUser(breached))).toMatchObject({ status: 201 })
  })

  it.each([
    ['en', 'This password is known from a data breach. Choose another.'],
    ['de', 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.'],
  ])('is refused on a page in the language %s', async (language, text) => {
    const { owner } = await service().given.organisation()
    const { token } = await invite(service(), owner)
    const page = new PageVisitor(service().origin)
    const path = `/invitations/accept?token=${token}&ui_locales=${language}`

    const refused = await page.submit(path, acceptance(token, { password: breached }))

    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining(text) })
    expect(refused.body).not.toContain(breached)
  })
})

describe('the server of breached passwords', () => {
  it('learns five digits of the hash, and pads its response', async () => {
    const { owner } = await service().given.organisation()
    const password = `an unused password ${unique()}`

    expect(await askedDuring(() => owner.post('/v1/admin/users', newUser(password)))).toEqual([sha1Of(password).slice(0, 5)])

    const { headers, method, body, path } = (await list.request(list.requests.length)) as (typeof list.requests)[number]
    expect({ method, body, path }).toEqual({ method: 'GET', body: '', path: new URL(list.url).pathname + sha1Of(password).slice(0, 5) })
    expect(headers).toMatchObject({ 'add-padding': 'true' })
    expect(JSON.stringify(headers)).not.toContain(sha1Of(password).slice(0, 6))
  })

  it('is believed only about hashes that it has counted', async () => {
    const padded = receiver.folder()
    const suffixOf = (password: string) => sha1Of(password).slice(5)
    padded.answer = ({ path }) => ({
      status: 200,
      body: path.endsWith(sha1Of(good).slice(0, 5)) ? `${suffixOf(good)}:0` : `${suffixOf(breached).toLowerCase()}:1\n`,
    })
    const server = createRangeServer(padded.url, service().clock, rangeServer)

    expect(await server.has(Buffer.from(sha1Of(good), 'hex'))).toBe(false)
    expect(await server.has(Buffer.from(sha1Of(breached), 'hex'))).toBe(true)
    await server.close()
  })

  it('is not asked without a certificate that is trusted', async () => {
    const server = createRangeServer(list.url, service().clock)

    const asked = await askedDuring(async () => {
      await expect(server.has(Buffer.alloc(20))).rejects.toMatchObject({ reason: 'connection', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    })
    expect(asked).toEqual([])
    await server.close()
  })

  it('is asked for a prefix once a day, also at the same moment', async () => {
    const { owner } = await service().given.organisation()
    const password = `asked for once ${unique()}`
    const create = () => owner.post('/v1/admin/users', newUser(password))
    const answered = list.answer
    const { promise: open, resolve: release } = Promise.withResolvers<void>()
    list.answer = async (request) => {
      await open
      return answered(request)
    }

    const asked = await askedDuring(async () => {
      const created = [create(), create(), create()]
      await list.request(list.requests.length + 1)
      release()
      for (const { status } of await Promise.all(created)) expect(status).toBe(201)
    })
    list.answer = answered
    expect(asked).toHaveLength(1)

    service().clock.advance({ hours: 23 })
    expect(await askedDuring(create)).toEqual([])
    service().clock.advance({ hours: 2 })
    const { owner: again } = await service().given.organisation()
    expect(await askedDuring(() => again.post('/v1/admin/users', newUser(password)))).toHaveLength(1)
  })

  it.each([
    ['out', undefined],
    ['', { headers: { 'idempotency-key': unique() } }],
  ])('keeps no transaction open while it responds, with%s an Idempotency-Key', async (_, options) => {
    const { owner } = await service().given.organisation()
    const answered = list.answer
    const { promise: open, resolve: release } = Promise.withResolvers<void>()
    list.answer = async (request) => {
      await open
      return answered(request)
    }
    const before = list.requests.length
    const creating = owner.post('/v1/admin/users', newUser(`while it is asked ${unique()}`), options)
    await list.request(before + 1)

    // The embedded database has one connection: a transaction would keep every other request out.
    expect(await owner.get('/v1/admin/users')).toMatchObject({ status: 200 })
    const inTransaction = await service().engine.execute({
      sql: `select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      parameters: [],
    })
    expect(inTransaction.rows).toEqual([{ count: 0 }])
    release()
    list.answer = answered
    expect(await creating).toMatchObject({ status: 201 })
  })

  it('leaves nothing of a password in the log or the database', async () => {
    const { owner } = await service().given.organisation()
    await owner.post('/v1/admin/users', newUser(breached))
    // Both have letters in the digits that the server learns, so that no port or time in the log is like them.
    const password = 'nothing is left of this one'
    const user = newUser(password)
    await owner.post('/v1/admin/users', user)
    await service().anonymous.post('/v1/auth/login', { email: user.email, password })
    await service().settled()

    const secrets = [breached, password, ...[breached, password].flatMap((one) => [sha1Of(one), sha1Of(one).slice(0, 5)])]
    const log = service().logLines.join('\n')
    for (const secret of secrets) expect(log).not.toContain(secret)
    const system = service().database.system()
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'
        and table_name not like 'kysely%'`.execute(system)
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      for (const secret of [breached, password, sha1Of(breached), sha1Of(password)]) {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from ${sql.table(name)} as stored where stored::text ilike ${`%${secret}%`}`.execute(system)
        expect([name, rows[0]?.count]).toEqual([name, 0])
      }
    }
  })
})

/** One that no other test has, in the first digits of whose hash there are letters: no number in a log is like them. */
function aPasswordWithLetters(): string {
  const password = `unknown to all ${unique()}`
  return /[A-F].*[A-F]/.test(sha1Of(password).slice(0, 5)) ? password : aPasswordWithLetters()
}

describe('a server of breached passwords that fails', () => {
  const failing = receiver.folder()
  const refusing = useService({
    environment: { BREACHED_PASSWORDS: failing.url, BREACHED_PASSWORDS_UNREACHABLE: 'refuse', BREACHED_PASSWORDS_AT_SIGN_IN: 'change' },
    rangeServer: { ca: receiver.ca, timeoutMilliseconds: 1_000 },
  })
  const elsewhere = receiver.folder()
  servePasswords(elsewhere, [])
  it.each([
    ['an error', 'status', () => ({ status: 500, body: 'Internal Server Error' })],
    ['that there is nothing', 'status', () => ({ status: 404, body: '' })],
    ['a redirect', 'status', () => ({ status: 302, headers: { location: `${elsewhere.url}00000` } })],
    ['a mebibyte', 'too_large', () => ({ status: 200, body: `${'A'.repeat(35)}:1\r\n`.repeat(28_000) })],
    [
      'a page',
      'malformed',
      () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in to the proxy' }),
    ],
    ['bytes', 'malformed', () => ({ status: 200, body: '\u0000\u0001\ufffd' })],
    ['nothing in time', 'timeout', () => new Promise<never>(() => {})],
  ] as const)('with %s has the password refused with 503, and is counted', async (_, reason, answer) => {
    failing.answer = () => ({ status: 200, body: '' })
    const { owner } = await refusing().given.organisation()
    failing.answer = answer
    const before = await errorsIn(refusing(), reason)
    const password = aPasswordWithLetters()

    const refused = await owner.post('/v1/admin/users', newUser(password))

    expect(refused).toMatchObject(unreachable)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(await errorsIn(refusing(), reason)).toBe(before + 1)
    expect(elsewhere.requests).toEqual([])
    const { logLines } = refusing()
    expect(logLines.findLast((line) => line.includes(`"reason":"${reason}"`))).toContain('could not be looked up')
    for (const secret of [password, sha1Of(password), sha1Of(password).slice(0, 5)]) expect(logLines.join('\n')).not.toContain(secret)
  })

  it('is asked again for the next password', async () => {
    failing.answer = () => ({ status: 500 })
    const { owner } = await refusing().given.organisation()
    const user = newUser(`unknown to all ${unique()}`)
    expect(await owner.post('/v1/admin/users', user)).toMatchObject(unreachable)

    failing.answer = () => ({ status: 200, body: '' })
    expect(await owner.post('/v1/admin/users', user)).toMatchObject({ status: 201 })
  })

  it('prevents no sign-in, also where a breached password must be replaced', async () => {
    failing.answer = () => ({ status: 200, body: '' })
    const { owner } = await refusing().given.organisation()
    refusing().clock.advance({ days: 2 })
    failing.answer = () => ({ status: 500 })
    const before = await errorsIn(refusing(), 'status')

    await refusing().given.signIn(owner.email)
    expect(await errorsIn(refusing(), 'status')).toBe(before + 1)
  })

  it('tells a page that it may be tried again', async () => {
    failing.answer = () => ({ status: 500 })
    const { owner } = await refusing().given.organisation()
    const { token } = await invite(refusing(), owner)
    const page = new PageVisitor(refusing().origin)

    expect(await page.submit(`/invitations/accept?token=${token}`, acceptance(token, { password: good }))).toMatchObject({
      status: 503,
      body: expect.stringContaining('The password cannot be checked at the moment'),
    })
  })

  it('lets passwords pass unless the operator wants otherwise, and the service starts without it', async () => {
    const other = await startTestService({ environment: { BREACHED_PASSWORDS: 'https://127.0.0.1:1/range/' } })
    const { owner } = await other.given.organisation()
    expect(await errorsIn(other, 'connection')).toBe(0)

    expect(await owner.post('/v1/admin/users', newUser(breached))).toMatchObject({ status: 201 })

    expect(await errorsIn(other, 'connection')).toBe(1)
    expect(other.logLines.find((line) => line.includes('could not be looked up'))).toContain('"detail":"ECONNREFUSED"')
    await other.stop()
  })
})

describe('a file of breached passwords', () => {
  it('that is not there stops the start with a line that says what to do', async () => {
    const start = startTestService({ environment: { BREACHED_PASSWORDS: 'file:/nowhere/breached.filter' } })

    await expect(start).rejects.toThrow(
      'BREACHED_PASSWORDS cannot be used: /nowhere/breached.filter cannot be read: there is no such file (ENOENT); make it with `npm run passwords:import`',
    )
  })

  it('that is cut while the service runs is one that cannot be asked', async () => {
    const path = await breachedPasswordFile([breached])
    const cut = await openBreachedPasswords(
      { source: { kind: 'file', path }, whenUnreachable: 'refuse', atSignIn: 'off' },
      service().services,
    )
    expect(await cut.isBreached(breached)).toBe(true)
    await truncate(path, 4_096)
    const before = await errorsIn(service(), 'file')

    expect(await cut.isBreached(breached)).toBeUndefined()
    expect(await errorsIn(service(), 'file')).toBe(before + 1)
    await cut.close()
  })

  it("is asked about the first owner's password, a server is not", async () => {
    const owner = { slug: 'acme', email: 'owner@acme.test', password: breached }
    const open = (source: BreachedPasswordSettings['source']) =>
      openBreachedPasswords({ source, whenUnreachable: 'refuse', atSignIn: 'off' }, { ...service().services, ...rangeServer })
    const [file, server] = [await open({ kind: 'file', path: filter }), await open({ kind: 'server', url: list.url })]

    await expect(checkBootstrap(owner, file)).rejects.toThrow(
      /^BOOTSTRAP_OWNER_PASSWORD is not usable: This password is known from a data breach$/,
    )
    expect(await checkBootstrap({ ...owner, password: good }, file)).toBeUndefined()
    expect(await askedDuring(() => checkBootstrap(owner, server))).toEqual([])
    await Promise.all([file.close(), server.close()])
  })
})

/** A user whose password has become known since it was chosen. */
async function aUserWithBreached({ given }: TestService): Promise<{ owner: SignedInUser; user: { id: string; email: string } }> {
  const { owner } = await given.organisation()
  await owner.patch('/v1/admin/organisation', { passwordPolicy: { refuseBreached: false } })
  const user = await given.user(owner, { password: breached })
  await owner.patch('/v1/admin/organisation', { passwordPolicy: null })
  return { owner, user }
}
const mailsTo = ({ mailbox }: TestService, address: string, subject: string) =>
  mailbox.mails.filter((mail) => mail.to === address && mail.subject === subject)

/** As many as `test/passkeys/statements.test.ts` counts where no password is looked up. */
async function expectNoFurtherStatement({ given, settled }: TestService, engine: RecordingEngine): Promise<void> {
  const { owner } = await given.organisation()
  await settled()
  engine.statements.length = 0
  await given.signIn(owner.email)
  await settled()
  expect(engine.statements.filter(({ query, ofRequest }) => ofRequest && !/rate_limits|last_activity_at = /.test(query.sql))).toHaveLength(
    4,
  )
}

describe('a sign-in with a breached password', () => {
  it('is like any other unless the operator wants otherwise', async () => {
    const { owner, user } = await aUserWithBreached(service())

    expect(await askedDuring(() => service().given.signIn(user.email, breached))).toEqual([])
    await service().settled()
    expect(await owner.audit({ action: 'user.password_breached' })).toEqual([])
  })
})

describe('BREACHED_PASSWORDS_AT_SIGN_IN=warn', () => {
  const subject = 'Your password is known from a data breach'
  const environment = { BREACHED_PASSWORDS: list.url, BREACHED_PASSWORDS_AT_SIGN_IN: 'warn' }
  const warning = useService({ environment, rangeServer, engine: warningEngine })
  const signIn = (email: string, password: string, language = 'en') =>
    warning().anonymous.with({ 'accept-language': language }).post('/v1/auth/login', { email, password })

  it('tells the user by mail and the audit log, once, however often they sign in', async () => {
    const { owner, user } = await aUserWithBreached(warning())

    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(user.email, breached)))
    await warning().settled()
    for (const { status, body } of answers) expect([status, body.status]).toEqual([200, 'authenticated'])
    await warning().mailbox.mailTo(user.email, subject)
    expect(await askedDuring(() => signIn(user.email, breached))).toEqual([])
    await warning().settled()

    expect(await owner.audit({ action: 'user.password_breached' })).toMatchObject([
      { actorType: 'user', actorId: null, targetType: 'user', targetId: user.id, targetEmail: user.email, metadata: null },
    ])
    expect(mailsTo(warning(), user.email, subject)).toHaveLength(1)
    const me = await warning().given.signIn(user.email, breached)
    const { data } = (await me.get('/v1/me/activity?limit=100')).body
    expect(data).toContainEqual(expect.objectContaining({ action: 'user.password_breached', by: 'unidentified' }))
  })

  it('tells them again of another password', async () => {
    const { owner, user } = await aUserWithBreached(warning())
    await signIn(user.email, breached)
    await warning().settled()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { refuseBreached: false } })
    const me = await warning().given.signIn(user.email, breached)
    const changed = await me.post('/v1/me/password', { currentPassword: breached, newPassword: breached })
    expect(changed).toMatchObject({ status: 204 })
    await owner.patch('/v1/admin/organisation', { passwordPolicy: null })

    await signIn(user.email, breached)
    await warning().settled()

    expect(await owner.audit({ action: 'user.password_breached' })).toHaveLength(2)
  })

  it('writes in the language of the request', async () => {
    const { user } = await aUserWithBreached(warning())
    await signIn(user.email, breached, 'de')
    await warning().settled()

    const mail = await warning().mailbox.mailTo(user.email, 'Ihr Passwort ist aus einem Datenleck bekannt')
    expect(mail.text).toContain('/password/forgot')
    expect(mail.text).not.toContain(breached)
  })

  it('looks up no wrong password, and nothing where the organisation does not want it', async () => {
    const { owner, user } = await aUserWithBreached(warning())
    const wrong = `wrong ${unique()}`

    const asked = await askedDuring(async () => {
      expect(await signIn(user.email, wrong)).toMatchObject({ status: 401 })
      expect(await signIn(`nobody-${unique()}@example.test`, wrong)).toMatchObject({ status: 401 })
      await owner.patch('/v1/admin/organisation', { passwordPolicy: { refuseBreached: false } })
      expect(await signIn(user.email, breached)).toMatchObject({ status: 200 })
      await warning().settled()
    })
    expect(asked).toEqual([])
    expect(await owner.audit({ action: 'user.password_breached' })).toEqual([])
  })

  it('costs a sign-in with any other password no statement', () => expectNoFurtherStatement(warning(), warningEngine))

  it('does not wait for the server, and does nothing when it fails', async () => {
    const { owner, user } = await aUserWithBreached(warning())
    const me = newUser(`slowly looked up ${unique()}`)
    await owner.post('/v1/admin/users', me)
    warning().clock.advance({ days: 2 })
    const answered = list.answer
    const { promise: open, resolve: release } = Promise.withResolvers<void>()
    list.answer = async () => {
      await open
      return { status: 500 }
    }

    expect(await signIn(me.email, me.password)).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    release()
    await warning().settled()
    list.answer = answered

    expect(mailsTo(warning(), me.email, subject)).toEqual([])
    expect(user.email).not.toBe(me.email)
  })
})

describe('BREACHED_PASSWORDS_AT_SIGN_IN=change', () => {
  const environment = { BREACHED_PASSWORDS: `file:${filter}`, BREACHED_PASSWORDS_AT_SIGN_IN: 'change' }
  const changing = useService({ environment, engine: changingEngine })
  const signIn = (email: string, password: string) => changing().anonymous.post('/v1/auth/login', { email, password })
  const expired = { status: 403, body: { code: 'password-expired', resetToken: expect.any(String) } }

  it('asks for a new password, as one that is too old does', async () => {
    const { owner, user } = await aUserWithBreached(changing())

    expect(await signIn(user.email, breached)).toMatchObject(expired)
    const again = await signIn(user.email, breached)
    expect(again).toMatchObject(expired)

    expect(await owner.audit({ action: 'user.password_breached' })).toHaveLength(1)
    expect((await owner.get(`/v1/admin/users/${user.id}/sessions`)).body.data).toEqual([])
    expect((await owner.get(`/v1/admin/users/${user.id}/permissions`)).body.blockedBy).toEqual(['password_expired'])
    const reset = { token: again.body.resetToken, password: good }
    expect(await changing().anonymous.post('/v1/auth/password/reset', reset)).toMatchObject({ status: 200 })
    await changing().given.signIn(user.email, good)
    expect(mailsTo(changing(), user.email, 'Your password is known from a data breach')).toEqual([])
  })

  it('asks nothing of a wrong password, nor of one that is not breached', async () => {
    const { owner, user } = await aUserWithBreached(changing())
    const other = await changing().given.user(owner)

    expect(await signIn(user.email, 'a wrong one')).toMatchObject({ status: 401 })
    await changing().given.signIn(other.email)
    await changing().settled()
    expect(await owner.audit({ action: 'user.password_breached' })).toEqual([])
  })

  it('asks after the second factor', async () => {
    const { owner, user } = await aUserWithBreached(changing())
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { refuseBreached: false } })
    const me = await changing().given.signIn(user.email, breached)
    const { authenticator } = await enrolAuthenticator(me, changing().clock)
    await owner.patch('/v1/admin/organisation', { passwordPolicy: null })

    const { mfaToken } = (await signIn(user.email, breached)).body
    const completed = await changing().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })

    expect(completed).toMatchObject(expired)
    expect(await owner.audit({ action: 'user.password_breached' })).toHaveLength(1)
  })

  it('refuses one that is chosen, from the file', async () => {
    const { owner } = await changing().given.organisation()

    expect(await owner.post('/v1/admin/users', newUser(breached))).toMatchObject(refusal())
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
  })

  it('costs a sign-in with any other password no statement', () => expectNoFurtherStatement(changing(), changingEngine))

  it('says why on the page', async () => {
    const { user } = await aUserWithBreached(changing())
    for (const [language, text] of [
      ['en', 'Your password is known from a data breach. Choose a new one to continue.'],
      ['de', 'Ihr Passwort ist aus einem Datenleck bekannt.'],
    ] as const) {
      const { resetToken } = (await signIn(user.email, breached)).body
      const page = await new PageVisitor(changing().origin).open(`/password/reset?token=${resetToken}&ui_locales=${language}`)
      expect(page.body).toContain(text)
    }
  })
})
