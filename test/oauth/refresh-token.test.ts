import { describe, expect, it } from 'vitest'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import { claimsOf, givenApplication, type Registration, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const offline = { scope: 'openid profile offline_access' }
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

describe('a refresh token', () => {
  it('is exchanged for a new pair and an ID token of the same sign-in', async () => {
    const app = await web()
    const first = await app.signIn({ ...offline, nonce: 'n-1' })
    service().clock.advance({ seconds: 5 })

    const { status, body: second } = await app.refresh(first.refresh_token)

    expect(status).toBe(200)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.access_token).not.toBe(first.access_token)
    expect(second.scope).toBe(offline.scope)
    const [before, after] = [claimsOf(first.id_token), claimsOf(second.id_token)]
    expect(after).toMatchObject({ sub: before.sub, aud: before.aud, iss: before.iss, auth_time: before.auth_time })
    expect(after.iat).toBeGreaterThan(before.iat)
    expect(after).not.toHaveProperty('nonce')
    expect(await app.refresh(second.refresh_token)).toMatchObject({ status: 200 })
  })

  it('ends its whole family when it is presented again, and writes an audit entry', async () => {
    const app = await web()
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)

    expect(await app.refresh(first.refresh_token)).toMatchObject(invalidGrant)

    expect(await app.refresh(second.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(second.access_token)).body).toEqual({ active: false })
    const { body } = await app.organisation.owner.get('/v1/admin/audit-logs?action=oauth2.token.revoked')
    expect(body.data).toMatchObject([{ actorType: 'client', actorId: app.id, metadata: { reason: 'refresh token used twice' } }])
    // It may be no theft.
    const diagnoses = (await app.organisation.owner.get(`/v1/admin/diagnostics?clientId=${app.id}`)).body.data
    const [reused] = diagnoses.filter(({ hint }: { hint: string | null }) => hint !== null)
    expect(reused).toMatchObject({ check: 'refresh_token', hint: expect.stringContaining('set refreshTokenGraceSeconds') })
  })

  it('of a public client is rotated, and its reuse ends the family', async () => {
    const app = await web({ clientType: 'public' })
    const { body: second } = await app.refresh((await app.signIn(offline)).refresh_token)
    const { status, body: third } = await app.refresh(second.refresh_token)
    expect(status).toBe(200)

    expect(await app.refresh(second.refresh_token)).toMatchObject(invalidGrant)

    expect(await app.refresh(third.refresh_token)).toMatchObject(invalidGrant)
    expect(await app.userInfo(third.access_token)).toMatchObject({ status: 401 })
  })

  it('does not affect the other families of the user', async () => {
    const app = await web()
    const [one, other] = [await app.signIn(offline), await app.signIn(offline)]
    await app.refresh(one.refresh_token)
    await app.refresh(one.refresh_token)
    expect(await app.refresh(other.refresh_token)).toMatchObject({ status: 200 })
  })

  it('narrows the scope of the access token on request, but not of the next refresh', async () => {
    const app = await web()
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token, { scope: 'profile' })
    expect(second.scope).toBe('profile')
    expect(second).not.toHaveProperty('id_token')
    expect((await app.refresh(second.refresh_token)).body.scope).toBe(offline.scope)
  })

  it('refuses a wider scope, and stays valid', async () => {
    const app = await web()
    const first = await app.signIn(offline)
    expect(await app.refresh(first.refresh_token, { scope: 'openid email' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 200 })
  })

  it('loses the scopes that its client loses, and gets them back with it', async () => {
    const app = await web({ scopes: ['orders:read', 'orders:write'] })
    const { owner } = app.organisation
    const scope = 'openid offline_access orders:read orders:write'
    const first = await app.signIn({ scope })
    await owner.patch(`/v1/admin/clients/${app.id}`, { scopes: ['orders:read'] })

    expect((await app.introspect(first.refresh_token)).body.scope).toBe('openid offline_access orders:read')
    expect(await app.refresh(first.refresh_token, { scope: 'orders:write' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    const { body: second } = await app.refresh(first.refresh_token)
    expect(second.scope).toBe('openid offline_access orders:read')
    expect(claimsOf(second.access_token).scope).toBe(second.scope)

    await owner.patch(`/v1/admin/clients/${app.id}`, { scopes: ['orders:read', 'orders:write'] })
    expect((await app.refresh(second.refresh_token)).body.scope).toBe(scope)
  })

  it('is refused to another client, and stays valid', async () => {
    const app = await web()
    const thief = await givenApplication(service(), { organisation: app.organisation })
    const { refresh_token: token } = await app.signIn(offline)
    expect(await thief.refresh(token)).toMatchObject(invalidGrant)
    expect(await app.refresh(token)).toMatchObject({ status: 200 })
  })

  it.each([['rt_unknown'], ['unknown']])('that was never issued (%s) is refused', async (token) => {
    expect(await (await web()).refresh(token)).toMatchObject(invalidGrant)
  })

  it('expires', async () => {
    const app = await web({ refreshTokenLifetime: 60 })
    const { refresh_token: token } = await app.signIn(offline)
    service().clock.advance({ seconds: 61 })
    expect(await app.refresh(token)).toMatchObject(invalidGrant)
  })

  it('is revoked with its client, and stays revoked when the client is activated', async () => {
    const app = await web()
    const tokens = await app.signIn(offline)
    await app.organisation.owner.post(`/v1/admin/clients/${app.id}/revoke`)
    await app.organisation.owner.post(`/v1/admin/clients/${app.id}/activate`)
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    const fresh = await app.signIn(offline)
    expect((await app.introspect(fresh.access_token)).body.active).toBe(true)
  })

  it('is revoked when its user is blocked, and stays revoked when the user is unblocked', async () => {
    const app = await web()
    const user = await service().given.userWith(app.organisation.owner, [])
    const tokens = await app.signIn(offline, user)
    await app.organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect((await app.userInfo(tokens.access_token)).status).toBe(401)
    await app.organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: null })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
  })

  it('is revoked when its user is deleted', async () => {
    const app = await web()
    const user = await service().given.userWith(app.organisation.owner, [])
    const tokens = await app.signIn(offline, user)
    await app.organisation.owner.delete(`/v1/admin/users/${user.id}`)
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
  })

  it('is revoked by a reset of the password', async () => {
    const app = await web()
    const { given } = service()
    const user = await given.userWith(app.organisation.owner, [])
    const tokens = await app.signIn(offline, user)
    await app.organisation.owner.post(`/v1/admin/users/${user.id}/password-reset`)
    await given.setPassword(user.email, 'another horse battery', 'Choose a new password')
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
  })

  it('is refused while the organisation is suspended', async () => {
    const app = await web()
    const tokens = await app.signIn(offline)
    await service().operator.patch(`/v1/system/organisations/${app.organisation.id}/suspend`, { reason: 'unpaid' })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(tokens.access_token)).body).toEqual({ active: false })
  })

  it('of an earlier release, which consisted of a selector only, is exchanged once as well', async () => {
    const app = await web()
    const { refresh_token: issued } = await app.signIn(offline)
    const earlier = `rt_${'e'.repeat(43)}`
    await service()
      .database.tenant(app.organisation.id)
      .updateTable('tokenFamilies')
      .set({ selectorHash: hashSecret(earlier), secretHash: hashSecret('') })
      .execute()

    const { status, body: second } = await app.refresh(earlier)
    expect(status).toBe(200)
    expect(second.refresh_token).not.toBe(issued)
    const { status: again, body: third } = await app.refresh(second.refresh_token)
    expect(again).toBe(200)

    expect(await app.refresh(earlier)).toMatchObject(invalidGrant)
    expect(await app.refresh(third.refresh_token)).toMatchObject(invalidGrant)
  })

  it('is exchanged once by 50 concurrent requests, and ends the family', async () => {
    const app = await web()
    const { refresh_token: token } = await app.signIn(offline)

    const answers = await Promise.all(Array.from({ length: 50 }, () => app.refresh(token)))

    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    expect(await app.refresh(issued[0]?.body.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(issued[0]?.body.access_token)).body).toEqual({ active: false })
  })
})

describe('refreshTokenGraceSeconds', () => {
  it('returns the same response again to the same client within the grace period', async () => {
    const app = await web({ refreshTokenGraceSeconds: 10 })
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)
    expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 200, body: second })
    expect(await app.refresh(second.refresh_token)).toMatchObject({ status: 200 })
  })

  it('returns to each of several successive tokens its own response again', async () => {
    const app = await web({ refreshTokenGraceSeconds: 10 })
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)
    const { body: third } = await app.refresh(second.refresh_token)

    expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 200, body: second })
    expect(await app.refresh(second.refresh_token)).toMatchObject({ status: 200, body: third })
    expect(await app.refresh(third.refresh_token)).toMatchObject({ status: 200 })
  })

  it('returns a token of another scope, beside the same refresh token, to a request that asks for another one', async () => {
    const app = await web({ refreshTokenGraceSeconds: 10 })
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)
    const { body: narrower } = await app.refresh(first.refresh_token, { scope: 'profile' })
    expect(narrower).toMatchObject({ scope: 'profile', refresh_token: second.refresh_token })
    expect(claimsOf(narrower.access_token).scope).toBe('profile')
    expect(narrower).not.toHaveProperty('id_token')
    expect((await app.introspect(narrower.access_token)).body).toMatchObject({ active: true, scope: 'profile' })
    expect(await app.refresh(first.refresh_token, { scope: 'openid email' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    // The order of scopes says nothing.
    const reordered = offline.scope.split(' ').reverse().join(' ')
    expect((await app.refresh(first.refresh_token, { scope: reordered })).body).toEqual(second)

    const { body: third } = await app.refresh(second.refresh_token, { scope: 'profile' })
    const { body: whole } = await app.refresh(second.refresh_token)
    expect(whole).toMatchObject({ scope: offline.scope, refresh_token: third.refresh_token, id_token: expect.any(String) })
    expect(await app.refresh(third.refresh_token)).toMatchObject({ status: 200 })
  })

  it('returns the same response to 20 concurrent requests', async () => {
    const app = await web({ refreshTokenGraceSeconds: 10 })
    const { refresh_token: token } = await app.signIn(offline)
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.refresh(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  })

  it('ends: afterwards reuse revokes the family', async () => {
    const app = await web({ refreshTokenGraceSeconds: 10 })
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)
    service().clock.advance({ seconds: 11 })
    expect(await app.refresh(first.refresh_token)).toMatchObject(invalidGrant)
    expect(await app.refresh(second.refresh_token)).toMatchObject(invalidGrant)
  })

  it('does not restore a family that has been revoked', async () => {
    const app = await web({ refreshTokenGraceSeconds: 10 })
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)
    await app.revoke(second.refresh_token)
    expect(await app.refresh(first.refresh_token)).toMatchObject(invalidGrant)
  })

  it.each([
    [
      'its organisation is suspended',
      ({ organisation }: TestApplication) =>
        service().operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'unpaid' }),
    ],
    [
      'its client has been revoked, and is active again',
      async ({ id, organisation: { owner } }: TestApplication) => {
        await owner.post(`/v1/admin/clients/${id}/revoke`)
        return owner.post(`/v1/admin/clients/${id}/activate`)
      },
    ],
  ])('gives no response again once %s', async (_what, change) => {
    const app = await web({ refreshTokenGraceSeconds: 60 })
    const { refresh_token: token } = await app.signIn(offline)
    expect(await app.refresh(token)).toMatchObject({ status: 200 })

    expect(await change(app)).toMatchObject({ status: 200 })

    expect(await app.refresh(token)).toMatchObject(invalidGrant)
  })
})
