import { beforeEach, describe, expect, it } from 'vitest'
import { secondsAfter } from '../../src/platform/clock.ts'
import { smtpTransport } from '../../src/platform/mail/transports.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { askForCode, codeIn, emailCodeFor, otherThan } from '../support/email-codes.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { PasskeyDevice, registerPasskey, signedInBy, tryPasskey } from '../support/passkeys.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService, useService } from '../support/service.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'

const service = useService({ ofItsOwn: true })
// All tests ask from one address.
beforeEach(() => service().clock.advance({ hours: 1 }))

const organisationPath = '/v1/admin/organisation'
const setPolicy = (owner: HttpClient, signInPolicy: Record<string, unknown>) => owner.patch(organisationPath, { signInPolicy })
const ask = (email: string) => service().anonymous.post('/v1/auth/email-code', { email })
const verify = (proof: { flowToken: string; code: string }) => service().anonymous.post('/v1/auth/email-code/verify', proof)
const withPassword = ({ email, password }: { email: string; password: string }) =>
  service().anonymous.post('/v1/auth/login', { email, password })
const refused = { status: 400, body: { detail: 'Invalid or expired code', code: 'invalid-email-code' } }

/** A user who has not confirmed the address, in an organisation that allows codes. */
async function aUser() {
  const { owner, id: organisationId, name } = await service().given.organisation()
  expect(await setPolicy(owner, { emailCode: 'allowed' })).toMatchObject({ status: 200 })
  const user = await service().given.user(owner)
  return { owner, organisationId, organisationName: name, user }
}

const codesMailedTo = (address: string) =>
  service().mailbox.mails.filter(({ to, subject }) => to === address && subject.startsWith('Sign in to'))
const sessionsOf = async (organisationId: string, userId: string) =>
  service().database.tenant(organisationId).selectFrom('sessions').selectAll().where('userId', '=', userId).execute()

describe('a request for an e-mail code', () => {
  it('is answered alike for every address, and mails a code only where the organisation allows it', async () => {
    const { owner, user } = await aUser()
    const blocked = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: new Date().toISOString() })
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)
    const { owner: elsewhere } = await service().given.organisation()
    const silent = [`nobody-${unique()}@example.test`, 'not an address', blocked.email, deleted.email, elsewhere.email]

    const answers = []
    for (const email of [...silent, user.email]) answers.push(await ask(email))
    await service().settled()

    for (const { status, body } of answers) {
      expect(status).toBe(202)
      expect(Object.keys(body)).toEqual(['flowToken'])
      expect(body.flowToken).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
    }
    await service().mailbox.mailTo(user.email, 'Sign in to')
    for (const email of silent) expect(codesMailedTo(email)).toEqual([])
    expect(await owner.audit({ action: 'auth.email_code_requested' })).toMatchObject([{ actorId: null, targetId: user.id }])
    expect(await elsewhere.audit({ action: 'auth.email_code_requested' })).toEqual([])
  })

  it('is the same work for an unknown address, and leaves nothing behind', async () => {
    const { engine, ofItsOwn } = await aRecordedService()
    const owner = (await ofItsOwn.given.organisation()).owner
    await setPolicy(owner, { emailCode: 'allowed' })
    const user = await ofItsOwn.given.user(owner)
    const tables = ['auditLogs', 'emailCodes', 'mails'] as const
    const count = async () =>
      Promise.all(tables.map(async (table) => (await ofItsOwn.database.system().selectFrom(table).select('id').execute()).length))
    const workOfAsking = (email: string) => workOf(engine, ofItsOwn, () => ofItsOwn.anonymous.post('/v1/auth/email-code', { email }))

    const known = await workOfAsking(user.email)
    const before = await count()
    const unknown = await workOfAsking(`nobody-${unique()}@example.test`)

    expect(unknown).toEqual(known)
    expect(known.join()).toMatch(/insert into "?email_codes[\s\S]*insert into "?mails/)
    expect(await count()).toEqual(before)
    await ofItsOwn.stop()
  })

  it('is accepted five times an hour for one address of mail, registered or not', async () => {
    const email = `nobody-${unique()}@example.test`
    for (let request = 1; request <= 5; request++) expect(await ask(email)).toMatchObject({ status: 202 })

    const limited = await ask(email.toUpperCase())

    expect(limited).toMatchObject({ status: 429, body: { code: 'too-many-email-codes' } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await ask(`other-${email}`)).toMatchObject({ status: 202 })
  })

  it('is accepted twenty times an hour from one caller', async () => {
    for (let index = 0; index < 20; index++) expect(await ask(`nobody-${index}@example.test`)).toMatchObject({ status: 202 })
    const { user } = await aUser()

    expect(await ask(user.email)).toMatchObject({ status: 429, body: { code: 'too-many-email-codes' } })
    await service().settled()
    expect(codesMailedTo(user.email)).toEqual([])
  })

  it('brings a mail by SMTP, in the language that was asked for, whose subject does not hold the code', async () => {
    const smtp = await TestSmtpServer.start()
    const mailing = await startTestService({ mailTransport: smtpTransport(`smtp://127.0.0.1:${smtp.port}`) })
    const { owner, name } = await mailing.given.organisation()
    await setPolicy(owner, { emailCode: 'allowed' })

    await mailing.anonymous.post('/v1/auth/email-code', { email: owner.email })
    await mailing.anonymous.post('/v1/auth/email-code', { email: owner.email }, { headers: { 'accept-language': 'de' } })
    await expect.poll(() => smtp.mailsTo(owner.email).length).toBe(2)

    const mails = smtp.mailsTo(owner.email)
    const english = mails.find(({ text }) => text?.includes('Your code'))
    const german = mails.find(({ text }) => text?.includes('Ihr Code'))
    const code = codeIn(english?.text)
    expect(code).toMatch(/^\d{8}$/)
    expect(english).toMatchObject({ subject: `Sign in to ${name}`, html: expect.stringContaining(code) })
    expect(english?.text).toMatch(/http:\/\/gatehouse\.test\/login\/email\?token=[\w-]{43}/)
    expect(german).toMatchObject({ subject: `Anmeldung bei ${name}` })
    expect(german?.text).toContain('&ui_locales=de')
    await mailing.stop()
    await smtp.stop()
  })
})

describe('an e-mail code', () => {
  it('signs its user in once, at the lowest level, and shows that the address is theirs', async () => {
    const { owner, user, organisationId } = await aUser()
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({ emailVerifiedAt: null })
    const proof = await emailCodeFor(service(), user.email)

    const login = await verify(proof)

    expect(login).toMatchObject({ status: 200, body: { status: 'authenticated', user: { id: user.id }, csrfToken: expect.any(String) } })
    const signedIn = signedInBy(service().anonymous, login)
    expect((await signedIn.get('/v1/me/profile')).body).toMatchObject({ id: user.id })
    expect(await sessionsOf(organisationId, user.id)).toMatchObject([{ authenticationMethods: ['otp'], awaitsMfaEnrolment: false }])
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({ emailVerifiedAt: expect.any(String) })
    expect(await owner.audit({ action: 'auth.email_verified' })).toMatchObject([{ actorId: user.id, targetId: user.id }])
    const [entry] = await owner.audit({ action: 'login.success' })
    expect(entry).toMatchObject({ actorId: user.id, metadata: { authenticationMethods: ['otp'], emailCode: true } })

    expect(await verify(proof)).toMatchObject(refused)
    expect(await sessionsOf(organisationId, user.id)).toHaveLength(1)
    expect(await verify(await emailCodeFor(service(), user.email))).toMatchObject({ status: 200 })
    expect(await owner.audit({ action: 'auth.email_verified' })).toHaveLength(1)
  })

  it('that is the first proof of an address leaves nothing by which the person who made the account could act as the user', async () => {
    const { owner, user } = await aUser()
    const made = await service().given.signIn(user.email)
    const device = new PasskeyDevice()
    await registerPasskey(made, device)
    await owner.post(`/v1/admin/users/${user.id}/roles`, {
      roleId: (await service().given.role(owner, { permissions: ['users:read', 'api_keys:create'] })).id,
    })
    const { key } = (await made.post('/v1/admin/api-keys', { name: 'Sync', permissions: ['users:read'] })).body
    const byKey = service().anonymous.with({ authorization: `Bearer ${key}` })
    expect(await byKey.get('/v1/admin/users')).toMatchObject({ status: 200 })

    const arrived = await verify(await emailCodeFor(service(), user.email))

    expect(arrived).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    expect(await withPassword(made)).toMatchObject({ status: 401 })
    expect(await tryPasskey(service().anonymous, device)).toMatchObject({ status: 401 })
    expect(await made.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await byKey.get('/v1/admin/users')).toMatchObject({ status: 401 })
    for (const action of ['user.password_removed', 'passkey.deleted'])
      expect(await owner.audit({ action })).toMatchObject([{ actorId: null, metadata: { because: 'address not proven before' } }])

    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    await service().given.setPassword(user.email, 'another horse battery', 'Choose a new password')
    const own = { email: user.email, password: 'another horse battery' }
    expect(await verify(await emailCodeFor(service(), user.email))).toMatchObject({ status: 200 })
    expect(await withPassword(own)).toMatchObject({ status: 200 })
  })

  it('takes nothing from a user who has set the password by a mailed link, nor from the owner', async () => {
    const { owner, user } = await aUser()
    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    await service().given.setPassword(user.email, 'another horse battery', 'Choose a new password')

    for (const own of [{ email: user.email, password: 'another horse battery' }, owner]) {
      expect(await verify(await emailCodeFor(service(), own.email))).toMatchObject({ status: 200 })
      expect(await withPassword(own)).toMatchObject({ status: 200 })
    }
    expect(await owner.audit({ action: 'user.password_removed' })).toEqual([])
  })

  it('takes nothing from a user with a second factor, and proves the address once that is proven', async () => {
    const { owner, user } = await aUser()
    const made = await service().given.signIn(user.email)
    const { authenticator } = await enrolAuthenticator(made, service().clock)
    const verifiedAt = async () => (await owner.get(`/v1/admin/users/${user.id}`)).body.emailVerifiedAt

    const { body } = await verify(await emailCodeFor(service(), user.email))

    expect(body).toMatchObject({ status: 'mfa_required' })
    expect(await verifiedAt()).toBeNull()
    expect(await withPassword(made)).toMatchObject({ status: 200, body: { status: 'mfa_required' } })
    const code = authenticator.nextCode()
    expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken: body.mfaToken, code })).toMatchObject({ status: 200 })
    expect(await verifiedAt()).not.toBeNull()
    expect(await owner.audit({ action: 'auth.email_verified' })).toMatchObject([{ actorId: user.id }])
  })

  it('is not stored, nor is what completes the sign-in with it', async () => {
    const { user, organisationId } = await aUser()
    const proof = await askForCode(service(), user.email)
    await verify({ ...proof, code: otherThan(proof.code) })

    const tenant = service().database.tenant(organisationId)
    const tries = await service().database.system().selectFrom('emailCodeTries').selectAll().execute()
    const stored = JSON.stringify([await tenant.selectFrom('emailCodes').selectAll().execute(), tries])

    expect(stored).toContain(user.id)
    for (const secret of Object.values(proof)) expect(stored).not.toContain(secret)
    expect(JSON.stringify(await tenant.selectFrom('mails').selectAll().execute())).not.toContain(proof.code)
  })

  it('works for ten minutes', async () => {
    const { user } = await aUser()
    const late = await emailCodeFor(service(), user.email)
    service().clock.advance({ minutes: 10 })
    expect(await verify(late)).toMatchObject(refused)

    const other = await emailCodeFor(service(), user.email)
    service().clock.advance({ minutes: 9, seconds: 59 })
    expect(await verify(other)).toMatchObject({ status: 200 })
  })

  it('ends the one before', async () => {
    const { user, organisationId } = await aUser()
    const first = await emailCodeFor(service(), user.email)
    const second = await emailCodeFor(service(), user.email)

    expect(await verify(first)).toMatchObject(refused)
    expect(await verify({ ...first, code: second.code })).toMatchObject(refused)
    expect(await verify({ ...second, code: first.code })).toMatchObject(refused)
    expect(await sessionsOf(organisationId, user.id)).toEqual([])
    expect(await verify(second)).toMatchObject({ status: 200 })
  })

  it('is that of the last request, although an earlier one had to wait longer after its response', async () => {
    const held: (() => void)[] = []
    let isHeld = false
    const delayAfterResponse = () => (isHeld ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve())
    const delaying = await startTestService({ delayAfterResponse })
    const { owner, id: organisationId } = await delaying.given.organisation()
    await setPolicy(owner, { emailCode: 'allowed' })
    isHeld = true
    const flowTokens: string[] = []
    for (let request = 1; request <= 2; request++) {
      flowTokens.push((await delaying.anonymous.post('/v1/auth/email-code', { email: owner.email })).body.flowToken)
      await expect.poll(() => held.length).toBe(request)
      delaying.clock.advance({ milliseconds: 10 })
    }
    isHeld = false

    held[1]?.()
    const { text } = await delaying.mailbox.mailTo(owner.email, 'Sign in to')
    held[0]?.()
    await delaying.settled()

    const [first = '', second = ''] = flowTokens
    const verifyThere = (flowToken: string) => delaying.anonymous.post('/v1/auth/email-code/verify', { flowToken, code: codeIn(text) })
    expect(await verifyThere(first)).toMatchObject(refused)
    expect(await verifyThere(second)).toMatchObject({ status: 200 })
    const mails = delaying.database.tenant(organisationId).selectFrom('mails').select('id').where('subject', 'like', 'Sign in to%')
    expect(await mails.execute()).toHaveLength(1)
    await delaying.stop()
  })

  it('is mailed, too, after the clock was set back: a former one that seems to be later does not count', async () => {
    const { user, organisationId } = await aUser()
    await emailCodeFor(service(), user.email)
    const expiresAt = secondsAfter(service().clock.now(), 4_200)
    await service().database.tenant(organisationId).updateTable('emailCodes').set({ expiresAt }).execute()
    expect(await verify(await emailCodeFor(service(), user.email))).toMatchObject({ status: 200 })
  })

  it('is refused after five wrong ones, in a row or at once', async () => {
    const { user, organisationId } = await aUser()
    const one = await emailCodeFor(service(), user.email)
    for (let count = 1; count <= 5; count++) expect(await verify({ ...one, code: otherThan(one.code) })).toMatchObject(refused)
    expect(await verify(one)).toMatchObject(refused)

    const other = await aUser()
    const proof = await emailCodeFor(service(), other.user.email)
    const wrong = Array.from({ length: 12 }, () => verify({ ...proof, code: otherThan(proof.code) }))
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(Array(12).fill(400))
    await service().settled()
    expect(await other.owner.audit({ action: 'login.failed' })).toHaveLength(5)
    expect(await verify(proof)).toMatchObject(refused)
    expect(await sessionsOf(organisationId, user.id)).toEqual([])
    expect(await sessionsOf(other.organisationId, other.user.id)).toEqual([])
  })

  it('is refused after five wrong ones where limits are off, too', async () => {
    const unlimited = await startTestService({ environment: { RATE_LIMIT: 'off' } })
    const { owner } = await unlimited.given.organisation()
    await setPolicy(owner, { emailCode: 'allowed' })
    const proof = await emailCodeFor(unlimited, owner.email)
    const tryIn = (code: string) => unlimited.anonymous.post('/v1/auth/email-code/verify', { ...proof, code })
    for (let count = 1; count <= 5; count++) expect(await tryIn(otherThan(proof.code))).toMatchObject(refused)

    expect(await tryIn(proof.code)).toMatchObject(refused)
    await unlimited.stop()
  })

  it('starts one session when it is used twenty times at once', async () => {
    const { user, organisationId } = await aUser()
    const proof = await emailCodeFor(service(), user.email)

    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(proof)))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(await sessionsOf(organisationId, user.id)).toHaveLength(1)
    expect(await verify(await emailCodeFor(service(), user.email))).toMatchObject({ status: 200 })
  })

  it('cannot be guessed by what is refused: a wrong one costs an unknown address the same statements', async () => {
    const { engine, ofItsOwn } = await aRecordedService()
    const owner = (await ofItsOwn.given.organisation()).owner
    await setPolicy(owner, { emailCode: 'allowed' })
    const { flowToken, code } = await emailCodeFor(ofItsOwn, owner.email)
    const unknown = (await ofItsOwn.anonymous.post('/v1/auth/email-code', { email: `nobody-${unique()}@example.test` })).body.flowToken
    const answers: unknown[] = []
    const workOfTrying = (proof: { flowToken: string; code: string }) =>
      workOf(engine, ofItsOwn, async () => {
        const { status, body } = await ofItsOwn.anonymous.post('/v1/auth/email-code/verify', proof)
        answers.push([status, { ...body, instance: '' }])
      })

    const ofKnown = await workOfTrying({ flowToken, code: otherThan(code) })
    const ofUnknown = await workOfTrying({ flowToken: unknown, code })

    expect(ofUnknown).toEqual(ofKnown)
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject([400, { code: 'invalid-email-code' }])
    await ofItsOwn.stop()
  })

  it('counts as a password does when it is wrong: ten lock the account, whatever signs in', async () => {
    const { owner, user } = await aUser()
    for (let round = 1; round <= 2; round++) {
      const { flowToken, code } = await emailCodeFor(service(), user.email)
      for (let count = 1; count <= 5; count++) await verify({ flowToken, code: otherThan(code) })
    }
    await service().settled()
    const third = await emailCodeFor(service(), user.email)

    expect(await verify(third)).toMatchObject({ status: 429, body: { code: 'too-many-failed-sign-ins' } })
    expect(await service().anonymous.post('/v1/auth/login', { email: user.email, password: owner.password })).toMatchObject({ status: 429 })
    expect(await owner.audit({ action: 'login.failed' })).toHaveLength(10)
    expect(await owner.audit({ action: 'login.failed' })).toMatchObject(
      Array(10).fill({ actorId: null, metadata: { reason: 'wrong e-mail code' } }),
    )
    expect(await owner.audit({ action: 'login.locked' })).toHaveLength(1)
  })

  it('is worth nothing with the token of another flow, a changed one, or none', async () => {
    const { user } = await aUser()
    const other = await aUser()
    const proof = await emailCodeFor(service(), user.email)
    const { flowToken } = await emailCodeFor(service(), other.user.email)

    expect(await verify({ ...proof, flowToken })).toMatchObject(refused)
    expect(await verify({ ...proof, flowToken: `${proof.flowToken.slice(0, -2)}AA` })).toMatchObject(refused)
    expect(await verify({ ...proof, flowToken: 'unknown' })).toMatchObject(refused)
    expect(await service().anonymous.post('/v1/auth/email-code/verify', {})).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['flowToken'] }, { path: ['code'] }] },
    })
    expect(await verify(proof)).toMatchObject({ status: 200 })
  })

  it('is refused once the organisation has switched codes off', async () => {
    const { owner, user, organisationId } = await aUser()
    const proof = await emailCodeFor(service(), user.email)
    await setPolicy(owner, { emailCode: 'off' })

    expect(await verify(proof)).toMatchObject(refused)
    await service().settled()
    expect(await owner.audit({ action: 'login.failed' })).toMatchObject([{ metadata: { reason: 'e-mail codes not allowed' } }])
    expect(await sessionsOf(organisationId, user.id)).toEqual([])
  })

  it('says that the user is blocked, or the organisation suspended, to the reader of the mail alone', async () => {
    const { owner, user } = await aUser()
    const proof = await emailCodeFor(service(), user.email)
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    expect(await verify({ ...proof, code: otherThan(proof.code) })).toMatchObject(refused)
    expect(await verify(proof)).toMatchObject({ status: 403, body: { code: 'user-blocked' } })

    const other = await aUser()
    const mailed = await emailCodeFor(service(), other.user.email)
    await service().operator.patch(`/v1/system/organisations/${other.organisationId}/suspend`, { reason: 'unpaid' })
    expect(await verify(mailed)).toMatchObject({ status: 403, body: { code: 'organisation-suspended' } })
    expect(await sessionsOf(other.organisationId, other.user.id)).toEqual([])
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({ emailVerifiedAt: null })
  })

  it('is worth nothing once the user is deleted, or has another address', async () => {
    const { owner, user } = await aUser()
    const proof = await emailCodeFor(service(), user.email)
    await owner.delete(`/v1/admin/users/${user.id}`)
    expect(await verify(proof)).toMatchObject(refused)

    const other = await aUser()
    const mailed = await emailCodeFor(service(), other.user.email)
    const email = `moved-${unique()}@example.test`
    // Nothing of the API changes an address yet.
    await service().database.tenant(other.organisationId).updateTable('users').set({ email }).where('id', '=', other.user.id).execute()
    expect(await verify(mailed)).toMatchObject(refused)
    expect(await sessionsOf(other.organisationId, other.user.id)).toEqual([])
    expect((await other.owner.get(`/v1/admin/users/${other.user.id}`)).body).toMatchObject({ email, emailVerifiedAt: null })
  })

  it('goes with the user who is erased', async () => {
    const { user, organisationId } = await aUser()
    await emailCodeFor(service(), user.email)
    await service().operator.post(`/v1/system/organisations/${organisationId}/users/${user.id}/erase`)

    expect(await service().database.tenant(organisationId).selectFrom('emailCodes').selectAll().execute()).toEqual([])
  })
})

describe('after an e-mail code', () => {
  it('the second factor follows as after a password, and no maximum age of passwords applies', async () => {
    const { owner, user } = await aUser()
    const signedIn = await service().given.signIn(user.email)
    const { authenticator } = await enrolAuthenticator(signedIn, service().clock)
    await owner.patch(organisationPath, { passwordPolicy: { maxAge: 1 } })
    service().clock.advance({ days: 2 })

    const login = await verify(await emailCodeFor(service(), user.email))
    expect(login).toMatchObject({ status: 200, body: { status: 'mfa_required', methods: ['totp'] } })
    expect(login.headers.getSetCookie()).toEqual([])
    const { mfaToken } = login.body
    const completed = await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })

    expect(completed).toMatchObject({ status: 200, body: { status: 'authenticated' } })
  })

  it('the second factor makes a session of two', async () => {
    const { owner, user, organisationId } = await aUser()
    const { authenticator } = await enrolAuthenticator(await service().given.signIn(user.email), service().clock)
    const { mfaToken } = (await verify(await emailCodeFor(service(), user.email))).body
    await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })

    const sessions = await sessionsOf(organisationId, user.id)
    expect(sessions.map(({ authenticationMethods }) => authenticationMethods)).toContainEqual(['otp', 'mfa'])
    const [entry] = await owner.audit({ action: 'login.success' })
    expect(entry).toMatchObject({ metadata: { authenticationMethods: ['otp', 'mfa'], emailCode: true } })
  })

  it('a required second factor, or passkey, is enrolled first', async () => {
    const { owner, user } = await aUser()
    await owner.patch(organisationPath, { requireMfa: true })
    expect((await verify(await emailCodeFor(service(), user.email))).body).toMatchObject({ status: 'mfa_enrollment_required' })

    await owner.patch(organisationPath, { requireMfa: false, signInPolicy: { passkeys: 'required' } })
    const waiting = signedInBy(service().anonymous, await verify(await emailCodeFor(service(), user.email)))
    expect(await waiting.get('/v1/me/sessions')).toMatchObject({ status: 403, body: { code: 'mfa-enrollment-required' } })
    expect(await registerPasskey(waiting, new PasskeyDevice())).toMatchObject({ csrfToken: expect.any(String) })
  })

  it('a user without a usable password may delete the last passkey', async () => {
    const { owner, user } = await aUser()
    const device = new PasskeyDevice()
    const passkey = await registerPasskey(await service().given.signIn(user.email), device)
    await setPolicy(owner, { password: 'disabled' })
    const signedIn = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
    await setPolicy(owner, { emailCode: 'off' })
    expect(await signedIn.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 400, body: { code: 'last-way-to-sign-in' } })

    await setPolicy(owner, { emailCode: 'allowed' })
    expect(await signedIn.delete(`/v1/me/passkeys/${passkey.id}`)).toMatchObject({ status: 204 })
    expect(await verify(await emailCodeFor(service(), user.email))).toMatchObject({ status: 200 })
  })
})

describe('the task that removes e-mail codes', () => {
  it('removes those that have expired, with their tries, and no other', async () => {
    const { user, organisationId } = await aUser()
    const { flowToken, code } = await emailCodeFor(service(), user.email)
    await verify({ flowToken, code: otherThan(code) })
    const stored = async () => [
      (await service().database.tenant(organisationId).selectFrom('emailCodes').selectAll().execute()).length,
      (await service().database.system().selectFrom('emailCodeTries').selectAll().execute()).length,
    ]
    const { removeExpiredCodes } = await import('../../src/email-codes/remove-expired-codes.ts')
    await removeExpiredCodes.run(service().database)
    expect(await stored()).toEqual([1, 1])

    service().clock.advance({ minutes: 11 })
    await removeExpiredCodes.run(service().database)
    expect(await stored()).toEqual([0, 0])
  })
})

async function aRecordedService(): Promise<{ engine: RecordingEngine; ofItsOwn: TestService }> {
  const engine = recordingEngine(await freshEngine())
  const ofItsOwn = await startTestService({ engine })
  // For an unknown address, the same work is done for any account.
  await ofItsOwn.given.organisation()
  return { engine, ofItsOwn }
}

/** The statements that a request and the work after it run. */
async function workOf(engine: RecordingEngine, { settled }: TestService, request: () => Promise<unknown>): Promise<string[]> {
  await settled()
  engine.statements.length = 0
  await request()
  await settled()
  return engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
}
