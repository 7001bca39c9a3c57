import { beforeAll, describe, expect, it } from 'vitest'
import { type TestOrganisation, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { newClient } from './world.ts'

const service = useService()
const stranger = 'https://evil.example.test'
let own: TestOrganisation
let other: TestOrganisation
let ownOrigin: string
let otherOrigin: string

beforeAll(async () => {
  own = await service().given.organisation()
  other = await service().given.organisation()
  ownOrigin = `https://app-${unique()}.example.test`
  otherOrigin = `https://app-${unique()}.example.test`
  await own.owner.patch('/v1/admin/organisation', { allowedOrigins: [ownOrigin] })
  await other.owner.patch('/v1/admin/organisation', { allowedOrigins: [otherOrigin] })
})

const corsOf = ({ headers }: Answer) => ({
  origin: headers.get('access-control-allow-origin'),
  credentials: headers.get('access-control-allow-credentials'),
})
const readableBy = (origin: string) => ({ origin, credentials: 'true' })
const notReadable = { origin: null, credentials: null }

describe('a response to a page of another origin', () => {
  it('is readable, with credentials, from the origins of the organisation of the session alone', async () => {
    for (const path of ['/v1/admin/users', '/v1/me/profile', '/v1/auth/csrf', '/v1/admin/users/usr_none', '/v1/admin/users?limit=0']) {
      const from = async (origin: string) => corsOf(await own.owner.get(path, { headers: { origin } }))
      expect([path, await from(ownOrigin)]).toEqual([path, readableBy(ownOrigin)])
      for (const origin of [otherOrigin, stranger, 'null']) expect([path, await from(origin)]).toEqual([path, notReadable])
    }
    const allowed = await own.owner.get('/v1/admin/users', { headers: { origin: ownOrigin } })
    expect(allowed.headers.get('vary')).toMatch(/origin/i)
    expect(allowed.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id.*Retry-After/)
  })

  it('does not become readable because the request names another organisation', async () => {
    const answer = await own.owner.get('/v1/admin/users', { headers: { origin: otherOrigin, 'x-org-domain': other.slug } })
    expect([answer.status, corsOf(answer)]).toEqual([403, notReadable])
  })

  it('is readable for a session that has ended, so that the page can ask to sign in again', async () => {
    const user = await service().given.signIn((await service().given.user(own.owner)).email)
    await own.owner.delete(`/v1/admin/users/${user.id}/sessions`)
    const from = async (origin: string) => {
      const answer = await user.get('/v1/me/profile', { headers: { origin } })
      return [answer.status, corsOf(answer)]
    }
    expect(await from(ownOrigin)).toEqual([401, readableBy(ownOrigin)])
    expect(await from(otherOrigin)).toEqual([401, notReadable])
  })

  it('follows the organisation of an API key', async () => {
    const { key } = (await own.owner.post('/v1/admin/api-keys', { name: 'Key', permissions: ['users:read'] })).body
    const from = async (origin: string) =>
      corsOf(await service().anonymous.get('/v1/admin/users', { headers: { origin, authorization: `Bearer ${key}` } }))
    expect(await from(ownOrigin)).toEqual(readableBy(ownOrigin))
    expect(await from(otherOrigin)).toEqual(notReadable)
  })

  it('without a session, follows the organisation that the request names by its domain or by a client', async () => {
    const client = (await own.owner.post('/v1/admin/clients', newClient())).body
    const from = async (origin: string, named: Record<string, string>) =>
      corsOf(
        await service().anonymous.post('/v1/auth/login', { email: 'a@example.test', password: 'x' }, { headers: { origin, ...named } }),
      )

    const names: Record<string, string>[] = [{ 'x-org-domain': own.slug }, { 'x-org-domain': own.id }, { 'x-client-id': client.id }]
    for (const named of names) {
      expect(await from(ownOrigin, named)).toEqual(readableBy(ownOrigin))
      expect(await from(otherOrigin, named)).toEqual(notReadable)
      expect(await from(stranger, named)).toEqual(notReadable)
    }
    for (const named of [
      {},
      { 'x-org-domain': 'nowhere' },
      { 'x-client-id': 'cli_none' },
      { 'x-org-domain': other.slug },
      { 'x-org-domain': other.id },
    ] as Record<string, string>[])
      expect(await from(ownOrigin, named)).toEqual(notReadable)
    await own.owner.delete(`/v1/admin/clients/${client.id}`)
    expect(await from(ownOrigin, { 'x-client-id': client.id })).toEqual(notReadable)
  })

  it('of a cancelled organisation is readable by no origin', async () => {
    const gone = await service().given.organisation()
    const origin = `https://app-${unique()}.example.test`
    await gone.owner.patch('/v1/admin/organisation', { allowedOrigins: [origin] })
    await service().operator.delete(`/v1/system/organisations/${gone.id}`)
    expect(corsOf(await gone.owner.get('/v1/me/profile', { headers: { origin } }))).toEqual(notReadable)
    const named = await service().anonymous.get('/v1/admin/users', { headers: { origin, 'x-org-domain': gone.slug } })
    expect(corsOf(named)).toEqual(notReadable)
  })

  it('of the system API, of pages and of the creation of organisations is readable by no origin', async () => {
    for (const path of ['/v1/system/organisations', '/v1/organisations', '/account', '/oauth2/authorize', '/healthz']) {
      for (const origin of [ownOrigin, stranger]) {
        const headers = { origin, 'x-org-domain': own.slug }
        expect([path, corsOf(await service().operator.get(path, { headers }))]).toEqual([path, notReadable])
        expect([path, corsOf(await own.owner.get(path, { headers }))]).toEqual([path, notReadable])
      }
    }
  })
})

describe('a preflight request, which names neither caller nor organisation', () => {
  const preflight = (origin: string, path: string) =>
    service().anonymous.request('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'x-csrf-token' },
    })

  it('is allowed on /v1/admin, /v1/me and /v1/auth for the origins of all organisations, and no other origin', async () => {
    for (const path of ['/v1/admin/users', '/v1/me/profile', '/v1/auth/login']) {
      const asked = await preflight(ownOrigin, path)
      expect([path, asked.status, corsOf(asked)]).toEqual([path, 204, readableBy(ownOrigin)])
      expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH')
      expect(asked.headers.get('access-control-allow-headers')).toMatch(/x-org-domain/i)
      expect(corsOf(await preflight(stranger, path))).toMatchObject({ origin: null })
    }
  })

  it('is refused on the system API', async () => {
    for (const path of ['/v1/system/organisations', '/v1/organisations', '/account', '/v1/administration']) {
      const asked = await preflight(ownOrigin, path)
      expect([path, asked.status, corsOf(asked)]).toEqual([path, 404, notReadable])
    }
  })
})
