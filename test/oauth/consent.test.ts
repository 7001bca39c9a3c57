import { describe, expect, it } from 'vitest'
import type { SignedInUser } from '../support/given.ts'
import { browserOf, callbackOf, consentPath, decideConsent, givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const asking = (registration = {}) => givenApplication(service(), { requireConsent: true, ...registration })
/** What is listed of a consent without an end and without resource servers, whose client holds tokens. */
const withoutEnd = {
  claims: [],
  resources: [],
  grantedAt: expect.any(String),
  expiresAt: null,
  lastUsedAt: expect.any(String),
  managedBy: null,
}
const challenge = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })

async function ask(app: TestApplication, user: SignedInUser, parameters: Record<string, string> = {}) {
  const answer = await app.authorize({ ...challenge(), scope: 'openid profile', ...parameters }, user)
  const address = new URL(answer.headers.get('location') ?? '', 'http://x')
  expect(address.pathname).toBe('/oauth2/consent')
  return address.searchParams.get('request') ?? ''
}

describe('consent', () => {
  it('is required by a client that is set so, and remembered once given', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const reference = await ask(app, owner)

    const { body: page } = await browserOf(owner).open(consentPath(reference))
    expect(page).toContain('Portal wants access to your account')
    expect([...page.matchAll(/<li><span>([^<]*)/g)].map(([, scope]) => scope)).toEqual([
      'Know who you are when you sign in',
      'See your name',
    ])
    expect(page).toContain(`in your account at ${app.organisation.name}.`)
    expect(page).toContain(owner.email)
    const next = await decideConsent(owner, reference, 'allow')

    expect(callbackOf(await owner.get(next)).has('code')).toBe(true)
    expect(callbackOf(await app.authorize({ ...challenge(), scope: 'profile' })).has('code')).toBe(true)
    await ask(app, owner, { scope: 'openid email' })
    const { body } = await owner.get('/v1/admin/audit-logs?action=oauth2.consent.granted')
    expect(body.data).toMatchObject([{ actorId: owner.id, targetId: app.id }])
  })

  it('that is refused sends access_denied back, once, and is not remembered', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const reference = await ask(app, owner)
    const next = await decideConsent(owner, reference, 'cancel')
    const denied = callbackOf(await owner.get(next))
    expect(denied.get('error')).toBe('access_denied')
    expect(denied.get('state')).toBe('xyz')
    await ask(app, owner)
    expect((await owner.get('/v1/me/consents')).body).toEqual({ data: [], total: 0 })
  })

  it('is asked for again with prompt=consent, also by a client that does not require it', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const reference = await ask(app, owner, { prompt: 'consent' })
    const next = await decideConsent(owner, reference, 'allow')
    expect(callbackOf(await owner.get(next)).has('code')).toBe(true)
    await ask(app, owner, { prompt: 'consent' })
  })

  it('of one user is not the consent of another, even for the same request', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const other = await service().given.userWith(owner, [])
    const reference = await ask(app, owner)
    await decideConsent(owner, reference, 'allow')
    const answer = await other.get(`/oauth2/authorize?request=${reference}`)
    expect(answer.headers.get('location')).toMatch(/^\/oauth2\/consent/)
  })

  it('cannot be seen or given by a user of another organisation', async () => {
    const app = await asking()
    const stranger = await asking()
    const reference = await ask(app, app.organisation.owner)
    const browser = browserOf(stranger.organisation.owner)
    const refused = { status: 400, body: expect.stringContaining('This sign-in has expired') }
    expect(await browser.open(consentPath(reference))).toMatchObject(refused)
    expect(await browser.submit(consentPath(reference), { decision: 'allow' })).toMatchObject(refused)
    await ask(app, app.organisation.owner)
  })
})

describe('GET /v1/me/consents and DELETE /v1/me/consents/:clientId', () => {
  it('list the consents of the caller, and revoke them with their tokens', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const reference = await ask(app, owner, { scope: 'openid offline_access' })
    await owner.get(await decideConsent(owner, reference, 'allow'))
    const tokens = await app.signIn({ scope: 'openid offline_access' })

    expect((await owner.get('/v1/me/consents')).body).toEqual({
      data: [{ clientId: app.id, clientName: 'Portal', scopes: ['openid', 'offline_access'], ...withoutEnd }],
      total: 1,
    })
    expect(await owner.delete(`/v1/me/consents/${app.id}`)).toMatchObject({ status: 204 })

    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    await ask(app, owner)
    const { body } = await owner.get('/v1/admin/audit-logs?action=oauth2.consent.revoked')
    expect(body.data).toHaveLength(1)
  })

  it('leave no code for tokens, however many requests of the application are answered at that moment', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const parameters = { code_challenge: pkce().challenge, code_challenge_method: 'S256', scope: 'openid profile' }
    for (let round = 0; round < 20; round++) {
      await decideConsent(owner, await ask(app, owner), 'allow')
      const requests = Array.from({ length: 8 }, () => app.authorize(parameters))
      const [revoked] = await Promise.all([owner.delete(`/v1/me/consents/${app.id}`), ...requests])
      expect(revoked.status).toBe(204)
      const codes = service().database.tenant(app.organisation.id).selectFrom('authorizationCodes').select('clientId')
      expect(await codes.where('usedAt', 'is', null).execute()).toEqual([])
    }
  })

  it('list an application that can refresh its tokens without a consent, and end its access when it is revoked', async () => {
    const app = await asking({ requireConsent: false })
    const other = await givenApplication(service(), { organisation: app.organisation })
    const { owner } = app.organisation
    const first = await app.signIn({ scope: 'openid offline_access' })
    const second = await app.signIn({ scope: 'openid profile offline_access' })
    const kept = await other.signIn({ scope: 'openid offline_access' })
    await other.signIn({ scope: 'openid' })
    const passing = await givenApplication(service(), { organisation: app.organisation })
    await passing.signIn({ scope: 'openid' })

    expect((await owner.get('/v1/me/consents')).body).toEqual({
      data: [
        {
          clientId: app.id,
          clientName: 'Portal',
          scopes: ['offline_access', 'openid', 'profile'],
          ...withoutEnd,
        },
        { clientId: other.id, clientName: 'Portal', scopes: ['offline_access', 'openid'], ...withoutEnd },
      ],
      total: 2,
    })
    const page = await owner.get('/v1/me/consents?limit=1')
    expect(page.body).toMatchObject({ data: [{ clientId: app.id }], total: 2, nextCursor: expect.any(String) })
    const colleague = await service().given.userWith(owner, [])
    expect((await colleague.get('/v1/me/consents')).body.total).toBe(0)
    expect(await colleague.delete(`/v1/me/consents/${app.id}`)).toMatchObject({ status: 204 })
    expect((await app.introspect(first.access_token)).body.active).toBe(true)

    expect(await owner.delete(`/v1/me/consents/${app.id}`)).toMatchObject({ status: 204 })

    expect((await owner.get('/v1/me/consents')).body).toMatchObject({ data: [{ clientId: other.id }], total: 1 })
    for (const { refresh_token: token, access_token: access } of [first, second]) {
      expect(await app.refresh(token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect((await app.introspect(access)).body).toEqual({ active: false })
    }
    expect(await other.refresh(kept.refresh_token)).toMatchObject({ status: 200 })
    const { body } = await owner.get('/v1/admin/audit-logs?action=oauth2.consent.revoked')
    expect(body.data).toMatchObject([{ actorId: owner.id, targetId: app.id }])
  })

  it('list and end what an application has without any scope', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const { access_token: token, refresh_token: refreshToken } = await app.signIn({ scope: 'openid offline_access' })
    await service().database.tenant(app.organisation.id).updateTable('tokenFamilies').set({ scope: [] }).execute()
    expect((await owner.get('/v1/me/consents')).body).toMatchObject({ data: [{ clientId: app.id, scopes: [] }], total: 1 })
    expect(await owner.delete(`/v1/me/consents/${app.id}`)).toMatchObject({ status: 204 })
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await app.introspect(token)).body).toEqual({ active: false })
    expect(await owner.audit({ action: 'oauth2.consent.revoked' })).toHaveLength(1)
  })

  it('end tokens of an application that is not listed, too, since it cannot refresh them', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
    expect(await owner.delete(`/v1/me/consents/${app.id}`)).toMatchObject({ status: 204 })
    expect((await app.introspect(token)).body).toEqual({ active: false })
  })

  it('do not list applications that can no longer refresh tokens', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    expect((await owner.get('/v1/me/consents')).body.total).toBe(1)
    await app.revoke(token)
    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
    await app.signIn({ scope: 'openid offline_access' })
    await owner.post(`/v1/admin/clients/${app.id}/revoke`)
    await owner.post(`/v1/admin/clients/${app.id}/activate`)
    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
  })

  it('respond 204 for a consent that does not exist, and record nothing', async () => {
    const { owner } = await service().given.organisation()
    expect(await owner.delete('/v1/me/consents/cli_unknown')).toMatchObject({ status: 204 })
    expect(await owner.audit({ action: 'oauth2.consent.revoked' })).toEqual([])
  })

  it('are paged by limit and cursor', async () => {
    const app = await asking()
    const other = await givenApplication(service(), { requireConsent: true, organisation: app.organisation })
    const { owner } = app.organisation
    for (const one of [app, other]) {
      await decideConsent(owner, await ask(one, owner), 'allow')
    }
    const first = await owner.get('/v1/me/consents?limit=1')
    expect(first.body).toMatchObject({ data: [{ clientId: app.id }], total: 2, nextCursor: expect.any(String) })
    expect((await owner.get(`/v1/me/consents?limit=1&cursor=${first.body.nextCursor}`)).body).toMatchObject({
      data: [{ clientId: other.id }],
      nextCursor: null,
    })
  })
})

describe('GET /v1/admin/users/:id/consents and DELETE /v1/admin/users/:id/consents/:clientId', () => {
  it('list the consents of a user, and revoke one with its tokens', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await owner.get(await decideConsent(owner, await ask(app, owner, { scope: 'openid offline_access' }), 'allow'))
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    const other = await givenApplication(service(), { organisation: app.organisation })
    const kept = await other.signIn({ scope: 'openid offline_access' })
    const helper = await service().given.userWith(owner, ['users:read', 'users:update'])
    const path = `/v1/admin/users/${owner.id}/consents`

    expect((await helper.get(path)).body).toEqual((await owner.get('/v1/me/consents')).body)
    expect(await helper.get(`${path}?limit=1`)).toMatchObject({
      body: { data: [{ clientId: app.id }], total: 2, nextCursor: expect.any(String) },
    })
    expect(await helper.delete(`${path}/${app.id}`)).toMatchObject({ status: 204 })
    expect(await helper.delete(`${path}/${app.id}`)).toMatchObject({ status: 204 })

    expect((await helper.get(path)).body).toMatchObject({ data: [{ clientId: other.id }], total: 1 })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect(await other.refresh(kept.refresh_token)).toMatchObject({ status: 200 })
    const { data } = (await owner.get('/v1/admin/audit-logs?action=oauth2.consent.revoked')).body
    expect(data).toMatchObject([{ actorId: helper.id, targetId: app.id }])
  })

  it('report it with the user who had consented, and the actor', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await decideConsent(owner, await ask(app, owner), 'allow')
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/', events: ['oauth2.consent.revoked'] })
    const helper = await service().given.userWith(owner, ['users:update'])

    await helper.delete(`/v1/admin/users/${owner.id}/consents/${app.id}`)

    const [delivery] = await service().database.tenant(app.organisation.id).selectFrom('webhookDeliveries').select('body').execute()
    expect(JSON.parse(delivery?.body ?? '{}').data).toMatchObject({
      user: { id: owner.id, email: owner.email },
      consent: { clientId: app.id },
      actor: { id: helper.id, type: 'user' },
    })
  })

  it('need users:read and users:update, and know no user of another organisation', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await decideConsent(owner, await ask(app, owner), 'allow')
    const reader = await service().given.userWith(owner, ['users:read'])
    const updater = await service().given.userWith(owner, ['users:update'])
    const stranger = await service().given.organisation()
    const path = `/v1/admin/users/${owner.id}/consents`

    expect(await updater.get(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: users:read' } })
    expect(await reader.delete(`${path}/${app.id}`)).toMatchObject({
      status: 403,
      body: { detail: 'Missing required permission: users:update' },
    })
    expect(await stranger.owner.get(path)).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    expect(await stranger.owner.delete(`${path}/${app.id}`)).toMatchObject({ status: 404 })
    expect(await stranger.owner.delete(`/v1/admin/users/${stranger.owner.id}/consents/${app.id}`)).toMatchObject({ status: 204 })

    expect((await reader.get(path)).body.total).toBe(1)
    expect(await owner.audit({ action: 'oauth2.consent.revoked' })).toEqual([])
  })
})
