import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryStore } from '../../packages/web/src/index.ts'
import { bringLogoutsForward } from '../../src/backchannel-logout/claim.ts'
import { noticeEndedSessions, removeOldLogouts } from '../../src/backchannel-logout/notice-ended-sessions.ts'
import { logoutDelivery, worldOf } from '../http/world.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { askOnDevice, decideOnDevice, deviceGrant, poll } from '../support/devices.ts'
import { givenDirectory, operations, person } from '../support/directories.ts'
import { userByConnection } from '../support/federation.ts'
import { freePort } from '../support/free-port.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { listeningProvider } from '../support/identity-provider.ts'
import { claimsOf, givenApplication, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { type Hook, type ReceivedRequest, useReceiver } from '../support/receiver.ts'
import { type TestService, useService } from '../support/service.ts'
import { givenWeb, WebBrowser } from '../support/web-application.ts'

const receiver = await useReceiver()
const environment = { OAUTH_EXTENSIONS: 'backchannel_logout,device', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true', RATE_LIMIT: 'off' }
const service = useService({ environment, webhooks: receiver.reachable })
/** Its clock moves far. */
const later = useService({ environment, webhooks: receiver.reachable, ofItsOwn: true })
const setBack = useService({ environment, webhooks: receiver.reachable, ofItsOwn: true })
const closed = useService({ environment: { ...environment, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'false' }, webhooks: receiver.reachable })
const without = useService()
const port = await freePort()
/** What an application reaches by the network. */
const listening = useService({
  environment: { ...environment, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
  webhooks: receiver.reachable,
})

const event = 'http://schemas.openid.net/event/backchannel-logout'
const offline = { scope: 'openid offline_access' }

interface Told {
  app: TestApplication
  hook: Hook
}

/** An application with an address for logout tokens. */
async function told(fields: Registration & { organisation?: TestOrganisation } = {}, at = service()): Promise<Told> {
  const hook = receiver.hook()
  return { hook, app: await givenApplication(at, { backchannelLogoutUri: hook.url, ...fields }) }
}

/** The claims of a logout token, checked as an application has to (OpenID Connect Back-Channel Logout 1.0 §2.6). */
async function read({ headers, body }: ReceivedRequest, { id }: TestApplication, at = service()) {
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  const form = [...new URLSearchParams(body)]
  expect(form.map(([name]) => name)).toEqual(['logout_token'])
  const keys = createLocalJWKSet((await at.anonymous.get('/oauth2/jwks.json')).body)
  return jwtVerify(form[0]?.[1] ?? '', keys, {
    ...{ typ: 'logout+jwt', issuer: 'http://gatehouse.test', audience: id, currentDate: at.clock.now(), maxTokenAge: 120 },
    requiredClaims: ['iat', 'exp', 'jti', 'events', 'sub', 'sid'],
  })
}

/** The sessions that the application has been told of, in the order of their ids. */
async function sessionsTold({ hook, app }: Told, at = service()): Promise<unknown[]> {
  await at.deliverDueWebhooks()
  const tokens = await Promise.all(hook.requests.map((request) => read(request, app, at)))
  return tokens.map(({ payload }) => payload.sid).sort()
}

const deliveriesOf = async (admin: HttpClient, app: TestApplication, query = '') =>
  (await admin.get(`/v1/admin/clients/${app.id}/logout-deliveries${query}`)).body.data

describe('a logout token', () => {
  it.each(['EdDSA', 'RS256'] as const)('is signed by %s as ID tokens are, and names the session and its user', async (algorithm) => {
    service().clock.stop()
    const { app, hook } = await told({ idTokenSignedResponseAlg: algorithm })
    const { owner } = app.organisation
    const { id_token } = await app.signIn({ scope: 'openid', nonce: 'n-1' })
    const now = Math.floor(service().clock.now().getTime() / 1_000)

    expect((await owner.post('/v1/auth/logout')).status).toBeLessThan(300)
    const { payload, protectedHeader } = await read(await hook.request(), app)

    expect(protectedHeader).toEqual({ alg: algorithm, typ: 'logout+jwt', kid: expect.any(String) })
    const { sub, sid } = claimsOf(id_token)
    expect(payload).toEqual({
      ...{ iss: 'http://gatehouse.test', aud: app.id, iat: now, exp: now + 120, sub, sid },
      jti: expect.stringMatching(/^lgd_[0-9a-z]{26}$/),
      events: { [event]: {} },
    })
  })

  it('is taken for no ID token: as a hint at the end of a session it names no user', async () => {
    const { app, hook } = await told()
    await app.signIn({ scope: 'openid' })
    await app.organisation.owner.post('/v1/auth/logout')
    const token = new URLSearchParams((await hook.request()).body).get('logout_token') ?? ''
    const again = await service().given.signIn(app.organisation.owner.email)
    expect((await again.get(`/oauth2/logout?${new URLSearchParams({ id_token_hint: token })}`)).headers.get('location')).toBeNull()
    expect(await again.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('ends the session of an application that uses @gatehouse-iam/web, and no other', async () => {
    const hook = receiver.hook()
    const { app, web } = await givenWeb(listening(), { backchannelLogoutUri: hook.url, options: { sessionStore: memoryStore() } })
    const { owner } = app.organisation
    const [browser, other] = [new WebBrowser(web, owner), new WebBrowser(web, await listening().given.signIn(owner.email))]
    for (const one of [browser, other]) await one.signIn()

    await owner.post('/v1/auth/logout')
    const { body, headers } = await hook.request()
    const request = new Request('https://app.example.test/auth/backchannel-logout', {
      method: 'POST',
      headers: { 'content-type': headers['content-type'] as string },
      body,
    })

    expect((await web.handle(request))?.status).toBe(200)
    expect(await browser.session()).toBeNull()
    expect((await other.session())?.user.id).toBe(owner.id)
  })

  it('goes to each application that has got tokens by the session, and to no other', async () => {
    const first = await told()
    const { organisation } = first.app
    const [second, unused] = [await told({ organisation }), await told({ organisation })]
    const other = await service().given.signIn(organisation.owner.email)
    for (const { app } of [first, first, second]) await app.signIn()
    await first.app.signIn({}, other)
    await unused.app.code()

    await organisation.owner.post('/v1/auth/logout')

    expect(await sessionsTold(first)).toEqual([organisation.owner.sessionId])
    expect(await sessionsTold(second)).toEqual([organisation.owner.sessionId])
    expect(await sessionsTold(unused)).toEqual([])
  })

  it('leaves refresh tokens alone, unless the application has what it holds end with the session', async () => {
    const kept = await told()
    const { organisation } = kept.app
    const ended = await told({ organisation, backchannelLogoutRevokesRefresh: true })
    const other = await service().given.signIn(organisation.owner.email)
    const [mine, theirs, others] = [await kept.app.signIn(offline), await ended.app.signIn(offline), await ended.app.signIn(offline, other)]
    const { code, verifier } = await ended.app.code(offline)

    await organisation.owner.post('/v1/auth/logout')

    expect(await kept.app.refresh(mine.refresh_token)).toMatchObject({ status: 200 })
    expect(await ended.app.refresh(theirs.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await ended.app.introspect(theirs.access_token)).body).toEqual({ active: false })
    expect(await ended.app.redeem(code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await ended.app.refresh(others.refresh_token)).toMatchObject({ status: 200 })
  })
})

const newPassword = 'another horse battery'

/** What ends the session of a user. */
type Cause = (organisation: TestOrganisation, user: SignedInUser, app: TestApplication) => Promise<unknown>

const causes: [string, Cause][] = [
  ['signs out', (_, user) => user.post('/v1/auth/logout')],
  [
    'signs out by the application',
    async (_, user, app) =>
      user.get(`/oauth2/logout?${new URLSearchParams({ id_token_hint: (await app.signIn({ scope: 'openid' }, user)).id_token })}`),
  ],
  ['ends the session in the account', (_, user) => user.delete(`/v1/me/sessions/${user.sessionId}`)],
  ['ends the other sessions, of which it is one', async (_, user) => (await service().given.signIn(user.email)).delete('/v1/me/sessions')],
  [
    'has a session that an administrator ends',
    ({ owner }, { id, sessionId }) => owner.delete(`/v1/admin/users/${id}/sessions/${sessionId}`),
  ],
  ['has sessions that an administrator ends all at once', ({ owner }, { id }) => owner.delete(`/v1/admin/users/${id}/sessions`)],
  ['is blocked', ({ owner }, { id }) => owner.patch(`/v1/admin/users/${id}`, { blockedAt: '2026-01-31T09:30:00Z' })],
  ['is deleted', ({ owner }, { id }) => owner.delete(`/v1/admin/users/${id}`)],
  ['is erased', (organisation, { id }) => service().operator.post(`/v1/system/organisations/${organisation.id}/users/${id}/erase`)],
  [
    'loses the second factor',
    async ({ owner }, user) => {
      await enrolAuthenticator(user, service().clock)
      return owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: false })
    },
  ],
  [
    'sets a password by a link',
    async (_, { email }) => {
      await service().anonymous.post('/v1/auth/password/forgot', { email })
      const token = await service().mailbox.tokenTo(email, 'Choose a new password')
      return service().anonymous.post('/v1/auth/password/reset', { token, password: newPassword })
    },
  ],
  [
    'changes the password in another session',
    async (_, user) => {
      const other = await service().given.signIn(user.email)
      return other.post('/v1/me/password', { currentPassword: user.password, newPassword })
    },
  ],
  [
    'belongs to an organisation that is suspended',
    ({ id }) => service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' }),
  ],
]

describe('an application is told of the end of the session', () => {
  it.each(causes)('when its user %s', async (_, cause) => {
    const { app, hook } = await told()
    const user = await service().given.userWith(app.organisation.owner, [])
    await app.signIn({}, user)
    expect(await cause(app.organisation, user, app)).toMatchObject({ status: expect.toSatisfy((status: number) => status < 400) })
    expect(await sessionsTold({ app, hook })).toEqual([user.sessionId])
    expect((await read(await hook.request(), app)).payload.sub).toBe(user.id)
  })

  it('when its user is deactivated by a directory', async () => {
    const { app, hook } = await told()
    const directory = await givenDirectory(service(), { organisation: app.organisation })
    const account = await service().given.user(app.organisation.owner, { email: directory.address() })
    const adopted = await directory.scim.post('/Users', person(account.email))
    expect(adopted).toMatchObject({ status: 201, body: { id: account.id } })
    await service().anonymous.post('/v1/auth/password/forgot', { email: account.email })
    await service().given.setPassword(account.email, newPassword, 'Choose a new password')
    const user = await service().given.signIn(account.email, newPassword)
    await app.signIn({}, user)
    await directory.scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: false }))
    expect(await sessionsTold({ app, hook })).toEqual([user.sessionId])
  })

  it('when an identity provider ends the session there by which it began', async () => {
    const { app, hook } = await told()
    const provider = await listeningProvider({ now: () => service().clock.now() })
    onTestFinished(() => provider.close())
    const { connectionId, browser, subject } = await userByConnection(service(), provider, { application: app })
    const { id_token } = await app.signIn({ scope: 'openid' }, browser)
    const now = Math.floor(service().clock.now().getTime() / 1_000)
    provider.behaviour.header = { typ: 'logout+jwt' }
    const theirs = {
      iss: provider.issuer,
      aud: 'gatehouse',
      iat: now,
      exp: now + 120,
      jti: unique(),
      events: { [event]: {} },
      sub: subject,
    }
    const token = await provider.sign(theirs)

    const path = `/federation/${connectionId}/backchannel-logout`
    expect(await postForm(service().anonymous, path, { logout_token: token })).toMatchObject({ status: 200 })

    expect(await sessionsTold({ app, hook })).toEqual([claimsOf(id_token).sid])
  })

  it('in which its user has allowed a device', async () => {
    const { app, hook } = await told({ grantTypes: [deviceGrant] })
    const user = await service().given.userWith(app.organisation.owner, [])
    const codes = await askOnDevice(app, { scope: 'openid' })
    await decideOnDevice(user, codes, 'allow')
    expect(await poll(app, codes)).toMatchObject({ status: 200 })
    await user.post('/v1/auth/logout')
    expect(await sessionsTold({ app, hook })).toEqual([user.sessionId])
  })
})

describe('a session that ends by itself', () => {
  async function wait(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      later().clock.advance({ minutes: 1 })
      await noticeEndedSessions.run(later().database)
      await later().deliverDueWebhooks()
    }
  }

  /** Waits for a request, minute by minute, and at most this long. */
  async function waitForRequest({ requests }: Hook, minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes && requests.length === 0; minute++) await wait(1)
  }

  async function withSession(settings: Record<string, number>) {
    const organisation = await later().given.organisation()
    expect(await organisation.owner.patch('/v1/admin/organisation', settings)).toMatchObject({ status: 200 })
    const user = await later().given.userWith(organisation.owner, [])
    const application = await told({ organisation }, later())
    await application.app.signIn({}, user)
    return { ...application, user }
  }

  it('because it was idle is told of within minutes, and not while it is used', async () => {
    const { app, hook, user } = await withSession({ sessionIdleTimeout: 600 })
    for (let round = 0; round < 3; round++) {
      await wait(8)
      expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200 })
    }
    expect(hook.requests).toEqual([])
    await waitForRequest(hook, 10 + 5)
    expect(await sessionsTold({ app, hook }, later())).toEqual([user.sessionId])
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('because it has expired is told of within minutes, once', async () => {
    const { app, hook, user } = await withSession({ sessionLifetime: 300 })
    await wait(4)
    expect(hook.requests).toEqual([])
    await waitForRequest(hook, 6)
    expect(await sessionsTold({ app, hook }, later())).toEqual([user.sessionId])
    await wait(3)
    expect(hook.requests).toHaveLength(1)
  })

  it('or by its user while its code was on the way is told of after the code has been redeemed', async () => {
    const { app, hook } = await told({}, later())
    const { owner } = app.organisation
    const { code, verifier } = await app.code()
    await owner.post('/v1/auth/logout')
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
    expect(hook.requests).toEqual([])
    await waitForRequest(hook, 2)
    expect(await sessionsTold({ app, hook }, later())).toEqual([owner.sessionId])
  })
})

describe('the delivery of a logout token', () => {
  async function refusing(status: number) {
    const { app, hook } = await told({}, later())
    hook.answer = () => ({ status, body: 'no' })
    await app.signIn()
    const owner = await later().given.signIn(app.organisation.owner.email)
    await app.organisation.owner.post('/v1/auth/logout')
    await later().deliverDueWebhooks()
    return { app, hook, owner }
  }

  it.each([200, 204])('is done with %s', async (status) => {
    const { app, owner } = await refusing(status)
    expect(await deliveriesOf(owner, app)).toMatchObject([
      { status: 'delivered', attemptCount: 1, lastStatusCode: status, lastError: null, nextAttemptAt: null },
    ])
  })

  it('is over with 400, which says that the application never takes it', async () => {
    const { app, hook, owner } = await refusing(400)
    expect(await deliveriesOf(owner, app)).toMatchObject([
      { status: 'failed', attemptCount: 1, lastError: 'Response status 400', deliveredAt: null },
    ])
    later().clock.advance({ minutes: 20 })
    await later().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)
  })

  it.each([202, 302, 401, 500])(
    'is tried five times within a quarter of an hour while it gets %s, each with a token of its time',
    async (status) => {
      const { app, hook, owner } = await refusing(status)
      const begun = later().clock.now().getTime()
      const [first] = await deliveriesOf(owner, app, '?status=failing')
      expect(first).toMatchObject({ status: 'pending', lastError: `Response status ${status}` })
      const tokens = [await read(hook.requests[0] as ReceivedRequest, app, later())]
      for (let attempt = 2; attempt <= 5; attempt++) {
        const [{ nextAttemptAt }] = await deliveriesOf(owner, app)
        later().clock.advance({ milliseconds: Date.parse(nextAttemptAt) - later().clock.now().getTime() })
        await later().deliverDueWebhooks()
        tokens.push(await read((await hook.request(attempt)) as ReceivedRequest, app, later()))
      }
      expect(later().clock.now().getTime() - begun).toBeLessThan(15 * 60_000)
      expect(hook.requests).toHaveLength(5)
      expect(new Set(tokens.map(({ payload }) => payload.jti)).size).toBe(1)
      expect(new Set(tokens.map(({ payload }) => payload.iat)).size).toBe(5)
      expect(await deliveriesOf(owner, app, '?status=failed')).toMatchObject([{ attemptCount: 5, nextAttemptAt: null }])
      const details = await owner.get(`/v1/admin/clients/${app.id}/logout-deliveries/${first.id}`)
      expect(details.body.attempts.map((one: { status: number }) => one.status)).toEqual(Array(5).fill(status))
    },
  )

  it('waits no longer when the clock is set back', async () => {
    const { app, hook } = await told({}, setBack())
    const { owner } = app.organisation
    hook.answer = () => ({ status: 503 })
    const users = [await setBack().given.userWith(owner, []), await setBack().given.userWith(owner, [])] as const
    for (const user of users) await app.signIn({}, user)
    await users[0].post('/v1/auth/logout')
    await setBack().deliverDueWebhooks()
    hook.answer = () => ({ status: 200 })

    setBack().clock.advance({ hours: -1 })
    await bringLogoutsForward(setBack().database.system(), 30)
    setBack().clock.advance({ minutes: 9 })
    await setBack().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(2)
    await users[1].post('/v1/auth/logout')
    await setBack().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(3)
  })

  it('goes nowhere where webhooks do not go', async () => {
    const hook = receiver.hook()
    const app = await givenApplication(closed(), { backchannelLogoutUri: hook.url })
    await app.signIn()
    const owner = await closed().given.signIn(app.organisation.owner.email)
    await app.organisation.owner.post('/v1/auth/logout')
    await closed().deliverDueWebhooks()
    expect(hook.requests).toEqual([])
    expect(await deliveriesOf(owner, app)).toMatchObject([
      { status: 'pending', lastError: expect.stringContaining('localhost resolves to a loopback address') },
    ])
  })

  it('continues when the application is deleted, and ends when it has no address any more or its organisation is cancelled', async () => {
    const [deleted, silent, cancelled] = [await refusing(503), await refusing(503), await refusing(503)]
    await deleted.owner.delete(`/v1/admin/clients/${deleted.app.id}`)
    await silent.owner.patch(`/v1/admin/clients/${silent.app.id}`, { backchannelLogoutUri: null })
    await later().operator.delete(`/v1/system/organisations/${cancelled.app.organisation.id}`)
    later().clock.advance({ minutes: 1 })
    await later().deliverDueWebhooks()
    expect([deleted, silent, cancelled].map(({ hook }) => hook.requests.length)).toEqual([2, 1, 1])
    expect(await deliveriesOf(silent.owner, silent.app)).toMatchObject([{ status: 'failed', attemptCount: 1, nextAttemptAt: null }])
  })

  it('is shown with the claims of its tokens, and kept for 30 days', async () => {
    const { app, hook, owner } = await refusing(200)
    const [listed] = await deliveriesOf(owner, app)
    const { payload } = await read(hook.requests[0] as ReceivedRequest, app, later())
    const { iat, exp, ...claims } = payload
    const path = `/v1/admin/clients/${app.id}/logout-deliveries/${listed.id}`
    expect((await owner.get(path)).body).toEqual({
      ...listed,
      claims,
      attempts: [{ at: expect.any(String), status: 200, durationMs: expect.any(Number), error: null, response: 'no' }],
    })
    later().clock.advance({ days: 31 })
    await removeOldLogouts.run(later().database)
    const again = await later().given.signIn(owner.email)
    expect(await again.get(path)).toMatchObject({ status: 404, body: { code: 'delivery-not-found' } })
  })
})

describe('an administrator', () => {
  async function delivered() {
    const { app, hook } = await told()
    const user = await service().given.userWith(app.organisation.owner, [])
    await app.signIn({}, user)
    await user.post('/v1/auth/logout')
    await service().deliverDueWebhooks()
    const { owner } = app.organisation
    const [delivery] = await deliveriesOf(owner, app)
    return { app, hook, owner, user, delivery, path: `/v1/admin/clients/${app.id}/logout-deliveries` }
  }

  it('tells an application again, by a token with a jti of its own', async () => {
    const { app, hook, owner, user, delivery, path } = await delivered()
    const answer = await owner.post(`${path}/${delivery.id}/replay`)
    expect(answer).toMatchObject({ status: 202, body: { message: 'Delivery queued' } })
    const { payload } = await read(await hook.request(2), app)
    expect(payload).toMatchObject({ jti: answer.body.deliveryId, sid: user.sessionId, sub: user.id })
    expect(answer.body.deliveryId).not.toBe(delivery.id)
    const { data } = (await owner.get('/v1/admin/audit-logs?action=client.logout_replayed')).body
    expect(data).toMatchObject([{ targetId: app.id, metadata: { replayedDeliveryId: delivery.id, deliveryId: answer.body.deliveryId } }])
  })

  it('sends a test, whose session never was', async () => {
    const { app, hook, owner, path } = await delivered()
    const answer = await owner.post(`${path}/test`)
    expect(answer).toMatchObject({ status: 202 })
    const { body } = await hook.request(2)
    const claims = claimsOf(new URLSearchParams(body).get('logout_token') ?? '')
    expect(claims).toMatchObject({ aud: app.id, sid: expect.stringMatching(/^ses_/), events: { [event]: {} } })
    expect(claims).not.toHaveProperty('sub')
    expect((await owner.get(`${path}/${answer.body.deliveryId}`)).body).toMatchObject({ isTest: true, userId: null, sessionId: claims.sid })
  })

  it('is refused both for an application without an address', async () => {
    const { owner, app, delivery, path } = await delivered()
    await owner.patch(`/v1/admin/clients/${app.id}`, { backchannelLogoutUri: null })
    const refused = { status: 409, body: { code: 'client-without-logout-uri', detail: 'The client has no backchannelLogoutUri' } }
    expect(await owner.post(`${path}/test`)).toMatchObject(refused)
    expect(await owner.post(`${path}/${delivery.id}/replay`)).toMatchObject(refused)
  })

  it('finds no delivery of another application or organisation', async () => {
    const { owner, delivery, app } = await delivered()
    const other = await givenApplication(service(), { organisation: app.organisation })
    const stranger = await service().given.organisation()
    for (const [by, id] of [
      [owner, other.id],
      [stranger.owner, app.id],
    ] as const) {
      expect(await by.get(`/v1/admin/clients/${id}/logout-deliveries/${delivery.id}`)).toMatchObject({ status: 404 })
      expect(await by.post(`/v1/admin/clients/${id}/logout-deliveries/${delivery.id}/replay`)).toMatchObject({ status: 404 })
    }
  })

  it.each([
    ['http://portal.example.test/logout', 'uri-not-https'],
    ['http://localhost/logout', 'url-not-https'],
    ['com.example.app:/logout', 'url-not-https'],
    ['https://portal.example.test/logout#top', 'uri-with-fragment'],
    ['https://me@portal.example.test/logout', 'uri-with-credentials'],
    ['https://169.254.169.254/logout', 'logout-address-not-allowed'],
  ])('cannot set the address to %s', async (backchannelLogoutUri, reason) => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const refused = { status: 400, body: { errors: [{ path: ['backchannelLogoutUri'], reason }] } }
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { backchannelLogoutUri })).toMatchObject(refused)
    expect(
      await owner.post('/v1/admin/clients', {
        name: 'Portal',
        clientType: 'confidential',
        redirectUris: ['https://portal.example.test/'],
        backchannelLogoutUri,
      }),
    ).toMatchObject(refused)
  })
})

describe('without the extension', () => {
  it.each([
    ['backchannelLogoutUri', 'https://portal.example.test/logout'],
    ['backchannelLogoutSessionRequired', true],
    ['backchannelLogoutRevokesRefresh', true],
  ])('%s cannot be set', async (field, value) => {
    const app = await givenApplication(without())
    expect(await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { [field]: value })).toMatchObject({
      status: 400,
      body: { errors: [{ path: [field], message: 'Needs OAUTH_EXTENSIONS to hold backchannel_logout' }] },
    })
  })

  it('nothing is sent again, nor a test, and nothing waits', async () => {
    const world = await worldOf(without())
    const { path, deliveryId } = await logoutDelivery(world)
    const refused = { status: 409, body: { code: 'backchannel-logout-off' } }
    expect(await world.owner.post(`${path}/test`)).toMatchObject(refused)
    expect(await world.owner.post(`${path}/${deliveryId}/replay`)).toMatchObject(refused)
    expect((await world.owner.get(path)).body.data).toMatchObject([{ id: deliveryId }])
  })

  it('no application is noted that has got tokens by a session', async () => {
    const app = await givenApplication(without())
    await app.signIn()
    const rows = (at: TestService) => at.database.tenant(app.organisation.id).selectFrom('sessionClients').select('clientId').execute()
    expect(await rows(without())).toEqual([])
  })
})
