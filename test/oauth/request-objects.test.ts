import { type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { assertionOf, byAssertion, type ClientKey, clientKey, publishedKeys } from '../support/client-keys.ts'
import type { Answer } from '../support/http-client.ts'
import { callbackOf, encode, givenApplication, pkce, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'jar,par,private_key_jwt' } })
const without = useService()

let key: ClientKey
let app: TestApplication
beforeAll(async () => {
  key = await clientKey('ES256', 'own')
  app = await withKey(key)
})

const withKey = ({ publicKey }: { publicKey: JWK }, registration: Registration = {}) =>
  givenApplication(service(), { jwks: { keys: [publicKey] }, ...registration })

interface RequestObject {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  by?: ClientKey
}

const seconds = () => Math.floor(service().clock.now().getTime() / 1_000)

/** A valid request object, but for what is given. A claim that is undefined is left out. */
async function requestOf(client: TestApplication, { claims = {}, header = {}, by = key }: RequestObject = {}) {
  const { verifier, challenge } = pkce()
  const all = {
    ...{ iss: client.id, client_id: client.id, aud: service().services.issuer, nbf: seconds(), exp: seconds() + 300 },
    ...{ response_type: 'code', redirect_uri: client.redirectUri, scope: 'openid', state: 'signed', max_age: 3_600 },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', ...claims },
  }
  const { kid } = by
  const signer = new SignJWT(all).setProtectedHeader({
    alg: by.alg,
    typ: 'oauth-authz-req+jwt',
    ...(kid !== undefined && { kid }),
    ...header,
  })
  return { request: await signer.sign(by.privateKey), verifier }
}

const ask = ({ id, organisation }: TestApplication, request: string, others: Record<string, string> = {}) =>
  organisation.owner.get(`/oauth2/authorize?${encode({ client_id: id, request, ...others })}`)

async function lastRefusal({ organisation }: TestApplication) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  return body.data[0]
}

/** The request is refused on a page, since nothing proves where to send the browser. */
const isOnPage = ({ status, headers }: Answer) => status === 400 && headers.get('location') === null

describe('a signed request', () => {
  it('counts alone: what stands beside it is ignored', async () => {
    const { request, verifier } = await requestOf(app)
    const others = {
      scope: 'openid email',
      state: 'foreign',
      redirect_uri: 'https://evil.example.test/',
      response_type: 'token',
      prompt: 'none',
    }
    const back = await ask(app, request, others)
    expect([back.status, callbackOf(back).get('state')]).toEqual([302, 'signed'])
    const code = callbackOf(back).get('code') ?? ''
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200, body: { scope: 'openid' } })
    // It may come again until it expires.
    expect(callbackOf(await ask(app, request)).has('code')).toBe(true)
    service().clock.advance({ minutes: 5 })
    expect(isOnPage(await ask(app, request))).toBe(true)
  })

  it('may be posted, is continued after the sign-in, and its refusals go to the redirect URI that it names', async () => {
    const { request } = await requestOf(app)
    const posted = await postForm(service().anonymous, '/oauth2/authorize', { client_id: app.id, request })
    expect(posted.status).toBe(303)
    const back = await app.organisation.owner.get(posted.headers.get('location') ?? '')
    expect(callbackOf(back).get('state')).toBe('signed')

    const wrong = await requestOf(app, { claims: { scope: 'openid orders:read' } })
    expect(callbackOf(await ask(app, wrong.request)).get('error')).toBe('invalid_scope')
    expect(await lastRefusal(app)).toMatchObject({ check: 'scope', parameters: { scope: 'openid orders:read', state: 'signed' } })
    const foreign = await requestOf(app, { claims: { redirect_uri: 'https://evil.example.test/' } })
    expect(isOnPage(await ask(app, foreign.request, { redirect_uri: app.redirectUri }))).toBe(true)
  })

  it.each(['EdDSA', 'PS256', 'RS256'])('may be signed with %s', async (alg) => {
    const own = await clientKey(alg, 'own')
    const client = await withKey(own, { organisation: app.organisation })
    const { request } = await requestOf(client, { by: own, header: { typ: 'JWT' } })
    expect(callbackOf(await ask(client, request)).has('code')).toBe(true)
  })

  it('is verified by keys at an address, too', async () => {
    const published = await publishedKeys()
    published.keys = [key.publicKey]
    const client = await givenApplication(service(), { organisation: app.organisation, jwksUri: published.url })
    const { request } = await requestOf(client, { header: { typ: undefined } })
    expect(callbackOf(await ask(client, request)).has('code')).toBe(true)
  })

  it.each<[string, () => RequestObject]>([
    ['of another issuer', () => ({ claims: { iss: 'cli_other' } })],
    ['without an issuer', () => ({ claims: { iss: undefined } })],
    ['of another client_id', () => ({ claims: { client_id: 'cli_other' } })],
    ['without a client_id', () => ({ claims: { client_id: undefined } })],
    ['for another audience', () => ({ claims: { aud: ['https://other.example.test'] } })],
    ['without an audience', () => ({ claims: { aud: undefined } })],
    ['that has expired', () => ({ claims: { exp: seconds() } })],
    ['without an end', () => ({ claims: { exp: undefined } })],
    ['that lives for more than an hour', () => ({ claims: { exp: seconds() + 3_601 } })],
    ['that lives for more than an hour after iat', () => ({ claims: { nbf: undefined, iat: seconds() - 3_000, exp: seconds() + 900 } })],
    ['of the future', () => ({ claims: { nbf: seconds() + 120, exp: seconds() + 300 } })],
    ['with a request inside', () => ({ claims: { request: 'x' } })],
    ['with a request_uri inside', () => ({ claims: { request_uri: 'urn:x' } })],
    ['that is about the client, as an assertion is', () => ({ claims: { sub: app.id } })],
    ['of another type', () => ({ header: { typ: 'client-authentication+jwt' } })],
    ['by a key that the client does not have', () => ({ header: { kid: 'other' } })],
    ['of 32 KiB and more', () => ({ claims: { filling: 'x'.repeat(32_768) } })],
  ])('is refused on a page and as invalid_request_object when pushed, if it is one %s', async (_, bent) => {
    const { request } = await requestOf(app, bent())
    const answer = await postForm(service().anonymous, '/oauth2/authorize', { client_id: app.id, request, redirect_uri: app.redirectUri })
    expect(isOnPage(answer)).toBe(true)
    expect(await lastRefusal(app)).toMatchObject({ endpoint: 'authorize', check: 'request' })
    expect(await app.post('/oauth2/par', { request })).toMatchObject({ status: 400, body: { error: 'invalid_request_object' } })
  })

  it('is refused with another key, a secret, no signature, or as something else', async () => {
    const foreign = await requestOf(app, { by: await clientKey('ES256', 'own') })
    const [header, claims] = foreign.request.split('.')
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const symmetric = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(app.secret ?? ''))
    for (const request of [
      foreign.request,
      `${encoded({ alg: 'none' })}.${claims}.`,
      `${encoded({ alg: 'HS256' })}.${claims}.${symmetric.split('.')[2]}`,
      `${header}.${claims}`,
      `${header}.x.${claims}.x.x`,
      'x',
    ]) {
      expect(isOnPage(await ask(app, request))).toBe(true)
    }
    const assertion = await assertionOf(service(), app, key)
    expect(isOnPage(await ask(app, assertion))).toBe(true)
    const bare = await givenApplication(service(), { organisation: app.organisation })
    expect(isOnPage(await ask(bare, (await requestOf(bare)).request))).toBe(true)
    expect(await lastRefusal(bare)).toMatchObject({ expected: 'a key of the client' })
  })

  it('is refused if it is nested more deeply than any request is, in what is shown of it and in what it asks for', async () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64url')
    const deep = `${'['.repeat(5_500)}${']'.repeat(5_500)}`
    for (const bent of [`"aud":${deep}`, `"claims":{"x":${deep}}`]) {
      const claims = `{"iss":"${app.id}","client_id":"${app.id}",${bent}}`
      const request = `${encoded('{"alg":"ES256","kid":"own"}')}.${encoded(claims)}.x`
      expect(isOnPage(await ask(app, request))).toBe(true)
      expect(await app.post('/oauth2/par', { request })).toMatchObject({ status: 400, body: { error: 'invalid_request_object' } })
    }
  })

  it('authenticates no client in place of an assertion', async () => {
    const client = await withKey(key, { organisation: app.organisation, tokenEndpointAuthMethod: 'private_key_jwt' })
    for (const bent of [{}, { claims: { sub: client.id, jti: 'once' } }, { header: { typ: 'JWT' } }]) {
      const { request } = await requestOf(client, bent)
      const answer = await postForm(service().anonymous, '/oauth2/par', byAssertion(request))
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    }
  })

  it('may be pushed, and is pushed alone', async () => {
    const { request, verifier } = await requestOf(app)
    const pushed = await app.post('/oauth2/par', { request, scope: 'openid email', redirect_uri: 'https://evil.example.test/' })
    expect(pushed).toMatchObject({ status: 201 })
    const back = await app.organisation.owner.get(
      `/oauth2/authorize?${encode({ client_id: app.id, request_uri: pushed.body.request_uri })}`,
    )
    const redeemed = await app.redeem(callbackOf(back).get('code') ?? '', verifier)
    expect(redeemed).toMatchObject({ status: 200, body: { scope: 'openid' } })
  })
})

describe('a client', () => {
  it('that has to sign is refused any other way, and with another algorithm', async () => {
    const wanted = { requireSignedRequestObject: true, requestObjectSigningAlg: 'PS256' }
    const [own, rsa] = [await clientKey('PS256', 'first'), await clientKey('RS256', 'second')]
    const client = await givenApplication(service(), {
      organisation: app.organisation,
      ...wanted,
      jwks: { keys: [own.publicKey, rsa.publicKey] },
    })
    const unsigned = { code_challenge: pkce().challenge, code_challenge_method: 'S256' }
    expect(callbackOf(await client.authorize(unsigned)).get('error')).toBe('invalid_request')
    const pushed = await client.post('/oauth2/par', { response_type: 'code', redirect_uri: client.redirectUri, ...unsigned })
    expect(pushed).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(isOnPage(await ask(client, (await requestOf(client, { by: rsa })).request))).toBe(true)
    expect(callbackOf(await ask(client, (await requestOf(client, { by: own })).request)).has('code')).toBe(true)
    const { body } = await app.organisation.owner.get(`/v1/admin/clients/${client.id}`)
    expect(body).toMatchObject(wanted)
  })

  it('cannot be made to sign without the extension, and one that has to is refused with the reason', async () => {
    const client = await givenApplication(without())
    const { owner } = client.organisation
    const needed = (name: string, field: string) => ({
      status: 400,
      body: { errors: [{ path: [field], message: `Needs OAUTH_EXTENSIONS to hold ${name}` }] },
    })
    const change = (fields: Record<string, unknown>) => owner.patch(`/v1/admin/clients/${client.id}`, fields)
    expect(await change({ requireSignedRequestObject: true })).toMatchObject(needed('jar', 'requireSignedRequestObject'))
    expect(await change({ requestObjectSigningAlg: 'ES256' })).toMatchObject(needed('jar', 'requestObjectSigningAlg'))
    expect(await change({ jwks: { keys: [key.publicKey] } })).toMatchObject(needed('private_key_jwt', 'jwks'))
    expect(callbackOf(await client.authorize({ request: 'x.y.z' })).get('error')).toBe('request_not_supported')
    const stored = { requireSignedRequestObject: true }
    await without().database.tenant(client.organisation.id).updateTable('clients').set(stored).execute()
    expect(callbackOf(await client.authorize()).get('error')).toBe('invalid_request')
    expect(await lastRefusal(client)).toMatchObject({ check: 'request', hint: 'needs OAUTH_EXTENSIONS to hold jar' })
  })
})
