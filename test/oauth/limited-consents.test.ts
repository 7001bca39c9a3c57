import { describe, expect, it } from 'vitest'
import { removeEndedConsents } from '../../src/oauth/authorization/remove-ended-consents.ts'
import { askOnDevice, deviceGrant, enterCode, poll, requestOn } from '../support/devices.ts'
import type { SignedInUser } from '../support/given.ts'
import {
  browserOf,
  callbackOf,
  claimsOf,
  consentPath,
  decideConsent,
  givenApplication,
  pkce,
  type Registration,
  type TestApplication,
} from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'device,resource_indicators' } })
const scope = 'openid offline_access'
/** An application whose owner stays signed in for a day. */
async function staying(registration: Registration): Promise<TestApplication> {
  const app = await givenApplication(service(), registration)
  await service()
    .database.tenant(app.organisation.id)
    .updateTable('sessions')
    .set({ idleTimeout: 86_400, expiresAt: new Date(inMinutes(24 * 60)) })
    .execute()
  return app
}
const asking = (registration: Registration = {}) => staying({ requireConsent: true, ...registration })

/** Asks, and lets the user allow it on the page. @returns the tokens */
async function allow(app: TestApplication, user: SignedInUser, lifetime: string | undefined, parameters: Record<string, string> = {}) {
  const { verifier, challenge } = pkce()
  const query = { code_challenge: challenge, code_challenge_method: 'S256', scope, prompt: 'consent', ...parameters }
  const location = (await app.authorize(query, user)).headers.get('location') ?? ''
  const reference = new URL(location, 'http://x').searchParams.get('request') ?? ''
  const next = await decideConsent(user, reference, 'allow', lifetime === undefined ? {} : { lifetime })
  const code = callbackOf(await user.get(next)).get('code') ?? ''
  return { code, verifier, redeem: () => app.redeem(code, verifier) }
}

async function tokensFor(...args: Parameters<typeof allow>) {
  const answer = await (await allow(...args)).redeem()
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as { access_token: string; refresh_token: string; expires_in: number }
}

const isAsked = async (app: TestApplication, user: SignedInUser, parameters: Record<string, string> = {}) => {
  const { challenge } = pkce()
  const answer = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope, ...parameters }, user)
  return answer.headers.get('location')?.startsWith('/oauth2/consent') ?? false
}
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const inMinutes = (minutes: number) => service().clock.now().getTime() + minutes * 60_000
const consentsOf = async (user: SignedInUser) => (await user.get('/v1/me/consents')).body.data

/** The rows of consents that an organisation has. */
async function stored(app: TestApplication): Promise<number> {
  while (await removeEndedConsents.run(service().database));
  const tenant = service().database.tenant(app.organisation.id)
  const tables = await Promise.all(
    (['consents', 'resourceConsents'] as const).map((table) => tenant.selectFrom(table).select('clientId').execute()),
  )
  return tables.flat().length
}

describe('what is stored of a consent', () => {
  it('goes a day after its end', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await tokensFor(app, owner, 'hour')
    service().clock.advance({ hours: 2 })
    expect(await stored(app)).toBe(1)
    service().clock.advance({ days: 2 })
    expect(await stored(app)).toBe(0)
  })

  it('goes once the application has been deleted', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await tokensFor(app, owner, undefined)
    expect(await stored(app)).toBe(1)
    expect(await owner.delete(`/v1/admin/clients/${app.id}`)).toMatchObject({ status: 204 })
    expect(await stored(app)).toBe(0)
  })
})

describe('a consent', () => {
  it('may be limited on the page, which offers no end first', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const location = (await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256', scope }, owner)).headers.get(
      'location',
    )
    const { body } = await browserOf(owner).open(location ?? '')
    expect([...body.matchAll(/<option value="([^"]+)"[^>]*>([^<]+)/g)].map(([, value, label]) => [value, label])).toEqual([
      ['unlimited', 'Until I remove the access'],
      ['hour', '1 hour'],
      ['eight-hours', '8 hours'],
      ['day', '1 day'],
      ['week', '1 week'],
      ['month', '30 days'],
    ])
    const reference = new URL(location ?? '', 'http://x').searchParams.get('request') ?? ''
    expect(await browserOf(owner).submit(consentPath(reference), { decision: 'allow', lifetime: 'for ever' })).toMatchObject({
      status: 400,
    })
  })

  it('of an hour ends the families and all their tokens then, and is asked for anew', async () => {
    service().clock.stop()
    const app = await asking({ accessTokenLifetime: 45 * 60 })
    const { owner } = app.organisation
    const first = await tokensFor(app, owner, 'hour')
    expect(first.expires_in).toBe(45 * 60)
    expect(await consentsOf(owner)).toMatchObject([{ clientId: app.id, expiresAt: new Date(inMinutes(60)).toISOString() }])
    expect(await isAsked(app, owner)).toBe(false)

    service().clock.advance({ minutes: 40 })
    const second = await app.refresh(first.refresh_token)
    expect(second).toMatchObject({ status: 200, body: { expires_in: 20 * 60 } })
    expect(claimsOf(second.body.access_token).exp).toBe(Math.floor(inMinutes(20) / 1_000))
    expect((await app.introspect(second.body.refresh_token)).body).toMatchObject({ exp: Math.floor(inMinutes(20) / 1_000) })
    // A second family ends with the same consent.
    const other = await app.signIn({ scope })
    expect(other.expires_in).toBe(20 * 60)

    service().clock.advance({ minutes: 20, seconds: 1 })
    expect(await app.refresh(second.body.refresh_token)).toMatchObject(invalidGrant)
    expect(await app.refresh(other.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(second.body.access_token)).body).toEqual({ active: false })
    expect(await consentsOf(owner)).toEqual([])
    expect(await isAsked(app, owner)).toBe(true)
    await tokensFor(app, owner, undefined)
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: null }])
  })

  it('whose end comes before its code is redeemed earns nothing', async () => {
    const app = await asking({ authorizationCodeTtl: 3_600 })
    const { owner } = app.organisation
    const { redeem } = await allow(app, owner, 'hour')
    service().clock.advance({ minutes: 59, seconds: 59 })
    await service()
      .database.tenant(app.organisation.id)
      .updateTable('authorizationCodes')
      .set({ expiresAt: new Date(inMinutes(60)) })
      .execute()
    service().clock.advance({ seconds: 2 })
    expect(await redeem()).toMatchObject(invalidGrant)
  })

  it('that is limited later brings the end of earlier families forward, and a longer one lets them be', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const unlimited = await tokensFor(app, owner, undefined)
    await tokensFor(app, owner, 'hour')
    await tokensFor(app, owner, 'week')
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: expect.any(String) }])
    service().clock.advance({ minutes: 61 })
    expect(await app.refresh(unlimited.refresh_token)).toMatchObject(invalidGrant)
    expect(await isAsked(app, owner)).toBe(false)
  })

  it('that is limited later ends access tokens of earlier families, too, which would last longer', async () => {
    const app = await asking({ accessTokenLifetime: 2 * 60 * 60 })
    const { owner } = app.organisation
    const { access_token: token } = await tokensFor(app, owner, undefined)
    await tokensFor(app, owner, 'hour')
    service().clock.advance({ minutes: 59 })
    expect((await app.introspect(token)).body).toMatchObject({ active: true })
    expect((await app.userInfo(token)).status).toBe(200)
    service().clock.advance({ minutes: 2 })
    expect((await app.introspect(token)).body).toEqual({ active: false })
    expect(await app.userInfo(token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  })

  it('that is limited later limits what a code or a device has yet to redeem, too', async () => {
    const app = await asking({ grantTypes: ['authorization_code', 'refresh_token', deviceGrant] })
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    const browser = browserOf(owner)
    await enterCode(browser, codes.user_code)
    const page = await browser.open('/device/confirm')
    await browser.submit('/device/confirm', { decision: 'allow', request: requestOn(page.body) })
    const { redeem } = await allow(app, owner, undefined)
    await allow(app, owner, 'hour')

    const redeemed = [await redeem(), await poll(app, codes)]

    service().clock.advance({ minutes: 61 })
    for (const { status, body } of redeemed) {
      expect(status).toBe(200)
      expect(await app.refresh(body.refresh_token)).toMatchObject(invalidGrant)
    }
  })

  it('that is taken back before its code is issued lets nothing be issued: the user is asked anew', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const { challenge } = pkce()
    const asked = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope })
    const reference = new URL(asked.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
    const next = await decideConsent(owner, reference, 'allow', { lifetime: 'hour' })
    expect((await owner.delete(`/v1/me/consents/${app.id}`)).status).toBe(204)
    expect((await owner.get(next)).headers.get('location')).toBe(consentPath(reference))
  })

  it('without end for more does not lengthen what was allowed for an hour', async () => {
    const app = await asking({ scopes: ['orders:read', 'orders:write'] })
    const { owner } = app.organisation
    await tokensFor(app, owner, 'hour', { scope: 'openid orders:read' })
    await tokensFor(app, owner, undefined, { scope: 'openid orders:write' })
    expect(await isAsked(app, owner, { scope: 'orders:read orders:write' })).toBe(false)
    service().clock.advance({ minutes: 61 })
    expect(await isAsked(app, owner, { scope: 'orders:read' })).toBe(true)
    await tokensFor(app, owner, undefined, { scope: 'openid orders:write' })
    // What has ended does not come back with the next consent.
    expect(await consentsOf(owner)).toMatchObject([{ scopes: ['openid', 'orders:write'] }])
  })

  it('at one resource server ends there alone', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const [orders, stock] = [await resourceServer(owner), await resourceServer(owner)]
    const allowed = { resourceServerIds: [orders.id, stock.id] }
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, allowed)).toMatchObject({ status: 200 })
    const atOrders = await tokensFor(app, owner, undefined, { resource: orders.identifier })
    await tokensFor(app, owner, 'hour', { resource: stock.identifier })
    const [consent] = await consentsOf(owner)
    const endOf = ({ id }: { id: string }) => consent.resources.find((resource: { id: string }) => resource.id === id).expiresAt
    expect([endOf(orders), endOf(stock)]).toEqual([null, expect.any(String)])
    service().clock.advance({ minutes: 61 })
    expect(await app.refresh(atOrders.refresh_token)).toMatchObject({ status: 200 })
  })

  it('at a resource server ends what was allowed without one, if it is for that, too', async () => {
    const app = await asking({ scopes: ['orders:read'] })
    const { owner } = app.organisation
    const orders = await resourceServer(owner)
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [orders.id] })
    const without = await tokensFor(app, owner, undefined)
    await tokensFor(app, owner, 'hour', { scope: 'orders:read', resource: orders.identifier })
    service().clock.advance({ minutes: 61 })
    const refreshed = await app.refresh(without.refresh_token)
    expect(refreshed).toMatchObject({ status: 200 })

    await tokensFor(app, owner, 'hour', { resource: orders.identifier })
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: expect.any(String) }])
    service().clock.advance({ minutes: 61 })
    expect(await app.refresh(refreshed.body.refresh_token)).toMatchObject(invalidGrant)
    expect(await consentsOf(owner)).toEqual([])
  })

  it('to one resource server and nothing else neither ends nor lengthens what was allowed at another', async () => {
    const app = await asking({ scopes: ['orders:read', 'bills:read'], clientType: 'confidential' })
    const { owner } = app.organisation
    const scopesAt = (name: string) => ({ scopes: [{ name, description: name }] })
    const [orders, bills] = [await resourceServer(owner, scopesAt('orders:read')), await resourceServer(owner, scopesAt('bills:read'))]
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [orders.id, bills.id] })
    const [atOrders, atBills] = [
      { scope: 'orders:read', resource: orders.identifier },
      { scope: 'bills:read', resource: bills.identifier },
    ]
    await tokensFor(app, owner, undefined, atOrders)
    await tokensFor(app, owner, 'hour', atBills)
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: null, scopes: ['bills:read', 'orders:read'] }])

    service().clock.advance({ minutes: 30 })
    expect((await app.signIn(atOrders)).expires_in).toBe(3_600)
    service().clock.advance({ minutes: 31 })
    expect(await isAsked(app, owner, atBills)).toBe(true)
    expect(await isAsked(app, owner, atOrders)).toBe(false)
    expect((await app.signIn(atOrders)).expires_in).toBe(3_600)
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: null, scopes: ['orders:read'], resources: [{ id: orders.id }] }])
  })

  it('to nothing but resource servers is listed with the last of their ends, and no longer than they last', async () => {
    const app = await asking({ scopes: ['orders:read', 'orders:write'] })
    const { owner } = app.organisation
    const scopes = ['orders:read', 'orders:write'].map((name) => ({ name, description: name }))
    const orders = await resourceServer(owner, { scopes })
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [orders.id] })
    await tokensFor(app, owner, 'hour', { scope: 'orders:read', resource: orders.identifier })
    const end = new Date(inMinutes(60)).toISOString()
    // Granting more for ever does not lengthen what was allowed for an hour.
    await tokensFor(app, owner, undefined, { scope: 'orders:write', resource: orders.identifier })
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: end, resources: [{ expiresAt: end }] }])
    service().clock.advance({ minutes: 61 })
    expect(await consentsOf(owner)).toEqual([])
    expect(await isAsked(app, owner, { scope: 'orders:read', resource: orders.identifier })).toBe(true)
  })

  it('of a device ends with an earlier one that ends sooner', async () => {
    const app = await staying({ grantTypes: ['authorization_code', 'refresh_token', deviceGrant], scopes: ['orders:read'] })
    const { owner } = app.organisation
    await tokensFor(app, owner, 'hour', { scope: 'openid orders:read' })
    const codes = await askOnDevice(app, { scope })
    const browser = browserOf(owner)
    await enterCode(browser, codes.user_code)
    const page = await browser.open('/device/confirm')
    await browser.submit('/device/confirm', { decision: 'allow', request: requestOn(page.body) })
    const { body } = await poll(app, codes)
    service().clock.advance({ minutes: 61 })
    expect(await app.refresh(body.refresh_token)).toMatchObject(invalidGrant)
  })

  it('of a device may be limited, too', async () => {
    const app = await staying({ clientType: 'public', redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] })
    const { owner } = app.organisation
    const codes = await askOnDevice(app, { scope })
    const browser = browserOf(owner)
    await enterCode(browser, codes.user_code)
    const page = await browser.open('/device/confirm')
    expect(await browser.submit('/device/confirm', { decision: 'allow', lifetime: 'hour', request: requestOn(page.body) })).toMatchObject({
      status: 200,
    })
    const { body } = await poll(app, codes)
    expect(await consentsOf(owner)).toMatchObject([{ expiresAt: expect.any(String) }])
    service().clock.advance({ minutes: 61 })
    expect(await app.refresh(body.refresh_token)).toMatchObject(invalidGrant)
  })
})

describe('GET /v1/admin/clients/:id/consents', () => {
  it('lists who has let the application in, until when and when it was last used, and each can be ended', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const colleague = await service().given.userWith(owner, [])
    const tokens = await tokensFor(app, owner, 'day')
    await tokensFor(app, colleague, undefined)
    const path = `/v1/admin/clients/${app.id}/consents`
    const { body } = await owner.get(path)
    expect(body.total).toBe(2)
    expect(body.data.find(({ user }: { user: { id: string } }) => user.id === owner.id)).toEqual({
      user: { id: owner.id, email: owner.email, name: expect.any(String) },
      scopes: ['openid', 'offline_access'],
      claims: [],
      resources: [],
      grantedAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: expect.any(String),
      managedBy: null,
    })
    const first = await owner.get(`${path}?limit=1`)
    expect(first.body).toMatchObject({ data: [{}], total: 2, nextCursor: expect.any(String) })
    const rest = await owner.get(`${path}?limit=1&cursor=${first.body.nextCursor}`)
    expect([...first.body.data, ...rest.body.data]).toEqual(body.data)

    expect(await owner.delete(`/v1/admin/users/${owner.id}/consents/${app.id}`)).toMatchObject({ status: 204 })
    expect((await owner.get(path)).body).toMatchObject({ data: [{ user: { id: colleague.id } }], total: 1 })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
  })

  it('is for administrators who may read clients, and knows only those of the organisation', async () => {
    const app = await asking()
    const stranger = await asking()
    const path = `/v1/admin/clients/${app.id}/consents`
    expect(await stranger.organisation.owner.get(path)).toMatchObject({ status: 404 })
    const colleague = await service().given.userWith(app.organisation.owner, ['users:read'])
    expect(await colleague.get(path)).toMatchObject({ status: 403 })
    expect(await service().anonymous.get(path)).toMatchObject({ status: 401 })
  })
})
