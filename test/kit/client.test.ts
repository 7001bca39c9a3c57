import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, type ClientOptions, createClient, GatehouseRefused, type Logger } from '../../packages/client/src/index.ts'
import type { TestOrganisation } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

interface World {
  organisation: TestOrganisation
  apiKey: string
  client: Client
}

let world: World
beforeAll(async () => {
  const organisation = await service().given.organisation()
  const { body: permissions } = await organisation.owner.get('/v1/admin/permissions')
  const { body } = await organisation.owner.post('/v1/admin/api-keys', {
    name: 'Client',
    permissions: permissions.data.map(({ slug }: { slug: string }) => slug),
  })
  world = { organisation, apiKey: body.key, client: createClient({ url: service().origin, apiKey: body.key }) }
})

const clientWith = (options: Partial<ClientOptions>) =>
  createClient({ url: service().origin, apiKey: world.apiKey, ...options } as ClientOptions)
const refusalOf = (call: Promise<unknown>): Promise<GatehouseRefused> =>
  call.then(
    () => expect.fail('it succeeded'),
    (error) => {
      expect(error).toBeInstanceOf(GatehouseRefused)
      return error
    },
  )

describe('a client', () => {
  it('calls each operation by its name, with ids, input and options in this order', async () => {
    const { client } = world
    const role = await client.roles.create({ name: 'Editor', slug: 'editor' })
    expect(role).toMatchObject({ id: expect.stringMatching(/^rol_/), slug: 'editor' })
    expect(await client.roles.get(role.id)).toMatchObject({ name: 'Editor' })

    const { data, response } = await client.GET('/v1/admin/roles/{id}', { params: { path: { id: role.id } } })
    expect(data).toEqual(await client.roles.get(role.id))
    const ifMatch = response.headers.get('etag') ?? ''
    expect(await client.roles.update(role.id, { name: 'Writer' }, { ifMatch })).toMatchObject({ name: 'Writer' })
    expect(await refusalOf(client.roles.update(role.id, { name: 'Reader' }, { ifMatch }))).toMatchObject({
      code: 'precondition-failed',
      status: 412,
    })
    expect(await client.roles.delete(role.id)).toBeUndefined()
    expect(await refusalOf(client.roles.get(role.id))).toMatchObject({ code: 'role-not-found', status: 404, errors: [] })
  })

  it('goes through a list to its end, and gives one page of it', async () => {
    const { client } = world
    const made = await Promise.all(['one', 'two', 'three'].map((slug) => client.teams.create({ name: `List ${slug}`, slug })))
    await client.teams.create({ name: 'Another', slug: 'another' })
    const found: string[] = []
    for await (const team of client.teams.list({ search: 'list', limit: 2 })) found.push(team.id)
    expect(found.toSorted()).toEqual(made.map(({ id }) => id).toSorted())

    const list = client.teams.list({ search: 'list', limit: 2, sort: 'name' })
    const page = await list.page()
    expect(page).toMatchObject({ total: 3, data: [{ name: 'List one' }, { name: 'List three' }], nextCursor: expect.any(String) })
    expect(await client.teams.list({ search: 'list', limit: 2, sort: 'name', cursor: page.nextCursor ?? '' }).page()).toMatchObject({
      data: [{ name: 'List two' }],
      nextCursor: null,
    })
    // A list of nothing ends at once, and ends early if the caller has seen enough.
    for await (const team of client.teams.list({ search: 'nothing' })) expect.fail(team.id)
    for await (const _ of list) break
    const entries = await client.auditLogs.list({ action: ['team.created', 'team.deleted'], targetId: made[0]?.id ?? '' }).page()
    expect(entries.data).toMatchObject([{ action: 'team.created' }])
    expect(await client.search.search({ search: 'another' })).toMatchObject({ data: [{ title: 'Another' }] })
  })

  it('says why it was refused, with the field, the id of the request, and a code that is typed', async () => {
    const { client } = world
    const refused = await refusalOf(client.users.create({ email: 'anna', firstName: 'A', lastName: 'B' }))
    expect(refused).toMatchObject({
      name: 'GatehouseRefused',
      code: 'invalid-input',
      status: 400,
      detail: 'Invalid input',
      requestId: expect.stringMatching(/./),
      errors: [{ path: ['email'], code: 'invalid_string' }],
    })
    expect(refused.message).toMatch(/^Invalid input\nemail: /)
    // @ts-expect-error no refusal has this code
    expect(refused.code === 'invalid-inptu').toBe(false)

    const { data, error, response } = await client.POST('/v1/admin/roles', { body: { name: '', slug: 'empty' } })
    expect([data, error?.code, response.status]).toEqual([undefined, 'invalid-input', 400])
    // An empty id would name the list.
    expect(() => client.users.delete('')).toThrow('DELETE /v1/admin/users/{id} body: id is missing')
    expect(await refusalOf(client.users.get('../roles'))).toMatchObject({ code: 'user-not-found' })
  })

  it.each(['.', '..'])('sends nothing to another operation for the id %j', async (id) => {
    const sent: string[] = []
    const client = clientWith({
      fetch: async ({ method, url }) => {
        sent.push(`${method} ${url}`)
        return Response.json({})
      },
    })
    await expect(client.users.assignRole(id, { roleId: 'rol_1' })).rejects.toThrow(TypeError)
    await expect(client.users.delete(id)).rejects.toThrow(TypeError)
    await expect(client.GET('/v1/admin/users/{id}', { params: { path: { id } } })).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  it('reads an export as it comes', async () => {
    const exported = await world.client.users.export({ format: 'csv' })
    expect(exported.headers.get('content-type')).toContain('text/csv')
    expect(await exported.text()).toContain(world.organisation.owner.email)
    expect(await refusalOf(world.client.users.export({ createdFrom: 'yesterday' }))).toMatchObject({ status: 400 })
  })

  it('takes the responses of a fetch with a class of its own', async () => {
    let sent = 0
    const answered = (body: string | null, status: number) => {
      sent++
      const { headers, ok } = new Response(body, { status, headers: { 'content-type': 'application/json' } })
      const read = {
        text: async () => body ?? '',
        json: async () => JSON.parse(body ?? ''),
        arrayBuffer: async () => Buffer.from(body ?? ''),
      }
      return { status, ok, statusText: '', headers, body: body && new Blob([body]).stream(), ...read } as unknown as Response
    }
    const client = (body: string | null, status: number) => clientWith({ fetch: async () => answered(body, status) })
    expect(await client(null, 204).users.delete('usr_1')).toBeUndefined()
    expect(await client('{"id": "usr_1"}', 200).users.get('usr_1')).toEqual({ id: 'usr_1' })
    expect(await refusalOf(client('{"code": "user-not-found"}', 404).users.get('usr_1'))).toMatchObject({ code: 'user-not-found' })
    expect(sent).toBe(3)
  })

  it.each(['text/csv', 'application/x-ndjson'])('reads an export in %s before its end', async (type) => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"id": "usr_1"}\n')) })
    const endless = new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } })
    const exported = await clientWith({ fetch: async () => endless }).users.export()
    const reader = exported.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array)).toBe('{"id": "usr_1"}\n')
    await reader?.cancel()
  })

  it('acts for the organisation that it names, and for no other', async () => {
    const { organisation, client } = world
    const { id: other } = await service().given.organisation()
    expect(await clientWith({ organisationId: organisation.id }).organisation.get()).toMatchObject({ id: organisation.id })
    expect(await client.organisation.get()).toMatchObject({ id: organisation.id })
    const refused = (organisationId: string) => refusalOf(clientWith({ organisationId }).organisation.get())
    expect(await refused(other)).toMatchObject({ code: 'organisation-mismatch', status: 403 })
    expect(await refused('org_none')).toMatchObject({ code: 'organisation-not-found', status: 404 })
  })

  it('acts as the operator with the key of the system', async () => {
    const client = createClient({ url: `${service().origin}/`, systemApiKey: service().systemApiKey })
    expect((await client.organisations.list({ search: world.organisation.slug }).page()).data).toMatchObject([
      { id: world.organisation.id },
    ])
    expect(await refusalOf(client.users.list().page())).toMatchObject({ code: 'system-key-not-accepted', status: 401 })
  })

  it('acts as a user by the cookie of their session, gets the CSRF token once, and another one when that is refused', async () => {
    const { owner } = world.organisation
    const cookie = owner.headers.cookie ?? ''
    let asked = 0
    const client = createClient({
      url: service().origin,
      cookie,
      fetch: async (request) => {
        if (!request.url.endsWith('/v1/auth/csrf')) return fetch(request)
        asked++
        return asked === 1 ? Response.json({ csrfToken: 'of another session' }) : fetch(request)
      },
    })
    const [profile, updated] = [await client.me.getProfile(), await client.me.updateProfile({ firstName: 'Olga' })]
    expect([profile.email, updated.firstName, asked]).toEqual([owner.email, 'Olga', 2])
    expect((await client.teams.create({ name: 'By cookie', slug: 'by-cookie' })).id).toMatch(/^tem_/)

    const stranger = createClient({ url: service().origin, cookie: 'svc_session=unknown' })
    expect(await refusalOf(stranger.me.getProfile())).toMatchObject({ code: 'invalid-session', status: 401 })
  })

  it.each([
    ['no credentials', {}],
    ['an empty key, as of a variable that is not set', { apiKey: '' }],
    ['two kinds of credentials', { apiKey: 'ak_1', cookie: 'svc_session=1' }],
    ['an address that is none', { apiKey: 'ak_1', url: 'id.example.com' }],
    ['an address of a file', { apiKey: 'ak_1', url: 'file:///id' }],
  ])('is not made with %s', (_, options) => {
    expect(() => createClient({ url: 'https://id.example.com', ...options } as ClientOptions)).toThrow(TypeError)
  })
})

describe('a request whose response is lost', () => {
  it('is sent again with its key, and has changed one thing once', async () => {
    const keys: (string | null)[] = []
    const lines: unknown[] = []
    const client = clientWith({
      fetch: async (request) => {
        keys.push(request.headers.get('idempotency-key'))
        const response = await fetch(request)
        if (keys.length === 1) throw new TypeError('terminated')
        return response
      },
      logger: { debug: (details) => lines.push(details) },
    })
    const team = await client.teams.create({ name: 'Once', slug: 'once' })
    expect(keys).toEqual([keys[0], keys[0]])
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    expect(await world.organisation.owner.audit({ targetId: team.id })).toHaveLength(1)
    expect(lines).toEqual([
      { method: 'POST', path: '/v1/admin/teams', attempt: 1, cause: 'unreachable', waitMilliseconds: expect.any(Number) },
    ])
  })

  it('is answered as the first time under a key that the caller has chosen', async () => {
    const { client } = world
    const create = () => client.teams.create({ name: 'Chosen', slug: 'chosen' }, { idempotencyKey: 'import-17' })
    expect(await create()).toEqual(await create())
    expect(await refusalOf(client.teams.create({ name: 'Other', slug: 'other' }, { idempotencyKey: 'import-17' }))).toMatchObject({
      code: 'idempotency-key-reused',
    })
  })
})

type Outcome = Response | TypeError | (() => Response)
const problem =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json(
      { code: 'service-unavailable', detail: 'Later' },
      { status, headers: { 'content-type': 'application/problem+json', ...headers } },
    )
const halfAResponse = () =>
  new Response(
    new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"da'))
        stream.error(new TypeError('terminated'))
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  )
const page = () => Response.json({ data: [], total: 0, nextCursor: null })

/** Calls a service that answers with one outcome after another, and counts the requests. */
async function callAfter(outcomes: readonly Outcome[], call: (client: Client) => Promise<unknown>, options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  let sent = 0
  const client = createClient({
    url: 'https://id.example.com/iam',
    apiKey: 'ak_1',
    clock: () => Date.parse('2026-01-01T00:00:00Z'),
    logger: { debug: ({ waitMilliseconds }) => waits.push(waitMilliseconds) },
    fetch: async () => {
      const outcome = outcomes[Math.min(sent++, outcomes.length - 1)] as Outcome
      if (outcome instanceof TypeError) throw outcome
      return typeof outcome === 'function' ? outcome() : outcome
    },
    ...options,
  } as ClientOptions)
  const settled = await call(client).then(
    () => 'done',
    (error) => error.code ?? error.name,
  )
  return { sent, settled, waits }
}

const read = (client: Client) => client.users.list().page()
const change = (client: Client) => client.users.update('usr_1', { firstName: 'A' })
const end = (client: Client) => client.users.delete('usr_1')
const signIn = (client: Client) => client.auth.identify({ email: 'anna@acme.test' })
const keyed = { headers: { 'idempotency-key': 'import-17' } }
const endUnderKey = (client: Client) => client.DELETE('/v1/admin/users/{id}', { ...keyed, params: { path: { id: 'usr_1' } } })
const signUpUnderKey = (client: Client) =>
  client.POST('/v1/organisations', { ...keyed, body: { name: 'Acme', slug: 'acme', email: 'it@acme.test' } as never })
const soon = { 'retry-after': '0' }
const gone = new TypeError('fetch failed')

describe('a request that fails for a while', () => {
  it.concurrent.each<[string, Outcome[], (client: Client) => Promise<unknown>, number, string]>([
    ['a read after a failure of the network', [gone, page], read, 2, 'done'],
    ['a read after half a response', [halfAResponse, page], read, 2, 'done'],
    ['a read after 429', [problem(429, soon), page], read, 2, 'done'],
    ['a read after 503 with Retry-After', [problem(503, soon), page], read, 2, 'done'],
    [
      'a read after 503 until a date that has passed',
      [problem(503, { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }), page],
      read,
      2,
      'done',
    ],
    ['a change, which bears a key', [gone, problem(409, soon), page], change, 3, 'done'],
    ['three times at most', [gone], read, 4, 'unreachable'],
  ])('is sent again: %s', async (_, outcomes, call, sent, settled) => {
    expect(await callAfter(outcomes, call)).toMatchObject({ sent, settled })
  })

  it.concurrent.each<[string, Outcome, (client: Client) => Promise<unknown>, string]>([
    ['a deletion, which bears no key', gone, end, 'unreachable'],
    ['a deletion that its caller gives a key, which the service ignores', gone, endUnderKey, 'unreachable'],
    ['a request outside administration, which takes no key', gone, signIn, 'unreachable'],
    ['one that its caller gives a key even so', gone, signUpUnderKey, 'unreachable'],
    ['a deletion after 429', problem(429, soon), end, 'service-unavailable'],
    ['503 without Retry-After', problem(503), read, 'service-unavailable'],
    ['500', problem(500, soon), read, 'service-unavailable'],
    ['a conflict that is no other request with the key', problem(409), change, 'service-unavailable'],
    ['what takes longer than a minute', problem(429, { 'retry-after': '61' }), read, 'service-unavailable'],
    ['the page of a proxy', () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), read, 'unexpected-response'],
    ['a page in place of the API', () => new Response('<h1>Hello</h1>'), read, 'unexpected-response'],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.test' } }), read, 'unexpected-response'],
  ])('is sent once: %s', async (_, outcome, call, settled) => {
    expect(await callAfter([outcome], call)).toEqual({ sent: 1, settled, waits: [] })
  })

  it('is sent once without retries', async () => {
    expect(await callAfter([gone], read, { retries: 0 })).toMatchObject({ sent: 1, settled: 'unreachable' })
  })

  it('ends with its signal while it waits for the token of a session, which others then get', async () => {
    const token = Promise.withResolvers<Response>()
    const sent: string[] = []
    const fetch = async (request: Request) => {
      const { pathname } = new URL(request.url)
      sent.push(pathname)
      return pathname === '/v1/auth/csrf' ? token.promise : Response.json({ token: request.headers.get('x-csrf-token') })
    }
    const client = createClient({ url: service().origin, cookie: 'gatehouse_session=s', fetch })
    const leaving = new AbortController()
    const ended = client.me.getProfile({ signal: leaving.signal }).catch((error: unknown) => error)
    const waiting = client.me.getProfile()
    setImmediate(() => leaving.abort(new Error('left')))
    expect(await ended).toEqual(new Error('left'))
    const late = await client.me.getProfile({ signal: leaving.signal }).catch((error: unknown) => error)
    expect(late).toEqual(new Error('left'))
    token.resolve(Response.json({ csrfToken: 'csrf' }))
    expect(await waiting).toEqual({ token: 'csrf' })
    expect(sent).toEqual(['/v1/auth/csrf', '/v1/me/profile'])
  })

  it('waits as long as Retry-After says, spread, and no longer than its caller', async () => {
    const waits: number[] = []
    for (const [value, least] of [
      ['7', 7_000],
      ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ] as const) {
      const leaving = new AbortController()
      const logger: Logger = {
        debug: ({ waitMilliseconds }) => {
          waits.push(waitMilliseconds)
          leaving.abort()
        },
      }
      const call = (client: Client) => client.users.get('usr_1', { signal: leaving.signal })
      expect(await callAfter([problem(503, { 'retry-after': value })], call, { logger })).toMatchObject({
        sent: 1,
        settled: expect.anything(),
      })
      expect(waits.at(-1)).toBeGreaterThanOrEqual(least)
      expect(waits.at(-1)).toBeLessThanOrEqual(least + 200)
    }
    const refused = await refusalOf(
      clientWith({ fetch: async () => problem(429, { 'retry-after': '90' })() })
        .users.list()
        .page(),
    )
    expect(refused.retryAfterSeconds).toBe(90)
  })
})
