import { describe, expect, it } from 'vitest'
import { removeUnusedClients, removeUnusedDocuments } from '../../src/automatic-clients/remove-unused.ts'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { unique } from '../support/given.ts'
import { browserOf, callbackOf, consentPath, decideConsent } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { resourceAuthorizationServer } from '../support/resource-authorization-servers.ts'
import type { GivenResourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
/** Every name is this machine, so that each test has a host of its own to count by. */
const service = useService({
  ofItsOwn: true,
  environment: { OAUTH_EXTENSIONS: extensions, TRUST_PROXY: 'loopback' },
  outgoing: { ca: receiver.ca },
})
const agent = (fields: Record<string, unknown> = {}) => documentClient(service(), receiver, fields)
/** A network that no other request comes from. */
const network = () => ({ 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::1` })
/** Strangers name so many documents of the host of the receiver that no other one is fetched. */
async function flood(resource: GivenResourceServer): Promise<void> {
  for (let count = 0; count < 40; count++) {
    await agent({ client_name: '' }).authorize(service().anonymous.with(network()), resource)
  }
  expect((await agent().authorize(service().anonymous.with(network()), resource)).status).toBe(429)
}
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A picture of so many bytes: readers ignore what stands after its end. */
const pictureOf = (bytes: number) => Buffer.concat([Buffer.from(pixel, 'base64')], bytes) as never
const storedDocuments = () => service().database.system().selectFrom('clientDocuments').select(['clientId', 'logoHash']).execute()

describe('a document is fetched', () => {
  it('once in five minutes, also where its headers forbid storing it, and then by its ETag', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { answer } = client.hook
    client.hook.answer = async (request) => {
      const headers = { etag: '"v1"', 'cache-control': 'no-store' }
      if (request.headers['if-none-match'] === '"v1"') return { status: 304, headers }
      return { ...(await answer(request)), headers }
    }
    await client.ask(owner, resource)
    await client.ask(owner, resource)
    expect(client.hook.requests).toMatchObject([{ method: 'GET', headers: { accept: 'application/json', 'accept-encoding': 'identity' } }])
    expect(client.hook.requests[0]?.headers).not.toHaveProperty('cookie')

    service().clock.advance({ seconds: 301 })
    await client.ask(owner, resource)
    expect(client.hook.requests).toHaveLength(2)
    expect(client.hook.requests[1]?.headers).toMatchObject({ 'if-none-match': '"v1"' })
    await client.ask(owner, resource)
    expect(client.hook.requests).toHaveLength(2)
  })

  it('as rarely as its headers say', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    client.hook.answer = () => ({
      status: 200,
      headers: { 'cache-control': 'public, max-age=3600' },
      body: JSON.stringify(client.document),
    })
    await client.ask(owner, resource)
    service().clock.advance({ minutes: 25 })
    await client.ask(owner, resource)
    expect(client.hook.requests).toHaveLength(1)
  })

  it('when it has 5 KiB, and is refused with a byte more', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const ofBytes = (bytes: number) => {
      const client = agent({ filling: '' })
      client.document.filling = 'x'.repeat(bytes - JSON.stringify(client.document).length)
      return client
    }
    await ofBytes(5_120).ask(owner, resource)
    expect(await ofBytes(5_121).authorize(owner, resource)).toMatchObject({
      status: 400,
      body: expect.stringContaining('larger than 5 KiB'),
    })
  })

  it('again at once after a failure, which is not stored', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { answer } = client.hook
    client.hook.answer = () => ({ status: 500 })
    expect(await client.authorize(owner, resource)).toMatchObject({ status: 400 })
    client.hook.answer = answer
    await client.ask(owner, resource)
  })

  it('no more while its host does not respond: a known client works for the stored time, then is refused, and refreshes all the same', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    client.hook.answer = () => ({ status: 503 })
    expect(callbackOf(await client.authorize(owner, resource)).has('code')).toBe(true)
    service().clock.advance({ seconds: 301 })
    expect(await client.authorize(owner, resource)).toMatchObject({ status: 400, body: expect.stringContaining('the status 503') })
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('at most 20 times a minute from one host; then the page says so with 429 and Retry-After', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    for (let count = 0; count < 20; count++) {
      const client = agent({ client_name: '' })
      expect((await client.authorize(owner.with(network()), resource)).status).toBe(400)
    }
    const late = agent()
    const answer = await late.authorize(owner.with(network()), resource)
    expect(answer).toMatchObject({ status: 429, body: expect.stringContaining('Too many applications are being looked up') })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(late.hook.requests).toEqual([])
    service().clock.advance({ minutes: 2 })
    await late.ask(owner, resource)
  })

  it('at most 6 times a minute for one network, which leaves the host to others', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const stranger = service().anonymous.with(network())
    for (let count = 0; count < 6; count++) expect((await agent({ client_name: '' }).authorize(stranger, resource)).status).toBe(400)
    const client = agent()
    for (let count = 0; count < 20; count++) expect((await client.authorize(stranger, resource)).status).toBe(429)
    expect(client.hook.requests).toEqual([])
    await client.ask(owner, resource)
  })

  it('for a user at the same time as a stranger whose network may name none more', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const stranger = service().anonymous.with(network())
    for (let count = 0; count < 6; count++) await agent({ client_name: '' }).authorize(stranger, resource)
    for (let count = 0; count < 5; count++) {
      const client = agent()
      const user = owner.with(network())
      const asked = [stranger, user, stranger, user, stranger].map((browser) => client.authorize(browser, resource))
      const answers = await Promise.all(asked)
      expect([answers[1]?.status, answers[3]?.status]).toEqual([302, 302])
      expect(client.hook.requests).toHaveLength(1)
    }
  })

  it('at most 6 times a minute for one network also where the documents are stored, while no organisation has such an application', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const stranger = service().anonymous.with(network())
    const documents = Array.from({ length: 7 }, () => agent())
    for (const one of documents) await one.authorize(owner.with(network()), resource)
    service().clock.advance({ minutes: 6 })
    for (const one of documents) await one.authorize(stranger, resource)
    expect(documents.map(({ hook }) => hook.requests.length)).toEqual([2, 2, 2, 2, 2, 2, 1])
  })

  it('again while strangers name others of its host: those of applications in use count for themselves', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const known = agent()
    await known.signIn(owner, resource)
    service().clock.advance({ minutes: 6 })
    await flood(resource)

    expect(callbackOf(await known.authorize(owner, resource)).has('code')).toBe(true)
    expect(known.hook.requests).toHaveLength(2)
  })

  it('no more while the limits are used up, and the one that was read last serves for a day', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const known = agent()
    await known.signIn(owner, resource)
    const useUp = async () => {
      const { limits } = service().services
      await limits.clientDocuments.useUp('', new Date(service().clock.now().getTime() + 60_000)).catch(() => {})
    }
    const user = await service().given.userWith(owner, [])
    const reference = await known.ask(user, resource)
    service().clock.advance({ minutes: 6 })
    await useUp()
    expect((await agent().authorize(owner, resource)).status).toBe(429)
    expect(callbackOf(await known.authorize(owner, resource)).has('code')).toBe(true)
    expect(callbackOf(await user.get(await decideConsent(user, reference, 'allow'))).has('code')).toBe(true)
    expect(known.hook.requests).toHaveLength(1)

    service().clock.advance({ hours: 24 })
    await useUp()
    expect(await known.authorize(await service().given.signIn(owner.email), resource)).toMatchObject({ status: 429 })
  })
})

describe('what is stored of documents', () => {
  it('is bounded: of a flood of documents of unknown clients, the latest thousand stay, and those of clients', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const known = agent()
    await known.signIn(owner, resource)
    const system = service().database.system()
    const long = new Date(system.now.getTime() - 3_600_000)
    const flood = Array.from({ length: 1_200 }, (_, index) => ({
      clientId: `https://flood.example/${index}`,
      host: 'flood.example',
      document: '{}',
      version: '',
      fetchedAt: long,
      expiresAt: system.now,
      usedAt: long,
    }))
    await system.insertInto('clientDocuments').values(flood).execute()
    const latest = agent()
    await latest.ask(owner, resource)

    const stored = (await storedDocuments()).map(({ clientId }) => clientId)
    const ofClients = new Set(
      (await system.selectFrom('clients').select('automaticClientId').execute()).map((row) => row.automaticClientId),
    )
    expect(stored.filter((clientId) => !ofClients.has(clientId))).toHaveLength(1_000)
    expect(stored).toEqual(expect.arrayContaining([known.id, latest.id]))
  })

  it('goes after a day without use, unless it is of a client', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    const [known, unknown] = [agent(), agent()]
    await known.signIn(owner, resource)
    await unknown.ask(owner, resource)
    service().clock.advance({ days: 2 })
    await removeUnusedDocuments.run(service().database)
    const stored = (await storedDocuments()).map(({ clientId }) => clientId)
    expect(stored).toContain(known.id)
    expect(stored).not.toContain(unknown.id)
  })
})

describe('the logo of a document', () => {
  const withLogo = async (answer: { status: number; headers?: Record<string, string>; body?: string }) => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const hook = receiver.hook()
    hook.answer = () => answer
    const client = agent({ logo_uri: hook.url })
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    return row?.logoUrl as string | null
  }

  it('is fetched, and shown from an address of this service', async () => {
    const hash = '/branding/'
    const png = Buffer.from(pixel, 'base64')
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const hook = receiver.hook()
    hook.answer = () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: png as never })
    const client = agent({ logo_uri: hook.url })
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    const address = new URL(String(row?.logoUrl))
    expect(address.origin + address.pathname).toContain(`http://gatehouse.test${hash}`)
    const served = await fetch(service().origin + address.pathname)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true)
  })

  it.each([
    ['as SVG', { status: 200, headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
    ['of more than 64 KiB', { status: 200, body: pictureOf(65_537) }],
    ['that is not there', { status: 404 }],
  ])('%s is left out', async (_, answer) => {
    expect(await withLogo(answer)).toBeNull()
  })

  it('of 64 KiB is shown', async () => {
    expect(await withLogo({ status: 200, body: pictureOf(65_536) })).toContain('/branding/')
  })

  it('of an application in use stays while strangers name others of its host, or its own host is asked too often', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const hook = receiver.hook('127.0.0.1')
    hook.answer = () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from(pixel, 'base64') as never })
    const client = agent({ logo_uri: hook.url })
    await client.signIn(owner, resource)
    expect(await automaticClients(organisation)).toMatchObject([{ logoUrl: expect.stringContaining('/branding/') }])
    const { limits } = service().services
    const logoOf = async () => (await storedDocuments()).find(({ clientId }) => clientId === client.id)?.logoHash
    const before = await logoOf()
    expect(before).toEqual(expect.any(String))
    const { host } = new URL(hook.url)
    const useUp = (limit: 'newClientDocumentsByHost' | 'clientDocumentsByHost') =>
      limits[limit].useUp(host, new Date(service().clock.now().getTime() + 60_000)).catch(() => {})

    service().clock.advance({ minutes: 6 })
    await useUp('newClientDocumentsByHost')
    await client.authorize(owner, resource)
    expect([client.hook.requests.length, hook.requests.length, await logoOf()]).toEqual([2, 2, before])

    service().clock.advance({ minutes: 6 })
    await useUp('clientDocumentsByHost')
    await client.authorize(owner, resource)
    expect([client.hook.requests.length, hook.requests.length, await logoOf()]).toEqual([3, 2, before])
  })

  it('is fetched with the next reading of its document where the limits did not let it be fetched at first', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const hook = receiver.hook('127.0.0.1')
    hook.answer = () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from(pixel, 'base64') as never })
    const client = agent({ logo_uri: hook.url })
    const { answer } = client.hook
    client.hook.answer = async (request) =>
      request.headers['if-none-match'] === undefined ? { ...(await answer(request)), headers: { etag: '"v1"' } } : { status: 304 }
    const until = new Date(service().clock.now().getTime() + 60_000)
    await service()
      .services.limits.newClientDocumentsByHost.useUp(new URL(hook.url).host, until)
      .catch(() => {})
    await client.signIn(owner, resource)
    expect(await automaticClients(organisation)).toMatchObject([{ logoUrl: null }])

    service().clock.advance({ minutes: 6 })
    await client.authorize(owner, resource)
    expect((await storedDocuments()).find(({ clientId }) => clientId === client.id)?.logoHash).toEqual(expect.any(String))
  })

  it('at an address that is not stored is left out', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, organisation, resource } = await resourceForAll(service())
    await agent({ logo_uri: `${receiver.hook().url}\u0000` }).signIn(owner, resource)
    expect(await automaticClients(organisation)).toMatchObject([{ logoUrl: null }])
  })
})

describe('a document that cannot be read any more', () => {
  it('is shown with the time since when, until it can be read again', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    const path = `/v1/admin/clients/${row?.id}/document`
    const shown = async () => (await owner.get(path)).body
    const times = { address: client.id, fetchedAt: expect.any(String), expiresAt: expect.any(String) }
    expect(await shown()).toEqual({ ...times, failingSince: null })

    const { answer } = client.hook
    client.hook.answer = () => ({ status: 404 })
    service().clock.advance({ seconds: 301 })
    await client.authorize(owner, resource)
    const { failingSince } = await shown()
    expect(failingSince).toEqual(expect.any(String))
    service().clock.advance({ minutes: 1 })
    await client.authorize(owner, resource)
    expect(await shown()).toEqual({ ...times, failingSince })
    client.hook.answer = answer
    await client.authorize(owner, resource)
    expect((await shown()).failingSince).toBeNull()
  })

  it('is nothing that a client without a document has', async () => {
    const { owner } = await service().given.organisation()
    const { body } = await owner.post('/v1/admin/clients', { name: 'Shop', clientType: 'public', redirectUris: ['https://shop.test/'] })
    const nothing = { address: null, fetchedAt: null, expiresAt: null, failingSince: null }
    expect(await owner.get(`/v1/admin/clients/${body.id}/document`)).toMatchObject({ status: 200, body: nothing })
    expect(await owner.get('/v1/admin/clients/cli_01hzzzzzzzzzzzzzzzzzzzzzzz/document')).toMatchObject({ status: 404 })
  })
})

describe('a client with a document that is not used for 30 days', () => {
  it('is removed with its consents, while one that was revoked stays refused', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const [unused, revoked] = [agent(), agent()]
    await unused.signIn(owner, resource)
    await revoked.signIn(owner, resource)
    const rows = await automaticClients(organisation)
    const row = rows.find(({ clientId }) => clientId === revoked.id)
    await owner.post(`/v1/admin/clients/${row?.id}/revoke`)

    service().clock.advance({ days: 29 })
    await removeUnusedClients.run(service().database)
    const kept = await service()
      .database.tenant(organisation.id)
      .selectFrom('clients')
      .select('id')
      .where('deletedAt', 'is', null)
      .execute()
    expect(kept).toHaveLength(2)
    service().clock.advance({ days: 2 })
    const removals = async () =>
      Number(
        /automatic_clients_removed_total\{origin="metadata_document"\} (\d+)/.exec((await service().anonymous.get('/metrics')).body)?.[1],
      )
    const clients = async () =>
      (
        await service()
          .database.system()
          .selectFrom('clients')
          .select('id')
          .where('origin', '=', 'metadata_document')
          .where('deletedAt', 'is', null)
          .execute()
      ).length
    const before = [await removals(), await clients()] as const
    await removeUnusedClients.run(service().database)
    expect((await removals()) - before[0]).toBe(before[1] - (await clients()))
    const user = await service().given.signIn(owner.email)
    const left = await user.get('/v1/admin/clients')
    expect(left.body.data).toMatchObject([{ clientId: revoked.id, isActive: false }])
    expect(await revoked.authorize(user, resource)).toMatchObject({
      status: 400,
      body: expect.stringContaining('This application is unknown'),
    })
    expect((await user.get('/v1/admin/audit-logs?action=client.deleted')).body.data).toMatchObject([{ actorType: 'system' }])
    const reference = new URL((await unused.authorize(user, resource)).headers.get('location') ?? '', 'http://x').searchParams.get(
      'request',
    )
    expect(await browserOf(user).open(consentPath(reference ?? ''))).toMatchObject({ status: 200 })
  })

  it('stays if an administrator has taken something from it, which no user can then allow it again', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    expect(await owner.patch(`/v1/admin/clients/${row?.id}`, { grantTypes: ['authorization_code'] })).toMatchObject({ status: 200 })

    service().clock.advance({ days: 31 })
    await removeUnusedClients.run(service().database)
    const user = await service().given.signIn(owner.email)
    expect((await user.get('/v1/admin/clients')).body.data).toMatchObject([{ id: row?.id }])
    expect((await client.signIn(user, resource)).tokens).not.toHaveProperty('refresh_token')
  })

  it('stays if an administrator has changed it otherwise', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    await owner.patch(`/v1/admin/clients/${row?.id}`, { accessTokenLifetime: 60 })

    service().clock.advance({ days: 31 })
    await removeUnusedClients.run(service().database)
    const user = await service().given.signIn(owner.email)
    expect((await client.signIn(user, resource)).tokens.expires_in).toBe(60)
  })

  it('is not removed for the time in which its organisation was suspended', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource, organisation } = await resourceForAll(service())
    await agent().signIn(owner, resource)
    const { operator, given, clock, database } = service()
    const path = `/v1/system/organisations/${organisation.id}`
    expect(await operator.patch(`${path}/suspend`, { reason: 'Unpaid' })).toMatchObject({ status: 200 })
    clock.advance({ days: 31 })
    await removeUnusedClients.run(database)
    expect(await operator.patch(`${path}/activate`)).toMatchObject({ status: 200 })
    await removeUnusedClients.run(database)
    const total = async () => (await (await given.signIn(owner.email)).get('/v1/admin/clients')).body.total
    expect(await total()).toBe(1)

    clock.advance({ days: 31 })
    await removeUnusedClients.run(database)
    expect(await total()).toBe(0)
  })

  it('is removed whatever names it, and what names it stays', async () => {
    service().clock.advance({ minutes: 2 })
    const [first, second] = [await resourceForAll(service()), await resourceForAll(service())]
    const named = agent()
    await named.signIn(first.owner, first.resource)
    const other = agent()
    await other.signIn(second.owner, second.resource)
    const [row] = await automaticClients(first.organisation)
    const clientId = String(row?.id)
    const { id: roleId } = await service().given.role(first.owner)
    const webhook = await first.owner.post('/v1/admin/webhooks', {
      ...{ url: `${new URL(named.hook.url).origin}/hook`, events: ['oauth2.token.issued'], clientId },
    })
    const invitation = await first.owner.post('/v1/admin/invitations', {
      ...{ email: `${unique()}@example.test`, roleId, clientId },
    })
    const server = await resourceAuthorizationServer(first.owner, clientId)
    expect([webhook.status, invitation.status]).toEqual([201, 201])

    service().clock.advance({ days: 31 })
    await removeUnusedClients.run(service().database)
    const [owner, owner2] = [await service().given.signIn(first.owner.email), await service().given.signIn(second.owner.email)]
    for (const one of [owner, owner2]) expect((await one.get('/v1/admin/clients')).body.total).toBe(0)
    expect((await owner.get(`/v1/admin/webhooks/${webhook.body.id}`)).body).toMatchObject({ clientId })
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(1)
    expect(await owner.get(`/v1/admin/resource-authorization-servers/${server.id}`)).toMatchObject({ status: 200 })
  })

  it('and cannot be removed is reported, and holds no other one up', async () => {
    service().clock.advance({ minutes: 2 })
    const [first, second] = [await resourceForAll(service()), await resourceForAll(service())]
    await agent().signIn(first.owner, first.resource)
    const [row] = await automaticClients(first.organisation)
    await agent().signIn(second.owner, second.resource)
    const asOwner = (text: string) => service().engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    await asOwner(`alter table clients add constraint clients_stays check (id <> '${row?.id}' or deleted_at is null)`)

    service().clock.advance({ days: 31 })
    await expect(removeUnusedClients.run(service().database)).rejects.toThrow(`${row?.id} of ${first.organisation.id} cannot be removed`)
    expect((await (await service().given.signIn(second.owner.email)).get('/v1/admin/clients')).body.total).toBe(0)
    await asOwner('alter table clients drop constraint clients_stays')
    await removeUnusedClients.run(service().database)
    expect((await (await service().given.signIn(first.owner.email)).get('/v1/admin/clients')).body.total).toBe(0)
  })
})
