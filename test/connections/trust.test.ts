import { domainToUnicode } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provenAtOf } from '../../src/connections/federation/upstream-factor.ts'
import { createConnection, linkedIdentity, newConnection } from '../support/connections.ts'
import { givenDirectory, person } from '../support/directories.ts'
import { verifiedDomain } from '../support/domains.ts'
import { connect, meOf, signInBy } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { forgetStarts, useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

describe('what says who signs in', () => {
  it('is not switched on again, nor required no more, nor passed by more users, without every permission that a user holds', async () => {
    const { owner } = await service().given.organisation()
    const connection = await createConnection(owner, { isActive: false })
    const domain = await verifiedDomain(service(), owner, { connectionId: connection.id, sso: 'required' })
    await service().given.userWith(owner, ['roles:read'])
    const helpdesk = await service().given.userWith(owner, ['connections:update', 'domains:update'])
    const refused = { status: 403, body: { code: 'cannot-grant' } }

    expect(await helpdesk.patch(`/v1/admin/connections/${connection.id}`, { isActive: true })).toMatchObject(refused)
    expect(await helpdesk.patch(`/v1/admin/domains/${domain.id}`, { sso: 'off' })).toMatchObject(refused)
    expect(await owner.patch(`/v1/admin/connections/${connection.id}`, { isActive: true })).toMatchObject({ status: 200 })
    expect(await helpdesk.patch(`/v1/admin/connections/${connection.id}`, { isActive: false })).toMatchObject({ status: 200 })
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'off' })).toMatchObject({ status: 200 })
  })

  it('creates users only for a caller who holds what the default role gives them', async () => {
    const { owner } = await service().given.organisation()
    await service().given.role(owner, { isDefault: true, permissions: ['roles:read'] })
    const helpdesk = await service().given.userWith(owner, ['connections:create', 'connections:update'])
    const path = '/v1/admin/connections'
    const refused = { status: 403, body: { code: 'cannot-grant', permission: 'roles:read' } }

    expect(await helpdesk.post(path, newConnection({ provisioning: 'jit' }))).toMatchObject(refused)
    const { id } = await createConnection(helpdesk, { provisioning: 'none' })
    expect(await helpdesk.patch(`${path}/${id}`, { provisioning: 'jit' })).toMatchObject(refused)
    const { id: off } = await createConnection(owner, { provisioning: 'jit', isActive: false })
    expect(await helpdesk.patch(`${path}/${off}`, { isActive: true })).toMatchObject(refused)
    expect(await helpdesk.patch(`${path}/${off}`, { provisioning: 'none' })).toMatchObject({ status: 200 })
    expect(await helpdesk.patch(`${path}/${off}`, { isActive: true })).toMatchObject({ status: 200 })
  })

  it('never writes the account of the owner', async () => {
    const organisation = await service().given.organisation()
    const { owner, id } = organisation
    const connectionId = await connect(service(), organisation, provider, { syncOn: 'every_sign_in' })
    const { subject } = await linkedIdentity(service(), { organisationId: id, userId: owner.id, connectionId })
    const before = (await owner.get('/v1/me/profile')).body.firstName
    provider.behaviour.user = { sub: subject, given_name: 'Renamed' }
    expect(await signInBy(service(), provider, connectionId)).toMatchObject({ status: 303 })
    expect((await owner.get('/v1/me/profile')).body.firstName).toBe(before)
  })

  it.each([undefined, 7, '/relative', 'javascript:alert(1)', 'data:,'])(
    'is refused, and no defect of the service, when a provider says that its sign-in is at %s',
    async (authorization_endpoint) => {
      const own = await listeningProvider()
      own.behaviour.metadata = (metadata) => ({ ...metadata, authorization_endpoint })
      const organisation = await service().given.organisation()
      const connectionId = await connect(service(), organisation, own)
      await forgetStarts(service())
      const { status, body } = await new PageVisitor(service().origin).open(`/federation/${connectionId}/start`)
      await own.close()
      expect([status, body]).toEqual([400, expect.stringContaining('Sign-in failed')])
    },
  )

  it('is not failing for a missing auth_time that one browser asked for', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider)
    provider.behaviour.user = { sub: 'somebody' }
    for (let attempt = 0; attempt < 3; attempt++) {
      const visitor = new PageVisitor(service().origin)
      const started = await visitor.open(`/federation/${connectionId}/start?prompt=login`)
      const { pathname, search } = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
      expect((await visitor.open(pathname + search)).status).toBe(400)
    }
    const { body } = await organisation.owner.get(`/v1/admin/connections/${connectionId}`)
    expect(body.status).toMatchObject({ state: 'ok' })
  })
})

describe('the account of the owner at an identity provider', () => {
  /** An owner who has linked their account and signed in by it, and an administrator who may change the connection. */
  async function linkedOwner(fields: Record<string, unknown> = {}) {
    const { owner, id: organisationId } = await service().given.organisation()
    const connection = await createConnection(owner, { configuration: { issuer: provider.issuer, clientId: 'gatehouse' }, ...fields })
    const at = `/v1/admin/connections/${connection.id}`
    const link = async (userId: string) => {
      const identity = await linkedIdentity(service(), { organisationId, userId, connectionId: connection.id })
      return { ...identity, isThere: async () => (await identitiesOf(userId)).includes(identity.id) }
    }
    const identitiesOf = async (userId: string): Promise<string[]> =>
      (await owner.get(`/v1/admin/users/${userId}/identities`)).body.data.map(({ id }: { id: string }) => id)
    const admin = await service().given.userWith(owner, ['connections:update'])
    return { owner, admin, connection, at, link, identitiesOf, organisationId }
  }

  it.each([
    ['another provider', { configuration: { issuer: 'https://another.test' } }],
    ['the claim with the address', { mapping: { email: 'upn' } }],
    ['how far second factors are believed', { trustsMfa: true }],
  ])('is unlinked, and what began by it ends, when an administrator changes %s', async (_change, change) => {
    const { owner, admin, connection, at, link, organisationId } = await linkedOwner({ secret: 'secret' })
    const [identity, other] = [await link(owner.id), await link(admin.id)]
    provider.behaviour.user = { sub: identity.subject }
    const { visitor } = await signInBy(service(), provider, connection.id)
    expect((await meOf(service(), visitor)).body.id).toBe(owner.id)

    expect(await admin.patch(at, change)).toMatchObject({ status: 200 })

    expect([await identity.isThere(), await other.isThere()]).toEqual([false, true])
    expect((await meOf(service(), visitor)).status).toBe(401)
    const entries = await owner.audit({ action: 'identity.unlinked' })
    expect(entries).toMatchObject([{ actorId: admin.id, metadata: { userId: owner.id, because: 'connection.updated' } }])
    await service().mailbox.mailTo(owner.email, 'An account has been unlinked from yours')
    const { subject } = identity
    const identities = service().database.tenant(organisationId).selectFrom('identities').select('userId')
    expect(await identities.where('subject', '=', subject).execute()).toEqual([])
  })

  it('stays with what changes nothing of who proves it, such as a new secret', async () => {
    const { owner, admin, at, link } = await linkedOwner()
    const identity = await link(owner.id)
    for (const change of [{ secret: 'another' }, { name: 'Acme' }, { isActive: false }, { isActive: true }, { linking: 'none' }])
      expect(await admin.patch(at, change)).toMatchObject({ status: 200 })
    expect(await admin.post(`${at}/rotate-secret`, { secret: 'a third' })).toMatchObject({ status: 200 })
    expect(await identity.isThere()).toBe(true)
  })

  it('stays with a change by the owner, and not with one by an API key, or with one that an administrator undoes', async () => {
    const { owner, connection, at, link } = await linkedOwner()
    const { body: created } = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions: ['connections:update'] })
    const key = service().anonymous.with({ authorization: `Bearer ${created.key}` })
    const identity = await link(owner.id)
    expect(await owner.patch(at, { configuration: { issuer: 'https://another.test' } })).toMatchObject({ status: 200 })
    expect(await identity.isThere()).toBe(true)
    const [entry] = await owner.audit({ action: 'connection.updated', targetId: connection.id })

    expect(await key.patch(at, { configuration: { clientId: 'another' } })).toMatchObject({ status: 200 })
    expect(await identity.isThere()).toBe(false)
    expect(await owner.patch(at, { configuration: { clientId: 'gatehouse' } })).toMatchObject({ status: 200 })

    const again = await link(owner.id)
    const auditor = await service().given.userWith(owner, ['connections:update', 'audit:read'])
    expect(await auditor.post(`/v1/admin/audit-logs/${entry.id}/undo`)).toMatchObject({ status: 200 })
    expect(await again.isThere()).toBe(false)
  })

  it('is unlinked from a new owner, also where the former owner vouches for the connection', async () => {
    const { owner, link, identitiesOf } = await linkedOwner()
    const heir = await service().given.user(owner)
    await link(heir.id)

    expect(await owner.post('/v1/admin/organisation/transfer-ownership', { userId: heir.id })).toMatchObject({ status: 200 })

    expect(await identitiesOf(heir.id)).toEqual([])
    const entries = await owner.audit({ action: 'identity.unlinked' })
    expect(entries).toMatchObject([{ actorId: owner.id, metadata: { userId: heir.id, because: 'organisation.ownership_transferred' } }])
    await service().mailbox.mailTo(heir.email, 'An account has been unlinked from yours')
  })

  it('is none that a directory has named before a user became the owner', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const connectionId = await connect(service(), organisation, provider)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const heir = await service().given.user(owner, { email: address() })
    const subject = `subject-${unique()}`
    expect(await scim.post('/Users', person(heir.email, { externalId: subject }))).toMatchObject({ status: 201, body: { id: heir.id } })

    expect(await owner.post('/v1/admin/organisation/transfer-ownership', { userId: heir.id })).toMatchObject({ status: 200 })

    provider.behaviour.user = { sub: subject }
    const { visitor } = await signInBy(service(), provider, connectionId)
    expect((await meOf(service(), visitor)).status).toBe(401)
  })

  it('is unlinked whichever comes first, the change of its provider or the transfer of the ownership', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, admin, at, link } = await linkedOwner()
      const heir = await service().given.user(owner)
      const identity = await link(heir.id)
      // The former owner is among the users whose permissions it takes.
      expect(await owner.post(`/v1/admin/users/${admin.id}/roles`, { roleId: 'owner' })).toMatchObject({ status: 200 })
      const answers = await Promise.all([
        admin.patch(at, { configuration: { issuer: 'https://another.test' } }),
        owner.post('/v1/admin/organisation/transfer-ownership', { userId: heir.id }),
      ])
      expect([...answers.map(({ status }) => status), await identity.isThere()]).toEqual([200, 200, false])
    }
  })
})

describe('the address that an identity provider reports', () => {
  it.each([
    ['the Kelvin sign', '\u212a', 'k'],
    ['a capital i with a dot', '\u0130', 'i'],
  ])('is not the address of the account that it becomes in lower case: %s', async (_, letter, plain) => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider, { linking: 'automatic' })
    const user = await service().given.user(organisation.owner, { email: `${plain}-${unique()}@example.test` })
    const users = service().database.tenant(organisation.id).updateTable('users').where('id', '=', user.id)
    await users.set({ emailVerifiedAt: service().clock.now() }).execute()
    const subject = `sub-${unique()}`
    const arriveAs = async (email: string) => {
      provider.behaviour.user = { sub: subject, email, email_verified: true }
      const { visitor, status } = await signInBy(service(), provider, connectionId)
      return status === 303 ? (await meOf(service(), visitor)).body.id : status
    }

    expect(await arriveAs(user.email.replace(plain, letter))).toBe(403)
    expect(await arriveAs(user.email.toUpperCase())).toBe(user.id)
  })

  it('is in a domain that is written in other letters as in the same domain in ASCII', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider, {
      provisioning: 'jit',
      configuration: JSON.stringify({ issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_domain' }),
    })
    const { domain } = await verifiedDomain(service(), organisation.owner, { domain: `b\u00fccher-${unique()}.example`, connectionId })
    const unicodeDomain = domainToUnicode(domain)
    const local = `ada-${unique()}`
    const user = await service().given.user(organisation.owner, { email: `${local}@${domain}` })
    provider.behaviour.user = { sub: `sub-${unique()}`, email: `${local}@${unicodeDomain}` }

    const { visitor } = await signInBy(service(), provider, connectionId)

    expect((await meOf(service(), visitor)).body).toMatchObject({ id: user.id, email: `${local}@${domain}` })
  })
})

describe('the time of a sign-in at an identity provider', () => {
  const now = new Date('2026-11-24T12:00:00Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  it.each([
    ['its auth_time', { authTime: ago(4_320), issuedAt: now }, ago(4_320)],
    ['the time of the ID token without one', { authTime: undefined, issuedAt: ago(5) }, ago(5)],
    ['never later than now', { authTime: ago(-5), issuedAt: now }, now],
    ['now, where clocks may differ by that much', { authTime: ago(0.5), issuedAt: now }, now],
  ])('is %s', (_name, identity, expected) => {
    expect(provenAtOf(now, identity)).toEqual(expected)
  })
})
