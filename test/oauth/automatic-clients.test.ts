import { beforeAll, describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import type { SignedInUser } from '../support/given.ts'
import { browserOf, callbackOf, consentPath } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { newMetadata, registerPath } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
/** Every name is this machine. */
const outgoing = { ca: receiver.ca, resolve: async () => ['127.0.0.1'] }
const service = useService({ environment: { OAUTH_EXTENSIONS: extensions, RATE_LIMIT: 'off' }, outgoing })
const flooded = useService({
  ofItsOwn: true,
  environment: {
    OAUTH_EXTENSIONS: `${extensions},dynamic_registration`,
    OPEN_REGISTRATION: 'on',
    RATE_LIMIT: 'on',
    TRUST_PROXY: 'loopback',
  },
  outgoing,
})
const agent = (fields: Record<string, unknown> = {}) => documentClient(service(), receiver, fields)

/** Rows as users make them by allowing applications. */
async function fill(organisationId: string, count: number) {
  const tenant = service().database.tenant(organisationId)
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `cli_${organisationId}_${index}`,
    name: 'Agent',
    clientType: 'public' as const,
    tokenEndpointAuthMethod: 'none' as const,
    redirectUris: [],
    grantTypes: [],
    scopes: [],
    requirePkce: true,
    allowPlainPkce: false,
    requireConsent: true,
    idTokenSignedResponseAlg: 'RS256' as const,
    origin: 'metadata_document' as const,
    automaticClientId: `https://agent.example/${index}`,
    createdAt: tenant.now,
    updatedAt: tenant.now,
  }))
  await tenant.insertInto('clients').values(rows).execute()
}

describe('an organisation with a thousand applications that introduced themselves', () => {
  it('gets no other one, says so on the page and in its diagnostics, and serves those that it has', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const [known, late] = [agent(), agent()]
    await known.signIn(owner, resource)
    const reference = await late.ask(owner, resource)
    await fill(organisation.id, 999)

    const answer = await agent().authorize(owner, resource)
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('has 1000 applications that introduced themselves') })
    expect((await owner.get('/v1/admin/diagnostics')).body.data[0]).toMatchObject({
      check: 'client_id',
      expected: 'an organisation with fewer than 1000 applications that introduced themselves',
    })
    expect(callbackOf(await known.authorize(owner, resource)).has('code')).toBe(true)
    // A page that was open before adds none either.
    const refused = await browserOf(owner).submit(consentPath(reference), { decision: 'allow' })
    expect(refused.status).toBe(400)
    expect((await owner.get('/v1/admin/clients?origin=metadata_document')).body.total).toBe(1_000)

    const other = await resourceForAll(service())
    expect(await late.signIn(other.owner, other.resource)).toMatchObject({ answer: { status: 200 } })
  })
})

describe('the last place of an organisation for applications that introduced themselves', () => {
  it('is taken by one of twenty that a user allows at the same time', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const references: string[] = []
    for (let index = 0; index < 20; index++) references.push(await agent().ask(owner, resource))
    await fill(organisation.id, 999)
    const allow = async (reference: string) => (await browserOf(owner).submit(consentPath(reference), { decision: 'allow' })).status
    const statuses = await Promise.all(references.map(allow))
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)])
    expect((await owner.get('/v1/admin/clients?origin=metadata_document')).body.total).toBe(1_000)
  })
})

describe('an application that introduced itself', () => {
  it('is found by its name and by the address of its document, and the search shows its host', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent({ client_name: 'Walrus' })
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    const { host } = new URL(client.id)
    for (const q of ['walr', client.id]) {
      const { body } = await owner.get(`/v1/admin/search?${new URLSearchParams({ q })}`)
      expect(body.data).toMatchObject([{ type: 'client', id: row?.id, title: 'Walrus', subtitle: host }])
    }
  })

  it('is counted when its document is fetched, is unchanged, and cannot be used', async () => {
    const { owner, resource } = await resourceForAll(service())
    const read = async () => {
      const { body } = await service().anonymous.get('/metrics')
      return ['fetched', 'unchanged', 'refused'].map((result) =>
        Number(new RegExp(`gatehouse_client_documents_total\\{result="${result}"\\} (\\d+)`).exec(String(body))?.[1]),
      )
    }
    await read()
    const before = await read()
    const client = agent()
    const { answer } = client.hook
    client.hook.answer = async (request) =>
      request.headers['if-none-match'] ? { status: 304 } : { ...(await answer(request)), headers: { etag: '"v1"' } }
    await client.ask(owner, resource)
    service().clock.advance({ seconds: 301 })
    await client.ask(owner, resource)
    await agent({ client_name: '' }).authorize(owner, resource)
    expect((await read()).map((value, index) => value - (before[index] ?? 0))).toEqual([1, 1, 1])
  })
})

describe('a check of a sign-in at an application with a document', () => {
  const codesOf = async (owner: SignedInUser, clientId: string) => {
    const { status, body } = await owner.post('/v1/admin/sign-in-checks', { email: owner.email, clientId })
    expect({ status, body }).toMatchObject({ status: 200 })
    const steps = body.steps as { code: string; met: boolean; step: string; why: string }[]
    return { allowed: body.allowed, steps: steps.filter(({ step }) => ['client', 'grant', 'authorization'].includes(step)) }
  }

  it('says before and after a user has allowed it that it can be used', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    expect(await codesOf(owner, client.id)).toMatchObject({
      allowed: true,
      steps: [{ code: 'document-usable' }, { code: 'consent-asked' }],
    })
    await client.signIn(owner, resource)
    const { steps } = await codesOf(owner, client.id)
    expect(steps.map(({ code }) => code).slice(0, 3)).toEqual(['document-usable', 'client-active', 'code-grant-allowed'])
  })

  it('names what stops it: the document, the host, or that the organisation has too many', async () => {
    const { owner, organisation } = await resourceForAll(service())
    const unusable = await codesOf(owner, agent({ client_name: '' }).id)
    expect(unusable).toMatchObject({ allowed: false, steps: [{ code: 'document-unusable', met: false }] })
    expect(unusable.steps[0]?.why).toContain('client_name must have 1 to 100 characters')

    const client = agent()
    await fill(organisation.id, 1_000)
    expect(await codesOf(owner, client.id)).toMatchObject({ allowed: false, steps: [{ code: 'automatic-clients-full' }] })
    await owner.post('/v1/admin/blocked-client-hosts', { host: new URL(client.id).host })
    expect(await codesOf(owner, client.id)).toMatchObject({ allowed: false, steps: [{ code: 'document-refused' }] })
    expect(await owner.post('/v1/admin/sign-in-checks', { email: owner.email, clientId: 'cli_unknown' })).toMatchObject({ status: 404 })
  })
})

describe('a flood', () => {
  // However long it takes: a minute later an address has as many again.
  beforeAll(() => flooded().clock.stop())

  const count = 2_000
  const inTurns = async <T>(work: (index: number) => Promise<T>): Promise<T[]> => {
    const results: T[] = []
    for (let done = 0; done < count; done += 50)
      results.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => work(done + index)))))
    return results
  }
  const rowsOf = async () => {
    const system = flooded().database.system()
    const tables = ['clients', 'clientDocuments', 'unboundClients', 'diagnostics', 'auditLogs'] as const
    const counts = tables.map(async (table) => {
      const { count: found } = await system
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return [table, Number(found)] as const
    })
    return Object.fromEntries(await Promise.all(counts)) as Record<(typeof tables)[number], number>
  }

  it('of 2,000 registrations from one address leaves twenty rows, and an organisation has none of them', async () => {
    const { owner } = await resourceForAll(flooded())
    const before = await rowsOf()
    const statuses = (await inTurns(() => flooded().anonymous.post(registerPath, newMetadata()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(count - 20)
    const after = await rowsOf()
    expect(after.unboundClients - before.unboundClients).toBe(20)
    expect(after).toMatchObject({ clients: before.clients, auditLogs: before.auditLogs })
    expect(after.diagnostics - before.diagnostics).toBeLessThanOrEqual(60)
    expect(await owner.get('/v1/admin/clients')).toMatchObject({ status: 200, body: { total: 0 } })
  })

  it('of 2,000 documents of one host asks it twenty times, leaves twenty rows, and another network is served beside it', async () => {
    const { owner, resource } = await resourceForAll(flooded())
    const elsewhere = await resourceForAll(flooded())
    flooded().clock.advance({ minutes: 2 })
    const hook = receiver.hook()
    const stranger = documentClient(flooded(), receiver)
    hook.answer = ({ path }) => ({
      status: 200,
      body: JSON.stringify({ ...stranger.document, client_id: `${new URL(hook.url).origin}${path}` }),
    })
    const before = await rowsOf()
    const answers = await inTurns((index) => stranger.authorize(owner, resource, { client_id: `${hook.url}/${index}` }))
    expect(answers.filter(({ status }) => status === 302).length).toBeLessThanOrEqual(20)
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(count - 20)
    expect(hook.requests.length).toBeLessThanOrEqual(20)
    const after = await rowsOf()
    expect(after.clientDocuments - before.clientDocuments).toBeLessThanOrEqual(20)
    expect(after.clients).toBe(before.clients)
    expect(after.diagnostics - before.diagnostics).toBeLessThanOrEqual(60)

    const known = documentClient(flooded(), receiver)
    // Its host by another name of this machine, which counts for itself.
    const moved = known.id.replace('localhost', 'receiver.test')
    known.document.client_id = moved
    known.document.redirect_uris = [known.redirectUri.replace('localhost', 'receiver.test')]
    const answer = await known.authorize(elsewhere.owner.with({ 'x-forwarded-for': '198.51.100.7' }), elsewhere.resource, {
      client_id: moved,
      redirect_uri: known.redirectUri.replace('localhost', 'receiver.test'),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, expect.stringContaining('/oauth2/consent')])
  })
})
