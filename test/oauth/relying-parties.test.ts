import type { AddressInfo } from 'node:net'
import express from 'express'
import session from 'express-session'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import passport from 'passport'
import { Strategy } from 'passport-openidconnect'
import { describe, expect, it } from 'vitest'
import { type ClientKey, clientKey } from '../support/client-keys.ts'
import { decideOnDevice, deviceGrant } from '../support/devices.ts'
import { freePort } from '../support/free-port.ts'
import { cookieOf, type TestOrganisation } from '../support/given.ts'
import { decideConsent, givenApplication, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({
  environment: {
    PORT: String(port),
    PUBLIC_URL: issuer,
    OAUTH_EXTENSIONS: 'claims_parameter,device,dpop,jar,jwt_introspection,par,private_key_jwt',
    DPOP_NONCE: 'required',
  },
})
const callback = 'https://portal.example.test/callback'
const home = 'https://portal.example.test/'
const web = (registration: Registration = {}) =>
  givenApplication(service(), {
    redirectUris: [callback],
    postLogoutRedirectUris: [home],
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: ['orders:read'],
    ...registration,
  })

/** A browser without scripts: it stores cookies, follows our redirects, signs in and consents when required, and stops at the application. */
class Browser {
  cookie = ''

  async follow(address: URL | string, organisation: TestOrganisation): Promise<URL> {
    let next = new URL(address)
    while (next.origin === issuer) {
      if (next.pathname === '/login') {
        await this.#signIn(organisation)
        next = new URL(next.searchParams.get('returnTo') ?? '', issuer)
      }
      if (next.pathname === '/oauth2/consent') {
        next = new URL(await decideConsent(organisation.owner, next.searchParams.get('request') ?? '', 'allow'), issuer)
      }
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie: this.cookie } })
      const location = answer.headers.get('location')
      if (!location) throw new Error(`${next.pathname} answered ${answer.status}`)
      next = new URL(location, issuer)
    }
    return next
  }

  async #signIn({ owner }: TestOrganisation): Promise<void> {
    const login = await service().anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password })
    this.cookie = cookieOf(login)
  }
}

describe('openid-client', () => {
  it.each(['EdDSA', 'RS256'])('completes every flow with ID tokens signed by %s', async (alg) => {
    const app = await web({ idTokenSignedResponseAlg: alg })
    const { owner } = app.organisation
    const metadata = { id_token_signed_response_alg: alg }
    const basic = client.ClientSecretBasic(app.secret ?? '')
    const config = await client.discovery(new URL(issuer), app.id, metadata, basic, { execute: [client.allowInsecureRequests] })

    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid profile email offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: '3600',
      state,
      nonce,
    })
    const browser = new Browser()
    const back = await browser.follow(address, app.organisation)
    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      maxAge: 3600,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({ sub: owner.id, email: owner.email })

    expect(await client.fetchUserInfo(config, tokens.access_token, owner.id)).toMatchObject({ email: owner.email })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.claims()?.sub).toBe(owner.id)
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true, username: owner.email })
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })

    const own = await client.clientCredentialsGrant(config, { scope: 'orders:read' })
    expect(await client.tokenIntrospection(config, own.access_token)).toMatchObject({ active: true, sub: app.id })

    const farewell = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: home,
      state: 'bye',
    })
    expect((await browser.follow(farewell, app.organisation)).href).toBe(`${home}?state=bye`)
    expect(await service().anonymous.get('/v1/me/profile', { headers: { cookie: browser.cookie } })).toMatchObject({ status: 401 })
  })

  it.each(['EdDSA', 'ES256', 'PS256', 'RS256'])('authenticates by a key that signs with %s, at every endpoint', async (alg) => {
    const key = await clientKey(alg, 'own')
    const app = await web({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.publicKey] } })
    const insecure = { execute: [client.allowInsecureRequests] }
    const byKey = client.PrivateKeyJwt({ key: key.privateKey, kid: 'own' })
    const config = await client.discovery(new URL(issuer), app.id, undefined, byKey, insecure)
    const own = await client.clientCredentialsGrant(config, { scope: 'orders:read' })
    expect(await client.tokenIntrospection(config, own.access_token)).toMatchObject({ active: true, sub: app.id })
    await client.tokenRevocation(config, own.access_token)
    expect(await client.tokenIntrospection(config, own.access_token)).toEqual({ active: false })
  })

  it('pushes its request, and signs a user in', async () => {
    const app = await web({ requirePushedAuthorizationRequests: true })
    const basic = client.ClientSecretBasic(app.secret ?? '')
    const config = await client.discovery(new URL(issuer), app.id, undefined, basic, { execute: [client.allowInsecureRequests] })
    const verifier = client.randomPKCECodeVerifier()
    const code_challenge = await client.calculatePKCECodeChallenge(verifier)
    const expectedState = client.randomState()
    const address = await client.buildAuthorizationUrlWithPAR(config, {
      ...{ redirect_uri: callback, scope: 'openid', state: expectedState },
      ...{ code_challenge, code_challenge_method: 'S256' },
    })
    expect([...address.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri'])
    const back = await new Browser().follow(address, app.organisation)
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState })
    expect(tokens.claims()).toMatchObject({ sub: app.organisation.owner.id })
  })

  it('asks for claims by their names', async () => {
    const app = await web({ requireConsent: true })
    const { owner } = app.organisation
    const basic = client.ClientSecretBasic(app.secret ?? '')
    const config = await client.discovery(new URL(issuer), app.id, undefined, basic, { execute: [client.allowInsecureRequests] })
    expect(config.serverMetadata().claims_parameter_supported).toBe(true)
    const verifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const code_challenge = await client.calculatePKCECodeChallenge(verifier)
    const claims = { userinfo: { name: { essential: true } }, id_token: { given_name: null, sub: { value: owner.id } } }
    const address = client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: callback, scope: 'openid', state: expectedState, claims: JSON.stringify(claims) },
      ...{ code_challenge, code_challenge_method: 'S256' },
    })
    const back = await new Browser().follow(address, app.organisation)
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState })
    expect(tokens.claims()).toMatchObject({ sub: owner.id, given_name: expect.any(String) })
    expect(await client.fetchUserInfo(config, tokens.access_token, owner.id)).toEqual({ sub: owner.id, name: expect.any(String) })
  })

  it('signs its request, and signs a user in', async () => {
    const key = await clientKey('ES256', 'own')
    const app = await web({ requireSignedRequestObject: true, jwks: { keys: [key.publicKey] } })
    const basic = client.ClientSecretBasic(app.secret ?? '')
    const config = await client.discovery(new URL(issuer), app.id, undefined, basic, { execute: [client.allowInsecureRequests] })
    const verifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const code_challenge = await client.calculatePKCECodeChallenge(verifier)
    const parameters = { redirect_uri: callback, scope: 'openid', state: expectedState, code_challenge, code_challenge_method: 'S256' }
    const address = await client.buildAuthorizationUrlWithJAR(config, parameters, { key: key.privateKey, kid: 'own' })
    expect([...address.searchParams.keys()].toSorted()).toEqual(['client_id', 'request'])
    const back = await new Browser().follow(address, app.organisation)
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState })
    expect(tokens.claims()).toMatchObject({ sub: app.organisation.owner.id })
  })

  it('proves a key with every request', async () => {
    const app = await web({ requireDpop: true, clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'] })
    const { owner } = app.organisation
    const config = await client.discovery(new URL(issuer), app.id, undefined, client.None(), { execute: [client.allowInsecureRequests] })
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const verifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const code_challenge = await client.calculatePKCECodeChallenge(verifier)
    const parameters = {
      redirect_uri: callback,
      scope: 'openid offline_access',
      state: expectedState,
      code_challenge,
      code_challenge_method: 'S256',
    }
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
    const back = await new Browser().follow(address, app.organisation)
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState }, undefined, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    expect(await client.fetchUserInfo(config, tokens.access_token, owner.id, { DPoP })).toMatchObject({ sub: owner.id })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
    expect(await client.fetchUserInfo(config, refreshed.access_token, owner.id, { DPoP })).toMatchObject({ sub: owner.id })
    await expect(client.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
  })

  it.each(['EdDSA', 'RS256'])('introspects tokens in responses that are signed by %s', async (introspection_signed_response_alg) => {
    const app = await web({ introspectionSignedResponseAlg: introspection_signed_response_alg })
    const basic = client.ClientSecretBasic(app.secret ?? '')
    const insecure = { execute: [client.allowInsecureRequests] }
    const config = await client.discovery(new URL(issuer), app.id, { introspection_signed_response_alg }, basic, insecure)
    const { access_token: token } = await client.clientCredentialsGrant(config, { scope: 'orders:read' })
    expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true, scope: 'orders:read', client_id: app.id })
    await client.tokenRevocation(config, token)
    expect(await client.tokenIntrospection(config, token)).toEqual({ active: false })
  })

  it('signs a user in on a device without a browser', async () => {
    const app = await web({ clientType: 'public', redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] })
    const { owner } = app.organisation
    const insecure = { execute: [client.allowInsecureRequests] }
    const config = await client.discovery(new URL(issuer), app.id, undefined, client.None(), insecure)
    const asked = await client.initiateDeviceAuthorization(config, { scope: 'openid email offline_access orders:read' })
    expect(new URL(asked.verification_uri).origin).toBe(issuer)

    await decideOnDevice(owner, asked, 'allow')
    // The user has decided before the first poll, so that the test has nothing to wait for.
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...asked, interval: 0 })
    expect(tokens.claims()).toMatchObject({ sub: owner.id, email: owner.email })
    expect(await client.fetchUserInfo(config, tokens.access_token, owner.id)).toMatchObject({ email: owner.email })
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).claims()?.sub).toBe(owner.id)

    const again = client.pollDeviceAuthorizationGrant(config, { ...asked, interval: 0 })
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
    const cancelled = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
    await decideOnDevice(owner, cancelled, 'cancel')
    await expect(client.pollDeviceAuthorizationGrant(config, { ...cancelled, interval: 0 })).rejects.toMatchObject({
      error: 'access_denied',
    })
  })
})

describe('oauth4webapi', () => {
  it('accepts every response to a public client', async () => {
    const app = await web({ clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'] })
    const { owner } = app.organisation
    const insecure = { [oauth.allowInsecureRequests]: true }
    const metadata: oauth.Client = { client_id: app.id }
    const discovered = await oauth.discoveryRequest(new URL(issuer), insecure)
    const server = await oauth.processDiscoveryResponse(new URL(issuer), discovered)

    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const address = new URL(server.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      client_id: app.id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email offline_access',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString()
    // Also checks `iss`, which the metadata announce.
    const parameters = oauth.validateAuthResponse(server, metadata, await new Browser().follow(address, app.organisation), state)

    const answer = await oauth.authorizationCodeGrantRequest(server, metadata, oauth.None(), parameters, callback, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(server, metadata, answer, { expectedNonce: nonce, requireIdToken: true })
    await oauth.validateApplicationLevelSignature(server, answer, insecure)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    expect(claims?.sub).toBe(owner.id)

    const userInfo = await oauth.userInfoRequest(server, metadata, tokens.access_token, insecure)
    expect(await oauth.processUserInfoResponse(server, metadata, owner.id, userInfo)).toMatchObject({ email: owner.email })
    const refresh = await oauth.refreshTokenGrantRequest(server, metadata, oauth.None(), tokens.refresh_token ?? '', insecure)
    const refreshed = await oauth.processRefreshTokenResponse(server, metadata, refresh)
    const revocation = await oauth.revocationRequest(server, metadata, oauth.None(), refreshed.refresh_token ?? '', insecure)
    await oauth.processRevocationResponse(revocation)

    const request = new Request(`${issuer}/resource`, { headers: { authorization: `Bearer ${refreshed.access_token}` } })
    const validated = await oauth.validateJwtAccessToken(server, request, app.id, insecure)
    expect(validated).toMatchObject({ client_id: app.id, sub: owner.id })
  })

  it('authenticates by a key, and is refused with the key of another client', async () => {
    const key = await clientKey('ES256', 'own')
    const app = await web({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.publicKey] } })
    const insecure = { [oauth.allowInsecureRequests]: true }
    const server = await oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), insecure))
    const ask = async ({ privateKey }: ClientKey) => {
      const authentication = oauth.PrivateKeyJwt({ key: privateKey, kid: 'own' })
      return oauth.clientCredentialsGrantRequest(server, { client_id: app.id }, authentication, {}, insecure)
    }
    expect(await oauth.processClientCredentialsResponse(server, { client_id: app.id }, await ask(key))).toMatchObject({
      token_type: 'bearer',
    })
    const refused = oauth.processClientCredentialsResponse(server, { client_id: app.id }, await ask(await clientKey('ES256', 'own')))
    await expect(refused).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
  })

  it('pushes a request, and recognises why another one is refused', async () => {
    const app = await web({ clientType: 'public', grantTypes: ['authorization_code'] })
    const insecure = { [oauth.allowInsecureRequests]: true }
    const server = await oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), insecure))
    const one = { client_id: app.id }
    const push = async (fields: Record<string, string>) => {
      const challenge = await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier())
      const parameters = {
        response_type: 'code',
        redirect_uri: callback,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...fields,
      }
      const answer = await oauth.pushedAuthorizationRequest(server, one, oauth.None(), parameters, insecure)
      return oauth.processPushedAuthorizationResponse(server, one, answer)
    }
    expect(await push({ scope: 'openid' })).toMatchObject({ expires_in: 90 })
    await expect(push({ scope: 'orders:write' })).rejects.toMatchObject({ error: 'invalid_scope', status: 400 })
  })

  it('recognises a refusal', async () => {
    const app = await web()
    const insecure = { [oauth.allowInsecureRequests]: true }
    const server = await oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), insecure))
    const authentication = oauth.ClientSecretBasic('wrong')
    const answer = await oauth.clientCredentialsGrantRequest(server, { client_id: app.id }, authentication, {}, insecure)
    await expect(oauth.processClientCredentialsResponse(server, { client_id: app.id }, answer)).rejects.toThrow()
  })
})

describe('passport-openidconnect', () => {
  it('signs a user in to an Express application', async () => {
    const listener = express()
    const server = listener.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const app = await web({ redirectUris: [`${origin}/callback`], requirePkce: false, tokenEndpointAuthMethod: 'client_secret_post' })
      const strategy = new Strategy(
        {
          issuer,
          authorizationURL: `${issuer}/oauth2/authorize`,
          tokenURL: `${issuer}/oauth2/token`,
          userInfoURL: `${issuer}/oauth2/userinfo`,
          clientID: app.id,
          clientSecret: app.secret ?? '',
          callbackURL: `${origin}/callback`,
          scope: 'profile email',
        },
        (_issuer, profile, done) => done(null, profile),
      )
      const authenticator = new passport.Passport().use('gatehouse', strategy)
      authenticator.serializeUser((user, done) => done(null, user))
      listener.use(session({ secret: 'of the test', resave: false, saveUninitialized: true }))
      listener.get('/login', authenticator.authenticate('gatehouse'))
      listener.get('/callback', authenticator.authenticate('gatehouse', { session: false }), (request, response) => {
        response.json(request.user)
      })

      const begun = await fetch(`${origin}/login`, { redirect: 'manual' })
      const back = await new Browser().follow(begun.headers.get('location') ?? '', app.organisation)
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const signedIn = await fetch(back, { headers: { cookie } })

      expect(await signedIn.json()).toMatchObject({ id: app.organisation.owner.id, emails: [{ value: app.organisation.owner.email }] })
    } finally {
      server.close()
    }
  })
})
