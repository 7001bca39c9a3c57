import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { claimsOf, decideConsent, givenApplication, pkce } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const check = (by: HttpClient, body: object) => by.post('/v1/admin/authorization-checks', body)
/** What the sign-in decides, and the seconds that have passed since. */
const withoutSignIn = ({ jti, sid, nonce, at_hash, acr, amr, auth_time, iat, exp, ...claims }: Record<string, unknown>) => claims

describe('a check of an authorization', () => {
  it('says what the client is issued indeed, and leaves nothing behind', async () => {
    const app = await givenApplication(service(), { scopes: ['orders:read', 'orders:write'] })
    const { owner } = app.organisation
    const user = await service().given.userWith(owner, ['users:read'])
    const scope = 'openid profile email offline_access orders:read'
    const trace = async () => {
      const { body: log } = await owner.get('/v1/admin/audit-logs?limit=200')
      const { body: consents } = await owner.get(`/v1/admin/users/${user.id}/consents`)
      return { entries: log.data.length, consents }
    }

    const before = await trace()
    const answer = await check(owner, { userId: user.id, clientId: app.id, scope })
    expect(await trace()).toEqual(before)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        userId: user.id,
        clientId: app.id,
        allowed: true,
        scope: scope.split(' '),
        asksConsent: false,
        refreshToken: true,
        refusals: [],
        blockedBy: [],
        ignored: [],
      },
    })

    const tokens = await app.signIn({ scope }, user)
    expect(withoutSignIn(answer.body.accessToken)).toEqual(withoutSignIn(claimsOf(tokens.access_token)))
    expect(withoutSignIn(answer.body.idToken)).toEqual(withoutSignIn(claimsOf(tokens.id_token)))
    for (const claims of [answer.body.accessToken, answer.body.idToken]) {
      for (const name of ['jti', 'sid', 'nonce', 'acr', 'amr', 'auth_time']) expect(claims).not.toHaveProperty(name)
    }
  })

  it('issues no ID token without openid, no refresh token without offline_access, and the scopes of the client without any', async () => {
    const app = await givenApplication(service(), { scopes: ['orders:read'] })
    const { owner } = app.organisation

    expect((await check(owner, { userId: owner.id, clientId: app.id, resource: 'https://api.acme.test' })).body).toMatchObject({
      allowed: true,
      scope: ['orders:read'],
      accessToken: { sub: owner.id, scope: 'orders:read' },
      idToken: null,
      refreshToken: false,
      ignored: ['resource'],
    })
  })

  it('says that the user is asked for consent, until they have allowed it', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const asksConsent = async (scope: string) => (await check(owner, { userId: owner.id, clientId: app.id, scope })).body.asksConsent
    expect(await asksConsent('openid')).toBe(true)

    const asked = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256', scope: 'openid' })
    const reference = new URL(asked.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
    await decideConsent(owner, reference, 'allow')
    expect(await asksConsent('openid')).toBe(false)
    expect(await asksConsent('openid email')).toBe(true)
  })

  it('lists each scope that is refused, and what there is', async () => {
    const app = await givenApplication(service(), { scopes: ['orders:read'] })
    const { owner } = app.organisation

    const { body } = await check(owner, { userId: owner.id, clientId: app.id, scope: 'openid orders:write orders:delete' })
    const refusal = {
      endpoint: 'authorize',
      error: 'invalid_scope',
      check: 'scope',
      expected: expect.arrayContaining(['openid', 'orders:read']),
    }
    expect(body).toMatchObject({ allowed: false, scope: [], accessToken: null, idToken: null, refreshToken: false })
    expect(body.refusals).toEqual([
      { ...refusal, description: 'the scope is not allowed: orders:write', received: 'orders:write' },
      { ...refusal, description: 'the scope is not allowed: orders:delete', received: 'orders:delete' },
    ])
  })

  it('says that a blocked user, a revoked client and a client of another grant get nothing', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const user = await service().given.user(owner)
    const machine = await givenApplication(service(), {
      organisation: app.organisation,
      name: `Machine ${unique()}`,
      grantTypes: ['client_credentials'],
      redirectUris: [],
    })
    const refusalsOf = async (userId: string, clientId: string) => (await check(owner, { userId, clientId, scope: 'openid' })).body

    expect((await refusalsOf(owner.id, machine.id)).refusals).toMatchObject([
      { endpoint: 'authorize', error: 'unauthorized_client', check: 'grant_type', received: 'authorization_code' },
    ])
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    expect(await refusalsOf(user.id, app.id)).toMatchObject({
      allowed: false,
      blockedBy: ['blocked'],
      refusals: [{ endpoint: 'token', error: 'invalid_grant', check: 'authorization', received: 'the user is blocked' }],
    })
    await owner.post(`/v1/admin/clients/${app.id}/revoke`)
    expect((await refusalsOf(owner.id, app.id)).refusals).toMatchObject([
      { endpoint: 'authorize', check: 'client_id', received: 'a revoked client' },
      { endpoint: 'token', received: 'the client has been revoked' },
    ])
  })

  it('knows no user and no client of another organisation, nor a deleted one', async () => {
    const app = await givenApplication(service())
    const other = await givenApplication(service())
    const { owner } = app.organisation
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)

    for (const [asked, detail] of [
      [{ userId: other.organisation.owner.id, clientId: app.id }, 'User not found'],
      [{ userId: deleted.id, clientId: app.id }, 'User not found'],
      [{ userId: owner.id, clientId: other.id }, 'Client not found'],
    ] as const) {
      expect(await check(owner, asked)).toMatchObject({ status: 404, body: { detail } })
    }
  })

  it('needs both permissions', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    for (const permissions of [['clients:read'], ['users:read']] as const) {
      const caller = await service().given.userWith(owner, [...permissions])
      expect((await check(caller, { userId: owner.id, clientId: app.id })).status).toBe(403)
    }
  })
})
