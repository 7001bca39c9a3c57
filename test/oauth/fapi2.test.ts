import { createHash } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import * as client from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { assertionOf, byAssertion, type ClientKey, clientKey } from '../support/client-keys.ts'
import { freePort } from '../support/free-port.ts'
import type { TestOrganisation } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import {
  callbackOf,
  claimsOf,
  encode,
  givenApplication,
  pkce,
  postForm,
  type Registration,
  type TestApplication,
} from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({
  environment: {
    PORT: String(port),
    PUBLIC_URL: issuer,
    OAUTH_EXTENSIONS: 'private_key_jwt,par,dpop,jar,jwt_introspection,resource_indicators',
    RATE_LIMIT: 'off',
  },
})
const callback = 'https://portal.example.test/callback'

let [own, proving, other] = [] as unknown as [ClientKey, ClientKey, ClientKey]
beforeAll(async () => {
  own = await clientKey('ES256', 'own')
  proving = await clientKey('ES256')
  other = await clientKey('ES256')
})

const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
const registration = () => ({ profile: 'fapi2', grantTypes, redirectUris: [callback], jwks: { keys: [own.publicKey] } })
const fapi = (fields: Registration & { organisation?: TestOrganisation } = {}) =>
  givenApplication(service(), { ...registration(), ...fields })

let last = 0
async function proof(by: ClientKey, { path = '/oauth2/token', claims = {}, header = {} } = {}) {
  last += 1
  const iat = Math.floor(service().clock.now().getTime() / 1_000)
  const signer = new SignJWT({ jti: `proof-${last}`, htm: 'POST', htu: `${issuer}${path}`, iat, ...claims })
  return { dpop: await signer.setProtectedHeader({ typ: 'dpop+jwt', alg: by.alg, jwk: by.publicKey, ...header }).sign(by.privateKey) }
}

interface Bent {
  by?: ClientKey | null
  signer?: ClientKey
  claims?: Record<string, unknown>
}

/** Posts a form as the client does by the profile: with an assertion and a proof, but for what is given. */
async function post(app: TestApplication, path: string, form: Record<string, string | undefined>, bent: Bent = {}): Promise<Answer> {
  const { by = proving, signer = own, claims = {} } = bent
  const assertion = byAssertion(await assertionOf(service(), app, signer, { claims }))
  return postForm(service().anonymous, path, { ...form, ...assertion }, by === null ? {} : await proof(by, { path }))
}
const ask = (app: TestApplication, bent?: Bent) => post(app, '/oauth2/token', { grant_type: 'client_credentials' }, bent)
const refresh = (app: TestApplication, token: string, bent?: Bent) =>
  post(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: token }, bent)

async function push(app: TestApplication, form: Record<string, string | undefined> = {}, bent?: Bent) {
  const { verifier, challenge } = pkce()
  const parameters = {
    ...{ response_type: 'code', redirect_uri: callback, scope: 'openid offline_access', state: 'xyz' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', ...form },
  }
  return { answer: await post(app, '/oauth2/par', parameters, bent), verifier }
}

/** A code for a signed-in user, by a pushed request. */
async function code(app: TestApplication, form: Record<string, string> = {}, bent?: Bent) {
  const { answer, verifier } = await push(app, form, bent)
  expect(answer).toMatchObject({ status: 201 })
  const opened = await app.organisation.owner.get(
    `/oauth2/authorize?${encode({ client_id: app.id, request_uri: answer.body.request_uri })}`,
  )
  const response = callbackOf(opened)
  return { code: response.get('code') ?? '', verifier, response, opened }
}
const redeem = (app: TestApplication, got: { code: string; verifier: string }, bent?: Bent) =>
  post(
    app,
    '/oauth2/token',
    { grant_type: 'authorization_code', code: got.code, code_verifier: got.verifier, redirect_uri: callback },
    bent,
  )
const signIn = async (app: TestApplication) => {
  const answer = await redeem(app, await code(app))
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as { access_token: string; refresh_token: string; id_token: string }
}

const refused = (error: string, status = 400) => ({ status, body: { error } })
const invalidClient = refused('invalid_client', 401)
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

async function checkOf({ organisation }: TestApplication) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  return body.data[0].check
}

describe('openid-client', () => {
  it('signs a user in by the profile: fapi2-security-profile-final-happy-flow', async () => {
    const app = await fapi()
    const { owner } = app.organisation
    const byKey = client.PrivateKeyJwt({ key: own.privateKey, kid: 'own' })
    const metadata = { id_token_signed_response_alg: 'EdDSA' }
    const config = await client.discovery(new URL(issuer), app.id, metadata, byKey, { execute: [client.allowInsecureRequests] })
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const verifier = client.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
    const parameters = {
      ...{ redirect_uri: callback, scope: 'openid offline_access', state: expectedState, nonce: expectedNonce },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    }
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
    const opened = await owner.get(`${address.pathname}${address.search}`)
    const back = new URL(opened.headers.get('location') ?? '')
    const checks = { pkceCodeVerifier: verifier, expectedState, expectedNonce }
    const tokens = await client.authorizationCodeGrant(config, back, checks, undefined, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    expect(await client.fetchUserInfo(config, tokens.access_token, owner.id, { DPoP })).toMatchObject({ sub: owner.id })
    for (const _ of [1, 2]) {
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
      expect(refreshed.refresh_token).toBe(tokens.refresh_token)
      expect(await client.fetchUserInfo(config, refreshed.access_token, owner.id, { DPoP })).toMatchObject({ sub: owner.id })
    }
  })
})

describe('setting the profile', () => {
  const forced = {
    tokenEndpointAuthMethod: 'private_key_jwt',
    requirePushedAuthorizationRequests: true,
    requireDpop: true,
    requirePkce: true,
    allowPlainPkce: false,
    authorizationCodeTtl: 60,
    idTokenSignedResponseAlg: 'EdDSA',
  }
  const outside = (field: string, ...place: (string | number)[]) => ({
    status: 400,
    body: { errors: [{ path: [field, ...place], reason: 'outside-profile' }] },
  })

  it('sets what the profile demands, at registration', async () => {
    const { owner } = await service().given.organisation()
    const created = await owner.post('/v1/admin/clients', { name: 'Bank', clientType: 'confidential', ...registration() })
    expect(created).toMatchObject({ status: 201, body: { profile: 'fapi2', clientSecret: null, ...forced } })
  })

  it('sets it by a change too, in one entry of the history, and leaves the fields when it is taken away', async () => {
    const app = await givenApplication(service(), {
      ...{ grantTypes, redirectUris: [callback], jwks: { keys: [own.publicKey] } },
      ...{ idTokenSignedResponseAlg: 'RS256', tokenEndpointAuthSigningAlg: 'RS256', requirePkce: false, allowPlainPkce: true },
    })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    const all = { ...forced, tokenEndpointAuthSigningAlg: null }
    expect(await owner.patch(path, { profile: 'fapi2' })).toMatchObject({ status: 200, body: { profile: 'fapi2', ...all } })
    const { body } = await owner.get('/v1/admin/audit-logs?action=client.updated')
    expect(body.data).toHaveLength(1)
    expect(await owner.patch(path, { profile: null })).toMatchObject({ status: 200, body: { profile: null, ...all } })
    expect(await owner.patch(path, { requireDpop: false })).toMatchObject({ status: 200, body: { requireDpop: false } })
  })

  it('is undone with everything that it has set', async () => {
    const before = { authorizationCodeTtl: 300, requirePkce: false, idTokenSignedResponseAlg: 'RS256', requestObjectSigningAlg: 'RS256' }
    const keys = { grantTypes, redirectUris: [callback], jwks: { keys: [own.publicKey] } }
    const app = await givenApplication(service(), { ...keys, ...before })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    expect(await owner.patch(path, { profile: 'fapi2' })).toMatchObject({ status: 200, body: { authorizationCodeTtl: 60 } })
    const undo = async () => {
      const { body } = await owner.get('/v1/admin/audit-logs?action=client.updated')
      expect(await owner.post(`/v1/admin/audit-logs/${body.data[0].id}/undo`)).toMatchObject({ status: 200 })
      return (await owner.get(path)).body
    }
    const usual = { profile: null, requireDpop: false, tokenEndpointAuthMethod: 'client_secret_basic', ...before }
    expect(await undo()).toMatchObject(usual)
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject({ status: 200 })
    expect(await undo()).toMatchObject({ profile: 'fapi2', ...forced })
  })

  it('stands in documents of configuration, which need not name what it sets', async () => {
    const { owner } = await service().given.organisation()
    const bank = { name: 'Bank', clientType: 'confidential', profile: 'fapi2', redirectUris: [callback], jwks: { keys: [own.publicKey] } }
    const apply = (client: object) => owner.post('/v1/admin/configuration/apply', { document: { clients: { bank: client } } })
    expect(await apply(bank)).toMatchObject({ status: 200 })
    const { body: document } = await owner.get('/v1/admin/configuration')
    expect(document.clients.bank).toMatchObject({ profile: 'fapi2', ...forced })
    for (const same of [document, { clients: { bank } }])
      expect((await owner.post('/v1/admin/configuration/plan', { document: same })).body.changes).toEqual([])
    expect(await apply({ ...bank, requireDpop: false })).toMatchObject({ status: 400 })
    expect(await apply({ ...bank, profile: null, requireDpop: false })).toMatchObject({ status: 200 })
  })

  it('refuses what the same request, or a later one, names otherwise, with the clause', async () => {
    const app = await fapi()
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    for (const [field, value] of [
      ['requireDpop', false],
      ['requirePushedAuthorizationRequests', false],
      ['authorizationCodeTtl', 600],
      ['requirePkce', false],
      ['allowPlainPkce', true],
      ['tokenEndpointAuthMethod', 'client_secret_basic'],
      ['idTokenSignedResponseAlg', 'RS256'],
      ['tokenEndpointAuthSigningAlg', 'RS256'],
      ['requestObjectSigningAlg', 'RS256'],
      ['introspectionSignedResponseAlg', 'RS256'],
      ['jwks', null],
    ] as const) {
      expect(await owner.patch(path, { [field]: value })).toMatchObject(outside(field))
      const body = { name: 'Bank', clientType: 'confidential', ...registration(), [field]: value }
      expect(await owner.post('/v1/admin/clients', body)).toMatchObject(outside(field))
    }
    const { body } = await owner.patch(path, { requireDpop: false, authorizationCodeTtl: 61 })
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'FAPI 2.0 §5.3.2.1 no. 5 demands true, or certificateBoundAccessTokens',
      'FAPI 2.0 §5.3.2.1 no. 11 demands at most 60',
    ])
  })

  it('refuses a redirect URI that is not encrypted', async () => {
    const app = await fapi({ redirectUris: [callback, 'http://127.0.0.1/callback'] })
    const path = `/v1/admin/clients/${app.id}`
    const redirectUris = [callback, 'com.example.portal:/callback']
    expect(await app.organisation.owner.patch(path, { redirectUris })).toMatchObject(outside('redirectUris', 1))
  })

  it('is for confidential clients that an administrator has registered', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const changed = await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { profile: 'fapi2' })
    expect(changed.status).toBe(400)
    expect(changed.body.errors).toContainEqual(expect.objectContaining({ path: ['profile'], reason: 'outside-profile' }))
  })
})

describe('before the profile is set', () => {
  it('the clauses say what it would set, what stands against it, and whether the client is in use', async () => {
    const app = await givenApplication(service(), { grantTypes, redirectUris: [callback] })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    expect((await owner.get(`${path}/profile`)).body).toMatchObject({ profile: null, isInUse: false, usesSecret: false })
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject({ status: 200 })
    const { body } = await owner.get(`${path}/profile`)
    expect(body).toMatchObject({ isInUse: true, usesSecret: true })
    expect(body.clauses).toContainEqual({
      ...{
        clause: '5.3.2.1-6',
        field: 'tokenEndpointAuthMethod',
        demand: 'private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
        isMet: false,
        isSetByProfile: true,
      },
    })
    const inTheWay = body.clauses.filter((clause: { isMet: boolean; isSetByProfile: boolean }) => !clause.isMet && !clause.isSetByProfile)
    expect(inTheWay).toMatchObject([{ field: 'jwks' }])
    expect((await owner.patch(path, { profile: 'fapi2' })).body.errors).toMatchObject([{ path: ['jwks'] }])

    expect(await owner.patch(path, { profile: 'fapi2', jwks: { keys: [own.publicKey] } })).toMatchObject({ status: 200 })
    const held = (await owner.get(`${path}/profile`)).body
    expect(held).toMatchObject({ profile: 'fapi2', usesSecret: false })
    expect(held.clauses.every(({ isMet }: { isMet: boolean }) => isMet)).toBe(true)
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject(invalidClient)
  })
})

describe('an assertion', () => {
  it.each([
    ['the token endpoint', `${issuer}/oauth2/token`],
    ['an array with the issuer', [issuer]],
    ['the issuer and another', [issuer, 'https://other.example.test']],
    ['the issuer with a slash', `${issuer}/`],
    ['nothing', undefined],
  ])('is refused when its audience is %s', async (_, aud) => {
    const app = await fapi()
    expect(await ask(app, { claims: { aud } })).toMatchObject(invalidClient)
    expect((await push(app, {}, { claims: { aud } })).answer).toMatchObject(invalidClient)
    expect(await ask(app)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  })

  it.each(['EdDSA', 'ES256', 'PS256'])('is signed with %s', async (alg) => {
    const signer = await clientKey(alg, 'own')
    expect(await ask(await fapi({ jwks: { keys: [signer.publicKey] } }), { signer })).toMatchObject({ status: 200 })
  })

  it('is not signed with RS256', async () => {
    const signer = await clientKey('RS256', 'rsa')
    const app = await fapi({ jwks: { keys: [signer.publicKey] } })
    expect(await ask(app, { signer })).toMatchObject(invalidClient)
    expect(await checkOf(app)).toBe('client_assertion')
  })

  it.each([
    ['iat', 10, 200],
    ['nbf', 10, 200],
    ['iat', 75, 401],
    ['nbf', 75, 401],
  ])('with an %s of %i seconds ahead is answered %i', async (claim, ahead, status) => {
    const now = Math.floor(service().clock.now().getTime() / 1_000)
    expect(await ask(await fapi(), { claims: { [claim]: now + ahead, exp: now + ahead + 60 } })).toMatchObject({ status })
  })

  it('replaces no secret and no public client', async () => {
    const app = await fapi()
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject(invalidClient)
    expect(await postForm(service().anonymous, '/oauth2/par', { client_id: app.id })).toMatchObject(invalidClient)
  })
})

describe('an authorization request', () => {
  it('comes pushed alone: fapi2-security-profile-final-ensure-unsigned-authorization-request-without-using-par-fails', async () => {
    const app = await fapi()
    const { challenge } = pkce()
    const answer = await app.authorize({ scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256' })
    expect(callbackOf(answer).get('error')).toBe('invalid_request')
  })

  it.each([
    [
      'without redirect_uri: fapi2-security-profile-final-ensure-request-object-without-redirect-uri-fails',
      { redirect_uri: undefined, scope: 'offline_access' },
    ],
    ['with a plain challenge: fapi2-security-profile-final-par-plain-pkce-rejected', { code_challenge_method: 'plain' }],
    [
      'without a challenge: fapi2-security-profile-final-par-ensure-pkce-required',
      { code_challenge: undefined, code_challenge_method: undefined },
    ],
    ['for another redirect URI', { redirect_uri: 'https://other.example.test/' }],
    [
      'with a request_uri: fapi2-security-profile-final-par-authorization-request-containing-request_uri-form-param',
      { request_uri: 'urn:x' },
    ],
  ])('is refused %s', async (_, form) => {
    expect((await push(await fapi(), form)).answer).toMatchObject(refused('invalid_request'))
  })

  it.each(['token', 'code id_token', 'id_token'])('is refused for the response type %s', async (responseType) => {
    const { answer } = await push(await fapi(), { response_type: responseType })
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^(unsupported_response_type|invalid_request)$/) } })
  })

  it('lives for less than 600 seconds, has a nonce of 64 characters, and its response names the issuer', async () => {
    const app = await fapi()
    const nonce = 'n'.repeat(64)
    expect((await push(app)).answer.body.expires_in).toBeLessThan(600)
    const got = await code(app, { nonce })
    expect([got.response.get('iss'), got.response.get('state')]).toEqual([issuer, 'xyz'])
    expect([302, 303]).toContain(got.opened.status)
    expect(claimsOf((await redeem(app, got)).body.id_token)).toMatchObject({ nonce })
  })
})

describe('a code', () => {
  it('is redeemed within 60 seconds', async () => {
    const app = await fapi()
    const [early, late] = [await code(app), await code(app)]
    service().clock.advance({ seconds: 50 })
    expect(await redeem(app, early)).toMatchObject({ status: 200 })
    service().clock.advance({ seconds: 11 })
    expect(await redeem(app, late)).toMatchObject(refused('invalid_grant'))
  })

  it('is redeemed within 60 seconds, too, if it was issued before the client has the profile', async () => {
    const app = await fapi({ profile: null, tokenEndpointAuthMethod: 'private_key_jwt', authorizationCodeTtl: 600 })
    const [early, late] = [await app.code(), await app.code()]
    const { owner } = app.organisation
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { profile: 'fapi2' })).toMatchObject({ status: 200 })
    expect(await redeem(app, early)).toMatchObject({ status: 200 })
    service().clock.advance({ seconds: 61 })
    expect(await redeem(app, late)).toMatchObject(refused('invalid_grant'))
  })

  it('is redeemed once: fapi2-security-profile-final-attempt-reuse-authorization-code-after-one-second', async () => {
    const app = await fapi()
    const got = await code(app)
    expect(await redeem(app, got)).toMatchObject({ status: 200 })
    service().clock.advance({ seconds: 1 })
    expect(await redeem(app, got)).toMatchObject(refused('invalid_grant'))
  })

  it('is bound to the key that was proven when it was pushed', async () => {
    const app = await fapi()
    expect(await redeem(app, await code(app), { by: other })).toMatchObject(refused('invalid_grant'))
    const unbound = await code(app, {}, { by: null })
    expect(await redeem(app, unbound, { by: other })).toMatchObject({ status: 200 })
  })

  it('is of another client no use: fapi2-security-profile-final-ensure-authorization-code-is-bound-to-client', async () => {
    const app = await fapi()
    const foreign = await fapi({ organisation: app.organisation })
    expect(await redeem(foreign, await code(app))).toMatchObject(refused('invalid_grant'))
  })
})

describe('tokens', () => {
  it('are bound to a key, or not issued: fapi2-security-profile-final-ensure-holder-of-key-required', async () => {
    const app = await fapi()
    expect(await redeem(app, await code(app), { by: null })).toMatchObject(refused('invalid_dpop_proof'))
    expect(await ask(app, { by: null })).toMatchObject(refused('invalid_dpop_proof'))
    const { access_token: token } = await signIn(app)
    expect(claimsOf(token)).toMatchObject({ cnf: { jkt: expect.any(String) } })
    expect(await app.userInfo(token)).toMatchObject({ status: 401 })
  })

  it('are bound by a proof that RS256 does not sign', async () => {
    const app = await fapi()
    expect(await ask(app, { by: await clientKey('RS256') })).toMatchObject(refused('invalid_dpop_proof'))
    const by = await clientKey('PS256')
    const { body } = await ask(app, { by })
    const headers = async (key: ClientKey) => ({
      authorization: `DPoP ${body.access_token}`,
      ...(await proof(key, {
        path: '/oauth2/userinfo',
        claims: { htm: 'GET', ath: createHash('sha256').update(body.access_token).digest('base64url') },
      })),
    })
    expect((await service().anonymous.get('/oauth2/userinfo', { headers: await headers(other) })).status).toBe(401)
  })

  it('open UserInfo by a proof that RS256 does not sign, either', async () => {
    const app = await fapi()
    const by = await clientKey('PS256')
    const answer = await redeem(app, await code(app, {}, { by }), { by })
    expect(answer).toMatchObject({ status: 200 })
    const token = answer.body.access_token
    const claims = { htm: 'GET', ath: createHash('sha256').update(token).digest('base64url') }
    const ask = async (alg: string) => {
      const privateKey = (await importJWK(by.whole, alg)) as ClientKey['privateKey']
      const headers = await proof({ ...by, alg, privateKey }, { path: '/oauth2/userinfo', claims })
      return service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `DPoP ${token}`, ...headers } })
    }
    expect((await ask('PS256')).status).toBe(200)
    expect(await ask('RS256')).toMatchObject(refused('invalid_dpop_proof', 401))
  })

  it('and the response of introspection are signed with EdDSA, also for an API that prefers RS256', async () => {
    const organisation = await service().given.organisation()
    const api = await resourceServer(organisation.owner, {
      accessTokenSigningAlg: 'RS256',
      scopes: [{ name: 'orders:read', description: null }],
    })
    const app = await fapi({ organisation, resourceServerIds: [api.id], scopes: ['orders:read'] })
    const form = { grant_type: 'client_credentials', resource: api.identifier }
    const { status, body } = await post(app, '/oauth2/token', form)
    expect([status, headerOf(body.access_token).alg]).toEqual([200, 'EdDSA'])
    expect(headerOf((await signIn(app)).id_token).alg).toBe('EdDSA')

    const assertion = byAssertion(await assertionOf(service(), app, own))
    const introspected = await postForm(
      service().anonymous,
      '/oauth2/introspect',
      { token: body.access_token, ...assertion },
      {
        accept: 'application/token-introspection+jwt',
      },
    )
    expect(headerOf(String(introspected.body)).alg).toBe('EdDSA')
  })
})

describe('a refresh token', () => {
  it('stays the same, for two uses at once too: fapi2-security-profile-final-refresh-token', async () => {
    const app = await fapi()
    const { refresh_token: token, access_token: first } = await signIn(app)
    const answers = await Promise.all([refresh(app, token), refresh(app, token)])
    for (const { status, body } of answers) expect([status, body.refresh_token]).toEqual([200, token])
    const all = [first, ...answers.map(({ body }) => body.access_token)]
    expect(new Set(all).size).toBe(3)
    for (const access of all) expect((await post(app, '/oauth2/introspect', { token: access })).body).toMatchObject({ active: true })
  })

  it('may come with another key, to which its access tokens are bound then', async () => {
    const app = await fapi()
    const { refresh_token: token } = await signIn(app)
    const { body } = await refresh(app, token, { by: other })
    expect(body.refresh_token).toBe(token)
    expect(claimsOf(body.access_token).cnf).not.toEqual(claimsOf((await refresh(app, token)).body.access_token).cnf)
  })

  it('needs the proof of a key and the key of its client', async () => {
    const app = await fapi()
    const foreign = await fapi({ organisation: app.organisation })
    const { refresh_token: token } = await signIn(app)
    expect(await refresh(app, token, { by: null })).toMatchObject(refused('invalid_dpop_proof'))
    expect(await refresh(app, token, { signer: other })).toMatchObject(invalidClient)
    expect(await refresh(foreign, token)).toMatchObject(refused('invalid_grant'))
    // None of them ended the family.
    expect(await refresh(app, token)).toMatchObject({ status: 200 })
  })

  it('lasts by its use, and no longer than its client allows after the sign-in', async () => {
    const app = await fapi({ refreshTokenLifetime: 30 * 86_400, refreshTokenAbsoluteLifetime: 50 * 86_400 })
    const { refresh_token: token } = await signIn(app)
    service().clock.advance({ days: 29 })
    expect(await refresh(app, token)).toMatchObject({ status: 200 })
    service().clock.advance({ days: 20 })
    expect(await refresh(app, token)).toMatchObject({ status: 200 })
    service().clock.advance({ days: 2 })
    expect(await refresh(app, token)).toMatchObject(refused('invalid_grant'))
  })

  it('ends when it is revoked', async () => {
    const app = await fapi()
    const { refresh_token: token } = await signIn(app)
    expect(await post(app, '/oauth2/revoke', { token })).toMatchObject({ status: 200 })
    expect(await refresh(app, token)).toMatchObject(refused('invalid_grant'))
  })

  it('rotates again once the profile is taken away', async () => {
    const app = await fapi()
    const { refresh_token: token } = await signIn(app)
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { profile: null })
    const { body } = await refresh(app, token)
    expect(body.refresh_token).not.toBe(token)
    expect(await refresh(app, token)).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, body.refresh_token)).toMatchObject(refused('invalid_grant'))
  })
})

describe('without its extensions', () => {
  const [none, some] = [useService(), useService({ environment: { OAUTH_EXTENSIONS: 'private_key_jwt,dpop' } })]

  it('no client can be given the profile', async () => {
    for (const [of, missing] of [
      [none(), 'private_key_jwt'],
      [some(), 'par'],
    ] as const) {
      const app = await givenApplication(of)
      expect(await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { profile: 'fapi2' })).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['profile'], message: `Needs OAUTH_EXTENSIONS to hold ${missing}`, reason: 'extension-needed' }] },
      })
    }
  })
})
