import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import type { TestOrganisation } from '../support/given.ts'
import { browserOf, callbackOf, claimsOf, consentPath, decideConsent, headerOf, pkce, TestApplication } from '../support/oauth.ts'
import { newMetadata, registered, registrationToken } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({ environment: { PORT: String(port), PUBLIC_URL: issuer, OAUTH_EXTENSIONS: 'dynamic_registration' } })
const web = 'https://preview.example.test/callback'
const both = ['authorization_code', 'refresh_token']

async function givenClient(metadata: Record<string, unknown> = {}) {
  const organisation = await service().given.organisation()
  const { token } = await registrationToken(organisation)
  const registration = await registered(service().anonymous, token, { grant_types: both, ...metadata })
  const { id, body } = registration
  const described = { id, clientSecret: body.client_secret ?? null, redirectUris: body.redirect_uris }
  return { organisation, registration, app: new TestApplication(service().anonymous, organisation, described) }
}

/** Asks for an authorization. @returns the reference of the consent page; undefined when the user is not asked */
async function ask(app: TestApplication, parameters: Record<string, string> = {}) {
  const { verifier, challenge } = pkce()
  const answer = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope: 'openid', ...parameters })
  const address = new URL(answer.headers.get('location') ?? '', issuer)
  const reference = address.pathname === '/oauth2/consent' ? (address.searchParams.get('request') ?? undefined) : undefined
  return { verifier, reference, answer }
}

async function signIn(app: TestApplication, { owner }: TestOrganisation, redirectUri = app.redirectUri) {
  const { verifier, reference } = await ask(app, { redirect_uri: redirectUri })
  const next = await decideConsent(owner, reference ?? '', 'allow')
  const code = callbackOf(await owner.get(next)).get('code') ?? ''
  return app.redeem(code, verifier, { redirect_uri: redirectUri })
}

describe('a client that registered itself', () => {
  it('asks each user, and gets a refresh token for having registered the grant', async () => {
    const { app, organisation } = await givenClient()
    const { status, body } = await signIn(app, organisation)
    expect(status).toBe(200)
    expect(headerOf(body.id_token).alg).toBe('RS256')
    expect(body.expires_in).toBeLessThanOrEqual(3_600)
    expect(await app.refresh(body.refresh_token)).toMatchObject({ status: 200 })

    const { app: once, organisation: other } = await givenClient({ grant_types: ['authorization_code'] })
    expect((await signIn(once, other)).body).not.toHaveProperty('refresh_token')
  })

  it('has its page say where the response goes, and for how long it has access, which it does not ask for by a scope', async () => {
    const { app, organisation } = await givenClient()
    const pageOf = async (asked: TestApplication, { owner }: TestOrganisation) =>
      (await browserOf(owner).open(consentPath((await ask(asked)).reference ?? ''))).body
    const page = await pageOf(app, organisation)
    expect(page).toContain('<dt>Access without asking again</dt><dd>up to 180 days</dd>')
    expect(page).toContain('<dt>Your answer goes to</dt><dd>preview.example.test</dd>')
    expect(page).not.toContain('Any program there')
    await organisation.owner.patch(`/v1/admin/clients/${app.id}`, { refreshTokenAbsoluteLifetime: 7 * 86_400 })
    expect(await pageOf(app, organisation)).toContain('<dd>up to 7 days</dd>')
    const { app: once, organisation: other } = await givenClient({ grant_types: ['authorization_code'] })
    expect(await pageOf(once, other)).not.toContain('Access without asking again')
    const native = await givenClient({ redirect_uris: ['com.example.app:/callback'] })
    expect(await pageOf(native.app, native.organisation)).toContain('<dt>Your answer goes to</dt><dd>com.example.app:</dd>')
    const disguised = await givenClient({ redirect_uris: ['com.example.app://accounts.example.test/callback'] })
    expect(await pageOf(disguised.app, disguised.organisation)).toContain('<dt>Your answer goes to</dt><dd>com.example.app:</dd>')
    const local = await givenClient({ redirect_uris: ['http://127.0.0.1/callback'] })
    expect(await pageOf(local.app, local.organisation)).toContain('Any program there may use its name')
  })

  it('no longer asks once an administrator has said so', async () => {
    const { app, organisation } = await givenClient()
    expect((await ask(app)).reference).toBeDefined()
    await organisation.owner.patch(`/v1/admin/clients/${app.id}`, { requireConsent: false })
    expect(callbackOf((await ask(app)).answer).has('code')).toBe(true)
  })

  it('gets no code without a challenge by S256', async () => {
    const { app } = await givenClient()
    const { challenge } = pkce()
    const missing = await app.authorize({ scope: 'openid' })
    const plain = await app.authorize({ scope: 'openid', code_challenge: challenge, code_challenge_method: 'plain' })
    for (const answer of [missing, plain]) expect(callbackOf(answer).get('error')).toBe('invalid_request')
  })

  it('is allowed anew after it has registered other redirect URIs, and not after anything else', async () => {
    const { app, organisation, registration } = await givenClient()
    await signIn(app, organisation)
    expect(callbackOf((await ask(app)).answer).has('code')).toBe(true)

    await registration.replace(newMetadata({ client_id: app.id, client_name: 'Renamed', grant_types: both }))
    expect(callbackOf((await ask(app)).answer).has('code')).toBe(true)

    const moved = { client_id: app.id, grant_types: both, redirect_uris: [web, 'https://moved.example.test/callback'] }
    await registration.replace(newMetadata(moved))
    expect((await ask(app)).reference).toBeDefined()
    await signIn(app, organisation)
    expect(callbackOf((await ask(app)).answer).has('code')).toBe(true)
  })

  it.each<[string, (given: Awaited<ReturnType<typeof givenClient>>) => Promise<unknown>]>([
    [
      'an administrator has taken from it',
      ({ organisation: { owner }, app }) => owner.patch(`/v1/admin/clients/${app.id}`, { redirectUris: [web] }),
    ],
    ['it has given up', ({ app, registration }) => registration.replace(newMetadata({ client_id: app.id, grant_types: both }))],
  ])('is allowed anew where it registers a redirect URI again that %s', async (_, take) => {
    const redirect_uris = ['https://lost.example.test/callback', web]
    const given = await givenClient({ redirect_uris })
    const { app, organisation, registration } = given
    await signIn(app, organisation)

    expect(await take(given)).toMatchObject({ status: 200 })
    expect(await registration.replace(newMetadata({ client_id: app.id, grant_types: both, redirect_uris }))).toMatchObject({ status: 200 })

    for (const redirect_uri of redirect_uris) expect((await ask(app, { redirect_uri })).reference).toBeDefined()
  })

  it('is not asked about again where it repeats the redirect URIs that an administrator has left it', async () => {
    const { app, organisation, registration } = await givenClient({ redirect_uris: [web, 'https://lost.example.test/callback'] })
    await signIn(app, organisation)
    await organisation.owner.patch(`/v1/admin/clients/${app.id}`, { redirectUris: [web] })

    await registration.replace(newMetadata({ client_id: app.id, client_name: 'Renamed', grant_types: both }))

    expect(callbackOf((await ask(app)).answer).has('code')).toBe(true)
  })

  it('is allowed nothing by a page from before it has registered other redirect URIs', async () => {
    const { app, organisation, registration } = await givenClient()
    const { owner } = organisation
    const { reference = '' } = await ask(app)
    const { formToken, status } = await browserOf(owner).open(consentPath(reference))
    expect(status).toBe(200)
    const moved = 'https://moved.example.test/callback'
    await registration.replace(newMetadata({ client_id: app.id, grant_types: both, redirect_uris: [web, moved] }))

    const expired = { status: 400, body: expect.stringContaining('This sign-in has expired') }
    expect(await browserOf(owner).open(consentPath(reference))).toMatchObject(expired)
    const decided = await browserOf(owner).submit(consentPath(reference), { decision: 'allow', formToken })
    expect(decided).toMatchObject(expired)
    for (const redirect_uri of [web, moved]) expect((await ask(app, { redirect_uri })).reference).toBeDefined()
  })

  it('asks again after it has registered other redirect URIs, also where an administrator has set that it does not', async () => {
    const { app, organisation, registration } = await givenClient()
    const path = `/v1/admin/clients/${app.id}`
    await organisation.owner.patch(path, { requireConsent: false })
    await registration.replace(newMetadata({ client_id: app.id, client_name: 'Renamed', grant_types: both }))
    expect(callbackOf((await ask(app)).answer).has('code')).toBe(true)

    const moved = 'https://moved.example.test/callback'
    await registration.replace(newMetadata({ client_id: app.id, grant_types: both, redirect_uris: [moved] }))
    expect((await ask(app, { redirect_uri: moved })).reference).toBeDefined()
    expect((await organisation.owner.get(path)).body).toMatchObject({ requireConsent: true })
    const [entry] = await organisation.owner.audit({ action: 'client.updated' })
    expect(entry).toMatchObject({ actorId: app.id, changes: { requireConsent: { from: false, to: true } } })
  })

  it('refreshes for a user only if it had registered the grant when they allowed it', async () => {
    const { app, organisation, registration } = await givenClient()
    const once = newMetadata({ client_id: app.id, grant_types: ['authorization_code'] })
    await registration.replace(once)
    expect((await signIn(app, organisation)).body).not.toHaveProperty('refresh_token')
    await registration.replace({ ...once, grant_types: both })
    const { verifier, answer } = await ask(app, { prompt: 'none' })
    const { body } = await app.redeem(callbackOf(answer).get('code') ?? '', verifier)
    expect(body).toHaveProperty('access_token')
    expect(body).not.toHaveProperty('refresh_token')
    expect((await signIn(app, organisation)).body).toHaveProperty('refresh_token')
  })

  it('loses its tokens when it deletes itself', async () => {
    const { app, organisation, registration } = await givenClient()
    const { body } = await signIn(app, organisation)
    await registration.remove()
    expect(await app.refresh(body.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await app.userInfo(body.access_token)).status).toBe(401)
  })

  it('is redirected to any port of the loopback address that it registered', async () => {
    const redirect_uris = ['http://localhost/callback', 'http://127.0.0.1/callback']
    const { app } = await givenClient({ redirect_uris, token_endpoint_auth_method: 'none' })
    for (const redirect_uri of ['http://localhost:49152/callback', 'http://127.0.0.1:49152/callback'])
      expect((await ask(app, { redirect_uri })).reference).toBeDefined()
    expect((await ask(app, { redirect_uri: 'http://localhost:49152/other' })).answer.status).toBe(400)
  })
})

describe('openid-client', () => {
  it('registers itself, signs a user in and reads UserInfo', async () => {
    const organisation = await service().given.organisation()
    const { token } = await registrationToken(organisation, { maxUses: 1 })
    const config = await client.dynamicClientRegistration(
      new URL(issuer),
      { redirect_uris: [web], client_name: 'Preview', grant_types: both },
      undefined,
      { initialAccessToken: token, execute: [client.allowInsecureRequests] },
    )
    const { client_id: id, client_secret: secret } = config.clientMetadata()
    expect(secret).toEqual(expect.any(String))

    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: web,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const { owner } = organisation
    const asked = await owner.get(address.pathname + address.search)
    const reference = new URL(asked.headers.get('location') ?? '', issuer).searchParams.get('request') ?? ''
    expect(asked.headers.get('location')).toContain(consentPath(reference))
    const back = await owner.get(await decideConsent(owner, reference, 'allow'))
    const tokens = await client.authorizationCodeGrant(config, new URL(back.headers.get('location') ?? ''), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    expect(claimsOf(tokens.access_token)).toMatchObject({ client_id: id, org: organisation.id })
    expect(await client.fetchUserInfo(config, tokens.access_token, owner.id)).toMatchObject({ sub: owner.id })
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).toEqual(expect.any(String))
  })
})
