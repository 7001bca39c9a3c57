import { beforeAll, describe, expect, it } from 'vitest'
import { secondsAfter } from '../../src/platform/clock.ts'
import { removeExpiredTokens } from '../../src/tokens/remove-expired-tokens.ts'
import { documentClient, extensions as documents, resourceForAll } from '../support/client-documents.ts'
import { assertionOf, byAssertion, clientKey } from '../support/client-keys.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { callbackOf, decideConsent, encode, givenApplication, pkce, postForm, type TestApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({
  environment: { OAUTH_EXTENSIONS: `par,private_key_jwt,${documents}` },
  outgoing: { ca: receiver.ca },
})
const without = useService()

const refused = (error: string, status = 400) => ({ status, body: { error } })
const referenceIn = (answer: Answer) => new URL(answer.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''

/** Pushes a request; the code that comes of it is redeemed with the verifier. */
async function push(app: TestApplication, form: Record<string, string> = {}) {
  const { verifier, challenge } = pkce()
  const parameters = {
    ...{ response_type: 'code', redirect_uri: app.redirectUri, scope: 'openid', state: 'pushed' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', ...form },
  }
  const answer = await app.post('/oauth2/par', parameters)
  return { answer, verifier, requestUri: String(answer.body.request_uri) }
}

/** The browser brings the address of a pushed request. */
const open = (app: Pick<TestApplication, 'id'>, requestUri: string, browser: HttpClient, others: Record<string, string> = {}) =>
  browser.get(`/oauth2/authorize?${encode({ client_id: app.id, request_uri: requestUri, ...others })}`)

async function checkOf({ organisation }: TestApplication) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  const { endpoint, check, expected, received, hint } = body.data[0]
  return { endpoint, check, expected, received, hint }
}

describe('a pushed request', () => {
  it('is brought by the browser in place of its parameters, which alone count', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { answer, verifier, requestUri } = await push(app)
    expect(answer).toMatchObject({
      status: 201,
      body: { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/), expires_in: 90 },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')

    const others = {
      scope: 'openid email',
      state: 'foreign',
      redirect_uri: 'https://evil.example.test/',
      prompt: 'none',
      response_type: 'token',
    }
    const back = await open(app, requestUri, owner, others)
    expect(back.status).toBe(302)
    expect(back.headers.get('location')).toMatch(new RegExp(`^${app.redirectUri}\\?`))
    expect(callbackOf(back).get('state')).toBe('pushed')
    expect(await app.redeem(callbackOf(back).get('code') ?? '', verifier)).toMatchObject({ status: 200, body: { scope: 'openid' } })
  })

  it('is used up when a code is issued, and not when it is opened', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const { requestUri, verifier } = await push(app)
    expect(new URL((await open(app, requestUri, service().anonymous)).headers.get('location') ?? '', 'http://x').pathname).toBe('/login')
    const first = await open(app, requestUri, owner)
    const second = await open(app, requestUri, owner)
    // The sign-in and the consent may take longer than the address lives.
    service().clock.advance({ minutes: 5 })
    expect((await open(app, requestUri, owner)).status).toBe(400)
    await removeExpiredTokens.run(service().database)
    const back = await owner.get(await decideConsent(owner, referenceIn(first), 'allow'))
    expect(await app.redeem(callbackOf(back).get('code') ?? '', verifier)).toMatchObject({ status: 200 })
    // Of the two that came of it, one has had its response.
    const again = await owner.get(`/oauth2/authorize?${encode({ request: referenceIn(second) })}`)
    expect(callbackOf(again).get('error')).toBe('invalid_request')
    service().clock.advance({ minutes: 10 })
    await removeExpiredTokens.run(service().database)
    expect(await service().database.tenant(app.organisation.id).selectFrom('authorizationRequests').selectAll().execute()).toEqual([])
  })

  it('leads to one code, however many browsers bring it at once', async () => {
    const app = await givenApplication(service())
    const { requestUri } = await push(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(app, requestUri, app.organisation.owner)))
    const outcomes = answers.map((answer) =>
      callbackOf(answer).has('code') ? 'code' : answer.status === 400 ? 'page' : callbackOf(answer).get('error'),
    )
    expect(outcomes.filter((outcome) => outcome === 'code')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'invalid_request' || outcome === 'page')).toHaveLength(19)
  })

  it('is refused on a page when it is of another client, used, expired or unknown, and its reference alone opens nothing', async () => {
    const app = await givenApplication(service())
    const { organisation } = app
    const other = await givenApplication(service(), { organisation })
    const { requestUri } = await push(app)
    for (const answer of [
      await open(other, requestUri, organisation.owner),
      await open(app, `${requestUri}x`, organisation.owner),
      await open(app, requestUri.slice(0, -43), organisation.owner),
      await organisation.owner.get(`/oauth2/authorize?${encode({ request: requestUri.slice(-43) })}`),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    expect((await open(app, requestUri, organisation.owner)).status).toBe(302)
    expect((await open(app, requestUri, organisation.owner)).status).toBe(400)

    const late = await push(app)
    service().clock.advance({ seconds: 90 })
    expect((await open(app, late.requestUri, organisation.owner)).status).toBe(400)
    // Addresses of other kinds are still not fetched.
    const fetched = await app.authorize({ request_uri: 'https://portal.example.test/request.jwt' })
    expect(callbackOf(fetched).get('error')).toBe('request_uri_not_supported')
  })

  it('asks for a sign-in that is newer than its opening, whenever it was pushed', async () => {
    const app = await givenApplication(service())
    const { requestUri } = await push(app, { prompt: 'login' })
    service().clock.advance({ seconds: 10 })
    const owner = await service().given.signIn(app.organisation.owner.email)
    expect((await open(app, requestUri, owner)).headers.get('location')).toMatch(/^\/login\?/)
  })

  it('is of no use once its client, its redirect URI or its organisation is gone', async () => {
    const app = await givenApplication(service())
    const { owner, id } = app.organisation
    const moved = await push(app)
    await owner.patch(`/v1/admin/clients/${app.id}`, { redirectUris: ['https://portal.example.test/other'] })
    expect((await open(app, moved.requestUri, owner)).status).toBe(400)
    await owner.patch(`/v1/admin/clients/${app.id}`, { redirectUris: [app.redirectUri] })
    const revoked = await givenApplication(service(), { organisation: app.organisation })
    const [pushed, suspended] = [await push(revoked), await push(app)]
    expect(await owner.post(`/v1/admin/clients/${revoked.id}/revoke`)).toMatchObject({ status: 200 })
    expect((await open(revoked, pushed.requestUri, owner)).status).toBe(400)
    await service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })
    expect((await push(app)).answer).toMatchObject(refused('access_denied'))
    expect(callbackOf(await open(app, suspended.requestUri, owner)).get('error')).toBe('access_denied')
  })
})

describe('pushing', () => {
  let app: TestApplication
  beforeAll(async () => {
    app = await givenApplication(service())
  })
  const stored = () => service().database.tenant(app.organisation.id).selectFrom('authorizationRequests').selectAll().execute()

  it('authenticates the client as at the token endpoint', async () => {
    const form = { response_type: 'code', redirect_uri: app.redirectUri }
    expect(await app.post('/oauth2/par', { ...form, client_id: app.id }, {})).toMatchObject(refused('invalid_client', 401))
    expect(await app.post('/oauth2/par', { ...form, client_id: 'cli_other' })).toMatchObject(refused('invalid_request'))
    expect(await checkOf(app)).toMatchObject({ endpoint: 'par', check: 'token_endpoint_auth_method' })
    const post = {
      ...form,
      ...{ client_id: app.id, client_secret: app.secret ?? '', code_challenge: pkce().challenge, code_challenge_method: 'S256' },
    }
    expect(await app.post('/oauth2/par', post, {})).toMatchObject({ status: 201 })

    const key = await clientKey('ES256', 'own')
    const keyed = await givenApplication(service(), { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.publicKey] } })
    const assertion = await assertionOf(service(), keyed, key, { claims: { aud: `${service().services.issuer}/oauth2/par` } })
    const byKey = { ...form, ...byAssertion(assertion), code_challenge: pkce().challenge, code_challenge_method: 'S256' }
    expect(await postForm(service().anonymous, '/oauth2/par', byKey)).toMatchObject({ status: 201 })
    expect(await postForm(service().anonymous, '/oauth2/par', byKey)).toMatchObject(refused('invalid_client', 401))

    const open = await givenApplication(service(), { clientType: 'public' })
    expect((await push(open)).answer).toMatchObject({ status: 201 })
  })

  it.each<[string, Record<string, string | undefined>, string]>([
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example.test/' }, 'invalid_request'],
    ['no redirect URI beside openid', { redirect_uri: '' }, 'invalid_request'],
    ['no challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['an unknown response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['a scope of another client', { scope: 'openid orders:read' }, 'invalid_scope'],
    ['an unknown resource', { resource: 'https://api.example.test/unknown' }, 'invalid_target'],
    ['prompt none beside another', { prompt: 'none login' }, 'invalid_request'],
    ['a foreign hint', { id_token_hint: 'x.y.z' }, 'invalid_request'],
    ['a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
    ['a control character', { state: 'a\u0000b' }, 'invalid_request'],
  ])('refuses %s at once, and stores nothing', async (_, form, error) => {
    const before = await stored()
    const { answer } = await push(app, form as Record<string, string>)
    expect(answer).toMatchObject(refused(error))
    expect(answer.body.error_description).toMatch(/\(reference [\w-]+\)$/)
    expect(await stored()).toEqual(before)
  })

  it('lets at most 10,000 requests of a client wait', async () => {
    const other = await givenApplication(service(), { organisation: app.organisation })
    const tenant = service().database.tenant(app.organisation.id)
    const waiting = Array.from({ length: 1_000 }, () => ({ clientId: app.id, pushedBy: app.id, parameters: '{}' }))
    for (let round = 0; round < 10; round += 1) {
      await tenant
        .insertInto('authorizationRequests')
        .values(
          waiting.map((one, index) => ({
            ...one,
            referenceHash: `${app.id} ${round} ${index}`,
            createdAt: tenant.now,
            expiresAt: secondsAfter(tenant.now, 690),
          })),
        )
        .execute()
    }
    const { answer } = await push(app)
    expect(answer).toMatchObject(refused('temporarily_unavailable', 429))
    expect(answer.headers.get('retry-after')).toBe('90')
    expect((await push(other)).answer).toMatchObject({ status: 201 })
    service().clock.advance({ seconds: 90 })
    expect((await push(app)).answer).toMatchObject({ status: 201 })
  })

  it('is open to a client with a document, whose resource decides the organisation', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = documentClient(service(), receiver)
    const { verifier, challenge } = pkce()
    const form = {
      ...{ client_id: client.id, response_type: 'code', redirect_uri: client.redirectUri, code_challenge: challenge },
      ...{ code_challenge_method: 'S256', resource: resource.identifier },
    }
    const pushed = await postForm(service().anonymous, '/oauth2/par', form)
    expect(pushed).toMatchObject({ status: 201 })
    const asked = await open(client, pushed.body.request_uri, owner)
    const back = await owner.get(await decideConsent(owner, referenceIn(asked), 'allow'))
    const { answer } = await client.redeem(callbackOf(back).get('code') ?? '', verifier)
    expect(answer).toMatchObject({ status: 200, body: { scope: 'orders:read' } })

    const ask = (fields: Record<string, string>) => postForm(service().anonymous, '/oauth2/par', { ...form, ...fields })
    expect(await ask({ redirect_uri: 'https://evil.example.test/' })).toMatchObject(refused('invalid_request'))
    expect(await ask({ resource: 'https://api.example.test/unknown' })).toMatchObject(refused('invalid_target'))
    client.document.client_id = 'https://other.example.test/client'
    const unusable = documentClient(service(), receiver, { client_id: 'https://other.example.test/client' })
    expect(await ask({ client_id: unusable.hook.url })).toMatchObject(refused('invalid_client', 401))
  })
})

describe('a client that has to push', () => {
  it('is refused any other way', async () => {
    const app = await givenApplication(service(), { requirePushedAuthorizationRequests: true })
    const { challenge } = pkce()
    const direct = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256' })
    expect(Object.fromEntries(callbackOf(direct))).toMatchObject({ error: 'invalid_request', state: 'xyz' })
    expect(await checkOf(app)).toMatchObject({ endpoint: 'authorize', check: 'request_uri', received: 'none', hint: null })
    const { requestUri } = await push(app)
    expect(callbackOf(await open(app, requestUri, app.organisation.owner)).has('code')).toBe(true)
  })

  it('is refused what had been stored before it had to', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const asked = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    const changed = await owner.patch(`/v1/admin/clients/${app.id}`, { requirePushedAuthorizationRequests: true })
    expect(changed).toMatchObject({ status: 200, body: { requirePushedAuthorizationRequests: true } })
    const back = await owner.get(await decideConsent(owner, referenceIn(asked), 'allow'))
    expect(callbackOf(back).get('error')).toBe('invalid_request')
  })
})

describe('a client that is changed meanwhile', () => {
  it('is refused what it may not ask for any more: a code without PKCE, by the plain method, or at all', async () => {
    const app = await givenApplication(service(), { requirePkce: false })
    const { owner } = app.organisation
    const change = (fields: object) => owner.patch(`/v1/admin/clients/${app.id}`, fields)
    const without = { code_challenge: '', code_challenge_method: '' }
    const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
    const [pushedWithout, pushedPlain, valid] = [await push(app, without), await push(app, plain), await push(app)]
    const code = callbackOf(await app.authorize()).get('code') ?? ''
    expect(await change({ requirePkce: true, allowPlainPkce: false })).toMatchObject({ status: 200 })
    for (const { requestUri } of [pushedWithout, pushedPlain]) {
      expect(callbackOf(await open(app, requestUri, owner)).get('error')).toBe('invalid_request')
    }
    const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri }
    expect(await app.token(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await change({ grantTypes: ['client_credentials'] })).toMatchObject({ status: 200 })
    expect(callbackOf(await open(app, valid.requestUri, owner)).get('error')).toBe('unauthorized_client')
    expect(await change({ grantTypes: ['authorization_code'] })).toMatchObject({ status: 200 })
    expect(callbackOf(await open(app, valid.requestUri, owner)).has('code')).toBe(true)
  })
})

describe('a default of the client that is changed meanwhile', () => {
  it('is the one of now, for requests that do not say it themselves', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const set = (fields: object) => owner.patch(`/v1/admin/clients/${app.id}`, fields)
    service().clock.advance({ seconds: 60 })
    const [silent, saysItself, asksNow] = [await push(app), await push(app, { max_age: '3600' }), await push(app)]
    const asked = await open(app, asksNow.requestUri, owner)
    expect(asked.headers.get('location')).toMatch(/^\/oauth2\/consent\?/)

    expect(await set({ defaultMaxAge: 30 })).toMatchObject({ status: 200 })
    const path = async (requestUri: string) =>
      new URL((await open(app, requestUri, owner)).headers.get('location') ?? '', 'http://x').pathname
    expect(await path(silent.requestUri)).toBe('/login')
    expect(await path(saysItself.requestUri)).toBe('/oauth2/consent')
    const allowed = await owner.get(await decideConsent(owner, referenceIn(asked), 'allow'))
    expect(allowed.headers.get('location')).toMatch(/^\/login\?.*prompt=login/)

    expect(await set({ defaultMaxAge: null })).toMatchObject({ status: 200 })
    expect(callbackOf(await open(app, silent.requestUri, owner)).has('code')).toBe(true)
  })
})

describe('a resource server that may not be used any more', () => {
  it.each<[string, (owner: HttpClient, app: TestApplication, id: string) => Promise<unknown>]>([
    ['it is inactive', (owner, _, id) => owner.patch(`/v1/admin/resource-servers/${id}`, { isActive: false })],
    ['it is deleted', (owner, _, id) => owner.delete(`/v1/admin/resource-servers/${id}`)],
    ['it is taken from the client', (owner, app) => owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [] })],
  ])('has its stored requests refused before anything is shown, since %s', async (_, end) => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const { id, identifier } = await resourceServer(owner)
    const app = await givenApplication(service(), { organisation, requireConsent: true, resourceServerIds: [id] })
    const [pushed, waiting] = [await push(app, { resource: identifier }), await push(app, { resource: identifier })]
    const asked = await open(app, waiting.requestUri, owner)
    expect(asked.headers.get('location')).toMatch(/^\/oauth2\/consent\?/)

    await end(owner, app, id)

    for (const browser of [owner, service().anonymous]) {
      const refusal = Object.fromEntries(callbackOf(await open(app, pushed.requestUri, browser)))
      expect(refusal).toMatchObject({ error: 'invalid_target', state: 'pushed' })
    }
    expect(await checkOf(app)).toMatchObject({ endpoint: 'authorize', check: 'resource' })
    const back = await owner.get(await decideConsent(owner, referenceIn(asked), 'allow'))
    expect(callbackOf(back).get('error')).toBe('invalid_target')
  })
})

describe('without the extension', () => {
  it('there is no such address, no client can be made to push, and one that has to is refused with the reason', async () => {
    const app = await givenApplication(without(), { requirePushedAuthorizationRequests: false })
    const { owner } = app.organisation
    expect((await app.post('/oauth2/par', {})).status).toBe(404)
    const uri = await app.authorize({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })
    expect(callbackOf(uri).get('error')).toBe('request_uri_not_supported')
    const wanted = { requirePushedAuthorizationRequests: true }
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, wanted)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['requirePushedAuthorizationRequests'], message: 'Needs OAUTH_EXTENSIONS to hold par' }] },
    })
    await without().database.tenant(app.organisation.id).updateTable('clients').set(wanted).execute()
    expect(callbackOf(await app.authorize()).get('error')).toBe('invalid_request')
    expect(await checkOf(app)).toMatchObject({ check: 'request_uri', hint: 'needs OAUTH_EXTENSIONS to hold par' })
  })
})
