import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConnection, newConnection } from '../support/connections.ts'
import { meOf } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { oidcProvider } from '../support/oidc-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

// The provider has the time of this machine, which other files move on for the service that they share.
const service = useService({ ofItsOwn: true })
const path = '/v1/admin/connections'
const signing = (issuer: string) => ({ issuer, clientId: 'gatehouse', clientAuthentication: 'private_key_jwt', allowedDomains: ['*'] })
const publishedKeys = async (id: string) => (await service().anonymous.get(`/federation/${id}/jwks`)).body.keys as { kid: string }[]
const rotate = ({ owner }: TestOrganisation, id: string, body: object = {}) => owner.post(`${path}/${id}/rotate-keys`, body)

describe('a connection with private_key_jwt', () => {
  it('has a key of the service in place of a secret, whose public half alone is published', async () => {
    const own = await service().given.organisation()
    const created = await own.owner.post(path, newConnection({ configuration: signing('https://login.acme.test'), secret: undefined }))
    const { id, jwksUri } = created.body
    expect(created).toMatchObject({ status: 201, body: { isActive: true, hasSecret: true, nextKeySignsFrom: null } })
    expect(jwksUri).toBe(`${service().services.publicUrl}/federation/${id}/jwks`)

    const published = await service().anonymous.get(`/federation/${id}/jwks`)
    expect(published.headers.get('cache-control')).toBe('public, max-age=300')
    const key = { kty: 'RSA', kid: expect.any(String), use: 'sig', alg: 'RS256', n: expect.any(String), e: 'AQAB' }
    expect(published).toMatchObject({ status: 200, body: { keys: [key] } })
    expect(Object.keys(published.body.keys[0]).sort()).toEqual(Object.keys(key).sort())
    expect(await service().anonymous.get('/federation/con_unknown/jwks')).toMatchObject({ status: 404 })
  })

  it('takes no secret, and one with a secret has no keys', async () => {
    const own = await service().given.organisation()
    const configuration = signing('https://login.acme.test')
    const refused = await own.owner.post(path, newConnection({ configuration, secret: 'one' }))
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['secret'], reason: 'secret-not-used' }] } })

    const { id } = await createConnection(own.owner, { configuration, secret: undefined })
    const rotated = await own.owner.post(`${path}/${id}/rotate-secret`, { secret: 'one' })
    expect(rotated).toMatchObject({ status: 400, body: { code: 'own-key-signs' } })

    const other = await createConnection(own.owner)
    expect(other).toMatchObject({ jwksUri: null })
    expect(await publishedKeys(other.id)).toEqual([])
    expect(await rotate(own, other.id)).toMatchObject({ status: 400, body: { code: 'no-own-key' } })
  })

  it('becomes one by a change, and stops being one when it is given a secret', async () => {
    const own = await service().given.organisation()
    const { id } = await createConnection(own.owner)
    const change = (body: object) => own.owner.patch(`${path}/${id}`, body)

    await change({ configuration: { clientAuthentication: 'private_key_jwt' } })
    const [key] = await publishedKeys(id)
    expect(key).toBeDefined()
    await change({ configuration: { clientAuthentication: 'private_key_jwt' }, name: 'Renamed' })
    expect(await publishedKeys(id)).toEqual([key])

    const back = { configuration: { clientAuthentication: 'client_secret_post' } }
    expect(await change(back)).toMatchObject({ status: 400, body: { errors: [{ path: ['secret'], reason: 'required-while-active' }] } })
    expect(await change({ ...back, secret: `secret-${unique()}` })).toMatchObject({ status: 200, body: { jwksUri: null } })
    expect(await publishedKeys(id)).toEqual([])
  })

  it('publishes its next key at once, which signs when it is activated', async () => {
    const own = await service().given.organisation()
    const { id } = await createConnection(own.owner, { configuration: signing('https://login.acme.test'), secret: undefined })
    const [first] = await publishedKeys(id)
    expect(await rotate(own, id, { activate: true })).toMatchObject({ status: 409, body: { code: 'no-next-key' } })

    const inSevenDays = new Date(service().clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 16)
    const rotated = await rotate(own, id)
    expect(rotated.body.nextKeySignsFrom.slice(0, 16)).toBe(inSevenDays)
    const [present, next] = await publishedKeys(id)
    expect(present).toEqual(first)
    // A provider that has read the next key would lose it.
    const again = await rotate(own, id)
    expect(again).toMatchObject({ status: 409, body: { code: 'next-key-pending' } })
    expect(again.body.detail).toContain(rotated.body.nextKeySignsFrom)
    expect(await publishedKeys(id)).toEqual([present, next])

    const inThirtyDays = new Date(service().clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 16)
    const activated = await rotate(own, id, { activate: true })
    expect(activated).toMatchObject({ status: 200, body: { nextKeySignsFrom: null } })
    expect(activated.body.previousSecretExpiresAt.slice(0, 16)).toBe(inThirtyDays)
    expect(await publishedKeys(id)).toEqual([next, first])
    await service().database.tenant(own.id).updateTable('connections').set({ previousSecretExpiresAt: service().clock.now() }).execute()
    expect(await publishedKeys(id)).toEqual([next])
    const { data } = (await own.owner.get('/v1/admin/audit-logs?action=connection.keys_rotated')).body
    expect(data.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([{ activated: true }, { activated: false }])
  })
})

describe('npm oidc-provider with a client of private_key_jwt', () => {
  let provider: Awaited<ReturnType<typeof oidcProvider>>
  let own: TestOrganisation
  let id: string
  let callbackUrl: string
  beforeAll(async () => {
    own = await service().given.organisation()
    const draft = { configuration: signing('http://localhost:9'), secret: undefined, isActive: false, provisioning: 'jit' }
    const connection = await createConnection(own.owner, draft)
    id = connection.id
    callbackUrl = connection.callbackUrl
    await begin()
  })
  afterAll(() => provider.close())

  /** A provider that has read no keys yet. */
  async function begin() {
    provider = await oidcProvider({
      redirect_uris: [callbackUrl],
      token_endpoint_auth_method: 'private_key_jwt',
      client_secret: undefined,
      jwks_uri: `${service().origin}/federation/${id}/jwks`,
    })
    await own.owner.patch(`${path}/${id}`, { configuration: { issuer: provider.issuer }, isActive: true })
  }

  async function signIn() {
    provider.account.sub = `account-${unique()}`
    provider.account.email = `ada-${unique()}@example.test`
    const visitor = new PageVisitor(service().origin)
    const started = await visitor.open(`/federation/${id}/start?returnTo=/account`)
    const back = await provider.visit(started.headers.get('location') ?? '')
    const answer = await visitor.open(`${back.pathname}${back.search}`)
    return { answer, profile: await meOf(service(), visitor) }
  }

  it('signs users in with the present key, and with the one before while the provider does not know it yet', async () => {
    const isSignedIn = { answer: { status: 303 }, profile: { status: 200 } }
    expect(await signIn()).toMatchObject(isSignedIn)
    // From now on the provider has read the keys, for five minutes.
    await rotate(own, id)
    await rotate(own, id, { activate: true })
    expect(await signIn()).toMatchObject(isSignedIn)

    // Seven days later the next signs by itself. The provider has another clock.
    await rotate(own, id)
    await service().database.tenant(own.id).updateTable('connections').set({ nextSecretSignsFrom: service().clock.now() }).execute()
    expect(await signIn()).toMatchObject(isSignedIn)
    await provider.close()
    await begin()
    expect(await signIn()).toMatchObject(isSignedIn)
    const [next] = await publishedKeys(id)
    expect((await own.owner.get(`${path}/${id}`)).body.nextKeySignsFrom).toBeNull()
    expect((await rotate(own, id)).status).toBe(200)
    expect((await publishedKeys(id))[0]).toEqual(next)
  })
})

// Last: it moves the clock on.
describe('a connection with private_key_jwt whose next key is not activated', () => {
  it('replaces its key by the next one by itself, and ends the former one thirty days later', async () => {
    const own = await service().given.organisation()
    const { id } = await createConnection(own.owner, { configuration: signing('https://login.acme.test'), secret: undefined })
    const { nextKeySignsFrom } = (await rotate(own, id)).body
    const [first, next] = await publishedKeys(id)
    const expiry = new Date(new Date(nextKeySignsFrom).getTime() + 30 * 86_400_000).toISOString()
    const read = async () => (await (await service().given.signIn(own.owner.email)).get(`${path}/${id}`)).body

    service().clock.advance({ days: 7 })
    expect(await read()).toMatchObject({ nextKeySignsFrom: null, previousSecretExpiresAt: expiry })
    expect(await publishedKeys(id)).toEqual([next, first])

    service().clock.advance({ days: 20 })
    const owner = await service().given.signIn(own.owner.email)
    const again = await rotate({ ...own, owner }, id)
    expect(again).toMatchObject({ status: 200, body: { previousSecretExpiresAt: expiry } })
    const [present, following, former] = await publishedKeys(id)
    expect([present, former]).toEqual([next, first])

    service().clock.advance({ days: 10 })
    expect(await publishedKeys(id)).toEqual([following, next])
  })
})
