import { domainToUnicode } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provenAtOf } from '../../src/connections/federation/upstream-factor.ts'
import { createConnection, linkedIdentity, newConnection } from '../support/connections.ts'
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
