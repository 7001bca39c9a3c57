import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { certificateVariables, handedOn, type TestCertificate, testCertificate } from '../support/certificates.ts'
import { assertionOf, byAssertion, type ClientKey, clientKey, publishedKeys } from '../support/client-keys.ts'
import { askOnDevice, decideOnDevice, deviceGrant } from '../support/devices.ts'
import type { Answer } from '../support/http-client.ts'
import { callbackOf, claimsOf, givenApplication, pkce, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { type TestService, useService } from '../support/service.ts'

const OAUTH_EXTENSIONS = 'mtls,par,dpop,device'
const service = useService({ environment: { OAUTH_EXTENSIONS, ...certificateVariables } })
const ofStranger = useService({ environment: { OAUTH_EXTENSIONS, ...certificateVariables, TRUST_PROXY: '192.0.2.7' } })
const asPem = useService({ environment: { OAUTH_EXTENSIONS, ...certificateVariables, MTLS_CERTIFICATE_HEADER: 'x-ssl-cert' } })
const withKeys = useService({ environment: { OAUTH_EXTENSIONS: 'mtls,private_key_jwt', ...certificateVariables } })
const without = useService()

const subjectDn = 'CN=portal.acme.test,O=Acme,C=DE'
const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
const named = (registration: Registration = {}, of: TestService = service()) =>
  givenApplication(of, { grantTypes, tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn }, ...registration })
const selfSigned = (certificate: TestCertificate, registration: Registration = {}) =>
  givenApplication(service(), {
    ...{ grantTypes, tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks: { keys: [certificate.publicKey] } },
    ...registration,
  })
const open = (registration: Registration = {}) =>
  givenApplication(service(), {
    ...{ clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'], certificateBoundAccessTokens: true },
    ...registration,
  })

let [authority, own, another, proving] = [] as unknown as [TestCertificate, TestCertificate, TestCertificate, ClientKey]
beforeAll(async () => {
  authority = await testCertificate({ subject: { CN: 'Authority' }, isAuthority: true })
  own = await testCertificate({ by: authority })
  another = await testCertificate({ by: authority, subject: { C: 'DE', O: 'Acme', CN: 'other.acme.test' } })
  proving = await clientKey('ES256')
})

type Headers = Record<string, string>
const ask = (app: TestApplication, headers: Headers = handedOn(own)) => app.token({ grant_type: 'client_credentials' }, headers)
const redeem = (app: TestApplication, { code, verifier }: { code: string; verifier: string }, headers: Headers = handedOn(own)) =>
  app.token({ grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }, headers)
const refresh = (app: TestApplication, token: string, headers: Headers = handedOn(own)) =>
  app.token({ grant_type: 'refresh_token', refresh_token: token }, headers)
const userInfo = (token: string, headers: Headers = {}, scheme = 'Bearer'): Promise<Answer> =>
  service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `${scheme} ${token}`, ...headers } })

let last = 0
/** The header with a proof of a key, for an address. */
async function proof(htu: string, { htm = 'POST', accessToken }: { htm?: string; accessToken?: string } = {}) {
  last += 1
  const iat = Math.floor(service().clock.now().getTime() / 1_000)
  const ath = accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') }
  const signer = new SignJWT({ jti: `proof-${last}`, htm, htu, iat, ...ath })
  const dpop = await signer.setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: proving.publicKey }).sign(proving.privateKey)
  return { dpop }
}

const refused = (error: string, status = 400) => ({ status, body: { error } })
const invalidClient = refused('invalid_client', 401)

async function lastRefusal({ organisation }: TestApplication) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  return body.data[0]
}

describe('a client with a certificate of an authority', () => {
  it('authenticates by the certificate of its connection at every endpoint', async () => {
    const app = await named({ grantTypes: [...grantTypes, deviceGrant] })
    const asked = await ask(app)
    expect(asked).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
    const token = asked.body.access_token
    expect(claimsOf(token)).not.toHaveProperty('cnf')
    const post = (path: string, form: Record<string, string>, headers: Headers = handedOn(own)) => app.post(path, form, headers)
    expect(await post('/oauth2/introspect', { token })).toMatchObject({ status: 200, body: { active: true } })
    const parameters = { response_type: 'code', redirect_uri: app.redirectUri, code_challenge: pkce().challenge }
    expect(await post('/oauth2/par', { ...parameters, code_challenge_method: 'S256' })).toMatchObject({ status: 201 })
    expect(await post('/oauth2/device_authorization', { scope: 'openid' })).toMatchObject({ status: 200 })
    expect(await post('/oauth2/revoke', { token })).toMatchObject({ status: 200 })
    expect((await post('/oauth2/introspect', { token })).body).toEqual({ active: false })
    for (const path of ['/oauth2/token', '/oauth2/introspect', '/oauth2/par', '/oauth2/device_authorization', '/oauth2/revoke']) {
      const form = { grant_type: 'client_credentials', token, ...parameters }
      for (const headers of [{}, handedOn(another)]) expect(await post(path, form, headers)).toMatchObject(invalidClient)
    }
    expect((await app.organisation.owner.get(`/v1/admin/clients/${app.id}`)).body).toMatchObject({
      lastUsedAt: expect.any(String),
      secret: null,
    })
  })

  it('is refused without a certificate, with one of another name, or one that the proxy has not verified', async () => {
    const app = await named()
    expect(await ask(app, {})).toMatchObject(invalidClient)
    expect(await lastRefusal(app)).toMatchObject({
      endpoint: 'token',
      check: 'client_certificate',
      expected: 'one certificate of the client',
    })
    expect(await ask(app, handedOn(another))).toMatchObject(invalidClient)
    expect(await lastRefusal(app)).toMatchObject({ expected: subjectDn, received: 'CN=other.acme.test,O=Acme,C=DE' })
    for (const verified of ['NONE', 'FAILED:self-signed certificate', 'success', '', 'SUCCESS, SUCCESS', 'SUCCESS ok', '0']) {
      expect(await ask(app, handedOn(own, verified))).toMatchObject(invalidClient)
    }
    const { 'client-cert': alone } = handedOn(own)
    expect(await ask(app, { 'client-cert': alone })).toMatchObject(invalidClient)
    expect(await lastRefusal(app)).toMatchObject({ received: 'a certificate that the proxy has not verified' })
  })

  it.each<[string, Record<string, string>]>([
    ['begins with its name', { C: 'DE', O: 'Acme', CN: 'portal.acme.test.evil.test' }],
    ['has its name in one attribute', { CN: 'portal.acme.test\\,O=Acme\\,C=DE' }],
    ['has a further attribute', { C: 'DE', O: 'Acme', OU: 'Guests', CN: 'portal.acme.test' }],
    ['lacks an attribute', { O: 'Acme', CN: 'portal.acme.test' }],
    ['has the attributes in another order', { CN: 'portal.acme.test', O: 'Acme', C: 'DE' }],
    ['has no name', {}],
    ['differs in case', { C: 'DE', O: 'ACME', CN: 'portal.acme.test' }],
  ])('is refused for a certificate of its authority that %s', async (_, subject) => {
    const app = await named()
    expect(await ask(app, handedOn(await testCertificate({ by: authority, subject })))).toMatchObject(invalidClient)
  })

  it.each<
    [
      string,
      Record<string, string>,
      { type: 1 | 2 | 6 | 7; value?: string; ip?: string },
      { type: 1 | 2 | 6 | 7; value?: string; ip?: string },
    ]
  >([
    [
      'a DNS name',
      { sanDns: 'Portal.acme.test' },
      { type: 2, value: 'portal.acme.test' },
      { type: 2, value: 'portal.acme.test.evil.test' },
    ],
    [
      'a URI',
      { sanUri: 'spiffe://acme.test/a,b' },
      { type: 6, value: 'spiffe://acme.test/a,b' },
      { type: 6, value: 'spiffe://acme.test/a' },
    ],
    ['an IP address', { sanIp: '2001:DB8::0001' }, { type: 7, ip: '2001:db8::1' }, { type: 7, ip: '2001:db8::11' }],
    ['an e-mail address', { sanEmail: 'portal@acme.test' }, { type: 1, value: 'portal@acme.test' }, { type: 2, value: 'portal@acme.test' }],
  ])('may be known by %s among the alternative names', async (_, tlsClientAuth, name, wrong) => {
    const app = await named({ tlsClientAuth })
    const further = { type: 2, value: 'further.acme.test' } as const
    const right = await testCertificate({ by: authority, alternativeNames: [further, name] })
    expect(await ask(app, handedOn(right))).toMatchObject({ status: 200 })
    expect(await ask(app, handedOn(await testCertificate({ by: authority, alternativeNames: [further, wrong] })))).toMatchObject(
      invalidClient,
    )
    // Without alternative names.
    expect(await ask(app, handedOn(own))).toMatchObject(invalidClient)
  })

  it('is refused when it sends a secret besides, and others cannot authenticate by a certificate', async () => {
    const app = await named()
    expect(await app.token({ grant_type: 'client_credentials', client_secret: 'x' }, handedOn(own))).toMatchObject(invalidClient)
    const bySecret = await givenApplication(service(), { grantTypes })
    const form = { client_id: bySecret.id, grant_type: 'client_credentials' }
    expect(await postForm(service().anonymous, '/oauth2/token', form, handedOn(own))).toMatchObject(invalidClient)
    expect(await ask(bySecret, { ...bySecret.authorization, ...handedOn(own) })).toMatchObject({ status: 200 })
  })
})

describe('a header with a certificate', () => {
  it('from an address that is no proxy of the operator is ignored, and its presence is logged once', async () => {
    const app = await named({}, ofStranger())
    const lines = () => ofStranger().logLines.filter((line) => line.includes('client-cert is ignored'))
    expect(lines()).toHaveLength(0)
    for (const forwarded of ['192.0.2.7', '127.0.0.1']) {
      expect(await ask(app, { ...handedOn(own), 'x-forwarded-for': forwarded, forwarded: `for=${forwarded}` })).toMatchObject(invalidClient)
    }
    expect(lines()).toHaveLength(1)
    const bound = await givenApplication(ofStranger(), { grantTypes, certificateBoundAccessTokens: true })
    expect(await ask(bound, { ...bound.authorization, ...handedOn(own) })).toMatchObject(refused('invalid_request'))
  })

  it('may be PEM in the encoding of URLs, under any name', async () => {
    const app = await named({}, asPem())
    const headers = (value: string) => ({ 'x-ssl-cert': value, 'x-client-verify': 'SUCCESS' })
    expect(await ask(app, headers(encodeURIComponent(own.cert)))).toMatchObject({ status: 200 })
    // The other form is not believed under this name, nor this name where the other one is set.
    expect(await ask(app, handedOn(own))).toMatchObject(invalidClient)
    for (const value of [
      encodeURIComponent(`${own.cert}\n${own.cert}`),
      encodeURIComponent(`${own.cert}\n${another.cert}`),
      `${encodeURIComponent(own.cert)}, ${encodeURIComponent(another.cert)}`,
      encodeURIComponent(own.key),
      encodeURIComponent(`x${own.cert}`),
      encodeURIComponent('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      '%E0%A4%A',
      'rubbish',
    ])
      expect(await ask(app, headers(value))).toMatchObject(invalidClient)
  })

  it('that holds no certificate, two of them, or more than one can be, is refused as a client without one', async () => {
    const app = await named()
    const { 'client-cert': one } = handedOn(own)
    const { 'client-cert': two } = handedOn(another)
    for (const value of [
      ...['rubbish', '::', ':AAAA:', ':?:', 'sha-256', one.slice(1), own.bytes.toString('base64'), `${one}, ${two}`, `${one},${one}`],
      `:${Buffer.concat([own.bytes, another.bytes]).toString('base64')}:`,
      `:${Buffer.from(own.cert).toString('base64')}:`,
      `:${own.bytes.subarray(0, 200).toString('base64')}:`,
      `:${Buffer.alloc(9_000).toString('base64')}:`,
    ])
      expect(await ask(app, { 'client-cert': value, 'x-client-verify': 'SUCCESS' })).toMatchObject(invalidClient)
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate', received: 'something that is not one certificate' })
    // A longer one does not get past the parser of headers.
    const tooLong = await ask(app, { 'client-cert': `:${'A'.repeat(40_000)}:`, 'x-client-verify': 'SUCCESS' })
    expect(tooLong.status).toBe(431)
  })
})

describe('a client with a self-signed certificate', () => {
  it('is refused with a certificate whose key or times cannot be read', async () => {
    const certificate = await testCertificate()
    const app = await selfSigned(certificate)
    const bent = (bytes: string) => ({ bytes: Buffer.from(bytes, 'latin1') })
    const text = certificate.bytes.toString('latin1')
    const otherKind = bent(
      text.replace(Buffer.from('2a8648ce3d0201', 'hex').toString('latin1'), Buffer.from('2a8648ce3d0203', 'hex').toString('latin1')),
    )
    const noBeginning = bent(text.replace(/\d{12}Z/, '999999999999Z'))
    const noEnd = bent(text.replace(/(\d{12}Z.*?)\d{12}Z/s, '$1999999999999Z'))
    for (const one of [otherKind, noBeginning, noEnd]) expect(await ask(app, handedOn(one))).toMatchObject(invalidClient)
    expect(await ask(app, handedOn(certificate))).toMatchObject({ status: 200 })
  })

  it('authenticates by the key of it, verified or not', async () => {
    const certificate = await testCertificate()
    const app = await selfSigned(certificate)
    for (const verified of ['NONE', 'FAILED:self-signed certificate', 'SUCCESS']) {
      expect(await ask(app, handedOn(certificate, verified))).toMatchObject({ status: 200 })
    }
    // Of the same names, but of another key.
    expect(await ask(app, handedOn(await testCertificate()))).toMatchObject(invalidClient)
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate', expected: 'a key of the client' })
  })

  it('is refused before and after the time of its certificate', async () => {
    const now = service().clock.now().getTime()
    const at = (hours: number) => new Date(now + hours * 3_600_000)
    for (const [from, until] of [
      [at(-2), at(-1)],
      [at(1), at(2)],
    ] as const) {
      const certificate = await testCertificate({ from, until })
      const app = await selfSigned(certificate)
      expect(await ask(app, handedOn(certificate))).toMatchObject(invalidClient)
      expect(await lastRefusal(app)).toMatchObject({ expected: 'a certificate that is valid now' })
    }
  })

  it('may publish its keys at an address, and change its certificate there', async () => {
    const [first, second] = [await testCertificate(), await testCertificate()]
    const published = await publishedKeys()
    published.keys = [first.publicKey]
    const app = await selfSigned(first, { jwks: null, jwksUri: published.url })
    expect(await ask(app, handedOn(first))).toMatchObject({ status: 200 })
    expect(await ask(app, handedOn(second))).toMatchObject(invalidClient)
    published.keys = [second.publicKey]
    service().clock.advance({ seconds: 61 })
    expect(await ask(app, handedOn(second))).toMatchObject({ status: 200 })
    expect(await ask(app, handedOn(first))).toMatchObject(invalidClient)
  })
})

describe('a token of a client whose tokens are bound to certificates', () => {
  const bound = (registration: Registration = {}) => named({ certificateBoundAccessTokens: true, ...registration })

  it('names the certificate, which introspection shows', async () => {
    const app = await bound()
    const { body } = await ask(app)
    const cnf = { 'x5t#S256': own.thumbprint }
    expect(body).toMatchObject({ token_type: 'Bearer' })
    expect(claimsOf(body.access_token)).toMatchObject({ cnf })
    const shown = await app.post('/oauth2/introspect', { token: body.access_token }, handedOn(own))
    expect(shown.body).toMatchObject({ active: true, token_type: 'Bearer', cnf })
  })

  it('is not issued without a certificate, whichever way the client authenticates', async () => {
    const app = await givenApplication(service(), { grantTypes, certificateBoundAccessTokens: true })
    expect(await ask(app, app.authorization)).toMatchObject(refused('invalid_request'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate' })
    const token = (await ask(app, { ...app.authorization, ...handedOn(own, 'NONE') })).body.access_token
    expect(claimsOf(token)).toMatchObject({ cnf: { 'x5t#S256': own.thumbprint } })
    for (const value of ['rubbish', `${handedOn(own)['client-cert']}, ${handedOn(own)['client-cert']}`])
      expect(await ask(app, { ...app.authorization, 'client-cert': value })).toMatchObject(refused('invalid_request'))
    const native = await open()
    expect(await redeem(native, await native.code({ scope: 'openid' }), {})).toMatchObject(refused('invalid_request'))
  })

  it('opens UserInfo over a connection with the certificate alone', async () => {
    const app = await bound()
    const token = (await redeem(app, await app.code({ scope: 'openid' }))).body.access_token
    expect(await userInfo(token, handedOn(own))).toMatchObject({ status: 200, body: { sub: app.organisation.owner.id } })
    for (const headers of [{}, handedOn(another), { 'client-cert': 'rubbish' }]) {
      const answer = await userInfo(token, headers)
      expect(answer).toMatchObject(refused('invalid_token', 401))
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
    }
    expect(await lastRefusal(app)).toMatchObject({ endpoint: 'userinfo', check: 'client_certificate', expected: own.thumbprint })
    // A proof of a key is no certificate.
    const address = `${service().services.issuer}/oauth2/userinfo`
    const proven = await proof(address, { htm: 'GET', accessToken: token })
    expect(await userInfo(token, { ...proven, ...handedOn(own) }, 'DPoP')).toMatchObject(refused('invalid_token', 401))
  })

  it('is bound to the key where the client proves one, and the certificate authenticates', async () => {
    const app = await bound()
    const issued = await ask(app, { ...handedOn(own), ...(await proof(`${service().services.issuer}/oauth2/token`)) })
    expect(issued).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    expect(claimsOf(issued.body.access_token).cnf).toEqual({ jkt: expect.any(String) })
    expect(await ask(app, await proof(`${service().services.issuer}/oauth2/token`))).toMatchObject(invalidClient)
  })

  it('is bound where a device asked for it', async () => {
    const app = await open({ grantTypes: [deviceGrant, 'refresh_token'], redirectUris: [] })
    const codes = await askOnDevice(app, { scope: 'openid offline_access' })
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    const { body } = await app.token({ grant_type: deviceGrant, device_code: codes.device_code }, handedOn(own))
    expect(claimsOf(body.access_token)).toMatchObject({ cnf: { 'x5t#S256': own.thumbprint } })
    expect(await refresh(app, body.refresh_token, handedOn(another))).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, body.refresh_token)).toMatchObject({ status: 200 })
  })
})

describe('a refresh token', () => {
  const offline = { scope: 'openid offline_access' }

  it('of a public client is bound to the certificate, and is not ended by a thief without it', async () => {
    const app = await open()
    const first = (await redeem(app, await app.code(offline))).body
    expect(claimsOf(first.access_token)).toMatchObject({ cnf: { 'x5t#S256': own.thumbprint } })
    expect(await refresh(app, first.refresh_token, {})).toMatchObject(refused('invalid_request'))
    expect(await refresh(app, first.refresh_token, handedOn(another))).toMatchObject(refused('invalid_grant'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate' })
    const second = (await refresh(app, first.refresh_token)).body
    expect(await refresh(app, first.refresh_token, handedOn(another))).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, second.refresh_token)).toMatchObject({ status: 200 })
    // It stays bound when the client is not any more.
    const third = (await redeem(app, await app.code(offline))).body
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { certificateBoundAccessTokens: false })
    for (const headers of [{}, handedOn(another)])
      expect(await refresh(app, third.refresh_token, headers)).toMatchObject(refused('invalid_grant'))
    const fourth = (await refresh(app, third.refresh_token)).body
    expect(claimsOf(fourth.access_token)).not.toHaveProperty('cnf')
  })

  it('of a public client that began without a certificate is bound to the first one that its tokens are bound to', async () => {
    const app = await open({ certificateBoundAccessTokens: false })
    const first = (await redeem(app, await app.code(offline), {})).body
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { certificateBoundAccessTokens: true })
    const second = (await refresh(app, first.refresh_token)).body
    expect(claimsOf(second.access_token)).toMatchObject({ cnf: { 'x5t#S256': own.thumbprint } })
    expect(await refresh(app, second.refresh_token, handedOn(another))).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, second.refresh_token)).toMatchObject({ status: 200 })
  })

  it('of a confidential client is bound to its authentication: it may come with a renewed certificate', async () => {
    const app = await named({ certificateBoundAccessTokens: true })
    const renewed = await testCertificate({ by: authority })
    const first = (await redeem(app, await app.code(offline))).body
    const second = (await refresh(app, first.refresh_token, handedOn(renewed))).body
    expect(claimsOf(second.access_token)).toMatchObject({ cnf: { 'x5t#S256': renewed.thumbprint } })
    expect(await refresh(app, second.refresh_token, handedOn(another))).toMatchObject(invalidClient)
  })

  it('of a confidential client that is repeated within its grace earns each certificate a token of its own', async () => {
    const app = await named({ certificateBoundAccessTokens: true, refreshTokenGraceSeconds: 30 })
    const renewed = await testCertificate({ by: authority })
    const first = (await redeem(app, await app.code(offline))).body
    const second = (await refresh(app, first.refresh_token)).body
    const repeated = (await refresh(app, first.refresh_token, handedOn(renewed))).body
    expect(claimsOf(repeated.access_token)).toMatchObject({ cnf: { 'x5t#S256': renewed.thumbprint } })
    expect(repeated.refresh_token).toBe(second.refresh_token)
    expect((await refresh(app, first.refresh_token)).body).toEqual(second)
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { certificateBoundAccessTokens: false })
    const unbound = (await refresh(app, first.refresh_token)).body
    expect(claimsOf(unbound.access_token)).not.toHaveProperty('cnf')
  })
})

describe('a client with the profile fapi2', () => {
  const bank = (fields: Registration = {}) => named({ profile: 'fapi2', certificateBoundAccessTokens: true, ...fields })

  it('authenticates by a certificate, to which its tokens are bound, and proves no key', async () => {
    const app = await bank()
    const { owner } = app.organisation
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body).toMatchObject({
      ...{ profile: 'fapi2', tokenEndpointAuthMethod: 'tls_client_auth', requireDpop: false },
      ...{ requirePushedAuthorizationRequests: true, authorizationCodeTtl: 60 },
    })
    const { verifier, challenge } = pkce()
    const parameters = { response_type: 'code', redirect_uri: app.redirectUri, code_challenge: challenge, code_challenge_method: 'S256' }
    const request = { ...parameters, scope: 'openid offline_access' }
    expect(await app.post('/oauth2/par', request, {})).toMatchObject(invalidClient)
    const pushed = await app.post('/oauth2/par', request, handedOn(own))
    expect(pushed).toMatchObject({ status: 201 })
    const query = new URLSearchParams({ client_id: app.id, request_uri: pushed.body.request_uri })
    const code = callbackOf(await owner.get(`/oauth2/authorize?${query}`)).get('code') ?? ''
    const { status, body } = await redeem(app, { code, verifier })
    expect([status, claimsOf(body.access_token).cnf]).toEqual([200, { 'x5t#S256': own.thumbprint }])
    for (const _ of [1, 2]) expect((await refresh(app, body.refresh_token)).body.refresh_token).toBe(body.refresh_token)
    expect(await refresh(app, body.refresh_token, {})).toMatchObject(invalidClient)
    const { clauses } = (await owner.get(`/v1/admin/clients/${app.id}/profile`)).body
    expect(clauses.every(({ isMet }: { isMet: boolean }) => isMet)).toBe(true)
  })

  it('keeps either its bound tokens or the proof of a key, and no secret', async () => {
    const app = await bank()
    const change = (fields: Registration) => app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, fields)
    const outside = (field: string) => ({ status: 400, body: { errors: [{ path: [field], reason: 'outside-profile' }] } })
    expect(await change({ certificateBoundAccessTokens: false })).toMatchObject(outside('requireDpop'))
    const { status, body } = await change({ tokenEndpointAuthMethod: 'client_secret_basic' })
    expect([status, body.errors[0].path]).toEqual([400, ['tokenEndpointAuthMethod']])
    expect(await change({ requireDpop: true, certificateBoundAccessTokens: false })).toMatchObject({ status: 200 })
    expect(await change({ requireDpop: false })).toMatchObject(outside('requireDpop'))
  })

  it('needs the extension of each field that the profile sets', async () => {
    const secret = await givenApplication(service())
    expect(await secret.organisation.owner.patch(`/v1/admin/clients/${secret.id}`, { profile: 'fapi2' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['tokenEndpointAuthMethod'], message: 'Needs OAUTH_EXTENSIONS to hold private_key_jwt' }] },
    })
  })
})

describe('the addresses for certificates', () => {
  it('are those that assertions name there, beside the usual ones', async () => {
    const key = await clientKey('ES256', 'first')
    const app = await givenApplication(withKeys(), {
      ...{ grantTypes: ['client_credentials'], redirectUris: [] },
      ...{ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.publicKey] } },
    })
    const { issuer } = withKeys().services
    const alias = certificateVariables.MTLS_PUBLIC_URL
    const post = async (host: string, path: string, aud: unknown) => {
      const form = {
        grant_type: 'client_credentials',
        token: 'x',
        ...byAssertion(await assertionOf(withKeys(), app, key, { claims: { aud } })),
      }
      return (await postForm(withKeys().anonymous, path, form, { 'x-forwarded-host': host })).status
    }
    const atAlias = (path: string, aud: unknown) => post('mtls.gatehouse.test', path, aud)
    for (const aud of [issuer, `${issuer}/oauth2/token`, `${alias}/oauth2/token`, [issuer, `${alias}/oauth2/token`]])
      expect([aud, await atAlias('/oauth2/token', aud)]).toEqual([aud, 200])
    expect(await atAlias('/oauth2/introspect', `${alias}/oauth2/introspect`)).toBe(200)
    expect(await atAlias('/oauth2/introspect', `${alias}/oauth2/token`)).toBe(200)
    for (const aud of [alias, `${alias}/oauth2/introspect`, [issuer, 'https://elsewhere.test']])
      expect([aud, await atAlias('/oauth2/token', aud)]).toEqual([aud, 401])
    // At the usual address it is the audience of another one.
    expect(await post('gatehouse.test', '/oauth2/token', `${alias}/oauth2/token`)).toBe(401)
  })

  it('are those that proofs of a key name there', async () => {
    const app = await named()
    const asked = async (host: string, origin: string) =>
      ask(app, { ...handedOn(own), 'x-forwarded-host': host, ...(await proof(`${origin}/oauth2/token`)) })
    const [usual, alias] = [service().services.issuer, certificateVariables.MTLS_PUBLIC_URL]
    expect(await asked('mtls.gatehouse.test', alias)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    expect(await asked('MTLS.gatehouse.test:80', alias)).toMatchObject({ status: 200 })
    expect(await asked('gatehouse.test', usual)).toMatchObject({ status: 200 })
    expect(await asked('mtls.gatehouse.test', usual)).toMatchObject(refused('invalid_dpop_proof'))
    expect(await asked('gatehouse.test', alias)).toMatchObject(refused('invalid_dpop_proof'))
    expect(await asked('gatehouse.test:65536', usual)).toMatchObject({ status: 200 })
  })
})

describe('a registration', () => {
  const register = async (fields: Registration, of = service()) => {
    const { owner } = await of.given.organisation()
    return owner.post('/v1/admin/clients', {
      name: 'Portal',
      clientType: 'confidential',
      redirectUris: ['https://a.example.test/cb'],
      ...fields,
    })
  }

  it('stores and shows the name of the certificate in one form', async () => {
    for (const [sent, shown] of [
      ['cn = portal.acme.test , o=Acme,C=DE', subjectDn],
      ['2.5.4.3=portal.acme.test,2.5.4.10=#130441636d65,C=DE', subjectDn],
      ['OU=b+CN=a,O=Acme\\2C Inc.', 'CN=a+OU=b,O=Acme\\, Inc.'],
      ['CN=M\\C3\\BCnchen', 'CN=München'],
      ['organizationIdentifier=PSDDE-BAFIN-123456,1.2.3.4=x', 'organizationIdentifier=PSDDE-BAFIN-123456,1.2.3.4=x'],
    ] as const) {
      const { status, body } = await register({ tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn: sent } })
      expect([status, body.tlsClientAuth, body.clientSecret]).toEqual([201, { subjectDn: shown }, null])
    }
  })

  it.each<[string, Registration, string[], string]>([
    ['tls_client_auth without a name', { tokenEndpointAuthMethod: 'tls_client_auth' }, ['tlsClientAuth'], 'certificate-name-missing'],
    [
      'self_signed_tls_client_auth without keys',
      { tokenEndpointAuthMethod: 'self_signed_tls_client_auth' },
      ['jwks'],
      'client-keys-missing',
    ],
    ['no name', { tlsClientAuth: {} }, ['tlsClientAuth'], 'certificate-name-not-single'],
    ['two names', { tlsClientAuth: { subjectDn, sanDns: 'a.test' } }, ['tlsClientAuth'], 'certificate-name-not-single'],
    ...['portal', 'CN=', 'CN=a,,O=b', 'CN="a"', 'CN=a;O=b', 'XY=a', 'CN=#zz', 'CN=\\ff', 'CN=a\\'].map(
      (name): [string, Registration, string[], string] => [
        `${name} for a name`,
        { tlsClientAuth: { subjectDn: name } },
        ['tlsClientAuth', 'subjectDn'],
        'distinguished-name-unreadable',
      ],
    ),
    ['what is no address', { tlsClientAuth: { sanIp: 'a.test' } }, ['tlsClientAuth', 'sanIp'], 'certificate-address-unreadable'],
    [
      'a public client',
      { clientType: 'public', tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn } },
      ['tokenEndpointAuthMethod'],
      'public-client-without-secret',
    ],
  ])('is refused with %s', async (_, fields, path, reason) => {
    expect(await register(fields)).toMatchObject({ status: 400, body: { errors: [{ path, reason }] } })
  })

  it('changes the method in both directions, with what it needs', async () => {
    const app = await named()
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    expect(await owner.patch(path, { tlsClientAuth: null })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: 'certificate-name-missing' }] },
    })
    expect(await owner.patch(path, { tlsClientAuth: { sanDns: 'a.test' } })).toMatchObject({
      status: 200,
      body: { tlsClientAuth: { sanDns: 'a.test' } },
    })
    expect(await owner.patch(path, { tokenEndpointAuthMethod: 'client_secret_basic' })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: 'client-secret-missing' }] },
    })
    expect(
      await owner.patch(path, { tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks: { keys: [own.publicKey] } }),
    ).toMatchObject({
      status: 200,
    })
    expect(await ask(app)).toMatchObject({ status: 200 })
  })
})

describe('while the extension is off', () => {
  it.each<[string, Registration]>([
    ['tokenEndpointAuthMethod', { tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn } }],
    ['tlsClientAuth', { tlsClientAuth: { subjectDn } }],
    ['certificateBoundAccessTokens', { certificateBoundAccessTokens: true }],
  ])('%s cannot be set', async (field, fields) => {
    const { owner } = await without().given.organisation()
    expect(
      await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'confidential', grantTypes: ['client_credentials'], ...fields }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ path: [field], message: 'Needs OAUTH_EXTENSIONS to hold mtls' }] },
    })
  })

  it('clients that need it are refused, and tokens stay bound', async () => {
    const app = await givenApplication(without(), { grantTypes })
    const clients = () => without().database.tenant(app.organisation.id).updateTable('clients')
    await clients().set({ certificateBoundAccessTokens: true }).execute()
    expect(await ask(app, { ...app.authorization, ...handedOn(own) })).toMatchObject(refused('invalid_request'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate', hint: 'needs OAUTH_EXTENSIONS to hold mtls' })
    await clients()
      .set({ tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: JSON.stringify({ subjectDn }) })
      .execute()
    const form = { client_id: app.id, grant_type: 'client_credentials' }
    expect(await postForm(without().anonymous, '/oauth2/token', form, handedOn(own))).toMatchObject(invalidClient)
    expect(await lastRefusal(app)).toMatchObject({ check: 'token_endpoint_auth_method', hint: 'needs OAUTH_EXTENSIONS to hold mtls' })
    expect(without().logLines.filter((line) => line.includes('is ignored'))).toEqual([])
  })

  it('a public client is refused the tokens of a certificate, and has not lost them', async () => {
    const app = await givenApplication(without(), { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'] })
    const tenant = () => without().database.tenant(app.organisation.id)
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    await tenant()
      .updateTable('tokenFamilies')
      .set({ jkt: `x5t#S256:${own.thumbprint}` })
      .execute()
    const isBound = (certificateBoundAccessTokens: boolean) =>
      tenant().updateTable('clients').set({ certificateBoundAccessTokens }).execute()
    await isBound(true)
    expect(await refresh(app, token)).toMatchObject(refused('invalid_request'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate', hint: 'needs OAUTH_EXTENSIONS to hold mtls' })
    await isBound(false)
    for (const headers of [{}, handedOn(own)]) expect(await refresh(app, token, headers)).toMatchObject(refused('invalid_grant'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate', received: 'none' })
    const families = await tenant().selectFrom('tokenFamilies').select('revokedAt').execute()
    expect(families).toEqual([{ revokedAt: null }])
    await tenant().updateTable('tokenFamilies').set({ jkt: null }).execute()
    expect(await refresh(app, token)).toMatchObject({ status: 200 })
  })
})
