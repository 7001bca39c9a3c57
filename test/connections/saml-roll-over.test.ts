import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshDocuments } from '../../src/connections/federation/refresh-documents.ts'
import { linkedIdentity } from '../support/connections.ts'
import type { HttpClient } from '../support/http-client.ts'
import { beginSaml, connectSaml, newAtProvider, ownMetadataOf, postResponse, signInBySaml } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { RATE_LIMIT: 'off' } })

let provider: SamlifyProvider
let renewed: SamlifyProvider
/** What stands at the address of the metadata, and how often it has been read. */
let shown: string
let reads = 0
const server = createServer((_request, response) => {
  reads++
  response.end(shown)
})

beforeAll(async () => {
  const now = () => service().clock.now()
  ;[provider, renewed] = await Promise.all([samlifyProvider({ now }), samlifyProvider({ now })])
  shown = provider.metadata
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

const keyIn = (metadata: string) => /<KeyDescriptor[\s\S]*?<\/KeyDescriptor>/.exec(metadata)?.[0] ?? ''

describe('a provider that changes to a new certificate', () => {
  it('loses none of a hundred sign-ins under way, some by the old and some by the new, and is read once for all of them', async () => {
    const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
    const { connection, domain } = await connectSaml(service(), provider, { configuration: { metadataUrl } })
    const user = newAtProvider(domain)
    expect((await signInBySaml(service(), connection, user, provider)).headers.get('location')).toBe('/account')
    service().clock.stop()
    service().clock.advance({ minutes: 10 })

    const underWay = []
    for (const number of Array.from({ length: 100 }).keys()) {
      const begun = await beginSaml(service(), connection)
      // Its machines change one after the other.
      const by = number % 2 === 0 ? provider : renewed
      underWay.push({ ...begun, by, request: await by.readRequest(begun.metadata, begun.location) })
    }
    const readsBefore = reads
    shown = provider.metadata.replace('<KeyDescriptor', `${keyIn(renewed.metadata)}<KeyDescriptor`)
    const answers = await Promise.all(
      underWay.map(async ({ visitor, state, metadata, by, request }) => {
        const posted = await postResponse(service(), connection, state, await by.respond(metadata, request.id, user))
        return visitor.open(posted.headers.get('location') ?? '')
      }),
    )

    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(Array.from({ length: 100 }, () => '/account'))
    expect(reads - readsBefore).toBe(1)
  })
})

describe('the account of the owner at a provider that changes to a new certificate', () => {
  it.each([
    ['stays when the metadata are read by themselves', () => refreshDocuments(service().services).run(service().database), 1],
    ['is unlinked when an administrator has them read', (admin: HttpClient, at: string) => admin.post(`${at}/refresh`), 0],
  ] as const)('%s', async (_, read, linked) => {
    const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
    shown = provider.metadata
    const { owner, id, connection } = await connectSaml(service(), provider, { configuration: { metadataUrl } })
    await linkedIdentity(service(), { organisationId: id, userId: owner.id, connectionId: connection.id })
    const admin = await service().given.userWith(owner, ['connections:update'])
    const connections = service().database.tenant(id).updateTable('connections')
    await connections.set({ documentsCheckedAt: new Date(0) }).execute()
    shown = provider.metadata.replace('<KeyDescriptor', `${keyIn(renewed.metadata)}<KeyDescriptor`)

    await read(admin, `/v1/admin/connections/${connection.id}`)

    shown = provider.metadata
    const { body } = await owner.get(`/v1/admin/connections/${connection.id}`)
    expect([body.certificates.length, (await owner.get('/v1/me/identities')).body.total]).toEqual([2, linked])
  })
})

describe('an account that its user is asked to link while the provider ends the change', () => {
  it.each([
    ['is linked where the certificate that stays has signed', () => renewed, 303, 1],
    ['is not linked where the one that goes has signed', () => provider, 400, 0],
  ] as const)('%s', async (_, signer, status, linked) => {
    const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
    shown = provider.metadata.replace('<KeyDescriptor', `${keyIn(renewed.metadata)}<KeyDescriptor`)
    const { owner, connection, domain, domainId } = await connectSaml(service(), provider, {
      linking: 'confirm',
      configuration: { metadataUrl },
    })
    await owner.patch(`/v1/admin/domains/${domainId}`, { sso: 'off' })
    const anna = newAtProvider(domain)
    const user = await service().given.user(owner, { email: anna.email })
    const { visitor, headers } = await signInBySaml(service(), connection, anna, signer())
    expect(headers.get('location')).toBe('/link')
    await visitor.submit('/login', { email: user.email, password: 'correct horse battery' })
    const { formToken } = await visitor.open('/link')

    shown = renewed.metadata
    expect((await owner.post(`/v1/admin/connections/${connection.id}/refresh`)).body).toMatchObject({ certificates: [expect.anything()] })
    const confirmed = await visitor.submit('/link', { formToken }, {}, '/account')
    shown = provider.metadata

    expect(confirmed.status).toBe(status)
    expect((await owner.get(`/v1/admin/users/${user.id}/identities`)).body.data).toHaveLength(linked)
  })
})

describe('keys of ours that the next ones replace by themselves', () => {
  it('decrypt for thirty days more, and are shown no longer', async () => {
    const encrypting = await samlifyProvider({ now: () => service().clock.now(), encrypts: true })
    const { owner, connection, domain } = await connectSaml(service(), encrypting)
    const before = await ownMetadataOf(service(), connection)
    const certificatesIn = (metadata: string) => new Set([...metadata.matchAll(/<ds:X509Certificate>([^<]+)/g)].map(([, one]) => one))
    /** A sign-in whose provider has not looked at our metadata since. */
    const signIn = async () => {
      const { visitor, state, metadata, location } = await beginSaml(service(), connection)
      const { id } = await encrypting.readRequest(metadata, location)
      const posted = await postResponse(service(), connection, state, await encrypting.respond(before, id, newAtProvider(domain)))
      return (await visitor.open(posted.headers.get('location') ?? '')).status
    }
    const rotated = await owner.post(`/v1/admin/connections/${connection.id}/rotate-keys`, {})
    expect(rotated).toMatchObject({ status: 200, body: { nextKeySignsFrom: expect.any(String) } })

    service().clock.advance({ days: 7 })
    const after = certificatesIn(await ownMetadataOf(service(), connection))
    expect(after.intersection(certificatesIn(before))).toEqual(new Set())
    expect(await signIn()).toBe(303)
    service().clock.advance({ days: 29 })
    expect(await signIn()).toBe(303)
    service().clock.advance({ days: 1 })
    expect(await signIn()).toBe(400)
  })
})
