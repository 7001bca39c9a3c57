import { describe, expect, it } from 'vitest'
import { givenApplication, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const inactive = { active: false }

describe('POST /oauth2/introspect', () => {
  it('describes an active access token of a user', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn({ scope: 'openid email' })
    const answer = await app.introspect(token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      active: true,
      token_type: 'Bearer',
      scope: 'openid email',
      client_id: app.id,
      username: app.organisation.owner.email,
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: app.organisation.owner.id,
      aud: app.id,
      iss: 'http://gatehouse.test',
      jti: expect.any(String),
    })
  })

  it('describes a token of a client, which has no username', async () => {
    const app = await web({ grantTypes: ['client_credentials'], redirectUris: [], scopes: ['orders:read'] })
    const { body } = await app.token({ grant_type: 'client_credentials' })
    const introspection = (await app.introspect(body.access_token)).body
    expect(introspection).toMatchObject({ active: true, sub: app.id, scope: 'orders:read' })
    expect(introspection).not.toHaveProperty('username')
  })

  it('describes a refresh token until it is rotated', async () => {
    const app = await web()
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    expect((await app.introspect(token)).body).toMatchObject({ active: true, client_id: app.id, scope: 'openid offline_access' })
    await app.refresh(token)
    expect((await app.introspect(token)).body).toEqual(inactive)
  })

  it('reports a refresh token as inactive while its client may not refresh', async () => {
    const app = await web()
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    const setGrants = (grantTypes: string[]) => app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { grantTypes })
    expect((await setGrants(['authorization_code'])).status).toBe(200)
    expect(await app.refresh(token)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
    expect((await app.introspect(token)).body).toEqual(inactive)

    await setGrants(['authorization_code', 'refresh_token'])
    expect((await app.introspect(token)).body).toMatchObject({ active: true })
  })

  it('accepts any confidential client of the same organisation, and reveals nothing to another organisation', async () => {
    const app = await web()
    const sibling = await givenApplication(service(), { organisation: app.organisation })
    const stranger = await web()
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await sibling.introspect(token)).body.active).toBe(true)
      expect((await stranger.introspect(token)).body).toEqual(inactive)
    }
  })

  it.each([['nonsense'], ['rt_nonsense'], ['a.b.c'], ['e30.e30.e30'], ['eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.e30.']])(
    'reveals nothing about %s',
    async (token) => {
      expect((await (await web()).introspect(token)).body).toEqual(inactive)
    },
  )

  it('does not accept an ID token as an access token', async () => {
    const app = await web()
    const { id_token: token } = await app.signIn({ scope: 'openid' })
    expect((await app.introspect(token)).body).toEqual(inactive)
    expect((await app.userInfo(token)).status).toBe(401)
  })

  it('reports a token as inactive when its signature, claims or algorithm was changed', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    expect((await app.introspect(token)).body.active).toBe(true)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const changed = [
      `${header}.${encode({ ...claims, scope: 'openid admin' })}.${signature}`,
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encode({ alg: 'HS256', typ: 'at+jwt', kid: JSON.parse(Buffer.from(header, 'base64url').toString()).kid })}.${payload}.${signature}`,
    ]
    for (const forged of changed) expect((await app.introspect(forged)).body).toEqual(inactive)
  })

  it('reports an expired token as inactive', async () => {
    const app = await web({ accessTokenLifetime: 60 })
    const { access_token: token } = await app.signIn()
    service().clock.advance({ seconds: 61 })
    expect((await app.introspect(token)).body).toEqual(inactive)
  })

  it('reports the tokens of a deleted client as inactive', async () => {
    const app = await web()
    const sibling = await givenApplication(service(), { organisation: app.organisation })
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    await app.organisation.owner.delete(`/v1/admin/clients/${app.id}`)
    expect((await sibling.introspect(tokens.access_token)).body).toEqual(inactive)
    expect((await sibling.introspect(tokens.refresh_token)).body).toEqual(inactive)
    expect((await sibling.userInfo(tokens.access_token)).status).toBe(401)
  })

  it('refuses a public client', async () => {
    const app = await web({ clientType: 'public' })
    const { access_token: token } = await app.signIn()
    expect(await app.introspect(token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  it('refuses a request without authentication, and one without a token', async () => {
    const app = await web()
    expect(await postForm(service().anonymous, '/oauth2/introspect', { token: 'x' })).toMatchObject({ status: 401 })
    expect(await app.post('/oauth2/introspect', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})
