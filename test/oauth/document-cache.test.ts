import { describe, expect, it } from 'vitest'
import { removeUnusedClients, removeUnusedDocuments } from '../../src/automatic-clients/remove-unused.ts'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { browserOf, callbackOf, consentPath } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
/** Every name is this machine, so that each test has a host of its own to count by. */
const service = useService({
  ofItsOwn: true,
  environment: { OAUTH_EXTENSIONS: extensions },
  outgoing: { ca: receiver.ca },
})
const agent = (fields: Record<string, unknown> = {}) => documentClient(service(), receiver, fields)
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

  it('at most 30 times a minute from one host; then the page says so with 429 and Retry-After', async () => {
    service().clock.advance({ minutes: 2 })
    const { owner, resource } = await resourceForAll(service())
    for (let count = 0; count < 30; count++) {
      const client = agent({ client_name: '' })
      expect((await client.authorize(owner, resource)).status).toBe(400)
    }
    const late = agent()
    const answer = await late.authorize(owner, resource)
    expect(answer).toMatchObject({ status: 429, body: expect.stringContaining('Too many applications are being looked up') })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(late.hook.requests).toEqual([])
    service().clock.advance({ minutes: 2 })
    await late.ask(owner, resource)
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
      (await service().database.system().selectFrom('clients').select('id').where('origin', '=', 'metadata_document').execute()).length
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
})
