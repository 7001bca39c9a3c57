import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('POST /v1/admin/users', () => {
  it('creates a user with the default role of the organisation when no role is named', async () => {
    const { owner } = await service().given.organisation()
    const email = `Carol.${unique()}@Acme.test`

    const created = await owner.post('/v1/admin/users', { email, firstName: 'Carol', lastName: 'Shaw' })

    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
        email: email.toLowerCase(),
        name: 'Carol Shaw',
        emailVerifiedAt: null,
        mfaEnabled: false,
        blockedAt: null,
        lastLoginAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        roles: [{ name: 'Member', slug: 'member' }],
        teams: [],
      },
    })
    expect(created.body).not.toHaveProperty('passwordHash')
    expect((await owner.get(`/v1/admin/users/${created.body.id}`)).body).toMatchObject({
      id: created.body.id,
      roles: [{ permissions: [] }],
    })
  })

  it('refuses an e-mail that is registered anywhere in the system', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { email } = await service().given.user(other.owner)

    const refused = await owner.post('/v1/admin/users', { email: email.toUpperCase(), firstName: 'A', lastName: 'B' })

    expect(refused).toMatchObject({ status: 409, body: { title: 'Conflict', detail: 'Email already registered' } })
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
  })
})
