import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, forgetFetches, resourceForAll } from '../support/client-documents.ts'
import { clientKey } from '../support/client-keys.ts'
import { browserOf, consentPath } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
/** What the names of the tests resolve to; all others to this machine. */
const addresses = new Map<string, string[][]>()
const resolve = async (hostname: string) => {
  const answers = addresses.get(hostname)
  return (answers && answers.length > 1 ? answers.shift() : answers?.[0]) ?? ['127.0.0.1']
}
const service = useService({
  environment: { OAUTH_EXTENSIONS: extensions },
  outgoing: { ca: receiver.ca, resolve },
})
const unlimited = useService({
  environment: { OAUTH_EXTENSIONS: `${extensions},par`, RATE_LIMIT: 'off' },
  outgoing: { ca: receiver.ca },
})
beforeEach(() => forgetFetches(service(), receiver))
const { publicKey } = await clientKey('ES256')
const agent = (fields: Record<string, unknown> = {}) => documentClient(service(), receiver, fields)
const unusable = { status: 400, body: expect.stringContaining('This application cannot be used here') }

/** Nothing of a document that cannot be used is stored, and nothing is sent to its redirect URI. */
async function expectUnusable(client: ReturnType<typeof agent>, reason?: string) {
  const { owner, organisation, resource } = await resourceForAll(service())
  const answer = await client.authorize(owner, resource)
  expect(answer).toMatchObject(unusable)
  if (reason !== undefined) expect(answer.body).toContain(reason)
  expect(answer.headers.get('location')).toBeNull()
  expect(await automaticClients(organisation)).toEqual([])
  const stored = await service()
    .database.system()
    .selectFrom('clientDocuments')
    .select('clientId')
    .where('clientId', '=', client.id)
    .execute()
  expect(stored).toEqual([])
}

describe('a document is refused with a page', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['that names another client_id', { client_id: 'https://localhost/other' }, 'not the address of the document'],
    ['without a client_id', { client_id: undefined }, 'not the address of the document'],
    ['without a name', { client_name: undefined }, 'client_name in the document is missing'],
    ['with an empty name', { client_name: ' ' }, 'client_name must have 1 to 100 characters'],
    ['without redirect URIs', { redirect_uris: undefined }, 'redirect_uris in the document is missing'],
    [
      'with redirect URIs that are a text',
      { redirect_uris: 'https://localhost/callback' },
      'redirect_uris in the document is missing or malformed',
    ],
    ['with a private-use scheme alone', { redirect_uris: ['com.example.agent:/callback'] }, 'None of redirect_uris'],
    ['with plain http to another machine', { redirect_uris: ['http://agent.example/callback'] }, 'None of redirect_uris'],
    ['with a script as redirect URI', { redirect_uris: ['javascript:alert(1)'] }, 'None of redirect_uris'],
    ['that contains a secret', { client_secret: 'x' }, 'contains client_secret'],
    ['that contains when a secret expires', { client_secret_expires_at: 0 }, 'contains client_secret_expires_at'],
    ['that authenticates by a shared secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'must be none or private_key_jwt'],
    [
      'that authenticates by a key while the operator has that switched off',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicKey] } },
      'needs OAUTH_EXTENSIONS to hold private_key_jwt',
    ],
    ['without the grant of codes', { grant_types: ['client_credentials'] }, 'does not allow the grant authorization_code'],
    ['that wants tokens without a code', { response_types: ['token'] }, 'does not allow the grant authorization_code'],
    ['with letters of two scripts in one word of its name', { client_name: 'Аcme Portal' }, 'mixes letters of several scripts'],
    ['with characters in its name that cannot be seen', { client_name: 'Acme\u202eportal' }, 'characters that cannot be seen'],
  ])('%s', async (_, fields, reason) => {
    await expectUnusable(agent(fields), reason)
  })

  it.each<[string, Parameters<typeof answerOf>[0], string]>([
    ['that is not there', { status: 404 }, 'the status 404'],
    ['that redirects elsewhere', { status: 302, headers: { location: 'https://localhost/elsewhere' } }, 'the status 302'],
    ['that is no JSON', { status: 200, body: '<html>' }, 'not a JSON object'],
    ['that is a list', { status: 200, body: '[]' }, 'not a JSON object'],
    ['of 5 MiB', { status: 200, body: 'x'.repeat(5 * 1_048_576) }, 'larger than 5 KiB'],
    ['that is compressed', { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'x' }, 'compressed'],
  ])('%s', async (_, answer, reason) => {
    const client = agent()
    client.hook.answer = () => answerOf(answer)
    await expectUnusable(client, reason)
  })

  it('that is compressed to little and would be large', async () => {
    const client = agent()
    const bomb = gzipSync(Buffer.alloc(50 * 1_048_576, ' '))
    client.hook.answer = () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb.toString('latin1') })
    await expectUnusable(client)
  })

  it('that redirects in a circle, which is not followed', async () => {
    const client = agent()
    client.hook.answer = () => ({ status: 301, headers: { location: client.id } })
    await expectUnusable(client, 'the status 301')
    expect(client.hook.requests).toHaveLength(1)
  })

  it.each([
    ['http', (url: string) => url.replace('https:', 'http:')],
    ['a query', (url: string) => `${url}?a=b`],
    ['a fragment', (url: string) => `${url}#a`],
    ['a user name', (url: string) => url.replace('https://', 'https://user@')],
    ['dot segments', (url: string) => url.replace(/\/(\w+)$/, '/x/../$1')],
    ['encoded dot segments', (url: string) => url.replace(/\/(\w+)$/, '/x/%2e%2e/$1')],
    ['no path', (url: string) => `${new URL(url).origin}/`],
    ['capital letters in its host', (url: string) => url.replace('localhost', 'LOCALHOST')],
    ['a dot at the end of its host', (url: string) => url.replace('localhost', 'localhost.')],
    ['more than 512 characters', (url: string) => `${url}/${'x'.repeat(512)}`],
  ])('whose address has %s, without a request to it', async (_, spelling) => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const answer = await client.authorize(owner, resource, { client_id: spelling(client.id) })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(client.hook.requests).toEqual([])
  })

  it('at a private address, or at one that the name changes to', async () => {
    const { owner, resource } = await resourceForAll(service())
    const inside = documentClient(service(), receiver)
    addresses.set('private.example', [['10.0.0.7']])
    addresses.set('metadata.example', [['169.254.169.254']])
    addresses.set('rebound.example', [['93.184.216.34', '10.0.0.7']])
    for (const host of ['private.example', 'metadata.example', 'rebound.example']) {
      const answer = await inside.authorize(owner, resource, { client_id: inside.id.replace(/localhost:\d+/, host) })
      expect(answer).toMatchObject({ ...unusable, body: expect.stringContaining('an address that this service does not call') })
      expect(answer.body).not.toContain('private address')
    }
    expect(inside.hook.requests).toEqual([])
  })
})

describe('a member of a document', () => {
  it.each([
    ['a character that is not stored', 'client_secret\u0000'],
    ['half a character', 'client_secret\ud800'],
    ['characters that no description may have', 'client_secret"é\n'],
  ])('may have a name with %s, which the refusal does not repeat', async (_, name) => {
    const { owner, resource } = await resourceForAll(unlimited())
    const client = documentClient(unlimited(), receiver, { [name]: 1 })
    const reason = 'The document contains a member that begins with client_secret: what all can read is no secret.'
    expect(await client.authorize(owner, resource)).toMatchObject({ ...unusable, body: expect.stringContaining(reason) })
    expect(await client.post('/oauth2/par', { response_type: 'code', resource: resource.identifier })).toEqual(
      expect.objectContaining({
        status: 401,
        body: { error: 'invalid_client', error_description: expect.stringMatching(/^The document[\x20-\x21\x23-\x5b\x5d-\x7e]*$/) },
      }),
    )
  })
})

describe('a redirect URI', () => {
  it('that the document does not have gets a page, and nothing is sent there', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    for (const redirect_uri of [`${client.redirectUri}/`, 'https://thief.example/callback', `${client.redirectUri}?a=b`]) {
      const answer = await client.authorize(owner, resource, { redirect_uri })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
  })

  it('of another host than the document gets a page, also for a resource that does not exist', async () => {
    const { owner, resource } = await resourceForAll(service())
    const redirect_uri = 'https://elsewhere.example/callback'
    const client = agent({ redirect_uris: [redirect_uri] })
    for (const asked of [resource, { ...resource, identifier: 'https://unknown.example' }]) {
      const answer = await client.authorize(owner, asked, { redirect_uri })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
  })

  it('of this machine may have any port, also by the name localhost, but no other path', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent({ redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback', 'http://[::1]:1/callback'] })
    for (const host of ['localhost:49152', '127.0.0.1:50000', '[::1]:50001']) {
      await client.ask(owner, resource, { redirect_uri: `http://${host}/callback` })
      expect((await client.authorize(owner, resource, { redirect_uri: `http://${host}/other` })).status).toBe(400)
    }
    // No port.
    expect((await client.authorize(owner, resource, { redirect_uri: 'http://localhost:65536/callback' })).status).toBe(400)
  })
})

describe('the page of a client with a document', () => {
  it('shows its host above the name, and where the response goes', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent({ client_name: 'Your Bank' })
    const { body } = await browserOf(owner).open(consentPath(await client.ask(owner, resource)))
    const { host } = new URL(client.id)
    expect(body.indexOf(`An application of <strong>${host}</strong>`)).toBeGreaterThan(0)
    expect(body.indexOf(`<strong>${host}</strong>`)).toBeLessThan(body.indexOf('<h1>Your Bank'))
    expect(body).toContain(`<dt>Your answer goes to</dt><dd>${host}</dd>`)
    expect(body).toContain('<dt>Access without asking again</dt><dd>up to 180 days</dd>')
    expect(body).not.toContain('Any program there')
  })

  it('warns where every redirect URI is of the user’s own computer', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent({ redirect_uris: ['http://localhost/callback', 'HTTP://127.0.0.1/callback'] })
    const { body } = await browserOf(owner).open(
      consentPath(await client.ask(owner, resource, { redirect_uri: 'http://localhost:49152/callback' })),
    )
    expect(body).toContain('Any program there may use its name')
    expect(body).toContain('<dd>localhost:49152</dd>')
  })
})

function answerOf(answer: { status: number; headers?: Record<string, string>; body?: string }) {
  return answer
}
