import { describe, expect, it } from 'vitest'
import { givenApplication, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const offline = { scope: 'openid offline_access' }
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const day = 86_400

describe('refreshTokenAbsoluteLifetime', () => {
  it('ends a family for good, however often it is refreshed', async () => {
    const app = await web({ refreshTokenAbsoluteLifetime: 100, refreshTokenLifetime: 60 })
    let { refresh_token: token } = await app.signIn(offline)
    const first = (await app.introspect(token)).body
    for (let turn = 0; turn < 3; turn++) {
      service().clock.advance({ seconds: 30 })
      const { status, body } = await app.refresh(token)
      expect(status).toBe(200)
      token = body.refresh_token
    }
    const { body: shown } = await app.introspect(token)
    // 100 s after the sign-in, which was shortly before the first token; not 60 s after the last refresh.
    expect(shown.exp).toBeGreaterThan(first.iat + 90)
    expect(shown.exp).toBeLessThanOrEqual(first.iat + 100)

    service().clock.advance({ seconds: 10 })

    expect((await app.introspect(token)).body).toEqual({ active: false })
    expect(await app.refresh(token)).toMatchObject(invalidGrant)
  })

  it.each([
    ['the same', offline],
    ['fewer scopes', { scope: 'openid' }],
  ])('ends a family for a refresh token within its grace, too, that asks for %s', async (_, asked) => {
    const app = await web({ refreshTokenAbsoluteLifetime: 100, refreshTokenGraceSeconds: 60 })
    const { refresh_token: token } = await app.signIn(offline)
    service().clock.advance({ seconds: 70 })
    const { body } = await app.refresh(token)
    expect(await app.refresh(token, asked)).toMatchObject({ status: 200 })
    service().clock.advance({ seconds: 31 })
    expect(await app.refresh(body.refresh_token)).toMatchObject(invalidGrant)
    const repeated = await app.refresh(token, asked)
    expect(repeated).toMatchObject(invalidGrant)
    expect(repeated.body.error_description).toContain('the refresh token has expired')
  })

  it('is 180 days unless the client or the policy of the organisation says otherwise, in either spelling', async () => {
    const app = await web()
    const { owner } = app.organisation
    const shown = async () => (await owner.get(`/v1/admin/clients/${app.id}`)).body.refreshTokenAbsoluteLifetime
    expect(await shown()).toBe(180 * day)
    await owner.patch('/v1/admin/organisation', { tokenLifetimePolicy: { refreshTokenAbsolute: 90 * day } })
    expect(await shown()).toBe(90 * day)
    await owner.patch('/v1/admin/organisation', { tokenLifetimePolicy: { refreshTokenAbsoluteLifetime: 60 * day } })
    expect(await shown()).toBe(60 * day)
    await owner.patch(`/v1/admin/clients/${app.id}`, { refreshTokenAbsoluteLifetime: 30 * day })
    expect(await shown()).toBe(30 * day)
    await owner.patch(`/v1/admin/clients/${app.id}`, { refreshTokenAbsoluteLifetime: null })
    expect(await shown()).toBe(60 * day)
  })

  it.each([0, 1.5, 3_651 * day, '60'])('may not be %s', async (refreshTokenAbsoluteLifetime) => {
    const app = await web()
    const changed = await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { refreshTokenAbsoluteLifetime })
    expect(changed).toMatchObject({ status: 400, body: { errors: [{ path: ['refreshTokenAbsoluteLifetime'] }] } })
  })

  it('also applies to families that are older than its last change', async () => {
    const app = await web()
    const { refresh_token: token } = await app.signIn(offline)
    service().clock.advance({ seconds: 61 })
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { refreshTokenAbsoluteLifetime: 60 })
    expect((await app.introspect(token)).body).toEqual({ active: false })
    expect(await app.refresh(token)).toMatchObject(invalidGrant)
  })

  it('counts from the sign-in of the user, so that an older session gets no refresh token', async () => {
    const app = await web({ refreshTokenAbsoluteLifetime: 60 })
    service().clock.advance({ seconds: 61 })
    expect(await app.signIn(offline)).not.toHaveProperty('refresh_token')
  })

  it('ends the default family after 180 days of refreshing every three weeks', async () => {
    const app = await web()
    let { refresh_token: token } = await app.signIn(offline)
    for (let days = 21; days < 180; days += 21) {
      service().clock.advance({ days: 21 })
      const { status, body } = await app.refresh(token)
      expect(status).toBe(200)
      token = body.refresh_token
    }
    service().clock.advance({ days: 12 })
    expect(await app.refresh(token)).toMatchObject(invalidGrant)
  })
})
