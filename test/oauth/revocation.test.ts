import { describe, expect, it } from 'vitest'
import { givenApplication, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const offline = { scope: 'openid offline_access' }

describe('POST /oauth2/revoke', () => {
  it('revokes one access token and no other of its family', async () => {
    const app = await web()
    const tokens = await app.signIn(offline)
    const answer = await app.revoke(tokens.access_token)
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect((await app.userInfo(tokens.access_token)).status).toBe(401)
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('revokes the family of a refresh token, access tokens included', async () => {
    const app = await web()
    const tokens = await app.signIn(offline)
    expect(await app.revoke(tokens.refresh_token)).toMatchObject({ status: 200, body: {} })
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('records one revocation, however often it is requested', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn()
    await Promise.all([1, 2, 3].map(() => app.revoke(token)))
    const { body } = await app.organisation.owner.get('/v1/admin/audit-logs?action=oauth2.token.revoked')
    expect(body.data).toMatchObject([{ actorType: 'client', actorId: app.id }])
    expect(JSON.stringify(body)).not.toContain(token)
  })

  it.each([['nonsense'], ['rt_nonsense'], ['e30.e30.e30']])('responds 200 for %s, which is no token', async (token) => {
    expect(await (await web()).revoke(token)).toMatchObject({ status: 200, body: {} })
  })

  it('responds 200 for an access token that has expired, and records nothing', async () => {
    const app = await web()
    const { access_token: token, expires_in: seconds } = await app.signIn()
    service().clock.advance({ seconds })
    expect(await app.revoke(token)).toMatchObject({ status: 200, body: {} })
    const owner = await service().given.signIn(app.organisation.owner.email)
    expect(await owner.get('/v1/admin/audit-logs?action=oauth2.token.revoked')).toMatchObject({ status: 200, body: { data: [] } })
  })

  it('accepts any hint', async () => {
    const app = await web()
    const tokens = await app.signIn(offline)
    await app.post('/oauth2/revoke', { token: tokens.refresh_token, token_type_hint: 'access_token' })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400 })
  })

  it('refuses the token of another client, which stays valid', async () => {
    const app = await web()
    const sibling = await givenApplication(service(), { organisation: app.organisation })
    const tokens = await app.signIn(offline)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await sibling.revoke(token)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
    expect((await app.introspect(tokens.access_token)).body.active).toBe(true)
  })

  it('responds to the token of another organisation as to an unknown one, and leaves it valid', async () => {
    const app = await web()
    const foreign = await web()
    const tokens = await app.signIn(offline)
    const unknown = await foreign.revoke('nonsense')
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const { status, body } = await foreign.revoke(token)
      expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body })
    }
    expect((await app.introspect(tokens.access_token)).body.active).toBe(true)
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('accepts a public client', async () => {
    const app = await web({ clientType: 'public' })
    const tokens = await app.signIn(offline)
    expect(await app.revoke(tokens.refresh_token)).toMatchObject({ status: 200 })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('refuses a request without authentication, and one without a token', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn()
    expect(await postForm(service().anonymous, '/oauth2/revoke', { token })).toMatchObject({ status: 401 })
    expect(await postForm(service().anonymous, '/oauth2/revoke', { token, client_id: app.id })).toMatchObject({ status: 401 })
    expect(await app.post('/oauth2/revoke', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect((await app.introspect(token)).body.active).toBe(true)
  })
})
