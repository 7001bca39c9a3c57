import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { createConnection } from '../support/connections.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import type { SignedInUser } from '../support/given.ts'
import { givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { enrolPasskey, PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService()
const password = 'correct horse battery'
const accountPages = ['/account', '/account/profile', '/account/password', '/account/second-factor']

async function aUser(): Promise<SignedInUser> {
  const { owner } = await service().given.organisation()
  return service().given.userWith(owner, [])
}

/** Signs in on the page, as a browser does. */
async function browserOf({ email }: { email: string }): Promise<PageVisitor> {
  const browser = new PageVisitor(service().origin)
  expect(await browser.submit('/login', { email, password })).toMatchObject({ status: 303 })
  return browser
}

const fieldValue = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? ''

describe('the account page', () => {
  it("shows the user's profile, sign-in methods, sessions and applications", async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256', prompt: 'consent', scope: 'openid' })
    const browser = await browserOf(owner)

    const { status, body } = await browser.open('/account')

    expect(status).toBe(200)
    for (const text of [owner.email, 'It is off.', 'this browser', 'There are none.', 'It is confirmed.']) expect(body).toContain(text)
    expect(body.match(/name="session"/g)).toHaveLength(2)
    expect((await browser.open('/account?ui_locales=de')).body).toContain('Wo Sie angemeldet sind')
  })

  it.each(accountPages)('redirects a user who is not signed in to sign in before %s, and back to it', async (path) => {
    const answer = await service().anonymous.get(path)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/login?${new URLSearchParams({ returnTo: path })}`)
  })

  it.each(accountPages)('redirects a user who has to enrol a second factor to do so before %s', async (path) => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const answer = await (await browserOf(user)).open(path)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^\/mfa\/enroll\?/)
  })

  it.each([
    ['/account/sessions', { session: 'ses_x' }],
    ['/account/sessions/others', {}],
    ['/account/applications', { application: 'cli_x' }],
    ['/account/verification', {}],
    ['/account/profile', { firstName: 'Forged', lastName: 'Forged' }],
    ['/account/password', { currentPassword: password, newPassword: 'another horse battery' }],
    ['/account/second-factor', { code: '123456', action: 'disable' }],
  ])('changes nothing at %s by a form of another site', async (path, fields) => {
    const user = await aUser()
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const browser = new PageVisitor(service().origin)
    await browser.submit('/login', { email: user.email, password })
    await browser.submit('/login/mfa', { code: authenticator.nextCode() })
    const forged = 'code' in fields ? { ...fields, code: authenticator.nextCode() } : fields

    const answers = [
      await browser.submit(path, { ...forged, formToken: 'invented' }, {}, '/account'),
      await browser.submit(path, forged, { 'sec-fetch-site': 'cross-site' }, '/account'),
    ]

    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Please try again') })
    expect((await user.get('/v1/me/profile')).body).toMatchObject({ firstName: 'Test', mfaEnabled: true })
    expect((await service().anonymous.post('/v1/auth/login', { email: user.email, password })).status).toBe(200)
  })

  it('ends another session of the user, and none of another user', async () => {
    const user = await aUser()
    const stranger = await aUser()
    const browser = await browserOf(user)

    await browser.submit('/account/sessions', { session: stranger.sessionId }, {}, '/account')
    expect(await stranger.get('/v1/me/profile')).toMatchObject({ status: 200 })
    const ended = await browser.submit('/account/sessions', { session: user.sessionId }, {}, '/account')

    expect(ended.headers.get('location')).toBe('/account?notice=session-ended')
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await browser.open('/account?notice=session-ended')).toMatchObject({
      status: 200,
      body: expect.stringContaining('That session has ended.'),
    })
  })

  it('ends all other sessions of the user, and none of another user', async () => {
    const user = await aUser()
    const stranger = await aUser()
    const browser = await browserOf(user)

    const ended = await browser.submit('/account/sessions/others', {}, {}, '/account')

    expect(ended.headers.get('location')).toBe('/account?notice=sessions-ended')
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await stranger.get('/v1/me/profile')).toMatchObject({ status: 200 })
    expect((await browser.open('/account?notice=sessions-ended')).body).toContain('All other sessions have ended.')
  })

  it('warns when hardly any backup codes are left', async () => {
    const { owner } = await service().given.organisation()
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    const browser = new PageVisitor(service().origin)
    await browser.submit('/login', { email: owner.email, password })
    await browser.submit('/login/mfa', { code: authenticator.nextCode() })
    const { organisation } = (await owner.get('/v1/me/profile')).body
    const codes = () => service().database.tenant(organisation.id).deleteFrom('mfaBackupCodes').where('userId', '=', owner.id)
    const leave = (count: number) =>
      codes()
        .where('codeHash', 'not in', (stored) => stored.selectFrom('mfaBackupCodes').select('codeHash').limit(count))
        .execute()

    await leave(3)
    const enough = (await browser.open('/account')).body
    expect(enough).toContain('Authenticator app · 3 backup codes left')
    expect(enough).not.toContain('You have only')
    await leave(2)
    expect((await browser.open('/account')).body).toContain('You have only 2 backup codes left.')
    await codes().execute()
    expect((await browser.open('/account')).body).toContain('You have no backup codes left.')
  })

  it('names no phone in that warning, which a user whose second factor is a passkey may not have', async () => {
    const { owner, id } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'] })
    const user = await service().given.userWith(owner, [])
    const device = new PasskeyDevice()
    await registerPasskey(user, device)
    await enrolPasskey(user, device)
    await service().database.tenant(id).deleteFrom('mfaBackupCodes').where('userId', '=', user.id).execute()
    const browser = new PageVisitor(service().origin, user.cookie)
    const warningIn = (body: string) => /<div class="notice warning"><p>([^<]+)/.exec(body)?.[1]
    expect(warningIn((await browser.open('/account')).body)).toContain('Without your device you could not sign in')
    expect(warningIn((await browser.open('/account?ui_locales=de')).body)).toContain('Ohne Ihr Gerät könnten Sie sich nicht anmelden')
  })

  it('shows recent activity, and no name or address of those who acted on the user', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await service().anonymous.post('/v1/auth/login', { email: user.email, password: 'a wrong one' })
    await service().settled()
    const { body } = await (await browserOf(user)).open('/account')

    for (const text of ['You signed in', 'A sign-in failed', 'Your account was created', 'by an administrator'])
      expect(body).toContain(text)
    expect(body).not.toContain(owner.email)
  })

  it('signs out by ending the session of this browser', async () => {
    const user = await aUser()
    await user.post('/v1/auth/logout')
    const browser = await browserOf(user)
    const session = fieldValue((await browser.open('/account')).body, 'session')

    const ended = await browser.submit('/account/sessions', { session }, {}, '/account')

    expect(ended.headers.get('location')).toBe('/logged-out')
    expect(await browser.open('/account')).toMatchObject({ status: 303 })
  })

  it('shows and ends the access of an application without a consent', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    const browser = await browserOf(owner)
    const { body } = await browser.open('/account')
    expect(body).toContain('Keep this access while you are not using it')
    await browser.submit('/account/applications', { application: fieldValue(body, 'application') }, {}, '/account')
    expect((await browser.open('/account')).body).toContain('There are none.')
    expect(await app.refresh(token)).toMatchObject({ status: 400 })
  })

  it('says how many sessions and applications it does not show, beyond the first hundred', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const { database, clock } = service()
    const tenant = database.tenant(organisation.id)
    const now = clock.now()
    await sql`
      insert into clients (id, name, client_type, token_endpoint_auth_method, grant_types, created_at, updated_at)
      select new_id('cli', ${now}), 'Application ' || number, 'public', 'none', '{authorization_code}', ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, 103) as number`.execute(tenant)
    await sql`
      insert into consents (user_id, client_id, scopes, granted_at)
      select ${owner.id}, id, '{openid}', created_at from clients`.execute(tenant)
    const browser = await browserOf(owner)
    await sql`
      insert into sessions (id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods, idle_timeout,
        last_activity_at, expires_at, created_at)
      select new_id('ses', ${now}), user_id, new_id('ses', ${now}), ip_address, user_agent, authenticated_at, authentication_methods,
        idle_timeout, last_activity_at - interval '1 second', expires_at, created_at
      from (select * from sessions where id = ${owner.sessionId}) as own, generate_series(1, 105)`.execute(tenant)
    const { body } = await browser.open('/account')
    expect(body.match(/name="session"/g)).toHaveLength(100)
    expect(body.match(/name="application"/g)).toHaveLength(100)
    for (const text of ['107 browsers', '7 more, shown once', '103 have access', '3 more, shown once']) expect(body).toContain(text)
    await browser.submit('/account/sessions/others', {}, {}, '/account')
    const after = await browser.open('/account')
    expect(after.body).toContain('This browser only')
    expect(after.body.match(/more, shown once/g)).toHaveLength(1)
  })

  it('revokes a consent, with its tokens', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const browser = await browserOf(owner)
    const { verifier, challenge } = pkce()
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.id,
      redirect_uri: app.redirectUri,
      scope: 'openid offline_access',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const asked = (await browser.open(`/oauth2/authorize?${query}`)).headers.get('location') ?? ''
    const allowed = await browser.submit(asked, { decision: 'allow' })
    const continuation = /url=([^"]+)"/.exec(allowed.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const code = new URL((await browser.open(continuation)).headers.get('location') ?? '').searchParams.get('code') ?? ''
    const { body: tokens } = await app.redeem(code, verifier)
    expect((await app.introspect(tokens.access_token)).body.active).toBe(true)
    const { body } = await browser.open('/account')
    expect(body).toContain('Portal')
    expect(body).toContain('Keep this access while you are not using it')

    const taken = await browser.submit('/account/applications', { application: fieldValue(body, 'application') }, {}, '/account')

    expect(taken.headers.get('location')).toBe('/account?notice=access-ended')
    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400 })
  })

  it('sends the link that verifies the address again', async () => {
    const user = await aUser()
    const browser = await browserOf(user)
    const { mailbox } = service()
    await mailbox.tokenTo(user.email, 'Confirm')
    // The second of the two links is valid. After this, only that one is in the mailbox.
    mailbox.mails.length = 0

    const sent = await browser.submit('/account/verification', {}, {}, '/account')

    expect(sent.headers.get('location')).toBe('/account?notice=link-sent')
    const token = await mailbox.tokenTo(user.email, 'Confirm')
    expect(await service().anonymous.post('/v1/auth/email/verify', { token })).toMatchObject({ status: 200 })
    expect((await browser.open('/account')).body).toContain('It is confirmed.')
  })
})

describe('the account of a user without a password', () => {
  const withoutPassword = (organisationId: string, id: string) =>
    service()
      .database.tenant(organisationId)
      .updateTable('users')
      .set({ passwordHash: null, passwordChangedAt: null })
      .where('id', '=', id)
      .execute()

  async function arranged(fields: { email?: string } = {}) {
    const own = await service().given.organisation()
    const { email } = await service().given.user(own.owner, fields)
    const user = await service().given.signIn(email)
    await withoutPassword(own.id, user.id)
    service().mailbox.mails.length = 0
    return { own, user, browser: new PageVisitor(service().origin, user.cookie) }
  }

  const failures = async (owner: SignedInUser, { id }: SignedInUser) =>
    (await owner.get(`/v1/admin/audit-logs?targetId=${id}&action=login.failed`)).body.data.length

  it('offers a mailed link that sets one, in place of a change, and the page of a change leads there', async () => {
    const { user, browser } = await arranged()
    const { body } = await browser.open('/account')
    for (const text of ['You have none: you sign in another way.', 'Mail me a link that sets one']) expect(body).toContain(text)
    expect(body).not.toContain('href="/account/password"')
    expect((await browser.open('/account?ui_locales=de')).body).toContain('Sie haben keines, denn Sie melden sich anders an.')
    expect((await browser.open('/account/password')).headers.get('location')).toBe('/account#password')

    const asked = await browser.submit('/account/password/link', {}, {}, '/account')

    expect(asked.headers.get('location')).toBe('/account?notice=link-sent')
    await service().settled()
    const token = await service().mailbox.tokenTo(user.email)
    const chosen = { token, password: 'the first password' }
    expect(await service().anonymous.post('/v1/auth/password/reset', chosen)).toMatchObject({ status: 200 })
    const signedIn = await service().given.signIn(user.email, 'the first password')
    expect((await new PageVisitor(service().origin, signedIn.cookie).open('/account')).body).toContain('href="/account/password"')
  })

  it('counts no failed sign-in for a password that there is not', async () => {
    const { own, user, browser } = await arranged()
    const change = { currentPassword: 'a wrong one', newPassword: 'another horse battery' }
    for (let attempt = 0; attempt < 11; attempt++) {
      expect(await user.post('/v1/me/password', change)).toMatchObject({ status: 400, body: { code: 'no-password' } })
      expect(await user.post('/v1/me/reauthenticate', { password: 'a wrong one' })).toMatchObject({
        status: 400,
        body: { code: 'no-password' },
      })
    }
    await browser.open('/account')
    expect((await browser.submit('/account/password', change, {}, '/account')).headers.get('location')).toBe('/account#password')
    await service().settled()
    expect(await failures(own.owner, user)).toBe(0)
    expect((await own.owner.get(`/v1/admin/users/${user.id}`)).body.lockedUntil).toBeNull()
  })

  it('leads after a sign-in that was not theirs to the other ways to sign in', async () => {
    const { own, user, browser } = await arranged()
    await createConnection(own.owner)
    const before = await browser.open('/account')
    expect(before.body).toContain('href="#passkeys">Was something here not you? Look through your ways to sign in')
    const other = `ses_other${user.id.slice(-8)}`
    await sql`
      insert into sessions (id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods, idle_timeout,
        last_activity_at, expires_at, created_at)
      select ${other}, user_id, ${other}, ip_address, user_agent, authenticated_at, authentication_methods, idle_timeout,
        last_activity_at, expires_at, created_at
      from sessions where id = ${user.sessionId}`.execute(service().database.tenant(own.id))

    const ended = await browser.submit('/account/sessions', { session: other, unknown: 'yes' }, {}, '/account')

    expect(ended.headers.get('location')).toBe('/account?notice=not-me')
    const { body } = await browser.open('/account?notice=not-me')
    expect(body).toMatch(/You have no password.*href="#passkeys".*href="#identities".*href="#second-factor"/s)
    for (const id of ['passkeys', 'identities', 'second-factor']) expect(body).toContain(`<h2 id="${id}">`)
    expect((await (await browserOf(await aUser())).open('/account?notice=not-me')).body).not.toContain('You have no password')
  })

  it('offers no link where a password would not sign in: none is accepted, or single sign-on is required', async () => {
    const none = await arranged()
    await none.own.owner.patch('/v1/admin/organisation', { signInPolicy: { password: 'disabled' } })
    const domain = uniqueDomain()
    const required = await arranged({ email: `carol@${domain}` })
    const connection = await createConnection(required.own.owner, { isActive: true })
    await verifiedDomain(service(), required.own.owner, { domain, connectionId: connection.id, sso: 'required' })
    for (const { user, browser } of [none, required]) {
      const { body } = await browser.open('/account')
      expect(body).toContain('You have none, and need none')
      expect(body).not.toContain('Mail me a link')
      await browser.submit('/account/password/link', {}, {}, '/account')
      await service().settled()
      expect(service().mailbox.mails.filter(({ to }) => to === user.email)).toEqual([])
    }
    await withoutPassword(none.own.id, none.own.owner.id)
    const owner = new PageVisitor(service().origin, none.own.owner.cookie)
    expect((await owner.open('/account')).body).toContain('Mail me a link that sets one')
  })
})

describe('the page of name and phone number', () => {
  it('sums up what is wrong with several fields, and leaves one mistake to its field', async () => {
    const browser = await browserOf(await aUser())
    await browser.open('/account/profile')
    const several = await browser.submit('/account/profile', { firstName: '', lastName: '', phone: '' })
    expect(several.body).toMatch(/role="alert" tabindex="-1" autofocus>.*There is a problem.*href="#firstName".*href="#lastName"/s)
    const one = await browser.submit('/account/profile', { firstName: 'Ada', lastName: '', phone: '' })
    expect(one.body).not.toContain('There is a problem')
    expect(one.body).toMatch(/<input id="lastName"[^>]* aria-describedby="lastName-error" aria-invalid="true" autofocus>/)
  })

  it('takes no number that cannot be called from abroad, except the one that is there', async () => {
    const user = await aUser()
    const browser = await browserOf(user)
    const change = (phone: string) => browser.submit('/account/profile', { firstName: 'Ada', lastName: 'Byron', phone })
    await browser.open('/account/profile')
    for (const wrong of ['12', '020 7946 0000', '+0 20 7946 0000', 'none'])
      expect(await change(wrong)).toMatchObject({ status: 400, body: expect.stringContaining('Enter a phone number with country code') })
    expect((await user.get('/v1/me/profile')).body.phone).toBeNull()
    // As another system had it.
    expect(await user.patch('/v1/me/profile', { phone: '020 7946 0000' })).toMatchObject({ status: 200 })
    expect(await change('020 7946 0000')).toMatchObject({ status: 303 })
    expect(await change('+44 (20) 7946-0000')).toMatchObject({ status: 303 })
    expect((await user.get('/v1/me/profile')).body.phone).toBe('+44 (20) 7946-0000')
  })

  it('changes them, and shows mistakes', async () => {
    const user = await aUser()
    const browser = await browserOf(user)
    expect((await browser.open('/account/profile')).body).toContain('value="Test"')
    expect(await browser.submit('/account/profile', { firstName: '', lastName: 'Byron', phone: '' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('value="Byron"'),
    })

    const changed = await browser.submit('/account/profile', { firstName: 'Ada', lastName: '<Byron>', phone: '+44 20 7946 0000' })

    expect(changed.headers.get('location')).toBe('/account?notice=profile-changed')
    expect((await user.get('/v1/me/profile')).body).toMatchObject({ name: 'Ada <Byron>', phone: '+44 20 7946 0000' })
    expect((await browser.open('/account')).body).toContain('Ada &lt;Byron&gt;')
    await browser.submit('/account/profile', { firstName: 'Ada', lastName: 'Byron', phone: '' })
    expect((await user.get('/v1/me/profile')).body).toMatchObject({ name: 'Ada Byron', phone: null })
  })
})

describe('the page of the password', () => {
  it('changes it, ends the other sessions but not this one', async () => {
    const user = await aUser()
    const browser = await browserOf(user)
    expect(await browser.submit('/account/password', { currentPassword: 'wrong', newPassword: 'another horse battery' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('This is not your current password'),
    })
    expect(await browser.submit('/account/password', { currentPassword: password, newPassword: 'short' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('The password must have at least 8 characters'),
    })

    const changed = await browser.submit('/account/password', { currentPassword: password, newPassword: 'another horse battery' })

    expect(changed.headers.get('location')).toBe('/account?notice=password-changed')
    expect(await browser.open('/account')).toMatchObject({ status: 200 })
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    await service().given.signIn(user.email, 'another horse battery')
  })
})

describe('the page of the second factor', () => {
  it('shows new backup codes and disables it, with a code', async () => {
    const user = await aUser()
    const { authenticator, backupCodes } = await enrolAuthenticator(user, service().clock)
    const browser = new PageVisitor(service().origin)
    await browser.submit('/login', { email: user.email, password })
    await browser.submit('/login/mfa', { code: authenticator.nextCode() })
    expect((await browser.open('/account')).body).toContain('Backup codes left: 10')
    const act = (action: string, code: string) => browser.submit('/account/second-factor', { action, code })
    expect(await act('disable', authenticator.wrongCode())).toMatchObject({
      status: 400,
      body: expect.stringContaining('This code is wrong or has been used'),
    })

    const replaced = await act('backup-codes', authenticator.nextCode())
    expect(replaced).toMatchObject({ status: 200, body: expect.stringContaining('Save your backup codes') })
    expect(replaced.body).not.toContain(backupCodes[0])
    const off = await act('disable', authenticator.nextCode())

    expect(off.headers.get('location')).toBe('/account?notice=factors-off')
    expect((await user.get('/v1/me/profile')).body.mfaEnabled).toBe(false)
    expect((await browser.open('/account/second-factor')).headers.get('location')).toMatch(/^\/mfa\/enroll/)
  })

  it('replaces the app, and offers no text messages meanwhile, which would be refused', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms'] })
    const user = await service().given.userWith(owner, [])
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const browser = new PageVisitor(service().origin)
    await browser.submit('/login', { email: user.email, password })
    await browser.submit('/login/mfa', { code: authenticator.nextCode() })
    const begun = await browser.submit('/account/second-factor', { action: 'replace', code: authenticator.nextCode() })
    expect(begun.headers.get('location')).toMatch(/^\/mfa\/enroll/)

    for (const path of ['/mfa/enroll?returnTo=/account', '/mfa/enroll?method=sms']) {
      const { status, body } = await browser.open(path)
      expect([path, status]).toEqual([path, 200])
      expect(body).toContain('class="qr"')
      expect(body).not.toContain('Use text messages instead')
    }

    const secret = /<span class="secret">([^<]+)</.exec((await browser.open('/mfa/enroll')).body)?.[1]?.replaceAll(' ', '') ?? ''
    const replaced = await browser.submit('/mfa/enroll', { code: new Authenticator(secret, service().clock).code() })
    expect(replaced).toMatchObject({ status: 200, body: expect.stringContaining('Save your backup codes') })
  })

  it('offers no other phone, nor an app, while a phone is being replaced', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms'] })
    const user = await service().given.userWith(owner, [])
    const { phones, clock, anonymous, origin } = service()
    const { authenticator } = await enrolAuthenticator(user, clock)
    const browser = new PageVisitor(origin)
    await browser.submit('/login', { email: user.email, password })
    await browser.submit('/login/mfa', { code: authenticator.nextCode() })
    const cookie = browser.cookie
    const csrf = await anonymous.get('/v1/auth/csrf', { headers: { cookie } })
    const session = anonymous.with({ cookie, 'x-csrf-token': csrf.body.csrfToken })
    const phone = '+447700900790'
    expect(await session.post('/v1/me/mfa/enable', { method: 'sms', phone, token: authenticator.nextCode() })).toMatchObject({
      status: 200,
    })

    const { body } = await browser.open('/mfa/enroll')

    expect(body).toContain(phone)
    expect(body).not.toContain('Use another number')
    expect(body).not.toContain('/mfa/enroll/method')
    expect(await browser.submit('/mfa/enroll', { code: phones.codeTo(phone) })).toMatchObject({ status: 200 })
  })

  it('sends a code to the phone of a user without an app', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['sms'] })
    const user = await service().given.userWith(owner, [])
    const { phones, origin } = service()
    const phone = '+447700900789'
    await user.post('/v1/me/mfa/enable', { method: 'sms', phone })
    await user.post('/v1/me/mfa/verify', { token: phones.codeTo(phone) })
    const browser = new PageVisitor(origin)
    await browser.submit('/login', { email: user.email, password })
    await browser.submit('/login/mfa', { code: phones.codeTo(phone) })

    const sent = await browser.submit('/account/second-factor/code', {}, {}, '/account/second-factor')

    expect(sent.headers.get('location')).toBe('/account/second-factor?notice=sent')
    await browser.submit('/account/second-factor', { action: 'disable', code: phones.codeTo(phone) })
    expect((await user.get('/v1/me/profile')).body.mfaEnabled).toBe(false)
  })
})
