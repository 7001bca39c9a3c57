import { describe, expect, it } from 'vitest'
import { registered, registrationToken } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration' } })
const path = '/v1/admin/registration-tokens'
const organisation = () => service().given.organisation()

describe('a registration token', () => {
  it('is created with its token once, listed without it, and ended', async () => {
    const { owner } = await organisation()
    const created = await owner.post(path, { name: 'Previews', maxUses: 3, allowedScopes: ['orders:read'] })

    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ id: expect.stringMatching(/^rgt_/), token: expect.stringMatching(/^rgs_[\w-]{43}$/), name: 'Previews' },
        ...{ expiresAt: null, maxUses: 3, uses: 0, lastUsedAt: null, createdById: owner.id },
        ...{ allowedGrantTypes: ['authorization_code', 'refresh_token'], allowedScopes: ['orders:read'] },
      },
    })
    const { token, ...shown } = created.body
    expect((await owner.get(path)).body).toEqual({ data: [shown], total: 1 })

    expect(await owner.delete(`${path}/${shown.id}`, { reason: 'Leaked' })).toMatchObject({ status: 204 })
    expect((await owner.get(path)).body).toEqual({ data: [], total: 0 })
    expect(await owner.delete(`${path}/${shown.id}`)).toMatchObject({ status: 404, body: { code: 'registration-token-not-found' } })

    const entries = await owner.audit({ targetId: shown.id })
    expect(entries.map(({ action }) => action)).toEqual(['registration_token.ended', 'registration_token.created'])
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('shows how often it was used', async () => {
    const own = await organisation()
    const { token, id } = await registrationToken(own)
    await registered(service().anonymous, token)
    await registered(service().anonymous, token)

    const [listed] = (await own.owner.get(path)).body.data
    expect(listed).toMatchObject({ id, uses: 2, lastUsedAt: expect.any(String) })
  })

  it.each([
    ['an expiry that has passed', { expiresAt: '2020-01-01T00:00:00.000Z' }, ['expiresAt'], 'Must be in the future'],
    ['no use', { maxUses: 0 }, ['maxUses'], undefined],
    ['no grant', { allowedGrantTypes: [] }, ['allowedGrantTypes'], undefined],
    ['an unknown grant', { allowedGrantTypes: ['password'] }, ['allowedGrantTypes', 0], undefined],
    [
      'a grant that is switched off',
      { allowedGrantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] },
      ['allowedGrantTypes'],
      'Needs OAUTH_EXTENSIONS to hold device',
    ],
    ['what is no scope', { allowedScopes: ['a b'] }, ['allowedScopes', 0], undefined],
    ['a name with control characters', { name: 'a\u0007b' }, ['name'], undefined],
  ])('cannot have %s', async (_, body, at, message) => {
    const { owner } = await organisation()
    expect(await owner.post(path, body)).toMatchObject({
      status: 400,
      body: { errors: [{ path: at, ...(message !== undefined && { message }) }] },
    })
    expect((await owner.get(path)).body.total).toBe(0)
  })

  it('is one of at most a hundred that have not ended, also when they are created at once', async () => {
    const { owner } = await organisation()
    for (let created = 0; created < 95; created++) await owner.post(path, {})
    const answers = await Promise.all(Array.from({ length: 20 }, () => owner.post(path, {})))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ status: 400, body: { code: 'too-many-registration-tokens' } })

    const [first] = (await owner.get(path)).body.data
    await owner.delete(`${path}/${first.id}`)
    expect(await owner.post(path, {})).toMatchObject({ status: 201 })
  })
})
