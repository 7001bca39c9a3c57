import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function aUser() {
  const organisation = await service().given.organisation()
  return { organisation, user: await service().given.userWith(organisation.owner, []) }
}

const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

describe('GET /v1/me/sessions', () => {
  it('lists the active sessions, most recently used first', async () => {
    const { user } = await aUser()
    const { anonymous, clock, given } = service()
    clock.advance({ minutes: 2 })
    const second = await given.signIn(user.email)
    clock.advance({ minutes: 2 })
    // The activity of the first session is recorded after its response.
    await user.get('/v1/me/profile')
    await service().settled()
    expect(ids(await second.get('/v1/me/sessions'))).toEqual([user.sessionId, second.sessionId])

    const login = await anonymous.post(
      '/v1/auth/login',
      { email: user.email, password: user.password },
      { headers: { 'user-agent': firefox } },
    )
    const { body } = await user.get('/v1/me/sessions')
    expect(body.total).toBe(3)
    expect(body.data.find(({ id }: { id: string }) => id === login.body.session.id)).toEqual({
      id: expect.stringMatching(/^ses_/),
      ipAddress: expect.any(String),
      userAgent: firefox,
      lastActivityAt: expect.stringMatching(/Z$/),
      expiresAt: login.body.session.expiresAt,
      createdAt: expect.stringMatching(/Z$/),
      current: false,
      device: { browser: 'Firefox', os: 'Linux', type: 'desktop' },
    })
    expect(body.data.filter(({ current }: { current: boolean }) => current)).toMatchObject([{ id: user.sessionId }])
  })

  it('leaves out sessions that have expired, been idle for too long, or ended', async () => {
    const { user } = await aUser()
    const { clock, given } = service()
    const ended = await given.signIn(user.email)
    await ended.post('/v1/auth/logout')
    clock.advance({ minutes: 31 })
    const current = await given.signIn(user.email)

    expect(ids(await current.get('/v1/me/sessions'))).toEqual([current.sessionId])
  })

  it('is paged on request', async () => {
    const { user } = await aUser()
    for (let session = 0; session < 3; session++) await service().given.signIn(user.email)
    const all = ids(await user.get('/v1/me/sessions'))

    const first = await user.get('/v1/me/sessions?limit=3')
    const second = await user.get(`/v1/me/sessions?limit=3&cursor=${first.body.nextCursor}`)

    expect([...ids(first), ...ids(second)]).toEqual(all)
    expect(second.body).toMatchObject({ total: 4, nextCursor: null })
  })
})

describe('DELETE /v1/me/sessions', () => {
  it('ends all others at once, and neither this one nor what applications may do', async () => {
    const { user, organisation } = await aUser()
    const others = [await service().given.signIn(user.email), await service().given.signIn(user.email)]
    const app = await givenApplication(service(), { organisation, scopes: ['openid', 'offline_access'], requireConsent: false })
    const tokens = await app.signIn({ scope: 'openid offline_access' }, user)

    const ended = await user.delete('/v1/me/sessions')

    expect(ended).toMatchObject({ status: 204, body: null })
    expect(ended.headers.getSetCookie()).toEqual([])
    for (const other of others) expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await user.get('/v1/me/sessions')).toMatchObject({ body: { total: 1, data: [{ id: user.sessionId, current: true }] } })
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
    const { body } = await organisation.owner.get(`/v1/admin/audit-logs?actorId=${user.id}&action=session.revoked`)
    expect(body.data.map(({ targetId }: { targetId: string }) => targetId).sort()).toEqual(others.map(({ sessionId }) => sessionId).sort())
  })

  it('records the end of those that were active, and of none that had been idle for too long', async () => {
    const { user, organisation } = await aUser()
    const { clock, given } = service()
    await given.signIn(user.email)
    clock.advance({ minutes: 31 })
    const [current, other] = [await given.signIn(user.email), await given.signIn(user.email)]

    expect(await current.delete('/v1/me/sessions')).toMatchObject({ status: 204 })
    expect(await current.delete(`/v1/me/sessions/${user.sessionId}`)).toMatchObject({ status: 204 })

    const owner = await given.signIn(organisation.owner.email)
    expect(await owner.audit({ action: 'session.revoked' })).toMatchObject([{ targetId: other.sessionId }])
    // What has ended by itself is over for good.
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('ends a sign-in that waits for its second factor', async () => {
    const { user } = await aUser()
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const { body } = await service().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })

    expect(await user.delete('/v1/me/sessions')).toMatchObject({ status: 204 })

    const { mfaToken } = body
    expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })).toMatchObject({
      status: 401,
    })
  })

  it('ends no session of another user, and is content where there is nothing to end', async () => {
    const { user, organisation } = await aUser()

    expect(await user.delete('/v1/me/sessions')).toMatchObject({ status: 204 })
    expect(await user.delete('/v1/me/sessions')).toMatchObject({ status: 204 })

    expect(await organisation.owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
    const { body } = await organisation.owner.get('/v1/admin/audit-logs?action=session.revoked')
    expect(body.data).toEqual([])
  })
})

describe('DELETE /v1/me/sessions/:id', () => {
  it("ends one of the caller's sessions at once", async () => {
    const { user, organisation } = await aUser()
    const other = await service().given.signIn(user.email)

    const ended = await user.delete(`/v1/me/sessions/${other.sessionId}`)

    expect(ended).toMatchObject({ status: 204, body: null })
    expect(ended.headers.getSetCookie()).toEqual([])
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    const { body } = await organisation.owner.get(`/v1/admin/audit-logs?targetId=${other.sessionId}&action=session.revoked`)
    expect(body.data).toMatchObject([{ actorId: user.id }])
  })

  it('has no effect on one that has expired, as on one that is unknown', async () => {
    const { user, organisation } = await aUser()
    const { clock, given } = service()
    clock.advance({ minutes: 31 })
    const [current, owner] = [await given.signIn(user.email), await given.signIn(organisation.owner.email)]

    expect(await current.delete(`/v1/me/sessions/${user.sessionId}`)).toMatchObject({ status: 204 })
    expect(await owner.delete(`/v1/admin/users/${user.id}/sessions/${user.sessionId}`)).toMatchObject({ status: 204 })

    expect(await owner.audit({ action: 'session.revoked' })).toEqual([])
    expect(await current.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('signs the user out when it is the session of the request', async () => {
    const { user } = await aUser()

    const ended = await user.delete(`/v1/me/sessions/${user.sessionId}`)

    expect(ended).toMatchObject({ status: 204 })
    expect(ended.headers.getSetCookie()).toEqual([expect.stringMatching(/^svc_session=;.*Expires=Thu, 01 Jan 1970/)])
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it("responds 204 for an unknown session and for another user's, and does not end it", async () => {
    const { user, organisation } = await aUser()

    expect(await user.delete('/v1/me/sessions/ses_unknown')).toMatchObject({ status: 204 })
    expect(await user.delete(`/v1/me/sessions/${organisation.owner.sessionId}`)).toMatchObject({ status: 204 })

    expect(await organisation.owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})

describe('/v1/admin/users/:id/sessions', () => {
  it('lists and ends the sessions of a user, with a permission for each', async () => {
    const { user, organisation } = await aUser()
    const reader = await service().given.userWith(organisation.owner, ['users:read'])
    const updater = await service().given.userWith(organisation.owner, ['users:update'])
    const path = `/v1/admin/users/${user.id}/sessions`

    expect(await reader.get(path)).toMatchObject({ status: 200, body: { total: 1, data: [{ id: user.sessionId, current: false }] } })
    expect(await reader.delete(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: users:update' } })
    expect(await updater.get(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: users:read' } })
    expect(await updater.delete(path)).toMatchObject({ status: 204 })

    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect((await reader.get(path)).body).toEqual({ data: [], total: 0 })
  })

  it('is not found for a user of another organisation, or none', async () => {
    const { user } = await aUser()
    const { owner } = await service().given.organisation()

    for (const id of [user.id, 'usr_unknown', 'org_unknown']) {
      expect(await owner.get(`/v1/admin/users/${id}/sessions`)).toMatchObject({ status: 404, body: { detail: 'User not found' } })
      expect(await owner.delete(`/v1/admin/users/${id}/sessions`)).toMatchObject({ status: 404 })
      expect(await owner.post(`/v1/admin/users/${id}/password-reset`)).toMatchObject({ status: 404 })
    }
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})

describe('DELETE /v1/admin/users/:id/sessions/:sessionId', () => {
  it('ends this session of the user and no other, and records it', async () => {
    const { user, organisation } = await aUser()
    const { owner } = organisation
    const other = await service().given.signIn(user.email)

    expect(await owner.delete(`/v1/admin/users/${user.id}/sessions/${other.sessionId}`)).toMatchObject({ status: 204 })

    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200 })
    const recorded = () => owner.get('/v1/admin/audit-logs?action=session.revoked')
    expect((await recorded()).body.data).toMatchObject([{ actorId: owner.id, targetId: other.sessionId }])
    expect(await owner.delete(`/v1/admin/users/${user.id}/sessions/${other.sessionId}`)).toMatchObject({ status: 204 })
    expect((await recorded()).body.data).toHaveLength(1)
  })

  it("signs the caller out by the caller's own session", async () => {
    const { owner } = await service().given.organisation()

    const ended = await owner.delete(`/v1/admin/users/${owner.id}/sessions/${owner.sessionId}`)

    expect(ended.headers.getSetCookie().join()).toContain('svc_session=;')
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    const again = await service().given.signIn(owner.email)
    expect(await again.audit({ action: 'auth.logout' })).toMatchObject([{ targetId: owner.sessionId }])
  })

  it('needs users:update, and ends no session that is not of this user', async () => {
    const { user, organisation } = await aUser()
    const { owner } = organisation
    const reader = await service().given.userWith(owner, ['users:read'])
    const stranger = await service().given.organisation()
    const path = `/v1/admin/users/${user.id}/sessions/${user.sessionId}`

    expect(await reader.delete(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: users:update' } })
    expect(await stranger.owner.delete(path)).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    for (const elsewhere of [`${owner.id}/sessions/${user.sessionId}`, `${user.id}/sessions/${stranger.owner.sessionId}`])
      expect(await owner.delete(`/v1/admin/users/${elsewhere}`)).toMatchObject({ status: 204 })

    for (const one of [user, stranger.owner]) expect(await one.get('/v1/me/profile')).toMatchObject({ status: 200 })
    expect(await owner.audit({ action: 'session.revoked' })).toEqual([])
  })
})
