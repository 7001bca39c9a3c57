import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { clientKey } from '../support/client-keys.ts'
import { linkedIdentity } from '../support/connections.ts'
import { connect } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { diagnosisOf, jwtBearer, signAssertion } from '../support/identity-assertions.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { claimsOf } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({
  environment: { OAUTH_EXTENSIONS: `${extensions},identity_assertions,private_key_jwt`, RATE_LIMIT: 'off' },
  outgoing: { ca: receiver.ca },
})
const key = await clientKey('ES256', 'agent')

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

/** An application whose document holds a key, or none. */
function agent(fields: Record<string, unknown> = {}, by: typeof key | null = key) {
  const authentication = by && { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [by.publicKey] } }
  const client = documentClient(service(), receiver, { grant_types: [jwtBearer], ...authentication, ...fields })
  client.key = by ?? undefined
  return client
}

/** An organisation whose connection takes assertions for its API, and a user whom the provider knows. */
async function accepting(settings: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  const { organisation, owner, resource } = await resourceForAll(service(), { fields })
  const connectionId = await connect(service(), organisation, provider)
  const identityAssertions = { accepted: true, resourceServerIds: [resource.id], ...settings }
  expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions })).toMatchObject({ status: 200 })
  const { id: userId } = await service().given.user(owner)
  const { subject } = await linkedIdentity(service(), { organisationId: organisation.id, userId, connectionId })
  return { organisation, owner, resource, connectionId, userId, subject }
}
type World = Awaited<ReturnType<typeof accepting>>

async function assertionOf({ resource, subject }: World, client: { id: string }, changes: Record<string, unknown> = {}) {
  const iat = Math.floor(service().clock.now().getTime() / 1_000)
  const claims = {
    iss: provider.issuer,
    sub: subject,
    aud: 'http://gatehouse.test',
    client_id: client.id,
    jti: unique(),
    iat,
    exp: iat + 300,
  }
  return signAssertion(provider, { ...claims, resource: resource.identifier, scope: 'orders:read', ...changes })
}
const present = async (world: World, client: ReturnType<typeof agent>, changes: Record<string, unknown> = {}) =>
  client.token({ grant_type: jwtBearer, assertion: await assertionOf(world, client, changes) })

describe('an application with a document', () => {
  it('acts for a user by an assertion, without a page, and becomes a client of the organisation by it', async () => {
    const world = await accepting()
    const client = agent()
    expect(await automaticClients(world.organisation)).toEqual([])

    const answer = await present(world, client)

    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'orders:read' } })
    expect(answer.body).not.toHaveProperty('refresh_token')
    expect(claimsOf(answer.body.access_token)).toMatchObject({ sub: world.userId, client_id: client.id, aud: world.resource.identifier })
    expect(await automaticClients(world.organisation)).toMatchObject([
      { clientId: client.id, resourceServerIds: [world.resource.id], scopes: ['orders:read'], tokenEndpointAuthMethod: 'private_key_jwt' },
    ])
    expect((await world.owner.get(`/v1/admin/users/${world.userId}/consents`)).body.data).toMatchObject([
      { managedBy: { id: world.connectionId } },
    ])
    expect(await world.owner.audit({ action: 'client.created' })).toMatchObject([{ actorType: 'system' }])
    expect(await world.owner.audit({ action: 'oauth2.identity_assertion.accepted' })).toMatchObject([{ actorType: 'client' }])
    expect(await present(world, client)).toMatchObject({ status: 200 })
    expect(await automaticClients(world.organisation)).toHaveLength(1)
  })

  it('is in each organisation whose API an assertion names, and in no other', async () => {
    const [one, another] = [await accepting(), await accepting()]
    const client = agent()
    expect(await present(one, client)).toMatchObject({ status: 200 })
    expect(await automaticClients(another.organisation)).toEqual([])
    expect(await present(another, client)).toMatchObject({ status: 200 })
    const foreign = await present(one, client, { resource: [one.resource.identifier, another.resource.identifier] })
    expect(foreign).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  it('is inspected like any other, becomes no client by it, and says nothing of another organisation', async () => {
    const [world, other] = [await accepting(), await accepting()]
    const [client, open] = [agent(), agent({}, null)]
    const inspect = async (assertion: string) => {
      const { status, body } = await world.owner.post('/v1/admin/assertion-checks', { assertion })
      const unmet = (body.checks as { check: string; state: string }[]).filter(({ state }) => state === 'not_met')
      return { status, ...body, unmet: unmet.map(({ check }) => check) }
    }

    const assertion = await assertionOf(world, client)
    expect(await inspect(assertion)).toMatchObject({ status: 200, allowed: true, clientId: client.id, userId: world.userId, unmet: [] })
    expect(await automaticClients(world.organisation)).toEqual([])
    expect(await client.token({ grant_type: jwtBearer, assertion })).toMatchObject({ status: 200 })
    expect(await inspect(assertion)).toMatchObject({ allowed: false, unmet: ['assertion_id'] })

    expect(await inspect(await assertionOf(world, open))).toMatchObject({ allowed: false, unmet: ['client_type'] })
    const unknown = await inspect(await assertionOf(world, client, { resource: 'https://unknown.test/mcp' }))
    expect(unknown).toMatchObject({ allowed: false, clientId: null, unmet: ['resource'] })
    const foreign = await inspect(await assertionOf(other, client))
    expect(foreign).toMatchObject({ allowed: false, clientId: null, userId: null, unmet: ['resource'] })
    expect(await inspect(await assertionOf(world, { id: `${client.id}x` }))).toMatchObject({ allowed: false, clientId: null })
    expect(await automaticClients(other.organisation)).toEqual([])
  })

  it('without a key is accepted only where the connection says so', async () => {
    const world = await accepting()
    const client = agent({}, null)
    const answer = await present(world, client)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await diagnosisOf(world.owner, answer)).toMatchObject({ check: 'client_type', expected: 'confidential', received: 'public' })
    expect(await automaticClients(world.organisation)).toEqual([])

    const open = await accepting({ allowsUnauthenticatedDocuments: true })
    expect(await present(open, client)).toMatchObject({ status: 200 })
    expect(await automaticClients(open.organisation)).toMatchObject([{ clientId: client.id, clientType: 'public' }])
  })

  it('leaves nothing in an organisation when it is refused', async () => {
    const world = await accepting()
    const client = agent()
    const unsigned = agent()
    unsigned.key = await clientKey('ES256', 'agent')
    expect(await present(world, unsigned)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const rows: [Record<string, unknown>, string][] = [
      [{ client_id: agent().id }, 'invalid_grant'],
      [{ sub: 'nobody' }, 'invalid_grant'],
      [{ aud: 'https://elsewhere.test' }, 'invalid_grant'],
      [{ scope: 'orders:burn' }, 'invalid_scope'],
      [{ resource: undefined }, 'invalid_target'],
      [{ resource: 'https://unknown.test/mcp' }, 'invalid_target'],
      [{ resource: 'orders' }, 'invalid_target'],
    ]
    for (const [changes, error] of rows) expect(await present(world, client, changes)).toMatchObject({ status: 400, body: { error } })
    expect(await client.token({ grant_type: jwtBearer, assertion: 'x' })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await automaticClients(world.organisation)).toEqual([])
  })

  it('is refused for an API that takes no automatic clients, and for one that the connection does not name', async () => {
    const closed = await accepting({}, { allowsAutomaticClients: false })
    expect(await present(closed, agent())).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const world = await accepting({ resourceServerIds: [] })
    expect(await present(world, agent())).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const bills = await resourceServer(world.owner, { scopes: [{ name: 'orders:read', description: null }] })
    expect(await present(world, agent(), { resource: bills.identifier })).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  it('is refused where its host is blocked, once it is revoked, and without the grant in its document', async () => {
    const world = await accepting()
    const client = agent()
    expect(await present(world, client)).toMatchObject({ status: 200 })
    const [row] = await automaticClients(world.organisation)
    await world.owner.post(`/v1/admin/clients/${row?.id}/revoke`)
    expect(await present(world, client)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })

    const { host } = new URL(client.id)
    expect(await world.owner.post('/v1/admin/blocked-client-hosts', { host, reason: 'spam' })).toMatchObject({ status: 201 })
    expect(await present(world, agent())).toMatchObject({ status: 401, body: { error: 'invalid_client' } })

    const other = await accepting()
    const without = agent({ grant_types: ['authorization_code'] })
    expect(await present(other, without)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })

  describe('that an administrator has ask no user', () => {
    const whole = ['orders:read', 'orders:write']

    /** Users have allowed it to read orders, and its connection lets it do more, there and at another API. */
    async function exempted() {
      const world = await accepting({}, { scopes: whole.map((name) => ({ name, description: null })) })
      const { organisation, owner, resource, connectionId } = world
      const bills = await resourceServer(owner, {
        identifier: `${new URL(resource.identifier).origin}/bills`,
        allowsAutomaticClients: true,
      })
      const identityAssertions = { accepted: true, resourceServerIds: [resource.id, bills.id] }
      await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions })
      const client = agent({ grant_types: ['authorization_code', jwtBearer] })
      await client.signIn(owner, resource, { scope: 'orders:read' })
      const [row] = await automaticClients(organisation)
      const path = `/v1/admin/clients/${row?.id}`
      expect(await owner.patch(path, { requireConsent: false })).toMatchObject({ status: 200 })
      const user = await service().given.userWith(owner, [])
      const isAsked = async (at = resource, scope = 'orders:read') =>
        (await client.authorize(user, at, { scope })).headers.get('location')?.startsWith('/oauth2/consent') ?? false
      return { world, client, bills, isAsked, isSetToAsk: async () => (await owner.get(path)).body.requireConsent as boolean }
    }

    it('asks none after an assertion for what users have allowed it', async () => {
      const { world, client, isAsked, isSetToAsk } = await exempted()
      expect(await present(world, client)).toMatchObject({ status: 200 })
      expect([await isAsked(), await isSetToAsk()]).toEqual([false, false])
    })

    it('asks after an assertion for a scope that no user has allowed it', async () => {
      const { world, client, isAsked, isSetToAsk } = await exempted()
      expect(await present(world, client, { scope: whole.join(' ') })).toMatchObject({ status: 200 })
      expect([await isAsked(world.resource, 'orders:write'), await isSetToAsk()]).toEqual([true, true])
      const [entry] = await world.owner.audit({ action: 'client.updated' })
      expect(entry).toMatchObject({ actorType: 'system', changes: { requireConsent: { from: false, to: true } } })
    })

    it('asks after an assertion for an API that no user has allowed it', async () => {
      const { world, client, bills, isAsked, isSetToAsk } = await exempted()
      expect(await present(world, client, { resource: bills.identifier })).toMatchObject({ status: 200 })
      expect([await isAsked(bills), await isSetToAsk()]).toEqual([true, true])
    })

    it('asks after an assertion that it presents with other redirect URIs in its document', async () => {
      const { world, client, isAsked, isSetToAsk } = await exempted()
      client.document.redirect_uris = [client.redirectUri, `${client.redirectUri}/more`]
      service().clock.advance({ seconds: 301 })
      expect(await present(world, client)).toMatchObject({ status: 200 })
      expect([await isAsked(), await isSetToAsk()]).toEqual([true, true])
    })
  })
})
