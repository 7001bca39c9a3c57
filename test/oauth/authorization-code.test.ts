import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { callbackOf, claimsOf, givenApplication, headerOf, pkce, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

describe('the authorization code grant', () => {
  it('issues an access token for the user with their roles and permissions, and an ID token', async () => {
    const app = await web()
    const { code, verifier } = await app.code({ scope: 'openid profile email', nonce: 'n-1' })

    const answer = await app.redeem(code, verifier)

    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope: 'openid profile email' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).not.toHaveProperty('refresh_token')
    const { owner } = app.organisation
    const keys = createLocalJWKSet((await service().anonymous.get('/oauth2/jwks.json')).body)
    const issuer = 'http://gatehouse.test'
    const access = await jwtVerify(answer.body.access_token, keys, { issuer, audience: app.id, typ: 'at+jwt' })
    expect(access.payload).toMatchObject({ sub: owner.id, client_id: app.id, org: app.organisation.id, roles: ['owner'] })
    expect(access.payload.permissions).toContain('users:create')
    const identity = await jwtVerify(answer.body.id_token, keys, { issuer, audience: app.id, typ: 'JWT' })
    expect(identity.payload).toMatchObject({
      sub: owner.id,
      nonce: 'n-1',
      exp: (identity.payload.iat ?? Number.NaN) + 3600,
      auth_time: expect.any(Number),
      acr: 'aal1',
      amr: ['pwd'],
      sid: owner.sessionId,
      email: owner.email,
      email_verified: true,
      name: expect.any(String),
      given_name: expect.any(String),
      family_name: expect.any(String),
    })
  })

  it('issues no ID token without openid, and no claims of scopes that were not granted', async () => {
    const app = await web()
    const tokens = await app.signIn({ scope: 'profile' })
    expect(tokens).not.toHaveProperty('id_token')
    const { id_token: idToken } = await app.signIn({ scope: 'openid' })
    expect(claimsOf(idToken)).not.toHaveProperty('email')
    expect(claimsOf(idToken)).not.toHaveProperty('name')
    expect(claimsOf(idToken)).not.toHaveProperty('nonce')
  })

  it('signs the ID token with RS256 for a client that is registered so, but the access token with EdDSA', async () => {
    const app = await web({ idTokenSignedResponseAlg: 'RS256' })
    const tokens = await app.signIn({ scope: 'openid' })
    expect(headerOf(tokens.id_token)).toMatchObject({ alg: 'RS256' })
    expect(headerOf(tokens.access_token)).toMatchObject({ alg: 'EdDSA' })
    const { body } = await service().anonymous.get('/oauth2/jwks.json')
    expect(new Set(body.keys.map((key: { alg: string }) => key.alg))).toEqual(new Set(['EdDSA', 'RS256']))
    await jwtVerify(tokens.id_token, createLocalJWKSet(body), { algorithms: ['RS256'] })
  })

  it('issues a refresh token when offline_access was granted and the client may use one', async () => {
    expect((await (await web()).signIn({ scope: 'openid offline_access' })).refresh_token).toMatch(/^rt_/)
    const other = await web({ grantTypes: ['authorization_code'] })
    expect(await other.signIn({ scope: 'openid offline_access' })).not.toHaveProperty('refresh_token')
  })

  it('refuses a code that was used, and ends what it had issued', async () => {
    const app = await web()
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const { body: tokens } = await app.redeem(code, verifier)
    expect((await app.introspect(tokens.access_token)).body.active).toBe(true)

    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)

    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
  })

  it('refuses the code of another client, which that client can still use', async () => {
    const app = await web()
    const thief = await givenApplication(service(), { organisation: app.organisation })
    const { code, verifier } = await app.code({ scope: 'openid' })
    expect(await thief.redeem(code, verifier)).toMatchObject(invalidGrant)
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
    expect(await thief.redeem(code, verifier)).toMatchObject(invalidGrant)
  })

  it('refuses a code that has expired', async () => {
    const app = await web({ authorizationCodeTtl: 30 })
    const { code, verifier } = await app.code()
    service().clock.advance({ seconds: 31 })
    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)
  })

  it('refuses a code that is older than those of the client may be by now, or was when it was issued', async () => {
    const app = await web({ authorizationCodeTtl: 600 })
    const change = (authorizationCodeTtl: number) => app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { authorizationCodeTtl })
    const [first, second] = [await app.code(), await app.code()]
    expect(await change(60)).toMatchObject({ status: 200 })
    expect(await app.redeem(first.code, first.verifier)).toMatchObject({ status: 200 })
    const third = await app.code()
    service().clock.advance({ seconds: 61 })
    expect(await app.redeem(second.code, second.verifier)).toMatchObject(invalidGrant)
    expect(await change(600)).toMatchObject({ status: 200 })
    expect(await app.redeem(third.code, third.verifier)).toMatchObject(invalidGrant)
  })

  it.each([
    ['no verifier', { code_verifier: undefined }],
    ['another redirect_uri', { redirect_uri: 'https://portal.example.test/other' }],
    ['no redirect_uri', { redirect_uri: undefined }],
  ])('refuses %s, and the code stays valid for the right one', async (_what, form) => {
    const app = await web()
    const { code, verifier } = await app.code()
    expect(await app.redeem(code, verifier, form)).toMatchObject(invalidGrant)
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
  })

  it.each([
    ['a wrong verifier', pkce().verifier],
    ['a verifier that is too short', 'short'],
  ])('refuses %s, which uses the code up', async (_what, wrong) => {
    const app = await web()
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    expect(await app.redeem(code, wrong)).toMatchObject(invalidGrant)
    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)
    const families = await service().database.tenant(app.organisation.id).selectFrom('tokenFamilies').select('id').execute()
    expect(families).toEqual([])
  })

  it('refuses a wrong verifier of another client, and the code stays valid', async () => {
    const app = await web({ clientType: 'public' })
    const stranger = await givenApplication(service(), { organisation: app.organisation, clientType: 'public' })
    const { code, verifier } = await app.code()
    expect(await stranger.redeem(code, pkce().verifier)).toMatchObject(invalidGrant)
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
  })

  it('leaves no valid tokens when wrong verifiers race with the right one', async () => {
    const app = await web()
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })

    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => app.redeem(code, turn === 10 ? verifier : pkce().verifier)))

    const issued = answers.filter(({ status }) => status === 200)
    expect(issued.length).toBeLessThanOrEqual(1)
    for (const { body } of issued) {
      expect((await app.introspect(body.access_token)).body).toEqual({ active: false })
      expect(await app.refresh(body.refresh_token)).toMatchObject(invalidGrant)
    }
    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)
  })

  it('grants no scope that the client has lost since the authorization request', async () => {
    const app = await web({ scopes: ['orders:read', 'orders:write'] })
    const { code, verifier } = await app.code({ scope: 'openid orders:read orders:write' })
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { scopes: ['orders:read'] })
    const { body } = await app.redeem(code, verifier)
    expect(body.scope).toBe('openid orders:read')
    expect(claimsOf(body.access_token).scope).toBe('openid orders:read')
  })

  it('is not issued for a scope of spaces alone, nor is a token', async () => {
    const app = await web()
    const refused = await app.authorize({ scope: '  ', code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    expect(callbackOf(refused).get('error')).toBe('invalid_scope')
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    expect(await app.refresh(token, { scope: ' ' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(await app.refresh(token)).toMatchObject({ status: 200 })
  })

  it('says so when nothing is left of the scope that was asked for', async () => {
    const app = await web({ scopes: ['orders:read', 'orders:write'] })
    const path = `/v1/admin/clients/${app.id}`
    const { code, verifier } = await app.code({ scope: 'orders:read' })
    await app.organisation.owner.patch(path, { scopes: ['orders:write'] })
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200, body: { scope: '' } })

    await app.organisation.owner.patch(path, { scopes: [] })
    const unasked = await app.signIn()
    expect(unasked).not.toHaveProperty('scope')
  })

  it('refuses a verifier when the authorization request had no challenge', async () => {
    const app = await web({ requirePkce: false })
    const { code, verifier } = await app.code({ code_challenge: undefined, code_challenge_method: undefined })
    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)
    expect(await app.redeem(code, verifier, { code_verifier: undefined })).toMatchObject({ status: 200 })
  })

  it('compares a plain challenge with the verifier itself', async () => {
    const app = await web()
    const { verifier } = pkce()
    const { code } = await app.code({ code_challenge: verifier, code_challenge_method: undefined })
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
  })

  it('accepts a public client that authenticates by PKCE alone', async () => {
    const app = await web({ clientType: 'public' })
    expect(await app.signIn({ scope: 'openid' })).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) })
  })

  it('refuses a code of a user who was blocked, reset the password or lost the session since', async () => {
    const app = await web()
    const { given } = service()
    const user = await given.userWith(app.organisation.owner, [])
    const { code, verifier } = await app.code({}, user)
    await app.organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)
  })

  it('responds once to a code that is presented 50 times at once, and ends the family', async () => {
    const app = await web()
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })

    const answers = await Promise.all(Array.from({ length: 50 }, () => app.redeem(code, verifier)))

    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(invalidGrant)
    expect((await app.introspect(issued[0]?.body.access_token)).body).toEqual({ active: false })
    expect(await app.refresh(issued[0]?.body.refresh_token)).toMatchObject(invalidGrant)
  })
})
