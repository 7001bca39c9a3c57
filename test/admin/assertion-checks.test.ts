import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import {
  type Accepting,
  assertionFor,
  diagnosisOf,
  givenAccepting,
  present,
  signAssertion,
  withAssertions,
} from '../support/identity-assertions.ts'
import { type IdentityProvider, identityProvider, listeningProvider } from '../support/identity-provider.ts'
import { givenApplication } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ environment: withAssertions })
const path = '/v1/admin/assertion-checks'

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

const world = (options: Parameters<typeof givenAccepting>[2] = {}) => givenAccepting(service(), provider, options)
const claimsFor = (accepting: Accepting) => assertionFor(accepting, provider, service().clock.now())
const now = () => Math.floor(service().clock.now().getTime() / 1_000)
const signed = (accepting: Accepting, changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  signAssertion(provider, { ...claimsFor(accepting), ...changes }, header)

interface Check {
  check: string
  state: string
  error: string | null
  expected: string | null
  received: string | null
}

const inspect = async ({ owner }: Pick<Accepting, 'owner'>, assertion: string, body: object = {}) => {
  const answer = await owner.post(path, { assertion, ...body })
  expect(answer).toMatchObject({ status: 200 })
  const checks: Check[] = answer.body.checks
  const of = (state: string) => checks.filter((one) => one.state === state).map(({ check }) => check)
  return {
    ...answer.body,
    unmet: of('not_met'),
    notReached: of('not_reached'),
    at: (name: string) => checks.find(({ check }) => check === name),
  }
}

const everything = ({ organisation }: Accepting) => {
  const tenant = service().database.tenant(organisation.id)
  return Promise.all([
    tenant.selectFrom('tokenFamilies').selectAll().execute(),
    tenant.selectFrom('users').selectAll().orderBy('id').execute(),
    tenant.selectFrom('identities').selectAll().orderBy('id').execute(),
    tenant.selectFrom('clients').selectAll().orderBy('id').execute(),
    tenant.selectFrom('connections').selectAll().orderBy('id').execute(),
    service().database.system().selectFrom('usedAssertions').selectAll().orderBy('assertionHash').execute(),
  ])
}

describe('the check of an identity assertion', () => {
  it('shows every check that is met, and issues, uses up and changes nothing', async () => {
    const accepting = await world()
    const assertion = await signed(accepting)
    const before = await everything(accepting)

    const found = await inspect(accepting, assertion)

    expect(found).toMatchObject({
      allowed: true,
      clientId: accepting.editor.id,
      connectionId: accepting.connectionId,
      userId: accepting.userId,
      createsUser: false,
      resources: [accepting.orders.identifier],
      scope: ['orders:read', 'orders:write'],
      unmet: [],
      notReached: [],
    })
    expect(found.at('assertion_audience')).toMatchObject({
      state: 'met',
      error: null,
      expected: 'http://gatehouse.test',
      received: 'http://gatehouse.test',
    })
    expect(found.at('assertion_signature')).toMatchObject({ received: 'valid', phrases: { received: { phrase: 'valid', values: [] } } })
    expect(await everything(accepting)).toEqual(before)
    expect((await present(accepting.editor, assertion)).status).toBe(200)
  })

  it('is recorded at the organisation, without the assertion, and so is one that is refused', async () => {
    const accepting = await world()
    const { owner, editor, connectionId, organisation } = accepting
    const assertion = await signed(accepting)
    await inspect(accepting, assertion)
    await inspect(accepting, 'no assertion')
    const entries = await owner.audit({ action: 'oauth2.identity_assertion.checked' })
    expect(entries).toMatchObject([
      { actorId: owner.id, targetId: organisation.id, metadata: { allowed: false, clientId: null, connectionId: null } },
      { actorId: owner.id, targetId: organisation.id, metadata: { allowed: true, clientId: editor.id, connectionId } },
    ])
    expect(JSON.stringify(entries)).not.toContain(assertion)
    expect(JSON.stringify(service().logLines)).not.toContain(assertion)
  })

  it('says that an assertion has been used, of which all else is right', async () => {
    const accepting = await world()
    const assertion = await signed(accepting, { jti: 'once' })
    expect((await present(accepting.editor, assertion)).status).toBe(200)
    const found = await inspect(accepting, assertion)
    expect(found).toMatchObject({ allowed: false, userId: accepting.userId, unmet: ['assertion_id'], notReached: [] })
    expect(found.at('assertion_id')).toMatchObject({ error: 'invalid_grant', received: 'once' })
  })

  it('shows all that is wrong at once: an old assertion for another service, of another client, with a scope that none has', async () => {
    const accepting = await world()
    const other = await givenApplication(service(), { organisation: accepting.organisation })
    const found = await inspect(
      accepting,
      await signed(accepting, { iat: now() - 900, exp: now() - 600, aud: 'https://elsewhere.test', scope: 'orders:burn' }),
      { clientId: other.id },
    )
    expect(found).toMatchObject({ allowed: false, clientId: other.id, resources: [], scope: [] })
    expect(found.unmet).toEqual(['grant_type', 'assertion_audience', 'assertion_client', 'assertion_lifetime', 'resource'])
    expect(found.notReached).toEqual(['scope'])
    expect(found.at('assertion_client')).toMatchObject({ expected: other.id, received: accepting.editor.id })
    expect(found.at('assertion_subject')).toMatchObject({ state: 'met' })
  })

  it('says what the request would get of it: some resources, some scopes', async () => {
    const accepting = await world()
    const { owner, editor, orders, connectionId } = accepting
    const bills = await resourceServer(owner, { scopes: [{ name: 'bills:read', description: null }] })
    const resourceServerIds = [orders.id, bills.id]
    await owner.patch(`/v1/admin/clients/${editor.id}`, { resourceServerIds, scopes: ['orders:read', 'bills:read'] })
    await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions: { accepted: true, resourceServerIds } })
    const assertion = await signed(accepting, { resource: [orders.identifier, bills.identifier], scope: 'orders:read bills:read' })

    expect(await inspect(accepting, assertion, { resource: [bills.identifier] })).toMatchObject({
      allowed: true,
      resources: [bills.identifier],
      scope: ['bills:read'],
    })
    expect(await inspect(accepting, assertion, { resource: ['https://wider.test'] })).toMatchObject({
      unmet: ['resource'],
      notReached: ['scope'],
    })
    expect(await inspect(accepting, assertion, { scope: 'orders:write' })).toMatchObject({ unmet: ['scope'], notReached: [] })
  })

  it('creates no user whom the first use would create', async () => {
    const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['example.test'] }
    const accepting = await world({ connection: { provisioning: 'jit', configuration: JSON.stringify(configuration) } })
    const before = await everything(accepting)
    const email = `grace-${unique()}@example.test`
    const assertion = await signed(accepting, { sub: `sub-${unique()}`, email, email_verified: true, given_name: 'Grace' })

    expect(await inspect(accepting, assertion)).toMatchObject({ allowed: true, userId: null, createsUser: true })

    expect(await everything(accepting)).toEqual(before)
    expect((await present(accepting.editor, assertion)).status).toBe(200)
    expect(await inspect(accepting, assertion)).toMatchObject({ allowed: false, createsUser: false, unmet: ['assertion_id'] })
  })

  it('names what user, client and connection demand of the sign-in', async () => {
    const accepting = await world({ connection: { trustsMfa: true, sessionMaxAgeSeconds: 600 } })
    await accepting.owner.patch('/v1/admin/organisation', { requireMfa: true })
    const found = await inspect(accepting, await signed(accepting, { amr: ['pwd'], auth_time: now() - 601 }))
    expect(found).toMatchObject({ allowed: false, userId: accepting.userId, unmet: ['acr_values', 'max_age'], notReached: [] })
    expect(found.at('acr_values')).toMatchObject({ error: 'insufficient_user_authentication', expected: 'aal2', received: 'aal1' })
    expect(found.at('max_age')).toMatchObject({ expected: '600' })
  })

  it('says nothing of a user whose assertion is not signed by the provider', async () => {
    const accepting = await world()
    const stranger = await identityProvider({ issuer: provider.issuer })
    const found = await inspect(accepting, await signAssertion(stranger, claimsFor(accepting)))
    expect(found).toMatchObject({
      userId: null,
      unmet: ['assertion_signature'],
      notReached: ['assertion_subject', 'acr_values', 'max_age'],
    })
  })

  it('says that the service takes no assertions, where they are switched off', async () => {
    const off = await startTestService()
    const organisation = await off.given.organisation()
    const app = await givenApplication(off, { organisation })
    const found = await inspect(organisation, 'no assertion', { clientId: app.id })
    expect(found).toMatchObject({ allowed: false, clientId: app.id, unmet: ['grant_type', 'assertion'] })
    expect(found.at('grant_type')).toMatchObject({ error: 'unsupported_grant_type' })
    await off.stop()
  })
})

/** How an assertion is bent; the check that the grant refuses it at has to be the first that the inspection finds unmet. */
const bent: [what: string, claims: (accepting: Accepting) => Record<string, unknown>, header?: Record<string, unknown>][] = [
  ['has another type', () => ({}), { typ: 'JWT' }],
  ['is of another issuer', () => ({ iss: 'https://elsewhere.test' })],
  ['is of this service itself', () => ({ iss: 'http://gatehouse.test' })],
  ['is of a foreign tenant', () => ({ tenant: 'org_of_others' })],
  ['has two audiences', () => ({ aud: ['http://gatehouse.test', 'https://elsewhere.test'] })],
  ['has an audience that is an object', () => ({ aud: { toString: 1 } })],
  ['has expired', () => ({ iat: now() - 200, exp: now() - 61 })],
  ['lives for a day', () => ({ exp: now() + 86_400 })],
  ['lives for ever', () => ({ exp: 1e300 })],
  ['expired before any calendar', () => ({ iat: -9e10, exp: -8e10 })],
  ['has times that are texts', () => ({ iat: 'now', exp: '\u0000' })],
  ['has no id', () => ({ jti: undefined })],
  ['has an id that is a number', () => ({ jti: 1e21 })],
  ['names no user', () => ({ sub: undefined })],
  ['names an unknown user', () => ({ sub: 'unknown' })],
  ['names a user with characters that are not stored', () => ({ sub: 'a\u0000\ud800' })],
  ['names a resource that is no text', () => ({ resource: [7] })],
  ['names a resource that is no address', () => ({ resource: '\u0000' })],
  ['names no resource', () => ({ resource: undefined })],
  ['names an unknown resource', () => ({ resource: 'https://unknown.test' })],
  ['has a scope that is a list', () => ({ scope: ['orders:read'] })],
  ['has a scope of none', () => ({ scope: 'orders:burn\u0000 \ud800' })],
]

describe('the check of an assertion and the grant agree on one that', () => {
  it.each(bent)('%s', async (_, claims, header) => {
    const accepting = await world()
    const assertion = await signed(accepting, claims(accepting), header)
    const refused = await present(accepting.editor, assertion)
    expect(refused.status).toBe(400)
    const { check } = await diagnosisOf(accepting.owner, refused)

    const found = await inspect(accepting, assertion)

    expect(found).toMatchObject({ allowed: false })
    expect(found.unmet).toContain(check)
    expect(found.at(check)?.error).toBe(refused.body.error)
  })

  it('says that its user signed in before any calendar', async () => {
    const accepting = await world({ connection: { trustsMfa: true, sessionMaxAgeSeconds: 600 } })
    for (const auth_time of [-9e10, 9e10, 1e300, '\u0000', null]) {
      const assertion = await signed(accepting, { auth_time })
      const found = await inspect(accepting, assertion)
      expect((await present(accepting.editor, assertion)).status).toBe(found.allowed ? 200 : 400)
    }
  })

  it('names a client that is no text, or is not of the organisation', async () => {
    const [accepting, other] = [await world(), await world()]
    for (const client_id of [undefined, 7, ['a'], '', '\u0000', 'x'.repeat(600), 'cli_unknown', other.editor.id]) {
      const found = await inspect(accepting, await signed(accepting, { client_id }))
      expect(found).toMatchObject({ allowed: false, clientId: null, userId: null })
      expect(found.unmet).toContain('client_id')
      expect(found.at('assertion_id')).toMatchObject({ state: 'met' })
    }
  })

  it('is no assertion at all', async () => {
    const accepting = await world()
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const nested = Buffer.from(`{"nested":${'['.repeat(5_000)}${']'.repeat(5_000)}}`).toString('base64url')
    for (const assertion of ['x', '..', `${part([])}.${part({})}.x`, `${part({})}.${nested}.x`, 'x'.repeat(65_536)]) {
      const found = await inspect(accepting, assertion)
      expect(found.unmet).toEqual(['client_id', 'assertion'])
      expect(found.at('assertion')?.received).toMatch(/\*\*\* \(\d+ characters\)$/)
    }
    expect(await accepting.owner.post(path, { assertion: 'x'.repeat(65_537) })).toMatchObject({ status: 400 })
    expect(await accepting.owner.post(path, { assertion: '' })).toMatchObject({ status: 400 })
    for (const assertion of ['a\u0000.b.c', 'a\ud800.b.c'])
      expect(await accepting.owner.post(path, { assertion })).toMatchObject({ status: 400, body: { errors: [{ path: ['assertion'] }] } })
    expect((await inspect(accepting, 'x\n')).unmet).toEqual(['client_id', 'assertion'])
    expect(await accepting.owner.post(path, { assertion: 7 })).toMatchObject({ status: 400 })
  })
})

describe('an assertion of another organisation', () => {
  it('says nothing about that organisation', async () => {
    const [mine, other] = [await world(), await world()]
    await mine.owner.patch(`/v1/admin/connections/${mine.connectionId}`, { identityAssertions: null })
    const theirs = await signed(other, { jti: 'theirs' })
    const unknown = await signed(other, {
      client_id: 'cli_unknown',
      resource: 'https://unknown.test',
      sub: 'unknown',
      jti: 'another',
    })
    const shapeOf = async (assertion: string) => {
      const { checks, ...found } = await inspect(mine, assertion)
      return { ...found, at: undefined, checks: checks.map((one: Check) => (one.check === 'client_id' ? { ...one, received: null } : one)) }
    }

    expect(await shapeOf(theirs)).toEqual(await shapeOf(unknown))
    expect((await present(other.editor, theirs)).status).toBe(200)
    expect(await shapeOf(theirs)).toEqual(await shapeOf(unknown))
    expect(await inspect(mine, theirs)).toMatchObject({ clientId: null, connectionId: null, userId: null, resources: [], scope: [] })
    expect(await mine.owner.post(path, { assertion: theirs, clientId: other.editor.id })).toMatchObject({ status: 404 })
    expect(await mine.owner.post(path, { assertion: theirs, clientId: 'cli_unknown' })).toMatchObject({ status: 404 })
    expect(await other.owner.audit({ action: 'oauth2.identity_assertion.checked' })).toEqual([])
  })

  it('of which the provider is trusted here, too, is not one of its users, resources or clients', async () => {
    const [mine, other] = [await world(), await world()]
    const found = await inspect(mine, await signed(other), { clientId: mine.editor.id })
    expect(found).toMatchObject({ userId: null, connectionId: mine.connectionId, resources: [] })
    expect(found.unmet).toEqual(['assertion_client', 'resource', 'assertion_subject'])
  })
})

describe('the check of assertions', () => {
  it('takes the permissions to read connections, applications and users', async () => {
    const { owner } = await world()
    const read = ['connections:read', 'clients:read', 'users:read']
    for (const missing of read) {
      const caller = await service().given.userWith(
        owner,
        read.filter((slug) => slug !== missing),
      )
      expect(await caller.post(path, { assertion: 'x' })).toMatchObject({ status: 403 })
    }
    expect(await (await service().given.userWith(owner, read)).post(path, { assertion: 'x' })).toMatchObject({ status: 200 })
  })
})
