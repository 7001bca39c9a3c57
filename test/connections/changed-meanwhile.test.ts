import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { databaseKind, freshEngine } from '../support/database.ts'
import { verifiedDomain } from '../support/domains.ts'
import { connect, meOf, signInBy } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { samlFields } from '../support/saml-sign-in.ts'
import { samlifyProvider } from '../support/samlify-provider.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService
let provider: IdentityProvider & { close(): Promise<void> }

beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine })
  provider = await listeningProvider({ now: () => service.clock.now() })
})
afterAll(async () => {
  await service?.stop()
  await provider?.close()
})

let world: Awaited<ReturnType<typeof aUserToLink>>
beforeEach(async () => {
  world = await aUserToLink()
})

/** A user whose address leads to their account at once, and the identity provider about to say that it is theirs. */
async function aUserToLink() {
  const organisation = await service.given.organisation()
  const { owner, id } = organisation
  const connectionId = await connect(service, organisation, provider, { linking: 'automatic' })
  const user = await service.given.user(owner)
  const prove = (emailVerifiedAt: Date | null) =>
    service.database.tenant(id).updateTable('users').set({ emailVerifiedAt }).where('id', '=', user.id).execute()
  await prove(new Date())
  provider.behaviour.user = { sub: `sub-${unique()}`, email: user.email, email_verified: true }
  return { owner, user, connectionId, prove }
}

/** A sign-in that has read who has the address, and continues once something else has happened. */
async function signInAround(change: () => Promise<unknown>, held = 'from "invitations"') {
  const release = engine.holdBack(held, { ofRequests: true })
  const signIn = signInBy(service, provider, world.connectionId)
  await release.reached
  // By then the statements that were sent beside it have been answered.
  await world.owner.get('/v1/me/profile')
  await change()
  release()
  return signIn
}

it('an account that has become the owner’s meanwhile is not linked', async () => {
  const { owner, user } = world
  const { status, body, visitor } = await signInAround(async () => {
    expect(await owner.post('/v1/admin/organisation/transfer-ownership', { userId: user.id })).toMatchObject({ status: 200 })
  })

  expect([status, body.includes('There is an account with your e-mail address')]).toEqual([403, true])
  expect((await meOf(service, visitor)).status).toBe(401)
})

it('an account that got another address meanwhile is not linked', async () => {
  const { owner, user } = world
  const { status, visitor } = await signInAround(async () => {
    const moved = await service.database
      .system()
      .updateTable('users')
      .set({ email: `moved-${unique()}@example.test` })
      .where('id', '=', user.id)
      .executeTakeFirst()
    expect(moved.numUpdatedRows).toBe(1n)
  })

  expect(status).toBe(403)
  expect((await meOf(service, visitor)).status).toBe(401)
  expect((await owner.get(`/v1/admin/users/${user.id}/identities`)).body).toMatchObject({ total: 0 })
})

/** A connection that proves addresses of a verified domain, and creates an account for any that it proves. */
async function aDomainThatProves() {
  const organisation = await service.given.organisation()
  const { owner } = organisation
  const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_domain', allowedDomains: ['*'] }
  const connectionId = await connect(service, organisation, provider, {
    provisioning: 'jit',
    configuration: JSON.stringify(configuration),
  })
  const { domain, id } = await verifiedDomain(service, owner)
  provider.behaviour.user = { sub: `sub-${unique()}`, email: `ada@${domain}`, email_verified: true }
  world = { ...world, owner, connectionId }
  const lose = async () => expect(await owner.delete(`/v1/admin/domains/${id}`)).toMatchObject({ status: 204 })
  return { lose, usersOf: async () => (await owner.get('/v1/admin/users')).body.total }
}

it('an address is proven no more by a domain that was lost while the provider was asked', async () => {
  const { lose, usersOf } = await aDomainThatProves()
  provider.behaviour.intercept = async (path) => {
    if (path !== '/token') return undefined
    provider.behaviour.intercept = undefined
    await lose()
    return undefined
  }
  expect([(await signInBy(service, provider, world.connectionId)).status, await usersOf()]).toEqual([403, 1])
})

it('an address is proven no more by a domain that was lost since it was read', async () => {
  const { lose, usersOf } = await aDomainThatProves()
  expect([(await signInAround(lose)).status, await usersOf()]).toEqual([403, 1])
})

it('an account is linked at once no more when its domain has been taken from the connection meanwhile', async () => {
  const organisation = await service.given.organisation()
  const { owner } = organisation
  const connectionId = await connect(service, organisation, provider)
  const { domain, id } = await verifiedDomain(service, owner, { connectionId, sso: 'offered' })
  const user = await service.given.user(owner, { email: `ada@${domain}` })
  provider.behaviour.user = { sub: `sub-${unique()}`, email: user.email, email_verified: true }
  world = { ...world, owner, user, connectionId }

  const { status, headers } = await signInAround(async () => {
    expect(await owner.patch(`/v1/admin/domains/${id}`, { connectionId: null, sso: 'off' })).toMatchObject({ status: 200 })
  })
  expect([status, headers.get('location')]).toEqual([303, '/link'])
  expect((await owner.get(`/v1/admin/users/${user.id}/identities`)).body).toMatchObject({ total: 0 })
})

/** A sign-in whose connection is changed while the identity provider is asked. */
async function signInWhileChanged(changes: object) {
  const { owner, connectionId } = world
  provider.behaviour.intercept = async (path) => {
    if (path !== '/token') return undefined
    provider.behaviour.intercept = undefined
    expect(await owner.patch(`/v1/admin/connections/${connectionId}`, changes)).toMatchObject({ status: 200 })
    return undefined
  }
  return signInBy(service, provider, connectionId)
}

it('an account is linked no more when linking has been switched off while the provider was asked', async () => {
  const { status, visitor } = await signInWhileChanged({ linking: 'none' })
  expect(status).toBe(403)
  expect((await meOf(service, visitor)).status).toBe(401)
})

it('an identity that another provider would have to prove by now signs no user in', async () => {
  const { status, visitor } = await signInWhileChanged({ configuration: { clientId: 'another' } })
  expect(status).toBe(403)
  expect((await meOf(service, visitor)).status).toBe(401)
})

it('a role is given by the mappings that there are once the provider has been asked', async () => {
  const { owner, user } = world
  const role = await service.given.role(owner)
  provider.behaviour.user = { ...provider.behaviour.user, groups: ['staff'] } as never
  const roleMappings = [{ claim: 'groups', value: 'staff', roleId: role.id }]
  const { status } = await signInWhileChanged({ roleMappings, name: 'Renamed' })
  expect(status).toBe(303)
  expect((await owner.get(`/v1/admin/users/${user.id}`)).body.roles).toContainEqual(expect.objectContaining({ id: role.id }))
})

it('an account that nothing has happened to is', async () => {
  const { status, visitor } = await signInAround(async () => {})
  expect(status).toBe(303)
  expect((await meOf(service, visitor)).body.id).toBe(world.user.id)
})

it('an invitation that was sent meanwhile is accepted by the user who would have been created without', async () => {
  const { owner, connectionId } = world
  const email = `new-${unique()}@example.test`
  const configuration = { allowedDomains: ['example.test'] }
  await owner.patch(`/v1/admin/connections/${connectionId}`, { provisioning: 'jit', configuration })
  provider.behaviour.user = { sub: `sub-${unique()}`, email, email_verified: true }
  const { data: roles } = (await owner.get('/v1/admin/roles')).body
  const roleId = roles.find(({ slug }: { slug: string }) => slug === 'admin').id
  let invitationId = ''
  const invite = async () => {
    const invited = await owner.post('/v1/admin/invitations', { email, roleId })
    expect(invited).toMatchObject({ status: 201 })
    invitationId = invited.body.id
  }
  // What is known of the users is held back, and that there is no invitation is known by then.
  const { status, visitor } = await signInAround(invite, 'users.blocked_at is not null')

  expect(status).toBe(303)
  expect((await meOf(service, visitor)).body).toMatchObject({ email, roles: [{ slug: 'admin' }] })
  expect((await owner.get(`/v1/admin/invitations/${invitationId}`)).body).toMatchObject({ status: 'accepted' })
})

it('a connection keeps its provider when the administrator is blocked, or may no longer change it, while another one is asked for its metadata', async () => {
  const { owner } = await service.given.organisation()
  const { body: permissions } = await owner.get('/v1/admin/permissions?limit=200')
  const [present, other] = await Promise.all([1, 2].map(() => samlifyProvider({ now: () => service.clock.now() })))
  const { body: connection } = await owner.post('/v1/admin/connections', samlFields(present as NonNullable<typeof present>))
  let meanwhile: () => Promise<unknown> = async () => undefined
  const server = createServer((_request, response) => void meanwhile().then(() => response.end(other?.metadata)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
  const change = async (end: (adminId: string, roleId: string) => Promise<unknown>) => {
    const role = await service.given.role(owner, { permissions: permissions.data.map(({ slug }: { slug: string }) => slug) })
    const { id, email } = await service.given.user(owner, { roleIds: [role.id] })
    const admin = await service.given.signIn(email)
    meanwhile = () => end(id, role.id)
    const { status } = await admin.patch(`/v1/admin/connections/${connection.id}`, { configuration: { metadataUrl } })
    return [status, (await owner.get(`/v1/admin/connections/${connection.id}`)).body.configuration.certificates]
  }

  const { certificates } = connection.configuration
  expect(await change((id) => owner.patch(`/v1/admin/users/${id}`, { blockedAt: new Date().toISOString() }))).toEqual([401, certificates])
  expect(await change((id) => owner.delete(`/v1/admin/users/${id}/sessions`))).toEqual([401, certificates])
  expect(await change((id, roleId) => owner.delete(`/v1/admin/users/${id}/roles`, { roleId }))).toEqual([403, certificates])
  server.close()
})

// The embedded database runs one transaction at a time.
it.runIf(databaseKind() === 'postgres')('a connection is not deleted while a domain comes to require it', async () => {
  const organisation = await service.given.organisation()
  const { owner } = organisation
  const connectionId = await connect(service, organisation, provider)
  const { id } = await verifiedDomain(service, owner, { connectionId, sso: 'offered' })

  const release = engine.holdBack('delete from "connections"', { ofRequests: true })
  const deleted = owner.delete(`/v1/admin/connections/${connectionId}`)
  await release.reached
  const required = owner.patch(`/v1/admin/domains/${id}`, { sso: 'required' })
  // By then it would have been answered, if nothing held it up.
  for (let asked = 0; asked < 5; asked++) await world.owner.get('/v1/me/profile')
  release()

  const statuses = [(await deleted).status, (await required).status]
  expect(statuses).toEqual([204, 400])
  expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ id, sso: 'off', connectionId: null }])
})

// The embedded database runs one transaction at a time.
