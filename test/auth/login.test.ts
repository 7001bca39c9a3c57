import { describe, expect, it } from 'vitest'
import { cookieOf, unique } from '../support/given.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService()
const password = 'correct horse battery'
const login = (email: string, withPassword = password) => service().anonymous.post('/v1/auth/login', { email, password: withPassword })

describe('POST /v1/auth/login', () => {
  it('starts a session with a cookie for this origin alone, and a CSRF token', async () => {
    const { owner } = await service().given.organisation()
    const answer = await login(`  ${owner.email.toUpperCase()} `)

    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'authenticated',
        user: { id: owner.id, email: owner.email, name: expect.any(String) },
        session: { id: expect.stringMatching(/^ses_/), expiresAt: expect.stringMatching(/Z$/) },
        csrfToken: expect.any(String),
      },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [cookie = '', ...attributes] = (answer.headers.getSetCookie()[0] ?? '').split('; ')
    expect(cookie).toMatch(/^svc_session=[\w-]{43}$/)
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']))
    expect(attributes).not.toContain('Secure')
    expect(cookie).not.toBe(owner.cookie)
    expect((await owner.get(`/v1/admin/users/${owner.id}`)).body.lastLoginAt).not.toBeNull()
  })

  it('restricts the cookie to https when the service is reached by it', async () => {
    const secure = await startTestService({ environment: { PUBLIC_URL: 'https://id.example.com' } })
    try {
      const { owner } = await secure.given.organisation()
      const answer = await secure.anonymous.post('/v1/auth/login', { email: owner.email, password })
      expect(answer.headers.getSetCookie()[0]).toContain('; Secure')
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    } finally {
      await secure.stop()
    }
  })

  it('responds alike for a wrong password, an unknown address, a user without password and a cancelled organisation', async () => {
    const { owner } = await service().given.organisation()
    const invited = await service().given.user(owner, { password: undefined })
    const cancelled = await service().given.organisation()
    await service().operator.delete(`/v1/system/organisations/${cancelled.id}`)

    const answers = [
      await login(owner.email, 'wrong password'),
      await login(`nobody-${unique()}@example.test`),
      await login('not an address'),
      await login(invited.email),
      await login(cancelled.owner.email),
    ]

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } })
      expect(answer.body).toEqual(answers[0]?.body)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  it('reveals a block or a suspension only to callers with the right password', async () => {
    const { owner, id } = await service().given.organisation()
    const user = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    expect(await login(user.email)).toMatchObject({ status: 403, body: { detail: 'User is blocked' } })
    expect(await login(user.email, 'wrong password')).toMatchObject({ status: 401 })

    await service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })
    expect(await login(owner.email)).toMatchObject({ status: 403, body: { detail: 'Organisation is suspended' } })
    expect(await login(owner.email, 'wrong password')).toMatchObject({ status: 401 })
  })

  it('records five refused sign-ins of a blocked user in five minutes, however many there are', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    for (let attempt = 0; attempt < 7; attempt++) expect(await login(user.email)).toMatchObject({ status: 403 })
    expect(await owner.audit({ action: 'login.failed', targetId: user.id })).toHaveLength(5)

    service().clock.advance({ minutes: 6 })
    await login(user.email)
    expect(await owner.audit({ action: 'login.failed', targetId: user.id })).toHaveLength(6)
  })

  it('names each missing or impossible field', async () => {
    expect(await service().anonymous.post('/v1/auth/login')).toMatchObject({
      status: 400,
      body: { detail: 'Invalid input', errors: [{ path: ['email'] }, { path: ['password'] }] },
    })
    expect(await login('a@b.test', 'x'.repeat(257))).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'too_big', path: ['password'] }] },
    })
  })

  it('responds 429 with Retry-After after ten failures of an account, also to the right password', async () => {
    const { owner } = await service().given.organisation()
    const neighbour = await service().given.user(owner)
    await Promise.all(Array.from({ length: 10 }, () => login(owner.email, 'wrong password')))

    const refused = await login(owner.email)
    expect(refused).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await login(neighbour.email)).toMatchObject({ status: 200 })
  })

  it('records who signed in, and every failure of a known account', async () => {
    const { owner } = await service().given.organisation()
    await login(owner.email, 'wrong password')
    await service().settled()
    const { body } = await owner.get('/v1/admin/audit-logs?action=login.failed')
    expect(body.data).toMatchObject([{ targetId: owner.id, actorId: null, ipAddress: expect.any(String) }])
    expect(await owner.audit({ action: 'login.success' })).toMatchObject([{ actorId: owner.id, targetId: owner.sessionId }])
  })
})

describe('a session', () => {
  it('gets its CSRF token by the cookie alone, and no other', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.signIn(owner.email)
    const byCookie = service().anonymous.with({ cookie: owner.cookie })

    expect(await byCookie.get('/v1/auth/csrf')).toMatchObject({ status: 200, body: { csrfToken: owner.csrfToken } })
    expect(await service().anonymous.get('/v1/auth/csrf')).toMatchObject({ status: 401 })
    expect(await byCookie.get('/v1/me/profile', { headers: { 'x-csrf-token': other.csrfToken } })).toMatchObject({
      status: 403,
      body: { detail: 'Invalid CSRF token' },
    })
  })

  it('ends at logout, on the next request, and the cookie is cleared', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.signIn(owner.email)
    const byCookie = service().anonymous.with({ cookie: owner.cookie })
    expect(await byCookie.post('/v1/auth/logout')).toMatchObject({ status: 403, body: { detail: 'Invalid CSRF token' } })

    const answer = await owner.post('/v1/auth/logout')
    expect(answer).toMatchObject({ status: 204, body: null })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^svc_session=;.*Expires=Thu, 01 Jan 1970/)
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401, body: { detail: 'Authentication required' } })
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('does not start with a forged cookie', async () => {
    const made = service().anonymous.with({ cookie: `svc_session=${'A'.repeat(43)}`, 'x-csrf-token': 'x' })
    expect(await made.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('ends with its lifetime, however much it is used', async () => {
    const aged = await startTestService()
    try {
      const { owner } = await aged.given.organisation()
      for (let minutes = 0; minutes < 50; minutes += 10) {
        aged.clock.advance({ minutes: 10 })
        expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
        // The use is recorded after the response. Without it the session would count as idle.
        await aged.settled()
      }
      aged.clock.advance({ minutes: 11 })
      expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401, body: { detail: 'Authentication required' } })
    } finally {
      await aged.stop()
    }
  })

  it('ends when it is idle for too long, by the times of its organisation', async () => {
    const aged = await startTestService()
    try {
      const { owner, id } = await aged.given.organisation()
      await aged.database.system().updateTable('organisations').set({ sessionIdleTimeout: 120 }).where('id', '=', id).execute()
      const later = await aged.given.signIn(owner.email)
      aged.clock.advance({ seconds: 121 })
      expect(await later.get('/v1/me/profile')).toMatchObject({ status: 401 })
      expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
      aged.clock.advance({ minutes: 30, seconds: 1 })
      expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    } finally {
      await aged.stop()
    }
  })

  it('is used by what its user asks for, not by what a page reads by itself', async () => {
    const aged = await startTestService()
    const byItself = { headers: { 'x-unattended': 'true' } }
    const statusAfter = async (minutes: number, call: () => Promise<{ status: number }>) => {
      aged.clock.advance({ minutes })
      const { status } = await call()
      await aged.settled()
      return status
    }
    try {
      const { owner } = await aged.given.organisation()
      const [{ lastActivityAt }] = (await owner.get('/v1/me/sessions')).body.data
      expect(await statusAfter(20, () => owner.get('/v1/me/profile', byItself))).toBe(200)
      const { session } = (await owner.get('/v1/me/profile', byItself)).body
      expect(Date.parse(session.idleExpiresAt)).toBe(Date.parse(lastActivityAt) + 30 * 60_000)
      // A change is asked for by a user, whatever its header says.
      expect(await statusAfter(5, () => owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' }, byItself))).toBe(201)
      expect(await statusAfter(29, () => owner.get('/v1/admin/users', byItself))).toBe(200)
      expect(await statusAfter(2, () => owner.get('/v1/admin/users', byItself))).toBe(401)
    } finally {
      await aged.stop()
    }
  })

  it('gets a new cookie with every sign-in', async () => {
    const { owner } = await service().given.organisation()
    const [first, second] = [await login(owner.email), await login(owner.email)]
    expect(cookieOf(first)).not.toBe(cookieOf(second))
    expect(first.body.csrfToken).not.toBe(second.body.csrfToken)
  })
})
