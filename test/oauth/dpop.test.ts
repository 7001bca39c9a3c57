import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ClientKey, clientKey } from '../support/client-keys.ts'
import { askOnDevice, decideOnDevice, deviceGrant } from '../support/devices.ts'
import type { Answer } from '../support/http-client.ts'
import {
  basic,
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
import { type TestService, useService } from '../support/service.ts'

const extensions = 'dpop,par,device,resource_indicators'
const service = useService({ environment: { OAUTH_EXTENSIONS: extensions } })
const withNonce = useService({ environment: { OAUTH_EXTENSIONS: extensions, DPOP_NONCE: 'required' } })
const without = useService()

const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
const web = (registration: Registration = {}) => givenApplication(service(), { grantTypes, ...registration })
const native = (registration: Registration = {}) =>
  givenApplication(service(), { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'], ...registration })

let [key, other, rsa] = [] as unknown as [ClientKey, ClientKey, ClientKey]
let jkt = ''
beforeAll(async () => {
  ;[key, other, rsa] = [await clientKey('ES256'), await clientKey('ES256'), await clientKey('RS256')]
  jkt = await calculateJwkThumbprint(key.publicKey)
})

interface Bent {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  by?: ClientKey
  path?: string
  method?: string
  accessToken?: string
  of?: TestService
}

let last = 0

/** The header with a valid proof, but for what is given. A claim that is undefined is left out. */
async function proof({
  claims = {},
  header = {},
  by = key,
  path = '/oauth2/token',
  method = 'POST',
  accessToken,
  of = service(),
}: Bent = {}) {
  last += 1
  const ath = accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') }
  const iat = Math.floor(of.clock.now().getTime() / 1_000)
  const all = { jti: `proof-${last}`, htm: method, htu: `${of.services.issuer}${path}`, iat, ...ath, ...claims }
  const signer = new SignJWT(all).setProtectedHeader({ typ: 'dpop+jwt', alg: by.alg, jwk: by.publicKey, ...header })
  return { dpop: await signer.sign(by.privateKey) }
}

const ask = async (app: TestApplication, form: Record<string, string>, bent: Bent | null = {}) =>
  app.token(form, { ...app.authorization, ...(bent && (await proof(bent))) })
const own = (app: TestApplication, bent?: Bent | null) => ask(app, { grant_type: 'client_credentials' }, bent)
const redeem = (app: TestApplication, { code, verifier }: { code: string; verifier: string }, bent?: Bent | null) =>
  ask(app, { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }, bent)
const refresh = (app: TestApplication, token: string, bent?: Bent | null) =>
  ask(app, { grant_type: 'refresh_token', refresh_token: token }, bent)

const userInfo = async (accessToken: string, bent: Bent | null = {}, scheme = 'DPoP'): Promise<Answer> =>
  service().anonymous.get('/oauth2/userinfo', {
    headers: {
      authorization: `${scheme} ${accessToken}`,
      ...(bent && (await proof({ path: '/oauth2/userinfo', method: 'GET', accessToken, ...bent }))),
    },
  })

const refused = (error: string, status = 400) => ({ status, body: { error } })
const invalidProof = refused('invalid_dpop_proof')

async function lastRefusal({ organisation }: TestApplication) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  return body.data[0]
}

describe('a token for a proof', () => {
  it.each(['EdDSA', 'ES256', 'PS256', 'RS256'])('is bound to the key that has signed it with %s', async (alg) => {
    const app = await web()
    const by = await clientKey(alg)
    const { status, body } = await own(app, { by })
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    const cnf = { jkt: await calculateJwkThumbprint(by.publicKey) }
    expect(claimsOf(body.access_token)).toMatchObject({ cnf })
    expect((await app.introspect(body.access_token)).body).toMatchObject({ active: true, token_type: 'DPoP', cnf })
    const bearer = await own(app, null)
    expect(bearer.body.token_type).toBe('Bearer')
    expect(claimsOf(bearer.body.access_token)).not.toHaveProperty('cnf')
  })

  it('opens UserInfo with a proof of its key and for it alone', async () => {
    const app = await web()
    const code = await app.code({ scope: 'openid' })
    const { access_token: token } = (await redeem(app, code)).body
    expect(await userInfo(token)).toMatchObject({ status: 200, body: { sub: app.organisation.owner.id } })

    const another = (await redeem(app, await app.code({ scope: 'openid' }))).body.access_token
    for (const [bent, error] of [
      [null, 'invalid_token'],
      [{ by: other }, 'invalid_token'],
      [{ accessToken: another }, 'invalid_dpop_proof'],
      [{ claims: { ath: undefined } }, 'invalid_dpop_proof'],
      [{ method: 'POST' }, 'invalid_dpop_proof'],
      [{ path: '/oauth2/token' }, 'invalid_dpop_proof'],
    ] as const) {
      const answer = await userInfo(token, bent)
      expect(answer).toMatchObject(refused(error, 401))
      expect(answer.headers.get('www-authenticate')).toMatch(new RegExp(`^DPoP algs="EdDSA [^"]*ES256[^"]*", error="${error}"`))
    }
    // As a bearer token it would be of use to a thief.
    const downgraded = await userInfo(token, {}, 'Bearer')
    expect(downgraded).toMatchObject(refused('invalid_token', 401))
    expect(downgraded.headers.get('www-authenticate')).toMatch(/^DPoP algs=/)
    const inForm = await service().anonymous.post('/oauth2/userinfo', encode({ access_token: token }), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(inForm).toMatchObject(refused('invalid_token', 401))

    const { access_token: unbound } = await app.signIn({ scope: 'openid' })
    expect(await userInfo(unbound)).toMatchObject(refused('invalid_token', 401))
    const bearer = await userInfo(unbound, null, 'Bearer')
    expect(bearer.status).toBe(200)
    const wrong = await userInfo('x.y.z', null, 'Bearer')
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer /)
  })

  it('that has ended, or is none, is challenged in the scheme in which it came', async () => {
    const app = await web()
    const { access_token: token } = (await redeem(app, await app.code({ scope: 'openid' }))).body
    await app.revoke(token)
    for (const [presented, scheme, challenge] of [
      [token, 'DPoP', 'DPoP algs='],
      ['x.y.z', 'DPoP', 'DPoP algs='],
      ['x.y.z', 'dpop', 'DPoP algs='],
      [token, 'Bearer', 'Bearer error="invalid_token"'],
    ] as const) {
      const answer = await userInfo(presented, {}, scheme)
      expect(answer).toMatchObject(refused('invalid_token', 401))
      expect(answer.headers.get('www-authenticate')?.slice(0, challenge.length)).toBe(challenge)
    }
  })

  it.each<[string, () => Bent]>([
    ['of another type', () => ({ header: { typ: 'jwt' } })],
    ['without a type', () => ({ header: { typ: undefined } })],
    ['without a key', () => ({ header: { jwk: undefined } })],
    ['with another key', () => ({ header: { jwk: other.publicKey } })],
    ['with a key of another kind than its algorithm', () => ({ header: { jwk: rsa.publicKey } })],
    ['with a private key', () => ({ header: { jwk: key.whole } })],
    ['without an id', () => ({ claims: { jti: undefined } })],
    ['for another method', () => ({ claims: { htm: 'GET' } })],
    ['for another address', () => ({ claims: { htu: `${service().services.issuer}/oauth2/revoke` } })],
    ['for another server', () => ({ claims: { htu: 'https://other.example.test/oauth2/token' } })],
    ['for an address with a user name', () => ({ claims: { htu: `${service().services.issuer.replace('://', '://x@')}/oauth2/token` } })],
    ['for no address', () => ({ claims: { htu: 'token' } })],
    ['without a time', () => ({ claims: { iat: undefined } })],
    ['that is too old', () => ({ claims: { iat: Math.floor(service().clock.now().getTime() / 1_000) - 62 } })],
    ['of the future', () => ({ claims: { iat: Math.floor(service().clock.now().getTime() / 1_000) + 60 } })],
    ['of more than 8 KiB', () => ({ claims: { filling: 'x'.repeat(8_192) } })],
  ])('is refused for one %s', async (_, bent) => {
    const app = await givenOne()
    expect(await own(app, bent())).toMatchObject(invalidProof)
    expect(await lastRefusal(app)).toMatchObject({ endpoint: 'token', check: 'dpop' })
  })

  it('is given for a proof that is at most 60 seconds old, or 10 seconds ahead', async () => {
    const app = await givenOne()
    const { clock } = service()
    const { position } = clock
    clock.stop()
    const now = clock.now().getTime() / 1_000
    for (const [iat, status] of [
      [now - 60, 200],
      [now - 60.1, 400],
      [now + 10, 200],
      [now + 10.1, 400],
    ] as const)
      expect([iat - now, (await own(app, { claims: { iat } })).status]).toEqual([iat - now, status])
    clock.position = position
  })

  it('is refused for several proofs, a secret or no signature', async () => {
    const app = await givenOne()
    const [{ dpop: one }, { dpop: two }] = [await proof(), await proof()]
    const [, claims] = one.split('.')
    const header = (alg: string) => Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: key.publicKey })).toString('base64url')
    for (const dpop of [`${one}, ${two}`, `${header('none')}.${claims}.`, `${header('HS256')}.${claims}.x`, 'x', `${one}==`]) {
      expect(await app.token({ grant_type: 'client_credentials' }, { ...app.authorization, dpop })).toMatchObject(invalidProof)
    }
  })

  it('takes a proof once, of twenty uses at once, and its address in any form', async () => {
    const app = await givenOne()
    const headers = { ...app.authorization, ...(await proof()) }
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.token({ grant_type: 'client_credentials' }, headers)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_dpop_proof')).toHaveLength(19)
    const { issuer } = service().services
    const htu = `${issuer.replace('http', 'HTTP').replace('gatehouse', 'GATEHOUSE')}:80/oauth2/../oauth2/token?x=1#y`
    expect(await own(app, { claims: { htu } })).toMatchObject({ status: 200 })
    // Another key may use the same id.
    const jti = { claims: { jti: 'the same' } }
    expect(await own(app, jti)).toMatchObject({ status: 200 })
    expect(await own(app, { ...jti, by: other })).toMatchObject({ status: 200 })
    expect(await own(app, jti)).toMatchObject(invalidProof)
  })

  it('stores no proof of a request that is refused to a public client: any stranger can name one', async () => {
    const app = await native()
    const used = () => service().database.tenant(app.organisation.id).selectFrom('usedAssertions').selectAll().execute()
    const form = { grant_type: 'authorization_code', code: 'unknown', code_verifier: 'x'.repeat(43), redirect_uri: 'https://x.test/' }
    expect(await ask(app, form)).toMatchObject(refused('invalid_grant'))
    const pushed = await postForm(service().anonymous, '/oauth2/par', { client_id: app.id }, await proof({ path: '/oauth2/par' }))
    expect(pushed).toMatchObject({ status: 400 })
    expect(await used()).toEqual([])

    await redeem(app, await app.code())
    expect(await used()).toHaveLength(1)
  })
})

let shared: Promise<TestApplication> | undefined
const givenOne = () => (shared ??= web())

describe('a refresh token', () => {
  const offline = { scope: 'openid offline_access' }

  it('of a public client is bound to the key, and is not ended by a thief without it', async () => {
    const app = await native()
    const first = (await redeem(app, await app.code(offline))).body
    expect(first.token_type).toBe('DPoP')
    for (const bent of [null, { by: other }]) expect(await refresh(app, first.refresh_token, bent)).toMatchObject(refused('invalid_grant'))
    const second = (await refresh(app, first.refresh_token)).body
    expect(claimsOf(second.access_token)).toMatchObject({ cnf: { jkt } })
    expect(await refresh(app, first.refresh_token, { by: other })).toMatchObject(refused('invalid_grant'))
    const third = await refresh(app, second.refresh_token)
    expect(third).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    // With the key, a second use ends the family.
    expect(await refresh(app, first.refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, third.body.refresh_token)).toMatchObject(refused('invalid_grant'))
  })

  it('of a public client that began without a proof is bound to the key of its first one', async () => {
    const app = await native()
    const first = (await redeem(app, await app.code(offline), null)).body
    expect(first.token_type).toBe('Bearer')
    const second = (await refresh(app, first.refresh_token)).body
    expect(claimsOf(second.access_token)).toMatchObject({ cnf: { jkt } })
    for (const bent of [null, { by: other }]) expect(await refresh(app, second.refresh_token, bent)).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, second.refresh_token)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  })

  it('of a confidential client is bound to its authentication: it may come with another key', async () => {
    const app = await web()
    const first = (await redeem(app, await app.code(offline))).body
    const second = (await refresh(app, first.refresh_token, { by: other })).body
    expect(claimsOf(second.access_token)).toMatchObject({ cnf: { jkt: await calculateJwkThumbprint(other.publicKey) } })
    expect((await refresh(app, second.refresh_token, null)).body.token_type).toBe('Bearer')
  })

  it('that is repeated within its grace earns each key a token of its own, beside the same refresh token', async () => {
    const app = await web({ refreshTokenGraceSeconds: 30 })
    const of = async (by: ClientKey) => ({ cnf: { jkt: await calculateJwkThumbprint(by.publicKey) } })
    const first = (await redeem(app, await app.code(offline))).body
    const second = (await refresh(app, first.refresh_token)).body
    const repeated = (await refresh(app, first.refresh_token, { by: other })).body
    expect(repeated).toMatchObject({ token_type: 'DPoP', refresh_token: second.refresh_token, id_token: expect.any(String) })
    expect(claimsOf(repeated.access_token)).toMatchObject(await of(other))
    expect(await userInfo(repeated.access_token, { by: other })).toMatchObject({ status: 200 })
    const bearer = (await refresh(app, first.refresh_token, null)).body
    expect(bearer).toMatchObject({ token_type: 'Bearer', refresh_token: second.refresh_token })
    expect(claimsOf(bearer.access_token)).not.toHaveProperty('cnf')
    expect((await refresh(app, first.refresh_token)).body).toEqual(second)

    // In the other order: what was earned without a proof is not given to a key.
    const third = (await refresh(app, second.refresh_token, null)).body
    expect(third.token_type).toBe('Bearer')
    const bound = (await refresh(app, second.refresh_token)).body
    expect(bound).toMatchObject({ token_type: 'DPoP', refresh_token: third.refresh_token })
    expect(claimsOf(bound.access_token)).toMatchObject(await of(key))
    expect(await refresh(app, third.refresh_token, { by: other })).toMatchObject({ status: 200 })
  })

  it('that is repeated with the first proof of a public client does not take the family from who has refreshed it', async () => {
    const app = await native({ refreshTokenGraceSeconds: 30 })
    const first = (await redeem(app, await app.code(offline), null)).body
    const second = (await refresh(app, first.refresh_token, null)).body
    const repeated = (await refresh(app, first.refresh_token, { by: other })).body
    expect(claimsOf(repeated.access_token)).toMatchObject({ cnf: { jkt: await calculateJwkThumbprint(other.publicKey) } })
    expect(repeated.refresh_token).toBe(second.refresh_token)
    expect(await refresh(app, second.refresh_token, null)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })

  it('that is repeated needs a proof once a resource server takes bound tokens alone', async () => {
    const app = await web({ refreshTokenGraceSeconds: 30 })
    const { owner } = app.organisation
    const api = await resourceServer(owner)
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [api.id], scopes: ['orders:read'] })
    const code = await app.code({ scope: 'offline_access orders:read', resource: api.identifier })
    const first = (await redeem(app, code, null)).body
    const second = (await refresh(app, first.refresh_token, null)).body
    expect(second.token_type).toBe('Bearer')
    expect(await owner.patch(`/v1/admin/resource-servers/${api.id}`, { requireDpop: true })).toMatchObject({ status: 200 })
    expect(await refresh(app, first.refresh_token, null)).toMatchObject(invalidProof)
    const repeated = await refresh(app, first.refresh_token)
    expect(repeated).toMatchObject({ status: 200, body: { token_type: 'DPoP', refresh_token: second.refresh_token } })
    expect(claimsOf(repeated.body.access_token)).toMatchObject({ aud: api.identifier, cnf: { jkt } })
  })
})

describe('a code', () => {
  it('that was asked for with dpop_jkt is redeemed with that key alone', async () => {
    const app = await native()
    // Of the refusals of one minute, sixty are stored.
    service().clock.advance({ minutes: 1 })
    const code = await app.code({ scope: 'openid', dpop_jkt: jkt })
    for (const bent of [null, { by: other }]) expect(await redeem(app, code, bent)).toMatchObject(refused('invalid_grant'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'dpop_jkt', expected: jkt })
    expect(await redeem(app, code)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    const malformed = await app.authorize({ dpop_jkt: 'x', code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    expect(callbackOf(malformed).get('error')).toBe('invalid_request')
  })

  it('that was pushed with a proof is redeemed with that key alone', async () => {
    const app = await native()
    const { verifier, challenge } = pkce()
    const parameters = { response_type: 'code', redirect_uri: app.redirectUri, code_challenge: challenge, code_challenge_method: 'S256' }
    const push = async (form: Record<string, string> = {}) =>
      app.post('/oauth2/par', { ...parameters, ...form }, await proof({ path: '/oauth2/par' }))
    expect(await push({ dpop_jkt: await calculateJwkThumbprint(other.publicKey) })).toMatchObject(invalidProof)
    const pushed = await push()
    expect(pushed).toMatchObject({ status: 201 })
    const back = await app.organisation.owner.get(
      `/oauth2/authorize?${encode({ client_id: app.id, request_uri: pushed.body.request_uri })}`,
    )
    const code = { code: callbackOf(back).get('code') ?? '', verifier }
    expect(await redeem(app, code, { by: other })).toMatchObject(refused('invalid_grant'))
    expect(await redeem(app, code)).toMatchObject({ status: 200 })
  })

  it('of a device binds its tokens, too', async () => {
    const app = await native({ grantTypes: [deviceGrant, 'refresh_token'], redirectUris: [] })
    const codes = await askOnDevice(app, { scope: 'openid offline_access' })
    await decideOnDevice(app.organisation.owner, codes, 'allow')
    const { body } = await ask(app, { grant_type: deviceGrant, device_code: codes.device_code })
    expect(body.token_type).toBe('DPoP')
    expect(await refresh(app, body.refresh_token, null)).toMatchObject(refused('invalid_grant'))
    expect(await refresh(app, body.refresh_token)).toMatchObject({ status: 200 })
  })
})

describe('a proof is required', () => {
  it('of a client that is registered so', async () => {
    const app = await web({ requireDpop: true })
    expect(await own(app, null)).toMatchObject(invalidProof)
    expect(await own(app)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  })

  it('for a resource server that takes bound tokens alone', async () => {
    const app = await web()
    const { owner } = app.organisation
    const api = await resourceServer(owner, { requireDpop: true })
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [api.id], scopes: ['orders:read'] })
    const form = { grant_type: 'client_credentials', resource: api.identifier }
    expect(await ask(app, form, null)).toMatchObject(invalidProof)
    expect(await ask(app, form)).toMatchObject({ status: 200, body: { token_type: 'DPoP', scope: 'orders:read' } })
    expect(await own(app, null)).toMatchObject({ status: 200 })
  })
})

describe('where a nonce is required', () => {
  it('each answer names it, and it serves for five to ten minutes', async () => {
    const app = await givenApplication(withNonce(), { grantTypes })
    const of = withNonce()
    // A nonce has just begun, so that it does not end meanwhile.
    of.clock.advance({ seconds: 300 - (Math.floor(of.clock.now().getTime() / 1_000) % 300) })
    const first = await own(app, { of })
    expect(first).toMatchObject(refused('use_dpop_nonce'))
    const nonce = first.headers.get('dpop-nonce') ?? ''
    const answer = await own(app, { of, claims: { nonce } })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.headers.get('dpop-nonce')).toBe(nonce)
    of.clock.advance({ minutes: 5 })
    const later = await own(app, { of, claims: { nonce } })
    expect(later.status).toBe(200)
    expect(later.headers.get('dpop-nonce')).not.toBe(nonce)
    of.clock.advance({ minutes: 5 })
    expect(await own(app, { of, claims: { nonce } })).toMatchObject(refused('use_dpop_nonce'))
    // Without a proof none is asked for.
    expect(await own(app, null)).toMatchObject({ status: 200 })
  })

  it('to learn it is no refusal to explain: only a proof with a nonce that never was ours is stored', async () => {
    const of = withNonce()
    const app = await givenApplication(of, { grantTypes })
    const stored = async () => (await app.organisation.owner.get('/v1/admin/diagnostics')).body.data
    const first = await own(app, { of })
    expect(first).toMatchObject(refused('use_dpop_nonce'))
    expect(first.body.error_description).not.toContain('reference')
    const nonce = first.headers.get('dpop-nonce') ?? ''
    const { access_token: accessToken } = (await redeem(app, await app.code({ scope: 'openid' }), { of, claims: { nonce } })).body
    const path = '/oauth2/userinfo'
    const proven = await proof({ of, path, method: 'GET', accessToken })
    const headers = { authorization: `DPoP ${accessToken}`, ...proven }
    expect(await of.anonymous.get(path, { headers })).toMatchObject(refused('use_dpop_nonce', 401))
    of.clock.advance({ minutes: 15 })
    expect(await own(app, { of, claims: { nonce } })).toMatchObject(refused('use_dpop_nonce'))
    expect(await stored()).toEqual([])

    for (const foreign of ['of another server', 7])
      expect(await own(app, { of, claims: { nonce: foreign } })).toMatchObject({ status: 400 })
    expect(await stored()).toMatchObject([{ error: 'use_dpop_nonce' }, { error: 'use_dpop_nonce', check: 'dpop' }])
  })

  it.each(['token', 'par', 'introspect', 'revoke', 'device_authorization', 'userinfo'])('each answer of /%s names it', async (endpoint) => {
    const app = await givenApplication(withNonce(), { grantTypes: [...grantTypes, deviceGrant] })
    const token = (await app.token({ grant_type: 'client_credentials' })).body.access_token
    const { challenge } = pkce()
    const form = {
      ...{ grant_type: 'client_credentials', token, response_type: 'code', redirect_uri: app.redirectUri },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    }
    const path = `/oauth2/${endpoint}`
    const { access_token: ofUser } = await app.signIn({ scope: 'openid' })
    const answers =
      endpoint === 'userinfo'
        ? [await app.userInfo(ofUser), await app.userInfo('x.y.z')]
        : [await app.post(path, form), await app.post(path, form, { authorization: basic(app.id, 'another secret') })]
    expect(answers.map(({ status }) => status)).toEqual([expect.toSatisfy((status) => status === 200 || status === 201), 401])
    for (const { headers } of answers) expect(headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
  })
})

describe('without the extension', () => {
  it('the header is ignored, no client can be made to prove a key, and one that has to is refused with the reason', async () => {
    const app = await givenApplication(without(), { grantTypes })
    const { owner } = app.organisation
    expect((await own(app, { of: without() })).body.token_type).toBe('Bearer')
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { requireDpop: true })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['requireDpop'], message: 'Needs OAUTH_EXTENSIONS to hold dpop' }] },
    })
    await without().database.tenant(app.organisation.id).updateTable('clients').set({ requireDpop: true }).execute()
    expect(await own(app, { of: without() })).toMatchObject(invalidProof)
    expect(await lastRefusal(app)).toMatchObject({ check: 'dpop', hint: 'needs OAUTH_EXTENSIONS to hold dpop' })
  })

  it('what is bound to a key or a certificate is refused with the reason', async () => {
    const of = without()
    const app = await givenApplication(of, { clientType: 'public', grantTypes: ['authorization_code', 'refresh_token'] })
    const tenant = of.database.tenant(app.organisation.id)
    const { refresh_token: token } = (await redeem(app, await app.code({ scope: 'openid offline_access' }), null)).body
    await tenant.updateTable('tokenFamilies').set({ jkt }).execute()
    expect(await refresh(app, token, { of })).toMatchObject(refused('invalid_grant'))
    const hint = 'needs OAUTH_EXTENSIONS to hold dpop'
    expect(await lastRefusal(app)).toMatchObject({ check: 'dpop_jkt', expected: jkt, hint })

    const code = await app.code()
    await tenant.updateTable('authorizationCodes').set({ jkt }).execute()
    expect(await redeem(app, code, { of })).toMatchObject(refused('invalid_grant'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'dpop_jkt', parameters: { grant_type: 'authorization_code' }, hint })

    await tenant.updateTable('tokenFamilies').set({ jkt: 'x5t#S256:of-a-certificate' }).execute()
    expect(await refresh(app, token, { of })).toMatchObject(refused('invalid_grant'))
    expect(await lastRefusal(app)).toMatchObject({ check: 'client_certificate', hint: 'needs OAUTH_EXTENSIONS to hold mtls' })
  })

  it('pages of other origins send and read its headers only with it', async () => {
    const preflight = async (of: TestService) => {
      const headers = {
        origin: 'https://spa.example.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'dpop',
      }
      const answer = await fetch(`${of.origin}/oauth2/token`, { method: 'OPTIONS', headers })
      return answer.headers.get('access-control-allow-headers')
    }
    expect(await preflight(service())).toBe('Content-Type, Authorization, DPoP')
    expect(await preflight(without())).toBe('Content-Type, Authorization')
  })
})
