import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()

const later = (time: string, minutes: number) => new Date(Date.parse(time) + minutes * 60_000).toISOString()

describe('GET /v1/me/profile', () => {
  it('shows the user, the organisation, the roles and the permissions of all roles', async () => {
    const organisation = await service().given.organisation()
    const user = await service().given.userWith(organisation.owner, ['users:read', 'teams:read'])

    expect((await user.get('/v1/me/profile')).body).toEqual({
      id: user.id,
      email: user.email,
      name: 'Test User',
      firstName: 'Test',
      lastName: 'User',
      emailVerified: false,
      phone: null,
      passwordChangedAt: expect.stringMatching(/Z$/),
      mfaEnabled: false,
      organisation: { id: organisation.id, slug: organisation.slug, name: organisation.name, status: 'active' },
      roles: [{ id: expect.stringMatching(/^rol_/), name: expect.any(String), slug: expect.any(String) }],
      permissions: ['teams:read', 'users:read'],
      isOwner: false,
      session: { id: user.sessionId, expiresAt: expect.stringMatching(/Z$/), idleExpiresAt: expect.stringMatching(/Z$/) },
    })
    expect((await organisation.owner.get('/v1/me/profile')).body).toMatchObject({
      isOwner: true,
      session: { id: organisation.owner.sessionId },
    })
  })

  it('says when the session ends, and when it ends unless it is used', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const { clock, settled } = service()
    const sessionNow = async () => {
      const { session } = (await user.get('/v1/me/profile')).body
      await settled()
      const [{ lastActivityAt, expiresAt }] = (await user.get('/v1/me/sessions')).body.data
      return { session, recorded: { id: user.sessionId, expiresAt, idleExpiresAt: later(lastActivityAt, 30) } }
    }
    const first = await sessionNow()
    expect(first.session).toEqual(first.recorded)

    clock.advance({ minutes: 20 })
    const used = await sessionNow()
    expect(used.session).toEqual(used.recorded)
    expect(used.session.idleExpiresAt > later(first.session.idleExpiresAt, 19)).toBe(true)

    // A use that is not written does not count.
    clock.advance({ seconds: 30 })
    expect((await user.get('/v1/me/profile')).body.session).toEqual(used.session)
    clock.advance({ minutes: 29, seconds: 31 })
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('says since when the password is the same', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const changedAt = async () => (await user.get('/v1/me/profile')).body.passwordChangedAt
    const before = await changedAt()
    service().clock.advance({ minutes: 5 })

    await user.post('/v1/me/password', { currentPassword: user.password, newPassword: 'another long passphrase' })

    expect(Date.parse(await changedAt())).toBeGreaterThanOrEqual(Date.parse(before) + 5 * 60_000)
  })
})

describe('PATCH /v1/me/profile', () => {
  it('changes names and phone, and no field that was not sent', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])

    expect(await user.patch('/v1/me/profile', { firstName: 'Carol', phone: '+49 30 1234567' })).toMatchObject({
      status: 200,
      body: { id: user.id, name: 'Carol User', firstName: 'Carol', lastName: 'User', phone: '+49 30 1234567', permissions: [] },
    })
    expect(await user.patch('/v1/me/profile', { phone: null })).toMatchObject({ status: 200, body: { name: 'Carol User', phone: null } })
    expect(await user.patch('/v1/me/profile')).toMatchObject({ status: 200, body: { name: 'Carol User' } })

    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=user.updated`)
    expect(body.data.at(-1)).toMatchObject({ actorId: user.id, changes: { firstName: { from: 'Test', to: 'Carol' } } })
  })

  it('changes no other field', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const before = (await user.get('/v1/me/profile')).body

    const sent = { email: 'other@example.test', mfaEnabled: true, emailVerified: true, permissions: ['users:read'], roles: [] }
    expect(await user.patch('/v1/me/profile', sent)).toMatchObject({ status: 200 })

    expect((await user.get('/v1/me/profile')).body).toEqual(before)
  })

  it.each([
    ['an empty first name', { firstName: ' ' }, 'too_small', 'firstName'],
    ['a last name of 256 characters', { lastName: 'x'.repeat(256) }, 'too_big', 'lastName'],
    ['a phone that is a number', { phone: 4930 }, 'invalid_type', 'phone'],
    ['a name that is null', { firstName: null }, 'invalid_type', 'firstName'],
  ])('refuses %s', async (_, body, code, field) => {
    const { owner } = await service().given.organisation()

    expect(await owner.patch('/v1/me/profile', body)).toMatchObject({ status: 400, body: { errors: [{ code, path: [field] }] } })
  })
})
