import { describe, expect, it } from 'vitest'
import { readFactors } from '../../src/sessions/proven-factors.ts'
import { type Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { cookieOf, type SignedInUser } from '../support/given.ts'
import { callbackOf, claimsOf, encode, givenApplication, pkce, type Registration, type TestApplication } from '../support/oauth.ts'
import { PageVisitor, type PasskeyForm } from '../support/page-visitor.ts'
import { enrolPasskey, PasskeyDevice, registerPasskey, tryPasskey } from '../support/passkeys.ts'
import { startTestService, useService } from '../support/service.ts'
import { twentyAtOnce } from '../support/twenty-at-once.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'step_up' } })

type Form = Record<string, string | undefined>

/** A user who has signed in with the password alone, and then switched on a second factor in the same session. */
async function aUserAtLevelOne(registration: Registration = {}) {
  const app = await givenApplication(service(), registration)
  const { owner } = app.organisation
  return { app, owner, ...(await enrolAuthenticator(owner, service().clock)) }
}

/** Sends the user's browser to the application's authorization request. */
class AskingBrowser extends PageVisitor {
  readonly #app: TestApplication
  readonly verifier: string
  readonly #challenge: string

  constructor(app: TestApplication, cookie = app.organisation.owner.cookie) {
    super(service().origin, cookie)
    const { verifier, challenge } = pkce()
    this.#app = app
    this.verifier = verifier
    this.#challenge = challenge
  }

  async ask(parameters: Form = {}): Promise<string> {
    const query = {
      response_type: 'code',
      client_id: this.#app.id,
      redirect_uri: this.#app.redirectUri,
      scope: 'openid offline_access',
      code_challenge: this.#challenge,
      code_challenge_method: 'S256',
      ...parameters,
    }
    return (await this.open(`/oauth2/authorize?${encode(query)}`)).headers.get('location') ?? ''
  }

  /** Sends a code of the second factor at the page that the browser was sent to. @returns where the browser is sent next */
  async prove(page: string, code: string): Promise<string> {
    const { body, headers } = await this.submit(page, { code })
    return headers.get('location') ?? (/content="0;url=([^"]*)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
  }

  /** Answers the page that the browser was sent to with a passkey. @returns where the browser is sent next */
  async provePasskey(page: string, device: PasskeyDevice): Promise<string> {
    const form = await this.passkeyForm(page)
    if (!form) throw new Error(`It asks for no passkey: ${page}`)
    const { action, options, formToken, flowToken } = form
    const credential = JSON.stringify(device.get(options))
    const { body, headers } = await this.submit(action, { formToken, flowToken, credential })
    return headers.get('location') ?? (/content="0;url=([^"]*)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
  }

  /** The tokens of the code in a response of the authorization endpoint. */
  async redeem(location: string) {
    const code = new URL(location).searchParams.get('code')
    if (!code) throw new Error(`No code came back: ${location}`)
    const { status, body } = await this.#app.redeem(code, this.verifier)
    expect(status).toBe(200)
    return { ...body, id: claimsOf(body.id_token), access: claimsOf(body.access_token) }
  }
}

const errorOf = (location: string) => new URL(location, service().origin).searchParams.get('error')
const auditOf = async (owner: SignedInUser) => (await owner.audit({ action: 'session.stepped_up' })) as Record<string, unknown>[]
const sessionOf = async ({ organisation }: TestApplication) =>
  service()
    .database.tenant(organisation.id)
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', organisation.owner.sessionId)
    .executeTakeFirstOrThrow()

describe('a request that names a level in acr_values', () => {
  it('gets what the session has, and the tokens name it', async () => {
    const app = await givenApplication(service())
    const browser = new AskingBrowser(app)

    const tokens = await browser.redeem(await browser.ask({ acr_values: 'aal1' }))

    expect(tokens.id).toMatchObject({ acr: 'aal1', amr: ['pwd'] })
    expect(tokens.access).toMatchObject({ acr: 'aal1', amr: ['pwd'], auth_time: tokens.id.auth_time })
    expect((await app.introspect(tokens.access_token)).body).toMatchObject({
      active: true,
      acr: 'aal1',
      amr: ['pwd'],
      auth_time: tokens.id.auth_time,
    })
  })

  it('upgrades the session in place, under another cookie', async () => {
    const { app, owner, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    const before = await sessionOf(app)
    service().clock.advance({ seconds: 90 })

    expect(await browser.ask({ acr_values: 'aal2', ui_locales: 'de' })).toMatch(
      /^\/login\/mfa\?for=session&level=aal2&returnTo=%2Foauth2%2F[^&]*&ui_locales=de$/,
    )
    const page = await browser.ask({ acr_values: 'aal2' })
    expect(page).toMatch(/^\/login\/mfa\?for=session&level=aal2&returnTo=/)
    const shown = await browser.open(page)
    expect(shown).toMatchObject({ status: 200, body: expect.stringContaining('This application asks you to verify once more') })
    const next = await browser.prove(page, authenticator.nextCode())
    expect(next).toMatch(/^\/oauth2\/authorize\?request=/)
    const tokens = await browser.redeem((await browser.open(next)).headers.get('location') ?? '')

    expect(tokens.id).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'], sid: before.id })
    expect(tokens.access).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'], auth_time: tokens.id.auth_time })
    const after = await sessionOf(app)
    // The first factor was not repeated.
    expect(after).toMatchObject({ authenticatedAt: before.authenticatedAt, expiresAt: before.expiresAt, awaitsMfaEnrolment: false })
    expect(tokens.id.auth_time).toBe(Math.floor(before.authenticatedAt.getTime() / 1_000))
    expect(after.tokenHash).not.toBe(before.tokenHash)
    const proven = readFactors(after.provenFactors, { authenticationMethods: [], provenAt: before.authenticatedAt })
    expect(proven.map(({ factor }) => factor)).toEqual(['password', 'totp'])
    // The former cookie no longer works.
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    const admin = await service().given.organisation()
    expect(await auditOf(admin.owner)).toEqual([])
    const entries = await service()
      .database.tenant(app.organisation.id)
      .selectFrom('auditLogs')
      .select(['targetId', 'metadata'])
      .where('action', '=', 'session.stepped_up')
      .execute()
    expect(entries).toMatchObject([{ targetId: before.id, metadata: { factor: 'totp', level: 'aal2' } }])
  })

  it('does not ask again for what the session has proven', async () => {
    const { app, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    await browser.prove(await browser.ask({ acr_values: 'aal2' }), authenticator.nextCode())

    const tokens = await browser.redeem(await browser.ask({ acr_values: 'aal2', prompt: 'none' }))

    expect(tokens.id.acr).toBe('aal2')
    // A lower level is named as it was asked for: an API compares it.
    expect((await browser.redeem(await browser.ask({ acr_values: 'aal1' }))).access.acr).toBe('aal1')
  })

  it('takes a backup code, once', async () => {
    const { app, backupCodes } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    const next = await browser.prove(await browser.ask({ acr_values: 'aal2' }), backupCodes[0] ?? '')

    const tokens = await browser.redeem((await browser.open(next)).headers.get('location') ?? '')

    expect(tokens.id).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'] })
  })

  it('shows the form again after a wrong code, and leaves the session as it was', async () => {
    const { app, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    const before = await sessionOf(app)

    const refused = await browser.submit(await browser.ask({ acr_values: 'aal2' }), { code: authenticator.wrongCode() })

    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('This code is wrong or has been used') })
    expect(await sessionOf(app)).toEqual(before)
  })

  it('reaches the first of several levels that can be reached', async () => {
    const { app, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    const page = await browser.ask({ acr_values: 'phrh phr aal2 aal1' })
    expect(page).toContain('level=aal2')

    // Without a page, the first that is there.
    expect((await browser.redeem(await browser.ask({ acr_values: 'phr aal2 aal1', prompt: 'none' }))).id.acr).toBe('aal1')
    await browser.prove(page, authenticator.nextCode())
    expect((await browser.redeem(await browser.ask({ acr_values: 'phr aal2 aal1', prompt: 'none' }))).id.acr).toBe('aal2')
  })

  it.each([
    ['nothing is enrolled for it', 'aal2', false, undefined],
    ['no factor of the user reaches it', 'phr', true, undefined],
    ['it takes a page and none may be shown', 'aal2', true, 'none'],
  ])('fails with unmet_authentication_requirements where %s', async (_, level, enrolled, prompt) => {
    const app = await givenApplication(service())
    if (enrolled) await enrolAuthenticator(app.organisation.owner, service().clock)
    const browser = new AskingBrowser(app)
    const before = await sessionOf(app)

    const location = await browser.ask({ acr_values: level, prompt, state: 'xyz' })

    expect(errorOf(location)).toBe('unmet_authentication_requirements')
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({ state: 'xyz', iss: 'http://gatehouse.test' })
    const reference = /\((\S+)\)$/.exec(new URL(location).searchParams.get('error_description') ?? '')?.[1]
    if (reference) {
      const { body } = await app.organisation.owner.get(`/v1/admin/diagnostics/${reference}`)
      expect(JSON.stringify(body)).toContain('acr_values')
    }
    expect(await sessionOf(app)).toEqual(before)
  })

  it('fails with login_required without a session and a page', async () => {
    const app = await givenApplication(service())
    const location = await new AskingBrowser(app, 'svc_session=none').ask({ acr_values: 'aal2', prompt: 'none' })
    expect(errorOf(location)).toBe('login_required')
  })

  it('is no error where it names no level that there is, and gets what there is', async () => {
    const app = await givenApplication(service())
    const browser = new AskingBrowser(app)
    const tokens = await browser.redeem(await browser.ask({ acr_values: 'urn:mace:incommon:iap:silver' }))
    expect(tokens.id.acr).toBe('aal1')
    expect(tokens.access.acr).toBe('aal1')
  })

  it('signs in first, and asks for nothing more when that suffices', async () => {
    const { app, owner, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app, 'svc_session=none')
    const login = await browser.ask({ acr_values: 'aal2' })
    expect(login).toMatch(/^\/login\?/)
    const second = (await browser.submit(login, { email: owner.email, password: owner.password })).headers.get('location') ?? ''
    expect(second).toMatch(/^\/login\/mfa\?returnTo/)

    const next = await browser.prove(second, authenticator.nextCode())

    expect((await browser.redeem((await browser.open(next)).headers.get('location') ?? '')).id.acr).toBe('aal2')
  })

  it('refuses acr_values that are sent twice or hold control characters', async () => {
    const app = await givenApplication(service())
    const query = encode({ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, code_challenge: 'x'.repeat(43) })
    for (const more of ['acr_values=aal1&acr_values=aal2', 'acr_values=aal1%00']) {
      expect(callbackOf(await app.organisation.owner.get(`/oauth2/authorize?${query}&${more}`)).get('error')).toBe('invalid_request')
    }
  })
})

describe('a session that began with a passkey', () => {
  it('has phr, by a passkey that is synced or not', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const device = new PasskeyDevice()
    const { isSynced } = await registerPasskey(owner, device)
    const login = await tryPasskey(service().anonymous, device)
    const browser = new AskingBrowser(app, cookieOf(login))

    const tokens = await browser.redeem(await browser.ask({ acr_values: 'phr aal1' }))
    expect(tokens.access).toMatchObject({ acr: 'phr', amr: [isSynced ? 'swk' : expect.any(String), 'user', 'mfa'] })
    // A session of the same user by password is short of it.
    expect(await new AskingBrowser(app).ask({ acr_values: 'phr' })).toMatch(/^\/login\/mfa\?for=session&level=phr/)
    // Without a request acr is as ever.
    expect((await browser.redeem(await browser.ask())).id.acr).toBe('aal2')
  })
})

describe('a session that began with a password', () => {
  const aUserWith = async (device: PasskeyDevice, policy: Record<string, unknown> = {}) => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'], signInPolicy: policy })
    const passkey = await registerPasskey(owner, device)
    return { app, owner, passkey, browser: new AskingBrowser(app) }
  }
  const resume = async (browser: AskingBrowser, next: string) => (await browser.open(next)).headers.get('location') ?? ''

  it.each([
    ['phr', true, 'phr', 'swk'],
    ['phr', false, 'phr', 'hwk'],
    ['phrh', false, 'phrh', 'hwk'],
    ['aal2', true, 'aal2', 'swk'],
  ])('is raised to %s in place by a passkey (synced: %s)', async (level, syncs, acr, amr) => {
    const device = new PasskeyDevice({ syncs })
    const { app, owner, passkey, browser } = await aUserWith(device)
    const before = await sessionOf(app)
    service().clock.advance({ seconds: 90 })

    const page = await browser.ask({ acr_values: level })
    expect(page).toMatch(new RegExp(`^/login/mfa\\?for=session&level=${level}&returnTo=`))
    const shown = await browser.open(page)
    expect(shown.body).toContain('This application asks you to verify once more')
    expect(shown.body).toContain('To use a passkey, allow JavaScript for this page')
    expect(shown.body).not.toContain('name="code"')
    const { options } = (await browser.passkeyForm(page)) ?? {}
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [{ type: 'public-key' }] })
    const tokens = await browser.redeem(await resume(browser, await browser.provePasskey(page, device)))

    expect(tokens.id).toMatchObject({ acr, amr: ['pwd', amr, 'user', 'mfa'], sid: before.id })
    const after = await sessionOf(app)
    // A passkey begins a sign-in.
    expect(after.authenticatedAt.getTime() - before.authenticatedAt.getTime()).toBeGreaterThanOrEqual(90_000)
    expect(tokens.access.auth_time).toBe(Math.floor(after.authenticatedAt.getTime() / 1_000))
    expect(after.tokenHash).not.toBe(before.tokenHash)
    expect(after).toMatchObject({ expiresAt: before.expiresAt, reauthenticatedWith: expect.stringMatching(/^verified_/) })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    const entries = await service()
      .database.tenant(app.organisation.id)
      .selectFrom('auditLogs')
      .select('metadata')
      .where('action', '=', 'session.stepped_up')
      .execute()
    const reached = syncs ? 'phr' : 'phrh'
    expect(entries).toMatchObject([{ metadata: { factor: after.reauthenticatedWith, passkeyId: passkey.id, level: reached } }])
  })

  it.each([
    ['the passkey may be copied and phrh is asked for', 'phrh', {}, {}],
    ['the passkey has not verified its user', 'phr', { verifiesUser: false }, {}],
    ['the passkey alone does not suffice for it', 'phr', {}, { passkeySatisfiesMfa: false }],
  ])('gets unmet_authentication_requirements where %s', async (_, level, options, policy) => {
    const { app, owner, browser } = await aUserWith(new PasskeyDevice(options), policy)
    const before = await sessionOf(app)
    expect(errorOf(await browser.ask({ acr_values: level }))).toBe('unmet_authentication_requirements')
    expect(await sessionOf(app)).toEqual(before)
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })
    expect(errorOf(await browser.ask({ acr_values: 'phr' }))).toBe('unmet_authentication_requirements')
  })

  it('is asked for a passkey, then for a code, where a passkey does not stand for both', async () => {
    const device = new PasskeyDevice()
    const { owner, browser } = await aUserWith(device, { passkeySatisfiesMfa: false })
    const { authenticator } = await enrolAuthenticator(owner, service().clock)

    const first = await browser.ask({ acr_values: 'phr' })
    const second = await resume(browser, await browser.provePasskey(first, device))
    expect(second).toMatch(/level=phr/)
    expect((await browser.open(second)).body).toContain('name="code"')
    const tokens = await browser.redeem(await resume(browser, await browser.prove(second, authenticator.nextCode())))

    expect(tokens.id).toMatchObject({ acr: 'phr', amr: ['pwd', 'swk', 'user', 'otp', 'mfa'] })
  })

  it('is raised to aal2 by a passkey that is a second factor only', async () => {
    const device = new PasskeyDevice({ verifiesUser: false })
    const { owner, browser } = await aUserWith(device)
    await enrolPasskey(owner, device)

    const page = await browser.ask({ acr_values: 'phr aal2' })
    expect(page).toContain('level=aal2')
    const tokens = await browser.redeem(await resume(browser, await browser.provePasskey(page, device)))

    expect(tokens.id).toMatchObject({ acr: 'aal2', amr: ['pwd', 'swk', 'user', 'mfa'] })
  })

  it('stays as it is after a response to another challenge, of another user, or without verification', async () => {
    const device = new PasskeyDevice()
    const { app, owner, browser } = await aUserWith(device)
    const stranger = await aUserWith(new PasskeyDevice())
    const before = await sessionOf(app)
    const page = await browser.ask({ acr_values: 'phr' })
    const { formToken, flowToken, options } = (await browser.passkeyForm(page)) ?? { formToken: '', flowToken: '', options: {} }
    const other = (await owner.post('/v1/me/reauthenticate/options')).body
    const foreign = (await stranger.browser.passkeyForm(await stranger.browser.ask({ acr_values: 'phr' }))) ?? {
      flowToken: '',
      options: {},
    }
    const unverified = new PasskeyDevice({ verifiesUser: false })
    await registerPasskey(owner, unverified)

    for (const [proof, credential] of [
      [other.flowToken, device.get(other.options)],
      [flowToken, device.get(other.options)],
      [foreign.flowToken, device.get({ ...(foreign.options as object), allowCredentials: [] })],
      [flowToken, unverified.get({ ...(options as object), allowCredentials: [], userVerification: 'discouraged' })],
    ]) {
      const refused = await browser.submit(page, { formToken, flowToken: proof, credential: JSON.stringify(credential) })
      expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('This passkey was not recognised') })
    }
    expect((await sessionOf(app)).tokenHash).toBe(before.tokenHash)
    // The challenge is still good: nothing has used it up.
    const right = { formToken, flowToken, credential: JSON.stringify(device.get(options)) }
    expect((await browser.submit(page, right)).body).toContain('url=/oauth2/authorize')
  })
})

describe('the family of a stepped-up sign-in', () => {
  it('names the level in every access token of it, and keeps it when the session rises', async () => {
    const { app, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    const first = await browser.redeem(await browser.ask({ acr_values: 'aal1' }))
    await browser.prove(await browser.ask({ acr_values: 'aal2' }), authenticator.nextCode())

    const { body } = await app.refresh(first.refresh_token)

    expect(claimsOf(body.access_token)).toMatchObject({ acr: 'aal1', amr: ['pwd'], auth_time: first.id.auth_time })
    expect(claimsOf(body.id_token)).toMatchObject({ acr: 'aal1', amr: ['pwd'] })
  })

  it('is that of an earlier session once it has ended', async () => {
    const { app, authenticator } = await aUserAtLevelOne()
    const browser = new AskingBrowser(app)
    const page = await browser.ask({ acr_values: 'aal2' })
    await app.organisation.owner.post('/v1/auth/logout')

    const answer = await browser.submit(page, { code: authenticator.nextCode() })

    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/login\?/)])
  })
})

describe('a request that names max_age', () => {
  it('gets access tokens that say when and how the user signed in', async () => {
    const app = await givenApplication(service())
    const browser = new AskingBrowser(app)
    const tokens = await browser.redeem(await browser.ask({ max_age: '3600' }))
    expect(tokens.access).toMatchObject({ acr: 'aal1', amr: ['pwd'], auth_time: tokens.id.auth_time })
  })

  it('signs in anew when the session is older, also when it has the level', async () => {
    const { app } = await aUserAtLevelOne()
    service().clock.advance({ seconds: 61 })
    const location = await new AskingBrowser(app).ask({ acr_values: 'aal1', max_age: '60' })
    expect(location).toMatch(/^\/login\?.*prompt=login/)
  })
})

describe('defaultAcrValues of a client', () => {
  it('are tried for where the request names no level', async () => {
    const { app, authenticator } = await aUserAtLevelOne({ defaultAcrValues: ['phr', 'aal2'] })
    const browser = new AskingBrowser(app)
    const page = await browser.ask()
    expect(page).toMatch(/^\/login\/mfa\?for=session&level=aal2/)
    await browser.prove(page, authenticator.nextCode())
    expect((await browser.redeem(await browser.ask())).access.acr).toBe('aal2')
    // What a request names counts instead.
    expect((await browser.redeem(await browser.ask({ acr_values: 'aal1' }))).access.acr).toBe('aal1')
  })

  it('are voluntary: without them there is what there is', async () => {
    const app = await givenApplication(service(), { defaultAcrValues: ['phrh'] })
    const browser = new AskingBrowser(app)
    expect((await browser.redeem(await browser.ask())).id.acr).toBe('aal1')
    expect((await browser.redeem(await browser.ask({ prompt: 'none' }))).id.acr).toBe('aal1')
  })

  it('are in the record, and can be taken away', async () => {
    const app = await givenApplication(service(), { defaultAcrValues: ['aal2', 'aal2'] })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    expect((await owner.get(path)).body.defaultAcrValues).toEqual(['aal2'])
    expect((await owner.patch(path, { defaultAcrValues: null })).body.defaultAcrValues).toBeNull()
    for (const defaultAcrValues of [[], ['gold'], 'aal2'])
      expect(await owner.patch(path, { defaultAcrValues })).toMatchObject({
        status: 400,
        body: { errors: [{ path: expect.arrayContaining(['defaultAcrValues']) }] },
      })
  })
})

describe('twenty upgrades of one session at once', () => {
  const race = async (codeFor: (index: number, backupCodes: string[], authenticator: Authenticator) => string) => {
    const { app, authenticator, backupCodes } = await aUserAtLevelOne()
    const page = await new AskingBrowser(app).ask({ acr_values: 'aal2' })
    const { cookie } = app.organisation.owner
    const answers = await twentyAtOnce([service().origin], page, cookie, (index) => ({ code: codeFor(index, backupCodes, authenticator) }))
    return { app, answers }
  }
  const raceByPasskey = async (fieldsFor: (device: PasskeyDevice, form: PasskeyForm, index: number) => Record<string, string>) => {
    const app = await givenApplication(service())
    const device = new PasskeyDevice({ signCounterIncrement: 0 })
    await registerPasskey(app.organisation.owner, device)
    const page = await new AskingBrowser(app).ask({ acr_values: 'phr' })
    const { cookie } = app.organisation.owner
    const answers = await twentyAtOnce([service().origin], page, cookie, (index, form) => fieldsFor(device, form as PasskeyForm, index))
    return { app, answers }
  }
  const entriesOf = async ({ organisation }: TestApplication) =>
    service().database.tenant(organisation.id).selectFrom('auditLogs').select('id').where('action', '=', 'session.stepped_up').execute()

  const wrongCodesOf = async ({ organisation }: TestApplication) => {
    const users = service().database.tenant(organisation.id).selectFrom('users').select('wrongCodes')
    return (await users.where('id', '=', organisation.owner.id).executeTakeFirstOrThrow()).wrongCodes
  }

  it('with one code have one winner, who gets the cookie', async () => {
    let code: string | undefined
    const { app, answers } = await race((_, __, authenticator) => (code ??= authenticator.nextCode()))
    expect(answers.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1)
    expect((await sessionOf(app)).authenticationMethods).toEqual(['pwd', 'otp', 'mfa'])
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect(await wrongCodesOf(app)).toBe(0)
  })

  it('with a backup code each have one winner, and use up one code', async () => {
    const { app, answers } = await race((index, backupCodes) => backupCodes[index % backupCodes.length] ?? '')
    expect(answers.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1)
    const left = await service().database.tenant(app.organisation.id).selectFrom('mfaBackupCodes').select('codeHash').execute()
    expect(left).toHaveLength(9)
    expect(await wrongCodesOf(app)).toBe(0)
  })

  it('with one response of a passkey, and with one each, have one winner', async () => {
    let first: Record<string, string> | undefined
    const fieldsOf = (device: PasskeyDevice, { flowToken, options }: PasskeyForm) => ({
      flowToken,
      credential: JSON.stringify(device.get(options)),
    })
    for (const fieldsFor of [(device: PasskeyDevice, form: PasskeyForm) => (first ??= fieldsOf(device, form)), fieldsOf]) {
      const { app, answers } = await raceByPasskey(fieldsFor)
      expect(answers.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1)
      expect(answers.every(({ status }) => status < 500)).toBe(true)
      expect((await sessionOf(app)).authenticationMethods).toEqual(['pwd', 'swk', 'user', 'mfa'])
      expect(await entriesOf(app)).toHaveLength(1)
    }
  })
})

describe('without the extension', () => {
  it('a level is an unknown parameter, and a client cannot have one by default', async () => {
    const without = await startTestService()
    try {
      const app = await givenApplication(without)
      const tokens = await app.signIn({ scope: 'openid', acr_values: 'phrh', max_age: '3600' })
      expect(claimsOf(tokens.id_token).acr).toBe('aal1')
      for (const name of ['acr', 'amr', 'auth_time']) expect(claimsOf(tokens.access_token)).not.toHaveProperty(name)
      const { body } = await app.introspect(tokens.access_token)
      for (const name of ['acr', 'amr', 'auth_time']) expect(body).not.toHaveProperty(name)
      // Not even malformed.
      const twice = await app.code({ scope: 'openid', acr_values: 'a\nb' })
      expect(twice.code).toBeTruthy()

      const { owner } = app.organisation
      const refused = {
        status: 400,
        body: {
          code: 'extension-needed',
          errors: [{ code: 'custom', path: ['defaultAcrValues'], message: 'Needs OAUTH_EXTENSIONS to hold step_up' }],
        },
      }
      const registration = { name: 'Portal', clientType: 'public', defaultAcrValues: ['aal2'] }
      expect(await owner.post('/v1/admin/clients', registration)).toMatchObject(refused)
      expect(await owner.patch(`/v1/admin/clients/${app.id}`, { defaultAcrValues: ['aal2'] })).toMatchObject(refused)
      expect((await owner.get('/v1/admin/clients')).body.data).toHaveLength(1)
      expect(await owner.patch(`/v1/admin/clients/${app.id}`, { defaultAcrValues: null })).toMatchObject({ status: 200 })
      // What was set while the extension was on stays, is shown, and may be sent unchanged; it does nothing.
      await without.database
        .tenant(app.organisation.id)
        .updateTable('clients')
        .set({ defaultAcrValues: ['aal2'] })
        .execute()
      expect(await owner.patch(`/v1/admin/clients/${app.id}`, { name: 'Renamed', defaultAcrValues: ['aal2'] })).toMatchObject({
        status: 200,
        body: { defaultAcrValues: ['aal2'] },
      })
      expect(claimsOf((await app.signIn({ scope: 'openid' })).access_token)).not.toHaveProperty('acr')

      const page = await new PageVisitor(without.origin, owner.cookie).open('/login/mfa?for=session&returnTo=/account')
      expect([page.status, page.headers.get('location')]).toEqual([303, '/login?returnTo=%2Faccount'])
    } finally {
      await without.stop()
    }
  })
})
