import { describe, expect, it } from 'vitest'
import { basic, givenApplication, type Registration, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const backend = (registration: Registration = {}) => givenApplication(service(), { grantTypes: ['client_credentials'], ...registration })
const credentials = { grant_type: 'client_credentials' }

async function useOf({ id, organisation: { owner } }: TestApplication) {
  await service().settled()
  const { lastUsedAt, secret } = (await owner.get(`/v1/admin/clients/${id}`)).body
  const [listed] = (await owner.get('/v1/admin/clients?limit=5')).body.data
  expect(listed).toMatchObject({ lastUsedAt, secret })
  return { lastUsedAt, secret }
}

describe('the use of a client', () => {
  it('is recorded when it gets a token, at most once in five minutes', async () => {
    const app = await backend()
    expect(await useOf(app)).toMatchObject({ lastUsedAt: null, secret: { lastUsedAt: null, previousValidUntil: null } })

    expect(await app.token(credentials)).toMatchObject({ status: 200 })
    const first = await useOf(app)
    expect(first.lastUsedAt).toEqual(expect.any(String))
    expect(first.secret.lastUsedAt).toBe(first.lastUsedAt)
    await app.token(credentials)
    expect(await useOf(app)).toEqual(first)
    service().clock.advance({ seconds: 301 })
    await app.token(credentials)
    const later = await useOf(app)
    expect(later.lastUsedAt > first.lastUsedAt).toBe(true)
    expect(later.secret).toEqual({ ...first.secret, lastUsedAt: later.lastUsedAt })
  })

  it('is recorded for introspection and revocation with its secret', async () => {
    for (const use of [(app: TestApplication) => app.introspect('x'), (app: TestApplication) => app.revoke('x')]) {
      const app = await backend()
      expect(await use(app)).toMatchObject({ status: 200 })
      expect((await useOf(app)).lastUsedAt).toEqual(expect.any(String))
    }
  })

  it('is not recorded for a refused request, nor for a public client that only its id names', async () => {
    const app = await backend()
    expect(await app.token(credentials, { authorization: basic(app.id, 'wrong') })).toMatchObject({ status: 401 })
    expect(await app.token({ grant_type: 'refresh_token', refresh_token: 'x' })).toMatchObject({ status: 400 })
    expect(await useOf(app)).toMatchObject({ lastUsedAt: null, secret: { lastUsedAt: null } })

    const publicClient = await givenApplication(service(), { clientType: 'public' })
    expect(await publicClient.revoke('x')).toMatchObject({ status: 200 })
    expect(await useOf(publicClient)).toEqual({ lastUsedAt: null, secret: null })
    await publicClient.signIn()
    expect(await useOf(publicClient)).toEqual({ lastUsedAt: expect.any(String), secret: null })
  })

  it('changes neither updatedAt nor the audit log', async () => {
    const app = await backend()
    const { owner } = app.organisation
    const before = (await owner.get(`/v1/admin/clients/${app.id}`)).body
    service().clock.advance({ seconds: 1 })
    await app.token(credentials)
    await useOf(app)
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body).toMatchObject({ updatedAt: before.updatedAt })
    expect(await owner.audit({ targetId: app.id })).toMatchObject([{ action: 'client.created' }])
  })
})

describe('the secret of a client', () => {
  it('shows after a rotation whether the new one is in use already', async () => {
    const app = await backend()
    await app.token(credentials)
    const before = await useOf(app)
    service().clock.advance({ minutes: 10 })
    const rotated = (await app.organisation.owner.post(`/v1/admin/clients/${app.id}/rotate-secret`, { gracePeriodSeconds: 3600 })).body
    const { lastUsedAt, secret } = await useOf(app)
    expect(lastUsedAt).toBe(before.lastUsedAt)
    expect(secret).toEqual({ createdAt: rotated.updatedAt, lastUsedAt: null, previousValidUntil: expect.any(String) })
    expect(rotated.secret).toEqual(secret)
    expect(Date.parse(secret.previousValidUntil) - Date.parse(secret.createdAt)).toBe(3_600_000)

    await app.token(credentials)
    const byFormer = await useOf(app)
    expect(byFormer.lastUsedAt > before.lastUsedAt).toBe(true)
    expect(byFormer.secret.lastUsedAt).toBeNull()
    await app.token(credentials, { authorization: basic(app.id, rotated.clientSecret) })
    expect((await useOf(app)).secret.lastUsedAt).toEqual(expect.any(String))
  })
})
