/** Connections by SAML in documents of configuration, and in what is undone: their providers are asked before a transaction begins, or not at all. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { type MetadataAddress, metadataAddress } from '../support/metadata-address.ts'
import { connectSaml, samlFields } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'

const service = useService()
const address = '/v1/admin/configuration'

let provider: SamlifyProvider
let renewed: SamlifyProvider
let at: MetadataAddress
beforeAll(async () => {
  const now = () => service().clock.now()
  ;[provider, renewed] = await Promise.all([samlifyProvider({ now }), samlifyProvider({ now })])
  at = await metadataAddress(provider.metadata)
})
afterAll(() => at?.close())
beforeEach(() => {
  at.shown = provider.metadata
})

const connected = (configuration: object = {}) =>
  connectSaml(service(), provider, { configuration: { metadataUrl: at.url, ...configuration } })
const certificatesOf = async (owner: HttpClient, id: string) =>
  (await owner.get(`/v1/admin/connections/${id}`)).body.configuration.certificates
const refresh = (owner: HttpClient, id: string) => owner.post(`/v1/admin/connections/${id}/refresh`)
/** A document with a connection to the provider, which there is not yet. */
const withWorkforce = (more: object = {}) => ({
  connections: { workforce: { name: 'Workforce', provider: 'saml', configuration: { metadataUrl: at.url } }, ...more },
})

describe('a connection whose metadata are at an address, in a document', () => {
  it('has the address and nothing that is read there, so that a new certificate changes nothing', async () => {
    const { owner, connection } = await connected({ subjectAttribute: 'email' })
    const { body: document } = await owner.get(address)
    expect(document.connections[connection.slug].configuration).toEqual({
      metadataUrl: at.url,
      subjectAttribute: 'email',
      acceptsSignedResponse: false,
    })

    at.shown = renewed.metadata
    expect(await refresh(owner, connection.id)).toMatchObject({ status: 200 })
    const reads = at.reads
    const older = structuredClone(document)
    older.connections[connection.slug].configuration = connection.configuration
    for (const sent of [document, older]) {
      for (const path of ['diff', 'plan', 'apply'])
        expect(await owner.post(`${address}/${path}`, { document: sent, prune: true })).toMatchObject({
          status: 200,
          body: { changes: [] },
        })
    }
    expect(at.reads).toBe(reads)
  })

  it('is changed in another setting without being read', async () => {
    const { owner, connection } = await connected()
    const reads = at.reads
    const document = {
      connections: {
        [connection.slug]: { name: 'Workforce', provider: 'saml', configuration: { metadataUrl: at.url, subjectAttribute: 'email' } },
      },
    }

    expect(await owner.post(`${address}/apply`, { document })).toMatchObject({ status: 200 })

    expect((await owner.get(`/v1/admin/connections/${connection.id}`)).body.configuration).toEqual({
      ...connection.configuration,
      subjectAttribute: 'email',
    })
    expect(at.reads).toBe(reads)
  })

  it('is made of what is read there in another organisation', async () => {
    const { owner, connection } = await connected()
    const { connections } = (await owner.get(address)).body
    const { owner: elsewhere } = await service().given.organisation()

    expect(await elsewhere.post(`${address}/apply`, { document: { connections } })).toMatchObject({ status: 200 })

    const [made] = (await elsewhere.get('/v1/admin/connections')).body.data
    expect(made).toMatchObject({ slug: connection.slug, configuration: connection.configuration })
  })

  it('leaves what is read there for settings of its own once the document has no address', async () => {
    const { owner, connection } = await connected()
    const certificates = [renewed.certificate]
    const configuration = { metadataUrl: null, certificates }
    const document = { connections: { [connection.slug]: { name: 'Workforce', provider: 'saml', configuration } } }

    expect(await owner.post(`${address}/apply`, { document })).toMatchObject({ status: 200 })

    const { body } = await owner.get(`/v1/admin/connections/${connection.id}`)
    expect(body.configuration).toEqual({ ...connection.configuration, metadataUrl: undefined, certificates: [expect.any(String)] })
    expect(body.configuration.certificates).not.toEqual(connection.configuration.certificates)
  })

  it.each(['plan', 'apply'])('lets users of this and other organisations sign in while the provider takes its time: %s', async (path) => {
    const [{ owner }, other] = [await service().given.organisation(), await service().given.organisation()]
    const { isAsked, release } = at.holdUp()
    const answer = owner.post(`${address}/${path}`, { document: withWorkforce() })
    await isAsked

    await service().given.signIn(owner.email)
    await service().given.signIn(other.owner.email)
    expect(await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })).toMatchObject({ status: 201 })

    release()
    expect(await answer).toMatchObject({
      status: 200,
      body: { changes: [{ section: 'connections', object: 'workforce', action: 'create' }] },
    })
  })

  it.each(['plan', 'apply'])('is refused by %s when what the document names has changed while the provider was asked', async (path) => {
    const { owner } = await service().given.organisation()
    const { isAsked, release } = at.holdUp()
    const answer = owner.post(`${address}/${path}`, { document: withWorkforce() })
    await isAsked
    await createConnection(owner)

    release()
    expect(await answer).toMatchObject({ status: 409, body: { code: 'configuration-changed' } })
    expect((await owner.get('/v1/admin/connections')).body.total).toBe(1)
  })

  it('is named where the provider cannot be read, and asks it nothing for a caller who may not make it', async () => {
    const { owner } = await service().given.organisation()
    at.shown = '<a/>'
    for (const path of ['plan', 'apply']) {
      expect(await owner.post(`${address}/${path}`, { document: withWorkforce() })).toMatchObject({
        status: 400,
        body: {
          errors: [{ path: ['document', 'connections', 'workforce', 'configuration', 'metadataUrl'], reason: 'metadata-unreadable' }],
        },
      })
    }
    const reader = await service().given.userWith(owner, ['connections:read', 'connections:update'])
    const reads = at.reads
    expect(await reader.post(`${address}/plan`, { document: withWorkforce() })).toMatchObject({ status: 403 })
    expect(at.reads).toBe(reads)
  })
})

describe('a connection beyond those that an organisation can have', () => {
  it('asks its provider nothing', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const row = { name: 'Old', type: 'oidc', provider: 'oidc', configuration: '{}', createdAt: tenant.now, updatedAt: tenant.now } as const
    const rows = Array.from({ length: 50 }, (_, index) => ({ ...row, id: `con_${unique()}${index}`, slug: `old-${index}` }))
    await tenant.insertInto('connections').values(rows).execute()
    const reads = at.reads

    const refused = { status: 400, body: { code: 'too-many-connections' } }
    const fields = samlFields(provider, { configuration: { metadataUrl: at.url } })
    expect(await owner.post('/v1/admin/connections', fields)).toMatchObject(refused)
    expect(await owner.post(`${address}/plan`, { document: withWorkforce() })).toMatchObject(refused)
    expect(at.reads).toBe(reads)
  })
})

describe('a change of a connection that is undone', () => {
  it('has the certificates of before, which its provider is not asked for', async () => {
    const { owner, connection } = await connected()
    at.shown = renewed.metadata
    await refresh(owner, connection.id)
    expect(await certificatesOf(owner, connection.id)).not.toEqual(connection.configuration.certificates)
    const [entry] = await owner.audit({ targetId: connection.id, action: 'connection.updated', limit: 1 })
    const reads = at.reads

    for (const query of ['?dryRun=true', '']) {
      const { status, body } = await owner.post(`/v1/admin/audit-logs/${entry.id}/undo${query}`)
      expect([status, body.changes]).toMatchObject([200, [{ action: 'connection.updated', targetId: connection.id }]])
    }

    expect(await certificatesOf(owner, connection.id)).toEqual(connection.configuration.certificates)
    expect(at.reads).toBe(reads)
  })

  it('has a new key of ours where it signed by one before', async () => {
    const { owner } = await service().given.organisation()
    const configuration = { issuer: 'https://login.acme.test', clientId: 'gatehouse', clientAuthentication: 'private_key_jwt' }
    const { id } = await createConnection(owner, { configuration, isActive: false, secret: undefined })
    const path = `/v1/admin/connections/${id}`
    expect(await owner.patch(path, { configuration: { clientAuthentication: 'client_secret_post' } })).toMatchObject({
      status: 200,
      body: { hasSecret: false, jwksUri: null },
    })
    const [entry] = await owner.audit({ targetId: id, action: 'connection.updated', limit: 1 })

    expect(await owner.post(`/v1/admin/audit-logs/${entry.id}/undo`)).toMatchObject({ status: 200 })

    const { body } = await owner.get(path)
    expect(body).toMatchObject({ configuration, hasSecret: true, jwksUri: expect.any(String) })
    expect((await service().anonymous.get(new URL(body.jwksUri).pathname)).body.keys).toHaveLength(1)
  })
})
