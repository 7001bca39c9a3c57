import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { callbackPath, connect } from '../support/federation.ts'
import type { SignedInUser } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
let usual: IdentityProvider['behaviour']
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  usual = { ...provider.behaviour }
})
afterAll(() => provider.close())
beforeEach(() => Object.assign(provider.behaviour, usual))

const refresh = (owner: SignedInUser, id: string) => owner.post(`/v1/admin/connections/${id}/refresh`)
const mistake = (path: string[], reason: string) => ({ status: 400, body: { errors: [{ path, reason }] } })

/** An inactive connection of which no more is known than this. */
const unfinished = async (owner: SignedInUser, fields: object) =>
  (await createConnection(owner, { isActive: false, secret: undefined, ...fields })).id

describe('POST /v1/admin/connections/:id/refresh', () => {
  it('reads discovery and keys again, however fresh the copies are', async () => {
    const { owner, ...organisation } = await service().given.organisation()
    const id = await connect(service(), organisation, provider)
    await callbackPath(provider, id, new PageVisitor(service().origin))
    const asked = provider.requests.length

    expect(await refresh(owner, id)).toMatchObject({ status: 200, body: { id, status: { state: 'ok' } } })
    expect(provider.requests.slice(asked)).toEqual(['/.well-known/openid-configuration', '/jwks'])
  })

  it('works for a connection of which nothing but the issuer is known, and names it when it is missing', async () => {
    const { owner } = await service().given.organisation()
    const known = await unfinished(owner, { configuration: { issuer: provider.issuer } })
    expect(await refresh(owner, known)).toMatchObject({ status: 200, body: { isActive: false, hasSecret: false } })
    expect(await refresh(owner, await unfinished(owner, { configuration: {} }))).toMatchObject(
      mistake(['configuration', 'issuer'], 'needed-for-discovery'),
    )
    expect(await refresh(owner, await unfinished(owner, { provider: 'microsoft', configuration: {} }))).toMatchObject(
      mistake(['configuration', 'tenant'], 'needed-for-discovery'),
    )
    expect(await refresh(owner, await unfinished(owner, { provider: 'github', configuration: {} }))).toMatchObject({ status: 200 })
  })

  it('is 404 for a connection that is deleted while its provider is asked', async () => {
    const { owner, ...organisation } = await service().given.organisation()
    const id = await connect(service(), organisation, provider)
    provider.behaviour.intercept = async (path) => {
      if (path === '/jwks') expect(await owner.delete(`/v1/admin/connections/${id}`)).toMatchObject({ status: 204 })
      return undefined
    }
    expect(await refresh(owner, id)).toMatchObject({ status: 404, body: { code: 'connection-not-found' } })
  })

  it.each<[string, string, RegExp, Partial<IdentityProvider['behaviour']>]>([
    ['answers with an error', 'discovery-failed', /status 503/, { intercept: () => new Response('', { status: 503 }) }],
    ['has no such document', 'discovery-failed', /status 404/, { intercept: () => new Response('', { status: 404 }) }],
    [
      'redirects',
      'discovery-failed',
      /status 302/,
      { intercept: () => new Response('', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }) },
    ],
    ['answers at length', 'discovery-failed', /longer than/, { intercept: () => new Response(' '.repeat(300_000)) }],
    ['is another issuer', 'discovery-failed', /other\.test/, { metadata: (all) => ({ ...all, issuer: 'https://other.test' }) }],
    [
      'has no keys',
      'keys-unreadable',
      /jwks: status 500/,
      { intercept: (path) => (path === '/jwks' ? new Response('', { status: 500 }) : undefined) },
    ],
    [
      'has a page in place of keys',
      'keys-unreadable',
      /jwks/,
      { intercept: (path) => (path === '/jwks' ? new Response('<html>') : undefined) },
    ],
  ])('says so when the provider %s', async (_name, reason, message, behaviour) => {
    const { owner, ...organisation } = await service().given.organisation()
    const id = await connect(service(), organisation, provider)
    Object.assign(provider.behaviour, behaviour)

    const refused = await refresh(owner, id)

    expect(refused).toMatchObject(mistake(['configuration', 'issuer'], reason))
    expect(refused.body.errors[0].message).toMatch(message)
  })

  it('leaves the copies that sign users in as they are when it fails', async () => {
    const { owner, ...organisation } = await service().given.organisation()
    const id = await connect(service(), organisation, provider)
    const visitor = new PageVisitor(service().origin)
    await callbackPath(provider, id, visitor)
    provider.behaviour.intercept = () => new Response('', { status: 503 })

    expect(await refresh(owner, id)).toMatchObject({ status: 400 })
    expect(await callbackPath(provider, id, visitor)).toContain('/callback?')
  })

  it('reaches no other organisation and nothing inside the network, and is no load generator', async () => {
    const { owner, ...organisation } = await service().given.organisation()
    const other = await service().given.organisation()
    const id = await connect(service(), organisation, provider)
    const asked = provider.requests.length
    expect(await refresh(other.owner, id)).toMatchObject({ status: 404 })
    expect(provider.requests.length).toBe(asked)

    const inside = await connect(service(), organisation, { issuer: 'https://10.0.0.1' })
    expect(await refresh(owner, inside)).toMatchObject(mistake(['configuration', 'issuer'], 'discovery-failed'))

    let last = await refresh(owner, id)
    for (let sent = 2; sent < 120 && last.status === 200; sent++) last = await refresh(owner, id)
    expect(last).toMatchObject({ status: 200 })
    expect(await refresh(owner, id)).toMatchObject({ status: 429, body: { code: 'too-many-connection-refreshes' } })
    expect(await refresh(other.owner, await connect(service(), other, provider))).toMatchObject({ status: 200 })
  })

  it('counts as a new or changed connection does, and a document, whose metadata are read', async () => {
    const { owner, ...organisation } = await service().given.organisation()
    const id = await connect(service(), organisation, provider)
    const saml = await unfinished(owner, { provider: 'saml', configuration: {} })
    const configuration = { metadataXml: '<a/>' }
    const document = { connections: { acme: { name: 'Acme', provider: 'saml', configuration } } }
    const ways = [
      () => owner.post('/v1/admin/connections', { name: 'Acme', slug: 'acme', provider: 'saml', configuration }),
      () => owner.patch(`/v1/admin/connections/${saml}`, { configuration }),
      () => owner.post('/v1/admin/configuration/plan', { document }),
      () => owner.post('/v1/admin/configuration/apply', { document }),
    ]
    expect(await refresh(owner, id)).toMatchObject({ status: 200 })
    for (let sent = 1; sent < 120; sent++)
      expect(await ways[sent % ways.length]?.()).toMatchObject({ status: 400, body: { errors: [{ reason: 'metadata-unreadable' }] } })

    const refused = { status: 429, body: { code: 'too-many-connection-refreshes' } }
    for (const way of [...ways, () => refresh(owner, id)]) expect(await way()).toMatchObject(refused)
    // What reads nothing is not refused.
    expect(await owner.patch(`/v1/admin/connections/${saml}`, { name: 'Workforce' })).toMatchObject({ status: 200 })
  })
})
