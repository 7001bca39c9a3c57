import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { meOf, signInBy } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { acceptance, invite } from '../support/invite.ts'
import { useService } from '../support/service.ts'
import { createSetupLink, openLink, setupLinkOf } from '../support/setup-links.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

let world: Awaited<ReturnType<typeof aYoungOrganisation>>
beforeEach(async () => {
  world = await aYoungOrganisation()
})

const linking = () => ({
  linking: 'automatic',
  secret: 'secret',
  configuration: { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim' },
})

/** A connection that links at once, made by a user who held all that any user but the owner held then. */
async function aYoungOrganisation() {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  const maker = await service().given.userWith(owner, ['connections:create', 'connections:update'])
  const connection = await createConnection(maker, linking())
  return { organisation, owner, maker, connectionId: connection.id as string }
}

/** A user who has proven their address, with a role if it is to have permissions. */
async function aUser(permissions: string[], email?: string) {
  const { owner, organisation } = world
  const user = await service().given.user(owner, email === undefined ? {} : { email })
  const proven = { emailVerifiedAt: new Date() }
  await service().database.tenant(organisation.id).updateTable('users').set(proven).where('id', '=', user.id).execute()
  if (permissions.length > 0) {
    const role = await service().given.role(owner, { permissions })
    expect(await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })).toMatchObject({ status: 200 })
  }
  return user
}

/** Where the first sign-in of a user by the connection leads, and as whom. */
async function arrive({ email }: { email: string }) {
  provider.behaviour.user = { sub: `sub-${unique()}`, email, email_verified: true }
  const { status, headers, visitor } = await signInBy(service(), provider, world.connectionId)
  return { status, location: headers.get('location'), userId: (await meOf(service(), visitor)).body.id }
}

/** An invitation with a role that has these permissions. */
async function anInvitation(permissions: string[], email = `invited-${unique()}@example.test`) {
  const { id: roleId } = await service().given.role(world.owner, { permissions })
  return invite(service(), world.owner, { email, roleId })
}

/** An API key of the owner, who holds every permission, with these ones. */
async function aKey(permissions: string[]) {
  const { body } = await world.owner.post('/v1/admin/api-keys', { name: `Key ${unique()}`, permissions })
  return { id: body.id as string, client: service().anonymous.with({ authorization: `Bearer ${body.key}` }) }
}

/** A connection that links at once, made by an API key of the owner before any other user holds a permission. */
async function madeByKey(permissions = ['connections:create']) {
  const organisation = await service().given.organisation()
  world = { ...world, organisation, owner: organisation.owner }
  const key = await aKey(permissions)
  const connection = await createConnection(key.client, linking())
  world.connectionId = connection.id
  return key
}

const confirmed = { status: 303, location: '/link', userId: undefined }
const linked = (user: { id: string }) => ({ status: 303, location: '/account', userId: user.id })

describe('an account whose address a connection has proven', () => {
  it('is linked at once while who made the connection holds all that its user holds', async () => {
    const [plain, peer] = [await aUser([]), await aUser(['connections:update'])]
    expect(await arrive(plain)).toEqual(linked(plain))
    expect(await arrive(peer)).toEqual(linked(peer))
  })

  it('is linked only once its user has confirmed it, when they hold more by now', async () => {
    const [plain, later] = [await aUser([]), await aUser(['users:read'])]
    expect(await arrive(later)).toEqual(confirmed)
    expect(await arrive(plain)).toEqual(linked(plain))
    expect((await world.owner.get(`/v1/admin/users/${later.id}/identities`)).body).toMatchObject({ total: 0 })
  })

  it('is linked only once its user has confirmed it, when who made the connection has been blocked, or has lost the role', async () => {
    const { owner, maker } = world
    const [first, second, third] = [await aUser(['connections:update']), await aUser(['connections:update']), await aUser([])]
    expect(await owner.patch(`/v1/admin/users/${maker.id}`, { blockedAt: '2026-01-01T00:00:00Z' })).toMatchObject({ status: 200 })
    expect(await arrive(first)).toEqual(confirmed)
    expect(await owner.patch(`/v1/admin/users/${maker.id}`, { blockedAt: null })).toMatchObject({ status: 200 })
    const [role] = (await owner.get(`/v1/admin/users/${maker.id}`)).body.roles.filter(({ slug }: { slug: string }) =>
      slug.startsWith('role-'),
    )
    expect(await owner.delete(`/v1/admin/users/${maker.id}/roles`, { roleId: role.id })).toMatchObject({ status: 200 })
    expect(await arrive(second)).toEqual(confirmed)
    expect(await arrive(third)).toEqual(linked(third))
  })

  it('is linked at once again when a user who holds it all has switched the connection off and on', async () => {
    const { owner, connectionId } = world
    const later = await aUser(['users:read'])
    for (const isActive of [false, true]) {
      expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { isActive })).toMatchObject({ status: 200 })
    }
    expect(await arrive(later)).toEqual(linked(later))
  })

  it('is not vouched for anew by a change of the name', async () => {
    const { owner, connectionId } = world
    const later = await aUser(['users:read'])
    expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { name: 'Renamed' })).toMatchObject({ status: 200 })
    expect(await arrive(later)).toEqual(confirmed)
  })

  it('is linked at once where the domain requires the connection: there is no other sign-in by which to confirm', async () => {
    const { owner, connectionId } = world
    const domain = uniqueDomain()
    const bound = await aUser(['users:read'], `ada@${domain}`)
    await verifiedDomain(service(), owner, { domain, connectionId, sso: 'required' })
    expect(await arrive(bound)).toEqual(linked(bound))
  })

  it('is linked at once by a connection that the operator has made', async () => {
    const { organisation, connectionId } = world
    const later = await aUser(['users:read'])
    const made = service().database.tenant(organisation.id).updateTable('connections').set({ vouchedById: null })
    await made.where('id', '=', connectionId).execute()
    expect(await arrive(later)).toEqual(linked(later))
  })

  it('is said to be confirmed first by what checks a sign-in', async () => {
    const { owner, connectionId } = world
    const later = await aUser(['users:read'])
    const { body } = await owner.post('/v1/admin/sign-in-checks', { email: later.email, connectionId })
    expect(body.steps.map(({ code }: { code: string }) => code)).toContain('confirmation-asked')
  })
})

describe('a new user of a connection that creates users', () => {
  /** The roles of a user whom a connection creates, by a default role that may read users. */
  async function rolesOfNewUser() {
    const { owner, connectionId } = world
    provider.behaviour.user = { sub: `sub-${unique()}`, email: `new-${unique()}@example.test`, email_verified: true }
    const { visitor } = await signInBy(service(), provider, connectionId)
    const { id } = (await meOf(service(), visitor)).body
    return (await owner.get(`/v1/admin/users/${id}`)).body.roles
  }

  async function creatingUsers() {
    const { owner, connectionId } = world
    const configuration = { allowedDomains: ['*'] }
    expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { provisioning: 'jit', configuration })).toMatchObject({
      status: 200,
    })
  }

  it('gets the default role while who made the connection holds all that it gives', async () => {
    await creatingUsers()
    await service().given.role(world.owner, { isDefault: true, permissions: ['users:read'] })
    expect(await rolesOfNewUser()).toHaveLength(1)
  })

  it('gets no role when who made the connection may not grant the default one any more', async () => {
    const { organisation, maker, connectionId } = world
    await creatingUsers()
    const byMaker = service().database.tenant(organisation.id).updateTable('connections').set({ vouchedById: maker.id })
    await byMaker.where('id', '=', connectionId).execute()
    expect(await rolesOfNewUser()).toHaveLength(1)
    await service().given.role(world.owner, { isDefault: true, permissions: ['users:read'] })
    expect(await rolesOfNewUser()).toEqual([])
  })
})

describe('an invitation of an address that a connection has proven', () => {
  const refused = { status: 403, location: null, userId: undefined }
  const statusOf = async ({ id }: { id: string }) => (await world.owner.get(`/v1/admin/invitations/${id}`)).body.status

  it('is accepted while who made the connection holds all that it gives', async () => {
    const invited = await anInvitation(['connections:update'])
    expect(await arrive(invited)).toMatchObject({ status: 303, location: '/account', userId: expect.any(String) })
    expect(await statusOf(invited)).toBe('accepted')
  })

  it('is accepted by the link in its mail alone when it gives more', async () => {
    const invited = await anInvitation(['users:read'])
    expect(await arrive(invited)).toEqual(refused)
    expect(await statusOf(invited)).toBe('pending')
    const { body } = await world.owner.get('/v1/admin/users')
    expect(body.data.map(({ email }: { email: string }) => email)).not.toContain(invited.email)

    const accepted = await service().anonymous.post('/v1/auth/invitations/accept', acceptance(invited.token))
    expect(accepted).toMatchObject({ status: 201 })
    expect(await statusOf(invited)).toBe('accepted')
    expect(await arrive(invited)).toEqual(confirmed)
  })

  it('is accepted by the link in its mail alone when who made the connection has been blocked', async () => {
    const { owner, maker } = world
    const invited = await anInvitation(['connections:update'])
    expect(await owner.patch(`/v1/admin/users/${maker.id}`, { blockedAt: '2026-01-01T00:00:00Z' })).toMatchObject({ status: 200 })
    expect(await arrive(invited)).toEqual(refused)
  })

  it('is accepted once a user who holds it all has switched the connection off and on', async () => {
    const { owner, connectionId } = world
    const invited = await anInvitation(['users:read'])
    for (const isActive of [false, true]) {
      expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { isActive })).toMatchObject({ status: 200 })
    }
    expect(await arrive(invited)).toMatchObject({ status: 303, location: '/account' })
  })

  it('is accepted where the domain requires the connection: the link in its mail lets no user in', async () => {
    const { owner, connectionId } = world
    const domain = uniqueDomain()
    const invited = await anInvitation(['users:read'], `bob@${domain}`)
    await verifiedDomain(service(), owner, { domain, connectionId, sso: 'required' })
    expect(await arrive(invited)).toMatchObject({ status: 303, location: '/account' })
  })

  it('is said to be accepted by the link in its mail by what checks a sign-in', async () => {
    const { owner, connectionId } = world
    const { email } = await anInvitation(['users:read'])
    const { body } = await owner.post('/v1/admin/sign-in-checks', { email, connectionId })
    expect(body.ways).toMatchObject([{ connectionId, leadsTo: 'refusal' }])
    expect(body.steps.map(({ code }: { code: string }) => code)).toContain('invitation-by-mail')
  })
})

describe('a connection that an API key has made', () => {
  const deleteKey = async ({ id }: { id: string }) =>
    expect(await world.owner.delete(`/v1/admin/api-keys/${id}`)).toMatchObject({ status: 204 })

  it('links at once who holds no more than the key, whatever the user of the key holds', async () => {
    await madeByKey(['connections:create', 'connections:update'])
    const [plain, peer, later] = [await aUser([]), await aUser(['connections:update']), await aUser(['users:read'])]
    expect(await arrive(plain)).toEqual(linked(plain))
    expect(await arrive(peer)).toEqual(linked(peer))
    expect(await arrive(later)).toEqual(confirmed)
  })

  it('accepts invitations that give no more than the key holds', async () => {
    await madeByKey()
    const [invited, stronger] = [await anInvitation(['connections:create']), await anInvitation(['users:read'])]
    expect(await arrive(invited)).toMatchObject({ status: 303, location: '/account' })
    expect(await arrive(stronger)).toMatchObject({ status: 403, userId: undefined })
  })

  it('links no user with a permission at once when the key has been deleted', async () => {
    const key = await madeByKey()
    const [plain, peer] = [await aUser([]), await aUser(['connections:create'])]
    await deleteKey(key)
    expect(await arrive(peer)).toEqual(confirmed)
    expect(await arrive(plain)).toEqual(linked(plain))
  })

  it('links no user with a permission at once when the key has expired', async () => {
    const { id } = await madeByKey()
    const peer = await aUser(['connections:create'])
    const expired = { expiresAt: service().clock.now() }
    await service().database.tenant(world.organisation.id).updateTable('apiKeys').set(expired).where('id', '=', id).execute()
    expect(await arrive(peer)).toEqual(confirmed)
  })

  it('links whom its user may when the user has switched it off and on without the key', async () => {
    await madeByKey()
    const later = await aUser(['users:read'])
    for (const isActive of [false, true]) {
      expect(await world.owner.patch(`/v1/admin/connections/${world.connectionId}`, { isActive })).toMatchObject({ status: 200 })
    }
    expect(await arrive(later)).toEqual(linked(later))
  })

  it('is bounded by the key that has changed it', async () => {
    const { client } = await aKey(['connections:create', 'connections:update'])
    expect(await client.patch(`/v1/admin/connections/${world.connectionId}`, { linking: 'confirm' })).toMatchObject({ status: 200 })
    expect(await client.patch(`/v1/admin/connections/${world.connectionId}`, { linking: 'automatic' })).toMatchObject({ status: 200 })
    const later = await aUser(['users:read'])
    expect(await arrive(later)).toEqual(confirmed)
  })

  it('is bounded by the key that has created the set-up link which made it', async () => {
    const organisation = await service().given.organisation()
    world = { ...world, organisation, owner: organisation.owner }
    const { client } = await aKey(['connections:create'])
    const settings = { linking: 'automatic', emailTrust: 'verified_claim' }
    const link = await createSetupLink(client, { purposes: ['oidc'], settings })
    const visitor = await openLink(service(), link)
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'oidc' })
    const saved = { action: 'save', issuer: provider.issuer, clientId: 'gatehouse', secret: 'secret' }
    expect((await visitor.submit('/setup/connection', saved)).status).toBe(303)
    world.connectionId = (await setupLinkOf(organisation, link.id)).connectionId
    const switchedOn = service().database.tenant(organisation.id).updateTable('connections').set({ isActive: true })
    await switchedOn.where('id', '=', world.connectionId).execute()

    const [plain, later] = [await aUser([]), await aUser(['users:read'])]
    expect(await arrive(plain)).toEqual(linked(plain))
    expect(await arrive(later)).toEqual(confirmed)
  })
})
