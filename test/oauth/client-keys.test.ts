import type { JWK } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeExpiredTokens } from '../../src/tokens/remove-expired-tokens.ts'
import { assertionOf, byAssertion, type ClientKey, clientKey, publishedKeys } from '../support/client-keys.ts'
import { deviceGrant } from '../support/devices.ts'
import { basic, givenApplication, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'private_key_jwt,device', RATE_LIMIT: 'off' } })
const without = useService()

let key: ClientKey
beforeAll(async () => {
  key = await clientKey('ES256', 'first')
})

const withKeys = (keys: JWK[], registration: Registration = {}) =>
  givenApplication(service(), {
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys },
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant],
    scopes: ['orders:read'],
    ...registration,
  })

/** Asks for a token of the client's own. */
const ask = (assertion: string, form: Record<string, string> = {}) =>
  postForm(service().anonymous, '/oauth2/token', { grant_type: 'client_credentials', ...byAssertion(assertion), ...form })

const invalidClient = { status: 401, body: { error: 'invalid_client' } }

/** The check that a refusal's diagnosis names. */
async function checkOf({ organisation }: TestApplication) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  const { check, expected, received } = body.data[0]
  return { check, expected, received }
}

describe('a client with a key', () => {
  it.each(['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'])('authenticates by an assertion that it signs with %s', async (alg) => {
    const own = await clientKey(alg, 'own')
    const app = await withKeys([own.publicKey])
    expect(app.secret).toBeNull()
    expect(await ask(await assertionOf(service(), app, own))).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })

  it('may send its client_id besides, but no other', async () => {
    const app = await withKeys([key.publicKey])
    const other = await withKeys([key.publicKey])
    expect(await ask(await assertionOf(service(), app, key), { client_id: app.id })).toMatchObject({ status: 200 })
    expect(await ask(await assertionOf(service(), app, key), { client_id: other.id })).toMatchObject(invalidClient)
  })

  it('authenticates so at every endpoint of clients, and names each as the audience', async () => {
    const app = await withKeys([key.publicKey])
    const { issuer } = service().services
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }
    const tokens = await ask(await assertionOf(service(), app, key, { claims: { aud: `${issuer}/oauth2/token` } }), form)
    expect(tokens).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } })
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token }
    const refreshed = await ask(await assertionOf(service(), app, key), refresh)
    expect(refreshed).toMatchObject({ status: 200 })

    const post = async (path: string, fields: Record<string, string>, aud: unknown = `${issuer}${path}`) =>
      postForm(service().anonymous, path, { ...fields, ...byAssertion(await assertionOf(service(), app, key, { claims: { aud } })) })
    const token = refreshed.body.access_token
    expect(await post('/oauth2/introspect', { token })).toMatchObject({ status: 200, body: { active: true } })
    expect(await post('/oauth2/revoke', { token }, [issuer, `${issuer}/oauth2/revoke`])).toMatchObject({ status: 200 })
    expect(await post('/oauth2/introspect', { token }, `${issuer}/oauth2/token`)).toMatchObject({ body: { active: false } })
    expect(await post('/oauth2/device_authorization', { scope: 'openid' })).toMatchObject({ status: 200 })
    expect(await post('/oauth2/introspect', { token }, `${issuer}/oauth2/revoke`)).toMatchObject(invalidClient)
  })

  it('has no other way, and others have not this one', async () => {
    const app = await withKeys([key.publicKey])
    const { anonymous } = service()
    const form = { grant_type: 'client_credentials' }
    expect(await postForm(anonymous, '/oauth2/token', { ...form, client_id: app.id })).toMatchObject(invalidClient)
    const guess = { authorization: basic(app.id, 'a secret') }
    expect(await postForm(anonymous, '/oauth2/token', form, guess)).toMatchObject(invalidClient)

    const bySecret = await givenApplication(service(), {
      grantTypes: ['client_credentials'],
      redirectUris: [],
      jwks: { keys: [key.publicKey] },
    })
    expect(await ask(await assertionOf(service(), bySecret, key))).toMatchObject(invalidClient)
    expect(await checkOf(bySecret)).toMatchObject({ check: 'token_endpoint_auth_method', received: 'private_key_jwt' })
  })

  it('sends its credentials in one way', async () => {
    const app = await withKeys([key.publicKey])
    const assertion = await assertionOf(service(), app, key)
    const form = { grant_type: 'client_credentials', ...byAssertion(assertion) }
    const twice = { status: 400, body: { error: 'invalid_request' } }
    expect(await ask(assertion, { client_secret: 'a secret' })).toMatchObject(twice)
    expect(await postForm(service().anonymous, '/oauth2/token', form, { authorization: basic(app.id, 'a secret') })).toMatchObject(twice)
    expect(await ask(assertion)).toMatchObject({ status: 200 })
  })

  it('uses an assertion once, also of twenty uses at once', async () => {
    const app = await withKeys([key.publicKey])
    const assertion = await assertionOf(service(), app, key)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(assertion)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
    expect(await checkOf(app)).toEqual({
      check: 'client_assertion',
      expected: 'an assertion that has not come before',
      received: 'a second use',
    })
    // Another client may use the same id.
    const other = await withKeys([key.publicKey])
    const { jti } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString())
    expect(await ask(await assertionOf(service(), other, key, { claims: { jti } }))).toMatchObject({ status: 200 })
  })

  it('leaves nothing of its assertions once they have expired', async () => {
    const app = await withKeys([key.publicKey])
    await ask(await assertionOf(service(), app, key))
    const used = () => service().database.tenant(app.organisation.id).selectFrom('usedAssertions').selectAll().execute()
    expect(await used()).toMatchObject([{ issuer: app.id, assertionHash: expect.stringMatching(/^[\w-]{43}$/) }])
    service().clock.advance({ minutes: 2 })
    await removeExpiredTokens.run(service().database)
    expect(await used()).toEqual([])
  })

  it('is refused with a reason while the extension is off', async () => {
    const app = await givenApplication(without())
    await without()
      .database.tenant(app.organisation.id)
      .updateTable('clients')
      .set({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: JSON.stringify({ keys: [key.publicKey] }) })
      .execute()
    const assertion = await assertionOf(without(), app, key)
    const form = { grant_type: 'client_credentials', client_id: app.id, ...byAssertion(assertion) }
    expect(await postForm(without().anonymous, '/oauth2/token', form)).toMatchObject(invalidClient)
    const { body } = await app.organisation.owner.get('/v1/admin/diagnostics')
    expect(body.data[0]).toMatchObject({ hint: 'needs OAUTH_EXTENSIONS to hold private_key_jwt' })
  })
})

describe('an assertion', () => {
  const now = () => Math.floor(service().clock.now().getTime() / 1_000)
  const issuer = () => service().services.issuer
  type Bent = () => { claims?: Record<string, unknown>; header?: Record<string, unknown> }

  it.each<[string, Bent, string]>([
    ['of another issuer', () => ({ claims: { iss: 'cli_other' } }), 'iss'],
    ['without issuer', () => ({ claims: { iss: undefined } }), 'iss'],
    ['for another service', () => ({ claims: { aud: 'https://other.test' } }), 'aud'],
    ['for another service, too', () => ({ claims: { aud: [issuer(), 'https://other.test'] } }), 'aud'],
    ['for another endpoint', () => ({ claims: { aud: `${issuer()}/oauth2/revoke` } }), 'aud'],
    ['for the issuer with a slash', () => ({ claims: { aud: `${issuer()}/` } }), 'aud'],
    ['with an empty audience', () => ({ claims: { aud: [] } }), 'aud'],
    ['without audience', () => ({ claims: { aud: undefined } }), 'aud'],
    ['that has expired', () => ({ claims: { exp: now() - 1 } }), 'exp'],
    ['without end', () => ({ claims: { exp: undefined } }), 'exp'],
    ['with an end that is no number', () => ({ claims: { exp: `${now() + 60}` } }), 'exp'],
    ['of eleven minutes', () => ({ claims: { exp: now() + 660 } }), 'exp'],
    ['of a year', () => ({ claims: { exp: now() + 31_536_000, iat: now() + 60 } }), 'exp'],
    ['issued two minutes ahead', () => ({ claims: { iat: now() + 120 } }), 'iat'],
    ['not yet valid', () => ({ claims: { nbf: now() + 120 } }), 'nbf'],
    ['without id', () => ({ claims: { jti: undefined } }), 'jti'],
    ['with an empty id', () => ({ claims: { jti: '' } }), 'jti'],
    ['of another kind', () => ({ header: { typ: 'at+jwt' } }), 'typ'],
    ['of a request object', () => ({ header: { typ: 'oauth-authz-req+jwt' } }), 'typ'],
  ])('%s is refused', async (_, bend, named) => {
    const app = await withKeys([key.publicKey])
    expect(await ask(await assertionOf(service(), app, key, bend()))).toMatchObject(invalidClient)
    const { check, expected } = await checkOf(app)
    expect(check).toBe('client_assertion')
    expect(expected).toMatch(new RegExp(`^${named}: `))
    // What was refused is not used up, and nothing was issued.
    expect(await service().database.tenant(app.organisation.id).selectFrom('usedAssertions').selectAll().execute()).toEqual([])
  })

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claimsOf = ({ id }: TestApplication) => ({ iss: id, sub: id, aud: issuer(), exp: now() + 60, jti: 'x' })

  it('is refused unsigned, signed with a shared secret, by another key, or changed', async () => {
    const app = await withKeys([key.publicKey])
    const payload = part(claimsOf(app))
    expect(await ask(`${part({ alg: 'none' })}.${payload}.`)).toMatchObject(invalidClient)
    expect(await ask(`${part({ alg: 'HS256' })}.${payload}.${part({})}`)).toMatchObject(invalidClient)
    const stranger = await clientKey('ES256', 'first')
    expect(await ask(await assertionOf(service(), app, stranger))).toMatchObject(invalidClient)
    expect(await checkOf(app)).toMatchObject({ expected: 'signed by a key of the client' })
    const [header, , signature] = (await assertionOf(service(), app, key)).split('.')
    expect(await ask(`${header}.${payload}.${signature}`)).toMatchObject(invalidClient)
    expect(await ask(await assertionOf(service(), app, await clientKey('ES256', 'second')))).toMatchObject(invalidClient)
    expect(await checkOf(app)).toMatchObject({ expected: 'a key of the client', received: 'no key that fits (second ES256)' })
  })

  it('about another client does not authenticate that one', async () => {
    const app = await withKeys([key.publicKey])
    const victim = await withKeys([(await clientKey('ES256', 'first')).publicKey])
    expect(await ask(await assertionOf(service(), victim, key))).toMatchObject(invalidClient)
    expect(await ask(await assertionOf(service(), app, key, { claims: { sub: victim.id } }))).toMatchObject(invalidClient)
  })

  it.each([
    ['no JWT', 'assertion'],
    ['of five parts', 'a.b.c.d.e'],
    ['of parts that are no JSON', 'a.b.c'],
    ['a list', `${Buffer.from('[]').toString('base64url')}.${Buffer.from('[]').toString('base64url')}.x`],
  ])('that is %s is refused', async (_, assertion) => {
    expect(await ask(assertion)).toMatchObject(invalidClient)
  })

  it('has one spelling: with padding or other characters it is refused, and is not used up', async () => {
    const app = await withKeys([key.publicKey])
    const assertion = await assertionOf(service(), app, key)
    for (const bent of [`${assertion}==`, `${assertion}+`, ` ${assertion}`, assertion.replace('.', '=.')])
      expect(await ask(bent)).toMatchObject(invalidClient)
    expect(await ask(assertion)).toMatchObject({ status: 200 })
  })

  it('comes with its type, and is at most 16 KiB long', async () => {
    const app = await withKeys([key.publicKey])
    const form = { grant_type: 'client_credentials', client_assertion: await assertionOf(service(), app, key) }
    expect(await postForm(service().anonymous, '/oauth2/token', form)).toMatchObject(invalidClient)
    const other = { ...form, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }
    expect(await postForm(service().anonymous, '/oauth2/token', other)).toMatchObject(invalidClient)
    const long = await assertionOf(service(), app, key, { claims: { padding: 'x'.repeat(16_000) } })
    expect(await ask(long)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await ask(await assertionOf(service(), app, key, { claims: { padding: 'x'.repeat(8_000) } }))).toMatchObject({ status: 200 })
  })

  it('is refused if it is nested more deeply than any assertion is', async () => {
    const app = await withKeys([key.publicKey])
    const encoded = (text: string) => Buffer.from(text).toString('base64url')
    const bent = `{"iss":"${app.id}","sub":"${app.id}","aud":${'['.repeat(5_500)}${']'.repeat(5_500)}}`
    expect(await ask(`${encoded('{"alg":"ES256","kid":"first"}')}.${encoded(bent)}.x`)).toMatchObject(invalidClient)
  })

  it('may come from a clock that is a minute ahead, with an end ten minutes later', async () => {
    const app = await withKeys([key.publicKey])
    const claims = { iat: now() + 58, nbf: now() + 58, exp: now() + 655 }
    expect(await ask(await assertionOf(service(), app, key, { claims, header: { typ: 'JWT' } }))).toMatchObject({ status: 200 })
    expect(await ask(await assertionOf(service(), app, key, { header: { typ: 'client-authentication+jwt' } }))).toMatchObject({
      status: 200,
    })
  })

  it('may leave out the name of the key if one fits', async () => {
    const nameless = { ...key, kid: undefined }
    const rsa = await clientKey('RS256', 'rsa')
    const app = await withKeys([key.publicKey, rsa.publicKey])
    expect(await ask(await assertionOf(service(), app, nameless))).toMatchObject({ status: 200 })
    const second = await clientKey('ES256', 'second')
    const two = await withKeys([key.publicKey, second.publicKey])
    expect(await ask(await assertionOf(service(), two, nameless))).toMatchObject(invalidClient)
  })

  it('may be signed by each of two keys with one name', async () => {
    const twin = await clientKey('ES256', 'first')
    const app = await withKeys([key.publicKey, twin.publicKey])
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject({ status: 200 })
    expect(await ask(await assertionOf(service(), app, twin))).toMatchObject({ status: 200 })
  })

  it('is signed in the one algorithm that the client has registered', async () => {
    const rsa = await clientKey('RS256', 'rsa')
    const app = await withKeys([key.publicKey, rsa.publicKey], { tokenEndpointAuthSigningAlg: 'ES256' })
    expect(await ask(await assertionOf(service(), app, rsa))).toMatchObject(invalidClient)
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject({ status: 200 })
    const edwards = await clientKey('EdDSA', 'ed')
    const renamed = await withKeys([edwards.publicKey], { tokenEndpointAuthSigningAlg: 'Ed25519' })
    expect(await ask(await assertionOf(service(), renamed, { ...edwards, alg: 'EdDSA' }))).toMatchObject({ status: 200 })
  })
})

describe('keys at an address of the client', () => {
  const atAddress = (jwksUri: string) => withKeys([], { jwks: null, jwksUri })

  it('are read once in ten minutes, and when a new key appears, once a minute', async () => {
    const published = await publishedKeys()
    published.keys = [key.publicKey]
    const app = await atAddress(published.url)
    for (const _ of [1, 2, 3]) expect(await ask(await assertionOf(service(), app, key))).toMatchObject({ status: 200 })
    expect(published.requests).toBe(1)

    const next = await clientKey('ES256', 'next')
    published.keys = [key.publicKey, next.publicKey]
    expect(await ask(await assertionOf(service(), app, next))).toMatchObject(invalidClient)
    expect(published.requests).toBe(1)
    service().clock.advance({ seconds: 61 })
    expect(await ask(await assertionOf(service(), app, next))).toMatchObject({ status: 200 })
    const unknown = await clientKey('ES256', 'unknown')
    for (const _ of [1, 2, 3]) expect(await ask(await assertionOf(service(), app, unknown))).toMatchObject(invalidClient)
    expect(published.requests).toBe(2)

    published.keys = [next.publicKey]
    service().clock.advance({ minutes: 11 })
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject(invalidClient)
    expect(published.requests).toBe(3)
  })

  it('serve for 24 hours past their time while the address cannot be reached', async () => {
    const published = await publishedKeys()
    published.keys = [key.publicKey]
    const app = await atAddress(published.url)
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject({ status: 200 })
    published.status = 503
    service().clock.advance({ hours: 24 })
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 11 })
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject(invalidClient)
    const refusals = await service()
      .database.tenant(app.organisation.id)
      .selectFrom('diagnostics')
      .select(['checkName', 'received'])
      .execute()
    expect(refusals).toMatchObject([{ checkName: 'client_assertion', received: 'status 503' }])
    published.status = 200
    service().clock.advance({ minutes: 2 })
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject({ status: 200 })
  })

  it('are of the kinds that may be registered: others are left out', async () => {
    const published = await publishedKeys()
    const small = await clientKey('RS256', 'small')
    const long = await clientKey('ES384', 'long')
    published.keys = [key.whole, { kty: 'oct', k: 'c2VjcmV0', kid: 'shared' }, { ...small.publicKey, use: 'enc' }, long.publicKey]
    const app = await atAddress(published.url)
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject(invalidClient)
    expect(await ask(await assertionOf(service(), app, small))).toMatchObject(invalidClient)
    expect(await ask(await assertionOf(service(), app, long))).toMatchObject(invalidClient)
  })

  it.each([
    ['no JSON', 'maintenance'],
    ['no set of keys', '{"keys": "none"}'],
    ['more than twenty keys', JSON.stringify({ keys: Array.from({ length: 21 }, () => ({})) })],
    ['longer than 256 KiB', JSON.stringify({ keys: [], padding: 'x'.repeat(300_000) })],
  ])('that are %s are refused', async (_, body) => {
    const published = await publishedKeys()
    published.body = body
    const app = await atAddress(published.url)
    expect(await ask(await assertionOf(service(), app, key))).toMatchObject(invalidClient)
  })

  it('are not looked for where the assertion is refused anyway', async () => {
    const published = await publishedKeys()
    const app = await atAddress(published.url)
    expect(await ask(await assertionOf(service(), app, key, { claims: { aud: 'https://other.test' } }))).toMatchObject(invalidClient)
    expect(published.requests).toBe(0)
  })
})
