import { describe, expect, it } from 'vitest'
import { removeExpiredTokens } from '../../src/tokens/remove-expired-tokens.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { askOnDevice, decide, decideOnDevice, deviceGrant, enterCode, poll, requestOn } from '../support/devices.ts'
import { cookieOf, type SignedInUser } from '../support/given.ts'
import { claimsOf, givenApplication, type Registration, type TestApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey, tryPasskey } from '../support/passkeys.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'device,resource_indicators,step_up' } })
const limited = useService({ environment: { OAUTH_EXTENSIONS: 'device', RATE_LIMIT: 'on' } })
const without = useService()

const television = (registration: Registration = {}) =>
  givenApplication(service(), {
    name: 'Television',
    clientType: 'public',
    redirectUris: [],
    grantTypes: [deviceGrant, 'refresh_token'],
    scopes: ['films:play'],
    ...registration,
  })

const scope = 'openid offline_access films:play'
const pending = { status: 400, body: { error: 'authorization_pending' } }
const refused = (error: string) => ({ status: 400, body: { error } })
const rows = ({ organisation }: TestApplication) =>
  service().database.tenant(organisation.id).selectFrom('deviceCodes').selectAll().execute()

describe('a device', () => {
  it('gets a code for itself and one for its user, and where to enter it', async () => {
    const codes = await askOnDevice(await television(), { scope })
    const { user_code } = codes
    expect(user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code,
      verification_uri: `${service().services.issuer}/device`,
      verification_uri_complete: `${service().services.issuer}/device?user_code=${user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('waits until its user allows it, and then gets tokens of the session that has', async () => {
    const app = await television()
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    expect(await poll(app, codes)).toMatchObject(pending)
    service().clock.advance({ seconds: 3 })
    expect((await decideOnDevice(owner, codes, 'allow')).body).toContain('Your device is connected')

    const { status, body } = await poll(app, codes)
    expect({ status, body }).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope } })
    const session = await service()
      .database.tenant(app.organisation.id)
      .selectFrom('sessions')
      .select(['id', 'authenticatedAt'])
      .where('id', '=', owner.sessionId)
      .executeTakeFirstOrThrow()
    const authTime = Math.floor(session.authenticatedAt.getTime() / 1_000)
    expect(claimsOf(body.id_token)).toMatchObject({ sub: owner.id, sid: session.id, auth_time: authTime, acr: 'aal1', aud: app.id })
    expect(claimsOf(body.access_token)).toMatchObject({ sub: owner.id, client_id: app.id, acr: 'aal1', auth_time: authTime })
    expect((await app.refresh(body.refresh_token)).status).toBe(200)
  })

  it('gets no refresh token without offline_access, or without the grant for it', async () => {
    const app = await television()
    const one = await askOnDevice(app, { scope: 'openid' })
    await decideOnDevice(app.organisation.owner, one, 'allow')
    expect((await poll(app, one)).body).not.toHaveProperty('refresh_token')

    const other = await television({ grantTypes: [deviceGrant] })
    const two = await askOnDevice(other, { scope: 'openid offline_access' })
    await decideOnDevice(other.organisation.owner, two, 'allow')
    expect((await poll(other, two)).body).not.toHaveProperty('refresh_token')
  })

  it('is told that its user has cancelled', async () => {
    const app = await television()
    const codes = await askOnDevice(app, { scope })
    expect((await decideOnDevice(app.organisation.owner, codes, 'cancel')).body).toContain('Your device is not connected')
    expect(await poll(app, codes)).toMatchObject(refused('access_denied'))
    expect(await rows(app)).toMatchObject([{ userId: null, sessionId: null }])
    expect(await app.organisation.owner.audit({ action: 'oauth2.consent.granted' })).toEqual([])
  })

  it('is told that its code has expired, and later that there is none', async () => {
    const app = await television()
    const codes = await askOnDevice(app)
    service().clock.advance({ seconds: 599 })
    expect(await poll(app, codes)).toMatchObject(pending)
    service().clock.advance({ seconds: 1 })
    expect(await poll(app, codes)).toMatchObject(refused('expired_token'))
    service().clock.advance({ minutes: 10, seconds: 1 })
    await removeExpiredTokens.run(service().database)
    expect(await rows(app)).toEqual([])
    expect(await poll(app, codes)).toMatchObject(refused('invalid_grant'))
  })

  it('has to poll less often for good each time that it polls too soon, and is answered at once when its user has decided', async () => {
    const app = await television()
    const codes = await askOnDevice(app, { scope })
    const { clock } = service()
    expect(await poll(app, codes)).toMatchObject(pending)
    clock.advance({ seconds: 5 })
    expect(await poll(app, codes)).toMatchObject(pending)
    clock.advance({ seconds: 4 })
    expect(await poll(app, codes)).toMatchObject(refused('slow_down'))
    clock.advance({ seconds: 9 })
    expect(await poll(app, codes)).toMatchObject(refused('slow_down'))
    clock.advance({ seconds: 15 })
    expect(await poll(app, codes)).toMatchObject(pending)
    expect(await rows(app)).toMatchObject([{ intervalSeconds: 15 }])
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    expect((await poll(app, codes)).status).toBe(200)
  })

  it('that waits leaves no diagnosis', async () => {
    const app = await television()
    const codes = await askOnDevice(app)
    for (const _ of [1, 2]) expect((await poll(app, codes)).body.error_description).not.toContain('reference')
    const diagnostics = await app.organisation.owner.get('/v1/admin/diagnostics')
    expect(diagnostics.body.data).toEqual([])
  })

  it('gets tokens once, of twenty requests at once, and the tokens stay valid', async () => {
    const app = await television()
    const codes = await askOnDevice(app, { scope })
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(app, codes)))
    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(refused('invalid_grant'))
    expect(await poll(app, codes)).toMatchObject(refused('invalid_grant'))
    expect((await app.refresh(issued[0]?.body.refresh_token)).status).toBe(200)
  })

  it('slows down all but one of twenty simultaneous requests', async () => {
    const app = await television()
    const codes = await askOnDevice(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(app, codes)))
    expect(answers.filter(({ body }) => body.error === 'authorization_pending')).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'slow_down')).toHaveLength(19)
  })

  it('that is confidential has to authenticate', async () => {
    const app = await television({ clientType: 'confidential' })
    const anonymous = await app.post('/oauth2/device_authorization', { client_id: app.id }, {})
    expect(anonymous).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const codes = await askOnDevice(app, { scope: 'openid' })
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    const stolen = await app.token({ grant_type: deviceGrant, device_code: codes.device_code, client_id: app.id }, {})
    expect(stolen).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await poll(app, codes)).status).toBe(200)
  })

  it.each([
    ['a client that may not use the grant', { grantTypes: ['refresh_token'] }, {}, 'unauthorized_client'],
    ['a scope that the client does not have', {}, { scope: 'openid admin:all' }, 'invalid_scope'],
    ['a repeated parameter', {}, 'scope=openid&scope=email', 'invalid_request'],
    ['a text that cannot be stored', {}, { scope: 'openid\u0000' }, 'invalid_request'],
  ] as const)('is refused with %s', async (_what, registration, form, error) => {
    const app = await television(registration)
    const text = typeof form === 'string' ? form : new URLSearchParams(form).toString()
    const answer = await service().anonymous.post('/oauth2/device_authorization', `client_id=${app.id}&${text}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer).toMatchObject(refused(error))
    expect(await rows(app)).toEqual([])
  })

  it('cannot redeem the code of another client', async () => {
    const app = await television()
    const other = await television()
    const codes = await askOnDevice(app, { scope })
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    expect(await poll(other, codes)).toMatchObject(refused('invalid_grant'))
    expect(await app.token({ grant_type: 'refresh_token', refresh_token: codes.device_code })).toMatchObject(refused('invalid_grant'))
    expect((await poll(app, codes)).status).toBe(200)
  })

  it('gets no scope that its client has lost since', async () => {
    const app = await television()
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    await decideOnDevice(owner, codes, 'allow')
    await owner.patch(`/v1/admin/clients/${app.id}`, { scopes: [] })
    expect((await poll(app, codes)).body.scope).toBe('openid offline_access')
  })

  it('gets every scope of its client when it names none, and its user sees each', async () => {
    const app = await television({ scopes: ['films:play', 'films:rate'] })
    const codes = await askOnDevice(app)
    const browser = new PageVisitor(service().origin, app.organisation.owner.cookie)
    await enterCode(browser, codes.user_code)
    const { body } = await browser.open('/device/confirm')
    for (const one of ['films:play', 'films:rate']) expect(body).toContain(one)
    await decide(browser, 'allow')
    expect((await poll(app, codes)).body.scope).toBe('films:play films:rate')
  })

  it('stores neither of its codes in the clear', async () => {
    const app = await television()
    const codes = await askOnDevice(app)
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    const stored = JSON.stringify(await rows(app)) + service().logLines.join('\n')
    expect(stored).not.toContain(codes.device_code)
    expect(stored).not.toContain(codes.user_code)
    expect(stored).not.toContain(codes.user_code.replace('-', ''))
  })

  it('may ask only so often', async () => {
    const app = await givenApplication(limited(), { clientType: 'public', redirectUris: [], grantTypes: [deviceGrant] })
    for (let index = 0; index < 120; index += 1) await askOnDevice(app)
    const beyond = await app.post('/oauth2/device_authorization', {})
    expect(beyond).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
    expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0)
    const stored = await limited().database.tenant(app.organisation.id).selectFrom('deviceCodes').select('clientId').execute()
    expect(stored).toHaveLength(120)
  })
})

describe('a device that asks for a resource server', () => {
  it('gets a token for it, once its user has seen and allowed what it is for', async () => {
    const organisation = await service().given.organisation()
    const films = await resourceServer(organisation.owner, {
      name: 'Films API',
      scopes: [{ name: 'films:play', description: 'Play your films' }],
    })
    const app = await television({ organisation, resourceServerIds: [films.id] })
    const codes = await askOnDevice(app, { scope: 'openid offline_access films:play', resource: films.identifier })
    const browser = new PageVisitor(service().origin, organisation.owner.cookie)
    await enterCode(browser, codes.user_code)
    const { body: page } = await browser.open('/device/confirm')
    for (const text of ['Films API', films.identifier, 'Play your films']) expect(page).toContain(text)
    await decide(browser, 'allow')

    const { body } = await poll(app, codes)
    const audience = [films.identifier, service().services.issuer]
    expect(claimsOf(body.access_token)).toMatchObject({ aud: audience, scope: 'openid offline_access films:play' })
    const refreshed = await app.refresh(body.refresh_token)
    expect(claimsOf(refreshed.body.access_token).aud).toEqual(audience)
    const stored = await service().database.tenant(organisation.id).selectFrom('resourceConsents').select(['scopes']).execute()
    expect(stored).toEqual([{ scopes: ['films:play'] }])
  })

  it('is refused with one that is unknown or not allowed to its client, before and after the user has allowed it', async () => {
    const organisation = await service().given.organisation()
    const films = await resourceServer(organisation.owner, { scopes: [] })
    const app = await television({ organisation, resourceServerIds: [films.id] })
    const unknown = await app.post('/oauth2/device_authorization', { resource: 'https://api.example.test/unknown' })
    expect(unknown).toMatchObject(refused('invalid_target'))
    const codes = await askOnDevice(app, { resource: films.identifier })
    await decideOnDevice(organisation.owner, codes, 'allow')
    await organisation.owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [] })
    expect(await poll(app, codes)).toMatchObject(refused('invalid_target'))
  })
})

describe('a device whose resource may not be used any more', () => {
  it.each<[string, (owner: SignedInUser, app: TestApplication, id: string) => Promise<unknown>]>([
    ['inactive', (owner, _, id) => owner.patch(`/v1/admin/resource-servers/${id}`, { isActive: false })],
    ['deleted', (owner, _, id) => owner.delete(`/v1/admin/resource-servers/${id}`)],
    ['taken from its client', (owner, app) => owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [] })],
  ])('since it is %s asks no user, and is told so while it waits', async (_, end) => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const films = await resourceServer(owner, { scopes: [] })
    const app = await television({ organisation, resourceServerIds: [films.id] })
    const codes = await askOnDevice(app, { resource: films.identifier })
    const entered = new PageVisitor(owner.origin, owner.cookie)
    expect((await enterCode(entered, codes.user_code)).headers.get('location')).toBe('/device/confirm')
    expect(await poll(app, codes)).toMatchObject(pending)

    await end(owner, app, films.id)

    expect((await entered.open('/device/confirm')).headers.get('location')).toBe('/device?notice=expired')
    expect((await entered.open('/device/confirm?ui_locales=de')).headers.get('location')).toBe('/device?notice=expired&ui_locales=de')
    expect((await enterCode(new PageVisitor(owner.origin, owner.cookie), codes.user_code)).status).toBe(400)
    expect(await poll(app, codes)).toMatchObject(refused('invalid_target'))
    expect(await rows(app)).toMatchObject([{ decision: null }])
  })
})

describe('a device whose client has lost the grant', () => {
  it('asks no user, and continues once the client has it again', async () => {
    const app = await television()
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { grantTypes: ['refresh_token'] })).toMatchObject({ status: 200 })
    expect((await enterCode(new PageVisitor(owner.origin, owner.cookie), codes.user_code)).status).toBe(400)
    expect(await poll(app, codes)).toMatchObject(refused('unauthorized_client'))
    await owner.patch(`/v1/admin/clients/${app.id}`, { grantTypes: [deviceGrant, 'refresh_token'] })
    await decideOnDevice(owner, codes, 'allow')
    expect(await poll(app, codes)).toMatchObject({ status: 200 })
  })
})

describe('the code of a device', () => {
  it('is entered in any case and with any punctuation', async () => {
    const app = await television()
    const { user_code } = await askOnDevice(app)
    const browser = new PageVisitor(service().origin, app.organisation.owner.cookie)
    const answer = await enterCode(browser, ` ${user_code.toLowerCase().replace('-', ' ')} `)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/device/confirm'])
  })

  it('is filled in by the complete address, and has to be compared: the address decides nothing', async () => {
    const app = await television()
    const codes = await askOnDevice(app, { scope })
    const browser = new PageVisitor(service().origin, app.organisation.owner.cookie)
    const { pathname, search } = new URL(codes.verification_uri_complete)
    const { body } = await browser.open(pathname + search)
    expect(body).toContain(`value="${codes.user_code}"`)
    expect(body).toContain('Compare this code with the one that your device shows')
    // Without the form for the code, nothing leads to the decision.
    expect((await browser.open('/device/confirm')).headers.get('location')).toBe('/device?notice=expired')
    expect(await poll(app, codes)).toMatchObject(pending)
  })

  it('that no device shows is refused at its field, as is one that has been used', async () => {
    const app = await television()
    const codes = await askOnDevice(app)
    await decideOnDevice(app.organisation.owner, codes, 'cancel')
    const browser = new PageVisitor(service().origin, app.organisation.owner.cookie)
    for (const code of ['BCDF-GHJK', 'nonsense', codes.user_code]) {
      const answer = await enterCode(browser, code)
      expect([answer.status, answer.body.includes('No device shows this code')]).toEqual([400, true])
    }
    expect((await enterCode(browser, '')).body).toContain('Fill in this field')
    expect((await enterCode(browser, 'B'.repeat(5_000))).status).toBe(400)
  })

  it('leads through the sign-in, in the branding of its organisation', async () => {
    const app = await television()
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    const browser = new PageVisitor(service().origin)
    expect((await enterCode(browser, codes.user_code)).headers.get('location')).toBe('/device/confirm')
    const toSignIn = (await browser.open('/device/confirm')).headers.get('location') ?? ''
    expect(toSignIn).toBe('/login?returnTo=%2Fdevice%2Fconfirm')
    expect((await browser.open(toSignIn)).body).toContain('to continue to Television')
    const signedIn = await browser.submit(toSignIn, { email: owner.email, password: owner.password })
    expect(signedIn.headers.get('location')).toBe('/device/confirm')
    expect((await decide(browser, 'allow')).status).toBe(200)
    expect((await poll(app, codes)).status).toBe(200)
  })

  it('asks for a new sign-in where that of the browser is older than its client has it by default', async () => {
    const app = await television({ defaultMaxAge: 200 })
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    const young = new PageVisitor(service().origin, owner.cookie)
    await enterCode(young, codes.user_code)
    expect((await young.open('/device/confirm')).status).toBe(200)

    service().clock.advance({ seconds: 201 })
    const old = new PageVisitor(service().origin, owner.cookie)
    const later = await askOnDevice(app, { scope })
    await enterCode(old, later.user_code)
    const toSignIn = '/login?prompt=login&returnTo=%2Fdevice%2Fconfirm'
    for (const answer of [await old.open('/device/confirm'), await old.submit('/device/confirm', { decision: 'allow' }, {}, '/device')])
      expect(answer.headers.get('location')).toBe(toSignIn)
    expect(await poll(app, later)).toMatchObject(pending)
    const before = Math.floor(service().clock.now().getTime() / 1_000)
    const signedIn = await old.submit(toSignIn, { email: owner.email, password: owner.password })
    expect(signedIn.headers.get('location')).toBe('/device/confirm')
    expect((await decide(old, 'allow')).status).toBe(200)
    const { body } = await poll(app, later)
    expect(claimsOf(body.id_token).auth_time).toBeGreaterThanOrEqual(before)
  })

  it('is met by any sign-in since the device has asked, where its client wants a new one each time', async () => {
    const app = await television({ defaultMaxAge: 0 })
    const { owner } = app.organisation
    service().clock.advance({ seconds: 1 })
    const codes = await askOnDevice(app, { scope })
    const browser = new PageVisitor(service().origin, owner.cookie)
    await enterCode(browser, codes.user_code)
    expect((await browser.open('/device/confirm')).headers.get('location')).toMatch(/^\/login\?/)
    service().clock.advance({ seconds: 1 })
    await decideOnDevice(await service().given.signIn(owner.email), codes, 'allow')
    expect(await poll(app, codes)).toMatchObject({ status: 200 })
  })

  it('asks for what the session lacks of a level that its client has by default, and the tokens name that level', async () => {
    const app = await television({ defaultAcrValues: ['phr', 'aal2'] })
    const { owner } = app.organisation
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    const codes = await askOnDevice(app, { scope })
    const browser = new PageVisitor(service().origin, owner.cookie)
    await enterCode(browser, codes.user_code)
    const toSecondFactor = '/login/mfa?for=session&level=aal2&returnTo=%2Fdevice%2Fconfirm'
    const answers = [await browser.open('/device/confirm'), await browser.submit('/device/confirm', { decision: 'allow' }, {}, '/device')]
    for (const { headers } of answers) expect(headers.get('location')).toBe(toSecondFactor)
    const german = await browser.open('/device/confirm?ui_locales=de')
    expect(german.headers.get('location')).toBe(
      '/login/mfa?for=session&level=aal2&returnTo=%2Fdevice%2Fconfirm%3Fui_locales%3Dde&ui_locales=de',
    )
    expect(await poll(app, codes)).toMatchObject(pending)

    const proven = await browser.submit(toSecondFactor, { code: authenticator.nextCode() })
    expect(proven.headers.get('location')).toBe('/device/confirm')
    expect((await decide(browser, 'allow')).status).toBe(200)
    const { body } = await poll(app, codes)
    for (const token of [body.access_token, body.id_token])
      expect(claimsOf(token)).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'] })
  })

  it('has tokens of the level that its client has by default, where a passkey has proven it, and else of what there is', async () => {
    const app = await television({ defaultAcrValues: ['phr'] })
    const { owner } = app.organisation
    const levelOf = async (cookie: string) => {
      const codes = await askOnDevice(app, { scope })
      const browser = new PageVisitor(service().origin, cookie)
      await enterCode(browser, codes.user_code)
      expect((await decide(browser, 'allow')).status).toBe(200)
      const { body } = await poll(app, codes)
      const refreshed = await app.refresh(body.refresh_token)
      return [body.access_token, body.id_token, refreshed.body.access_token].map((token) => claimsOf(token).acr)
    }
    expect(await levelOf(owner.cookie)).toEqual(['aal1', 'aal1', 'aal1'])

    const device = new PasskeyDevice()
    await registerPasskey(owner, device)
    expect(await levelOf(cookieOf(await tryPasskey(service().anonymous, device)))).toEqual(['phr', 'phr', 'phr'])
  })

  it('waits for a second factor that is missing', async () => {
    const app = await television()
    const { owner } = app.organisation
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const user = await service().given.user(owner)
    const login = await service().anonymous.post('/v1/auth/login', { email: user.email, password: 'correct horse battery' })
    const cookie = (login.headers.getSetCookie()[0] ?? '').split(';')[0]
    const browser = new PageVisitor(service().origin, cookie)
    const codes = await askOnDevice(app)
    await enterCode(browser, codes.user_code)
    const { headers } = await browser.open('/device/confirm')
    expect(headers.get('location')).toBe('/mfa/enroll?returnTo=%2Fdevice%2Fconfirm')
  })

  it('may be guessed five times a session and fifty times an address, in any process', async () => {
    // Other tests have counted at this address.
    limited().clock.advance({ minutes: 10, seconds: 1 })
    const app = await givenApplication(limited(), { clientType: 'public', redirectUris: [], grantTypes: [deviceGrant] })
    const codes = await askOnDevice(app)
    const statuses = async (browser: PageVisitor, times: number) => {
      const found: number[] = []
      for (let index = 0; index < times; index += 1) found.push((await enterCode(browser, 'BCDF-GHJK')).status)
      return found
    }
    const browser = new PageVisitor(limited().origin, app.organisation.owner.cookie)
    // A right code is not counted, nor one that no device can show.
    expect((await enterCode(browser, codes.user_code)).status).toBe(303)
    expect((await enterCode(browser, 'no code')).status).toBe(400)
    expect(await statuses(browser, 6)).toEqual([400, 400, 400, 400, 400, 429])
    const afterwards = await enterCode(browser, codes.user_code)
    expect([afterwards.status, Number(afterwards.headers.get('retry-after')) > 0]).toEqual([429, true])

    for (let index = 0; index < 9; index += 1) expect(await statuses(new PageVisitor(limited().origin), 5)).not.toContain(429)
    expect(await statuses(new PageVisitor(limited().origin), 1)).toEqual([429])
    limited().clock.advance({ minutes: 10, seconds: 1 })
    expect(await statuses(new PageVisitor(limited().origin), 1)).toEqual([400])
  })
})

describe('the question of a device', () => {
  it('says who asks for what, when and from where, and warns', async () => {
    const app = await television()
    const { owner, name } = app.organisation
    const minute = () => service().clock.now().toISOString().slice(0, 16)
    const before = minute()
    const asking = await app.post('/oauth2/device_authorization', { scope }, { 'user-agent': 'TV/1.0 <b>' })
    const after = minute()
    const browser = new PageVisitor(service().origin, owner.cookie)
    await enterCode(browser, asking.body.user_code)
    const { body } = await browser.open('/device/confirm')
    for (const text of [
      'Television on a device wants access to your account',
      name,
      'Keep this access while you are not using it',
      '“films:play”',
      '127.0.0.1',
      'TV/1.0 &lt;b&gt;',
      'Continue only if you started this yourself on a device in front of you.',
    ])
      expect(body).toContain(text)
    expect([before, after].some((minute) => body.includes(minute))).toBe(true)
    const german = (await browser.open('/device/confirm?ui_locales=de')).body
    expect(german).toContain('Fahren Sie nur fort, wenn Sie dies selbst auf einem Gerät vor Ihnen begonnen haben.')
  })

  it('is asked although the user has allowed the application before, and its answer is stored as consent', async () => {
    const app = await television({ requireConsent: false })
    const { owner } = app.organisation
    for (const _ of ['first', 'second']) {
      const codes = await askOnDevice(app, { scope })
      expect(await poll(app, codes)).toMatchObject(pending)
      await decideOnDevice(owner, codes, 'allow')
      expect((await poll(app, codes)).status).toBe(200)
    }
    const consents = (await owner.get('/v1/me/consents')).body.data
    expect(consents).toMatchObject([{ clientId: app.id, clientName: 'Television', scopes: ['films:play', 'offline_access', 'openid'] }])
    const [entry] = await owner.audit({ action: 'oauth2.consent.granted' })
    expect(entry).toMatchObject({
      metadata: { scopes: scope.split(' '), device: { ipAddress: '127.0.0.1', userAgent: expect.any(String) } },
    })
  })

  it('is about the device whose code this page has shown, whatever is entered in another window', async () => {
    const app = await television()
    const browser = new PageVisitor(service().origin, app.organisation.owner.cookie)
    const [first, second] = [await askOnDevice(app), await askOnDevice(app)]
    await enterCode(browser, first.user_code)
    const request = requestOn((await browser.open('/device/confirm')).body)
    await enterCode(browser, second.user_code)
    const { status } = await browser.submit('/device/confirm', { decision: 'allow', request })
    expect(status).toBe(400)
    expect(await poll(app, first)).toMatchObject(pending)
    expect(await poll(app, second)).toMatchObject(pending)
  })

  it('refuses a user of another organisation, and leaves the device waiting', async () => {
    const app = await television()
    const { owner } = await service().given.organisation()
    const codes = await askOnDevice(app)
    const browser = new PageVisitor(service().origin, owner.cookie)
    await enterCode(browser, codes.user_code)
    const page = await browser.open('/device/confirm')
    expect([page.status, page.body.includes('This device is for another account')]).toEqual([403, true])
    expect(page.body).not.toContain(app.organisation.name)
    const [{ deviceCodeHash: request } = { deviceCodeHash: '' }] = await rows(app)
    const { formToken } = await browser.open('/device')
    const forced = await browser.submit('/device/confirm', { formToken, decision: 'allow', request })
    expect(forced.status).toBe(403)
    expect(await poll(app, codes)).toMatchObject(pending)
  })

  it('is answered once', async () => {
    const app = await television()
    const codes = await askOnDevice(app, { scope })
    const browsers = [1, 2].map(() => new PageVisitor(service().origin, app.organisation.owner.cookie))
    for (const browser of browsers) await enterCode(browser, codes.user_code)
    const answers = await Promise.all(browsers.map((browser) => decide(browser, 'allow')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await app.organisation.owner.audit({ action: 'oauth2.consent.granted' })).toHaveLength(1)
  })

  it('is answered by a form of ours alone', async () => {
    const app = await television()
    const codes = await askOnDevice(app)
    const browser = new PageVisitor(service().origin, app.organisation.owner.cookie)
    await enterCode(browser, codes.user_code)
    const [{ deviceCodeHash: request } = { deviceCodeHash: '' }] = await rows(app)
    const forged = await browser.submit('/device/confirm', { formToken: 'x', decision: 'allow', request })
    expect(forged.status).toBe(403)
    const elsewhere = await browser.submit('/device/confirm', { decision: 'allow', request }, { 'sec-fetch-site': 'cross-site' })
    expect(elsewhere.status).toBe(403)
    expect(await poll(app, codes)).toMatchObject(pending)
  })
})

describe('an allowed device code', () => {
  const allowed = async () => {
    const app = await television()
    const { owner } = app.organisation
    const user = await service().given.signIn((await service().given.user(owner)).email)
    const codes = await askOnDevice(app, { scope })
    await decideOnDevice(user, codes, 'allow')
    return { app, owner, user, codes }
  }

  it('outlives the session in which it was allowed, as does the family', async () => {
    const { app, user, codes } = await allowed()
    await user.post('/v1/auth/logout')
    const { status, body } = await poll(app, codes)
    expect(status).toBe(200)
    expect((await app.refresh(body.refresh_token)).status).toBe(200)
  })

  it.each([
    ['a block', async ({ owner, user }) => owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: service().clock.now().toISOString() })],
    ['a deletion of the user', async ({ owner, user }) => owner.delete(`/v1/admin/users/${user.id}`)],
    ['an end of all sessions', async ({ owner, user }) => owner.delete(`/v1/admin/users/${user.id}/sessions`)],
    ['a consent that is revoked', async ({ app, user }) => user.delete(`/v1/me/consents/${app.id}`)],
  ] as [string, (given: Awaited<ReturnType<typeof allowed>>) => Promise<{ status: number }>][])('ends by %s', async (_what, end) => {
    const given = await allowed()
    expect((await end(given)).status).toBeLessThan(300)
    expect(await poll(given.app, given.codes)).toMatchObject(refused('invalid_grant'))
  })

  it.each([
    ['revoked', (id: string) => ['post', `/v1/admin/clients/${id}/revoke`] as const],
    ['deleted', (id: string) => ['delete', `/v1/admin/clients/${id}`] as const],
  ])('ends when its client is %s', async (_what, requestFor) => {
    const { app, owner, codes } = await allowed()
    const [method, path] = requestFor(app.id)
    expect((await owner[method](path)).status).toBeLessThan(300)
    expect(await poll(app, codes)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  it('is of no use while the organisation is suspended, and a pending one neither', async () => {
    const { app, codes } = await allowed()
    const waiting = await askOnDevice(app)
    await service().operator.patch(`/v1/system/organisations/${app.organisation.id}/suspend`, { reason: 'Payment overdue' })
    for (const one of [codes, waiting]) expect(await poll(app, one)).toMatchObject(refused('invalid_grant'))
    expect(await app.post('/oauth2/device_authorization', {})).toMatchObject(refused('access_denied'))
    const browser = new PageVisitor(service().origin)
    expect((await enterCode(browser, waiting.user_code)).status).toBe(400)
  })
})

describe('without the extension', () => {
  it('there is no endpoint, no page and no grant, and a client cannot be given it', async () => {
    const app = await givenApplication(without(), { clientType: 'public' })
    const { owner } = app.organisation
    expect((await app.post('/oauth2/device_authorization', {})).status).toBe(404)
    for (const path of ['/device', '/device/confirm']) expect((await new PageVisitor(without().origin).open(path)).status).toBe(404)
    const polled = await app.token({ grant_type: deviceGrant, device_code: 'x' })
    expect(polled).toMatchObject(refused('unsupported_grant_type'))
    const reference = /reference ([0-9a-z-]+)\)/.exec(polled.body.error_description)?.[1]
    expect((await owner.get(`/v1/admin/diagnostics/${reference}`)).body).toMatchObject({ hint: 'needs OAUTH_EXTENSIONS to hold device' })

    const needed = {
      status: 400,
      body: { errors: [{ code: 'custom', path: ['grantTypes'], message: 'Needs OAUTH_EXTENSIONS to hold device' }] },
    }
    const grantTypes = ['authorization_code', deviceGrant]
    const created = { name: 'Television', clientType: 'public', redirectUris: [app.redirectUri], grantTypes }
    expect(await owner.post('/v1/admin/clients', created)).toMatchObject(needed)
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { grantTypes })).toMatchObject(needed)

    // A client that was given the grant while the extension was on stays as it is.
    await without().database.tenant(app.organisation.id).updateTable('clients').set({ grantTypes }).where('id', '=', app.id).execute()
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { grantTypes, name: 'TV' })).toMatchObject({ status: 200 })
  })
})
