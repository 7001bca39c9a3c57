import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { meOf, signInBy } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { useService } from '../support/service.ts'

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

/** A connection that links at once, made by a user who held all that any user but the owner held then. */
async function aYoungOrganisation() {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  const maker = await service().given.userWith(owner, ['connections:create', 'connections:update'])
  const connection = await createConnection(maker, {
    linking: 'automatic',
    secret: 'secret',
    configuration: { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim' },
  })
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
