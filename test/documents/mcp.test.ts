import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Express } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VerifierOptions } from '../../packages/api/src/index.ts'
import { bindingVariables, boundTokens } from '../support/bound-tokens.ts'
import { documentClient } from '../support/client-documents.ts'
import { freePort } from '../support/free-port.ts'
import { codeIn, needsPython } from '../support/languages.ts'
import { Agent, signInAt } from '../support/mcp.ts'
import { claimsOf, givenApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const page = await readFile('docs/mcp.md', 'utf8')
const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const receiver = await useReceiver()
const [, settings = ''] = /```sh\n(OAUTH_EXTENSIONS[\s\S]*?)```/.exec(page) ?? []
const variables: Record<string, string> = Object.fromEntries(
  settings
    .trim()
    .split('\n')
    .map((line) => line.split('=', 2)),
)
const service = useService({
  environment: {
    ...variables,
    // Bound tokens are presented, too.
    ...bindingVariables(variables.OAUTH_EXTENSIONS ?? ''),
    PORT: String(port),
    PUBLIC_URL: issuer,
  },
  outgoing: { ca: receiver.ca },
})

let folder: string
let createApp: (options: VerifierOptions) => Express
const endings: (() => unknown)[] = []
beforeAll(async () => {
  // Inside the project, so that the code finds its packages.
  await mkdir('coverage', { recursive: true })
  folder = await mkdtemp(join('coverage', 'mcp-'))
  const file = resolve(folder, 'notes.ts')
  await writeFile(file, codeIn(page, 'ts').replace(`'@gatehouse-iam/api'`, `'${resolve('packages/api/src/index.ts')}'`))
  ;({ createApp } = await import(/* @vite-ignore */ file))
})
/** Ends a program with the tests. */
const ends = (program: ChildProcess) => endings.push(() => program.kill())
afterAll(async () => {
  for (const end of endings) await end()
  await rm(folder, { recursive: true, force: true })
})

const scopes = ['notes:read', 'notes:write'].map((name) => ({ name, description: name }))

/** An organisation whose MCP server listens, and lets in agents that no administrator has registered. */
async function givenServer() {
  const organisation = await service().given.organisation()
  const identifier = `http://127.0.0.1:${await freePort()}/mcp`
  const api = await resourceServer(organisation.owner, { name: 'Notes', identifier, scopes, allowsAutomaticClients: true })
  return { organisation, identifier, api }
}

async function givenNotes(options: Partial<VerifierOptions> = {}) {
  const given = await givenServer()
  const clock = () => service().clock.now().getTime()
  const server: Server = createApp({ issuer, audience: given.identifier, clock, ...options }).listen(
    Number(new URL(given.identifier).port),
    '127.0.0.1',
  )
  endings.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  await once(server, 'listening')
  return given
}

type Given = Awaited<ReturnType<typeof givenServer>>

/** How an agent gets its client id. */
const ways: Record<string, (given: Given, grantTypes?: string[], asksToStay?: boolean) => Promise<Agent>> = {
  async registered({ organisation, api }, _grantTypes, asksToStay = false) {
    const { id } = await givenApplication(service(), {
      ...{ organisation, clientType: 'public', redirectUris: ['http://127.0.0.1/callback'] },
      ...{ scopes: scopes.map(({ name }) => name), resourceServerIds: [api.id], requireConsent: true },
      grantTypes: ['authorization_code', 'refresh_token'],
    })
    return new Agent(organisation.owner, { clientId: id, asksToStay })
  },
  async 'with a document'({ organisation }, grantTypes = ['authorization_code', 'refresh_token']) {
    const { id } = documentClient(service(), receiver, { redirect_uris: ['http://127.0.0.1/callback'], grant_types: grantTypes })
    return new Agent(organisation.owner, { clientMetadataUrl: id })
  },
  async 'that registers itself'({ organisation }, grantTypes = ['authorization_code', 'refresh_token']) {
    return new Agent(organisation.owner, { grantTypes })
  },
}

const information = { name: 'agent', version: '1.0.0' }

/** Connects as an application does: when it is sent to the browser, it comes back with the code and connects anew. */
async function connect(identifier: string, agent: Agent): Promise<Client> {
  const attempt = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(identifier), { authProvider: agent })
    const client = new Client(information)
    endings.unshift(() => client.close())
    return { transport, client, outcome: await client.connect(transport).catch((error: unknown) => error) }
  }
  const first = await attempt()
  if (first.outcome === undefined) return first.client
  expect(first.outcome).toBeInstanceOf(UnauthorizedError)
  await first.transport.finishAuth((await agent.callback()).get('code') ?? '')
  const second = await attempt()
  expect(second.outcome).toBeUndefined()
  return second.client
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text
const listNotes = async (client: Client) => textOf(await client.callTool({ name: 'list_notes' }))
const addNote = { name: 'add_note', arguments: { text: 'Buy milk' } }
const scopeOf = (agent: Agent) => claimsOf(agent.tokens()?.access_token ?? '').scope

describe('a client of @modelcontextprotocol/sdk, as it is,', () => {
  it.each(Object.keys(ways))('%s signs in, refreshes after an hour, and is refused at another server', async (way) => {
    const notes = await givenNotes()
    // As docs/mcp.md says of a registered client.
    const agent = (await ways[way]?.(notes, undefined, true)) as Agent

    const client = await connect(notes.identifier, agent)

    expect(await listNotes(client)).toBe('')
    const first = agent.tokens()
    const claims = claimsOf(first?.access_token ?? '')
    expect(claims).toMatchObject({ aud: notes.identifier, org: notes.organisation.id })
    expect([claims.scope.split(' ')[0], agent.asked.length]).toEqual(['notes:read', 1])
    expect(agent.asked[0]?.searchParams.get('resource')).toBe(notes.identifier)

    service().clock.advance({ hours: 1, minutes: 1 })
    expect(await listNotes(client)).toBe('')
    expect(agent.asked).toHaveLength(1)
    expect(agent.tokens()?.refresh_token).not.toBe(first?.refresh_token)
    expect(claimsOf(agent.tokens()?.access_token ?? '')).toMatchObject({ aud: notes.identifier, client_id: claims.client_id })

    const other = await givenNotes()
    const authorization = `Bearer ${agent.tokens()?.access_token}`
    const elsewhere = await fetch(other.identifier, { method: 'POST', headers: { authorization } })
    expect(elsewhere.status).toBe(401)
    expect(elsewhere.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it.each(['with a document', 'that registers itself'])('%s steps up when a tool needs another scope', async (way) => {
    const notes = await givenNotes()
    const agent = (await ways[way]?.(notes, ['authorization_code'])) as Agent
    const client = await connect(notes.identifier, agent)
    expect([agent.tokens()?.refresh_token, scopeOf(agent)]).toEqual([undefined, 'notes:read'])

    await expect(client.callTool(addNote)).rejects.toThrow(UnauthorizedError)

    expect(agent.asked.at(-1)?.searchParams.get('scope')).toBe('notes:read notes:write')
    await (client.transport as StreamableHTTPClientTransport).finishAuth((await agent.callback()).get('code') ?? '')
    expect(textOf(await client.callTool(addNote))).toBe('Added')
    expect(scopeOf(agent)).toBe('notes:read notes:write')
    expect(await listNotes(client)).toBe('Buy milk')
  })
})

describe('a client of @modelcontextprotocol/client, as it is,', () => {
  it.each(Object.keys(ways))('%s steps up although it could refresh, and refreshes what it was granted then', async (way) => {
    const notes = await givenNotes()
    const agent = (await ways[way]?.(notes)) as Agent
    const attempt = async () => {
      const transport = new NewerTransport(new URL(notes.identifier), { authProvider: agent })
      const client = new NewerClient(information)
      endings.unshift(() => client.close())
      return {
        transport,
        client,
        isConnected: await client.connect(transport).then(
          () => true,
          () => false,
        ),
      }
    }
    const { transport, isConnected } = await attempt()
    expect(isConnected).toBe(false)
    await transport.finishAuth(await agent.callback())
    const { client, transport: connected } = await attempt()
    await expect(client.callTool(addNote)).rejects.toThrow()

    await connected.finishAuth(await agent.callback())
    expect(textOf(await client.callTool(addNote))).toBe('Added')

    expect(agent.asked).toHaveLength(2)
    service().clock.advance({ hours: 1, minutes: 1 })
    expect(textOf(await client.callTool({ name: 'list_notes' }))).toBe('Buy milk')
    expect([agent.asked.length, scopeOf(agent).split(' ')]).toEqual([2, expect.arrayContaining(['notes:read', 'notes:write'])])
  })
})

describe('the Python server of docs/mcp.md', () => {
  it('takes the same client, and asks for another scope by tool', needsPython, async () => {
    const { organisation, identifier, api } = await givenServer()
    const introspects = await givenApplication(service(), { organisation, grantTypes: ['client_credentials'], redirectUris: [] })
    await organisation.owner.patch(`/v1/admin/resource-servers/${api.id}`, { introspectionClientIds: [introspects.id] })
    const file = join(folder, 'notes.py')
    await writeFile(file, codeIn(page, 'python'))
    const environment = { ISSUER: issuer, IDENTIFIER: identifier, CLIENT_ID: introspects.id, CLIENT_SECRET: introspects.secret ?? '' }
    ends(spawn('python3', [file], { env: { ...process.env, ...environment }, stdio: 'ignore' }))
    await expect
      .poll(() =>
        fetch(identifier).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(405)
    const agent = new Agent(organisation.owner, { grantTypes: ['authorization_code'] })

    const client = await connect(identifier, agent)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_notes', 'add_note'])
    expect(await listNotes(client)).toBe('')
    await expect(client.callTool(addNote)).rejects.toThrow(UnauthorizedError)
    await (client.transport as StreamableHTTPClientTransport).finishAuth((await agent.callback()).get('code') ?? '')
    expect(textOf(await client.callTool(addNote))).toBe('Added')
    expect(await listNotes(client)).toBe('Buy milk')

    const published = (await organisation.owner.get(`/v1/admin/resource-servers/${api.id}/metadata`)).body
    const { resource_name, ...document } = published.document
    expect(await (await fetch(published.url)).json()).toEqual(document)
    expect(await refusalOf(identifier, '')).toMatch(/^401 Bearer scope="notes:read", resource_metadata="/)
    expect(await refusalOf(identifier, 'x.y.z')).toContain('401 Bearer error="invalid_token"')

    const program = await givenApplication(service(), {
      ...{ organisation, grantTypes: ['client_credentials'], redirectUris: [], scopes: ['notes:read'], resourceServerIds: [api.id] },
    })
    const newForm = async () => ({ grant_type: 'client_credentials', resource: identifier, scope: 'notes:read' })
    expect(await refusalOf(identifier, (await program.token(await newForm())).body.access_token)).toBe('200 null')
    for (const [to, token] of Object.entries(await boundTokens(service(), program, newForm)))
      expect([to, await refusalOf(identifier, token)]).toEqual([to, expect.stringContaining('401 Bearer error="invalid_token"')])
  })
})

/** The answer to a request without a usable token. */
async function refusalOf(identifier: string, token: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(identifier, { method: 'POST', headers, body })
  return `${response.status} ${response.headers.get('www-authenticate')}`
}

describe('POST /v1/admin/resource-servers/check-mcp-server', () => {
  const check = async (identifier: string) => {
    const { owner } = await service().given.organisation()
    return owner.post('/v1/admin/resource-servers/check-mcp-server', { identifier })
  }

  it('finds nothing wrong with the server of docs/mcp.md, and what it calls itself and its scopes', async () => {
    const { identifier } = await givenNotes()
    const metadataUrl = identifier.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')

    const { status, body } = await check(identifier)

    expect(status).toBe(200)
    expect(body).toMatchObject({ identifier, metadataUrl, name: 'Notes', scopes: ['notes:read', 'notes:write'] })
    expect(body.checks.map(({ code, outcome }: Finding) => [code, outcome])).toEqual([
      ['refuses-without-token', 'met'],
      ['names-its-metadata', 'met'],
      ['publishes-its-metadata', 'met'],
      ['names-itself', 'met'],
      ['names-this-issuer', 'met'],
    ])
  })

  it.each([['required', true] as const, ['accepted', false] as const])(
    'finds nothing wrong with it where bound tokens are %s',
    async (dpop, requireDpop) => {
      const { identifier } = await givenNotes({ dpop, baseUrl: 'http://127.0.0.1' })
      const { body } = await check(identifier)
      expect(body).toMatchObject({ requireDpop, checks: Array(5).fill({ outcome: 'met' }) })
    },
  )

  const elsewhere = 'https://id.example.com'
  it.each<[what: string, answer: Partial<Bent>, unmet: Record<string, string | null>]>([
    ['that lets every request in', { status: 200 }, { 'refuses-without-token': '200' }],
    ['that sends clients elsewhere', { status: 302 }, { 'refuses-without-token': '302' }],
    ['without a challenge', { challenge: null }, { 'names-its-metadata': null, 'publishes-its-metadata': '404' }],
    [
      'whose challenge names no document',
      { challenge: () => 'Bearer realm="mcp"' },
      { 'names-its-metadata': 'Bearer realm="mcp"', 'publishes-its-metadata': '404' },
    ],
    [
      'whose challenge is of another scheme, too',
      { challenge: (url) => `Basic realm="a", Bearer scope="x", resource_metadata=${url}` },
      {},
    ],
    ['whose document is no JSON', { document: () => 'hello' }, { 'publishes-its-metadata': '200, application/json, no JSON object' }],
    ['whose document is a list', { document: () => [] }, { 'publishes-its-metadata': '200, application/json, no JSON object' }],
    [
      'that names another address',
      { document: (resource) => ({ resource: `${resource}/`, authorization_servers: [issuer] }) },
      { 'names-itself': 'its own/' },
    ],
    [
      'that names another issuer, and this one with a slash',
      { document: (resource) => ({ resource, authorization_servers: [elsewhere, `${issuer}/`] }) },
      { 'names-this-issuer': `${elsewhere}, ${issuer}/` },
    ],
    [
      'that takes bound tokens alone',
      {
        challenge: (url) => `DPoP algs="ES256 EdDSA", resource_metadata="${url}"`,
        document: (resource) => ({ resource, authorization_servers: [issuer], dpop_bound_access_tokens_required: true }),
      },
      {},
    ],
    [
      'that takes bound tokens alone, and asks for others',
      {
        document: (resource) => ({ resource, authorization_servers: [issuer], dpop_bound_access_tokens_required: true }),
      },
      { 'names-its-metadata': 'Bearer resource_metadata="its document"' },
    ],
    ['that names no issuer', { document: (resource) => ({ resource, authorization_servers: 'x' }) }, { 'names-this-issuer': null }],
  ])('says what is wrong with a server %s', async (_what, bent, unmet) => {
    const [server, metadata] = [receiver.hook(), receiver.hook()]
    const { status, challenge, document } = { ...good, ...bent }
    const headers = challenge === null ? {} : { 'www-authenticate': challenge(metadata.url) }
    server.answer = () => ({ status, headers: { ...headers, location: metadata.url } })
    const text = document(server.url)
    const body = typeof text === 'string' ? text : JSON.stringify(text)
    metadata.answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body })

    const { body: found } = await check(server.url)

    const wrong = found.checks.filter(({ outcome }: Finding) => outcome === 'unmet')
    const shown = (received: string | null) => received?.replace(server.url, 'its own').replace(metadata.url, 'its document') ?? null
    expect(Object.fromEntries(wrong.map(({ code, received }: Finding) => [code, shown(received)]))).toEqual(unmet)
    expect(server.requests.map(({ method, headers: { authorization } }) => [method, authorization])).toEqual([['POST', undefined]])
  })

  it('says why a server cannot be asked, and refuses what can be no identifier', async () => {
    const closed = await check(`http://127.0.0.1:${await freePort()}/mcp`)
    expect(closed.body.checks.map(({ code, outcome }: Finding) => [code, outcome])).toEqual([
      ['refuses-without-token', 'unmet'],
      ['names-its-metadata', 'not-checked'],
      ['publishes-its-metadata', 'unmet'],
      ['names-itself', 'not-checked'],
      ['names-this-issuer', 'not-checked'],
    ])
    expect(closed.body.checks[0].received).toContain('ECONNREFUSED')
    const forbidden = await check('https://169.254.169.254/latest')
    expect(forbidden.body.checks[0].received).toContain('requests of the service never go')
    for (const identifier of [`${issuer}/mcp`, 'ftp://mcp.acme.test/x', 'mcp'])
      expect(await check(identifier)).toMatchObject({ status: 400, body: { errors: [{ path: ['identifier'] }] } })
  })
})

interface Finding {
  code: string
  outcome: string
  received: string | null
}

interface Bent {
  status: number
  challenge: ((metadataUrl: string) => string) | null
  document: (resource: string) => unknown
}

const good: Bent = {
  status: 401,
  challenge: (url) => `Bearer resource_metadata="${url}"`,
  document: (resource) => ({ resource, authorization_servers: [issuer] }),
}

describe('@modelcontextprotocol/conformance', () => {
  it('finds no failure and no warning in the authorization server', async () => {
    const { organisation, identifier, api } = await givenServer()
    const callbackPort = await freePort()
    const { id } = await givenApplication(service(), {
      ...{ organisation, clientType: 'public', redirectUris: [`http://127.0.0.1:${callbackPort}/callback`] },
      ...{ scopes: ['notes:read'], resourceServerIds: [api.id], requireConsent: true },
    })
    const parameters = [
      '--url',
      issuer,
      '--client-id',
      id,
      '--resource',
      identifier,
      '--port',
      String(callbackPort),
      '--output-dir',
      folder,
    ]
    const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
    const suite = spawn(process.execPath, [program, 'authorization', ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    ends(suite)
    let said = ''
    for (const stream of [suite.stdout, suite.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
    const ended = once(suite, 'exit')
    await expect.poll(() => /^http\S+authorize\?\S+$/m.test(said)).toBe(true)
    await fetch(await signInAt(organisation.owner, new URL(/^http\S+authorize\?\S+$/m.exec(said)?.[0] ?? '')))
    const [status] = await ended
    const folders = (await readdir(folder)).filter((name) => name.startsWith('authorization-server-'))
    const results = await Promise.all(folders.map(async (name) => JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'))))
    expect(
      results
        .flat()
        .map(({ id, status }) => [id, status])
        .sort(),
    ).toEqual([
      ['authorization-code-grant', 'SUCCESS'],
      ['authorization-server-metadata', 'SUCCESS'],
      ['authorization-server-metadata-cimd', 'SUCCESS'],
    ])
    expect(status, said).toBe(0)
  })
})
