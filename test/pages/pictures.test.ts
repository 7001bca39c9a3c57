import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const inDevelopment = useService()
const inProduction = useService({
  environment: {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://id.example.com',
    SECRET_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
  },
})
const loopback = 'http://localhost:4000/logo.svg'

const brand = (owner: HttpClient, field: string, address: string) =>
  owner.patch('/v1/admin/organisation', { branding: { [field]: address } })
const register = (owner: HttpClient, logoUrl: string) =>
  owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://a.test/'], logoUrl })
const policyOf = async (owner: HttpClient) => (await owner.get('/login')).headers.get('content-security-policy')

describe('a logo', () => {
  it('may come from a loopback address in development, and is shown', async () => {
    const { owner } = await inDevelopment().given.organisation()

    expect(await brand(owner, 'logoUrl', loopback)).toMatchObject({ status: 200, body: { branding: { logoUrl: loopback } } })
    const client = await register(owner, loopback)
    expect(client).toMatchObject({ status: 201, body: { logoUrl: loopback } })
    expect(await owner.patch(`/v1/admin/clients/${client.body.id}`, { logoUrl: 'http://127.0.0.1/a.png' })).toMatchObject({ status: 200 })

    const { body } = await owner.get('/login')
    expect(body).toContain(`<img src="${loopback}"`)
    expect(await policyOf(owner)).toContain("img-src 'self' http://localhost:4000;")
  })

  it('comes only by https in production, also when it was stored before', async () => {
    const { owner, id } = await inProduction().given.organisation()
    const client = await register(owner, 'https://a.test/logo.svg')
    const refused = [
      [await brand(owner, 'logoUrl', loopback), ['branding', 'logoUrl']],
      [await brand(owner, 'faviconUrl', loopback), ['branding', 'faviconUrl']],
      [await register(owner, loopback), ['logoUrl']],
      [await owner.patch(`/v1/admin/clients/${client.body.id}`, { logoUrl: loopback }), ['logoUrl']],
    ] as const

    for (const [answer, path] of refused) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'picture-not-https', errors: [{ path, reason: 'picture-not-https' }] } })
    }
    expect((await owner.get('/v1/admin/organisation')).body.branding).toBeNull()
    const branding = JSON.stringify({ logoUrl: loopback })
    await inProduction().database.tenant(id).updateTable('organisations').set({ branding }).execute()
    expect((await owner.get('/login')).body).not.toContain(loopback)
    expect(await policyOf(owner)).toContain("img-src 'self';")
  })

  it.each([
    'http://cdn.example.test/logo.svg',
    'http://10.0.0.1/logo.svg',
    'http://localhost.example.test/logo.svg',
    'data:image/svg+xml,<svg/>',
  ])('never comes from another host without https: %s', async (address) => {
    const { owner } = await inDevelopment().given.organisation()

    expect(await brand(owner, 'logoUrl', address)).toMatchObject({ status: 400 })
    const refused = await register(owner, address)
    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid input' } })
    for (const { path } of refused.body.errors) expect(path).toEqual(['logoUrl'])
  })
})
