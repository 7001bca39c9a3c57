import { beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { sourceOf } from '../../src/roles/sources.ts'
import { replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { linkedIdentity } from '../support/connections.ts'
import { createDirectory, directoryClient, type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { insertConnection, verifiedDomain } from '../support/domains.ts'
import { meOf } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { connectSaml, signInBySaml } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'

const service = useService()

let provider: SamlifyProvider
beforeAll(async () => {
  provider = await samlifyProvider({ now: () => service().clock.now() })
})

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

const identitiesAt = async ({ organisation }: GivenDirectory, connectionId: string) => {
  const found = await service()
    .database.tenant(organisation.id)
    .selectFrom('identities')
    .select(['userId', 'subject'])
    .where('connectionId', '=', connectionId)
    .orderBy('id')
    .execute()
  return found.map(({ userId, subject }) => [userId, subject])
}

const provisioned = async ({ scim, address }: GivenDirectory, externalId: string): Promise<string> => {
  const { status, body } = await scim.post('/Users', person(address(), { externalId }))
  expect(status).toBe(201)
  return body.id
}

const linked = async ({ organisation }: GivenDirectory, userId: string) =>
  (await organisation.owner.audit({ action: 'identity.linked' })).filter(
    ({ metadata }: { metadata: { userId: string } }) => metadata.userId === userId,
  )

/** A directory and a connection by SAML, which leads to no user by an address. */
async function withSaml(fields: Record<string, unknown> = {}) {
  const { connection, domain, ...organisation } = await connectSaml(service(), provider, {
    linking: 'none',
    provisioning: 'none',
    ...fields,
  })
  const directory = await givenDirectory(service(), { organisation, domain, connectionId: connection.id, userMatch: 'externalId' })
  const signIn = (nameId: string) =>
    signInBySaml(service(), connection, { nameId, email: `${unique()}@elsewhere.test`, sessionIndex: `_${unique()}` }, provider)
  return { connection, directory, signIn }
}

describe('a user whose externalId is the NameID at a connection by SAML', () => {
  it('is found by the first sign-in, and known from then on by the whole NameID', async () => {
    const { connection, directory, signIn } = await withSaml()
    const nameId = `person-${unique()}`
    const id = await provisioned(directory, nameId)
    const lastUses = async () =>
      (await directory.organisation.owner.get(`/v1/admin/users/${id}/identities`)).body.data.map(
        ({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt,
      )
    expect(await lastUses()).toEqual([null])

    const first = await signIn(nameId)
    expect(await lastUses()).toEqual([expect.any(String)])
    expect([first.status, first.headers.get('location')]).toEqual([303, '/account'])
    expect((await meOf(service(), first.visitor)).body.id).toBe(id)
    const whole = JSON.stringify([nameId, persistent, null, null])
    expect(await identitiesAt(directory, connection.id)).toEqual([[id, whole]])

    const second = await signIn(nameId)
    expect((await meOf(service(), second.visitor)).body.id).toBe(id)
    expect((await signIn(`person-${unique()}`)).status).toBe(403)
    expect(await linked(directory, id)).toHaveLength(1)
  })

  it('is linked no more when externalId names another', async () => {
    const { connection, directory, signIn } = await withSaml()
    const [former, next] = [`person-${unique()}`, `person-${unique()}`]
    const id = await provisioned(directory, former)
    const { visitor } = await signIn(former)

    const change = operations({ op: 'replace', path: 'externalId', value: next })
    expect(await directory.scim.patch(`/Users/${id}`, change)).toMatchObject({ status: 200 })
    expect((await meOf(service(), visitor)).status).toBe(401)
    expect(await identitiesAt(directory, connection.id)).toEqual([[id, next]])
    expect((await signIn(former)).status).toBe(403)
    expect((await signIn(next)).status).toBe(303)
  })

  it('leaves the account to another user who is given the externalId once the directory has deleted them', async () => {
    const { connection, directory, signIn } = await withSaml()
    const { scim, organisation } = directory
    const nameId = `person-${unique()}`
    const [gone, other] = [await provisioned(directory, nameId), await provisioned(directory, `person-${unique()}`)]
    await signIn(nameId)
    expect(await scim.delete(`/Users/${gone}`)).toMatchObject({ status: 204 })
    // An administrator may have let them in again.
    expect(await organisation.owner.patch(`/v1/admin/users/${gone}`, { blockedAt: null })).toMatchObject({ status: 200 })
    const { visitor } = await signIn(nameId)
    expect((await meOf(service(), visitor)).body.id).toBe(gone)

    const change = operations({ op: 'replace', path: 'externalId', value: nameId })
    expect(await scim.patch(`/Users/${other}`, change)).toMatchObject({ status: 200, body: { externalId: nameId } })
    expect(await identitiesAt(directory, connection.id)).toEqual([[other, nameId]])
    expect((await meOf(service(), visitor)).status).toBe(401)
    expect((await meOf(service(), (await signIn(nameId)).visitor)).body.id).toBe(other)
    const unlinked = await organisation.owner.audit({ action: 'identity.unlinked' })
    expect(unlinked.map(({ metadata }: { metadata: { userId: string } }) => metadata.userId).sort()).toEqual([gone, other].sort())
  })

  it('keeps the account when another user is given the externalId, once they have become the owner and linked it anew', async () => {
    const { connection, directory } = await withSaml()
    const { scim, organisation } = directory
    const nameId = `person-${unique()}`
    const [gone, other] = [await provisioned(directory, nameId), await provisioned(directory, `person-${unique()}`)]
    await scim.delete(`/Users/${gone}`)
    await organisation.owner.patch(`/v1/admin/users/${gone}`, { blockedAt: null })
    const transfer = await organisation.owner.post('/v1/admin/organisation/transfer-ownership', { userId: gone })
    expect(transfer).toMatchObject({ status: 200 })
    await linkedIdentity(service(), { organisationId: organisation.id, userId: gone, connectionId: connection.id, subject: nameId })

    const change = operations({ op: 'replace', path: 'externalId', value: nameId })
    expect(await scim.patch(`/Users/${other}`, change)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await identitiesAt(directory, connection.id)).toContainEqual([gone, nameId])
  })

  it('keeps the externalId once an administrator has deleted them, until they are erased', async () => {
    const { connection, directory } = await withSaml()
    const { scim, organisation } = directory
    const nameId = `person-${unique()}`
    const [gone, other] = [await provisioned(directory, nameId), await provisioned(directory, `person-${unique()}`)]
    expect(await organisation.owner.delete(`/v1/admin/users/${gone}`)).toMatchObject({ status: 204 })

    const taken = { status: 409, body: { scimType: 'uniqueness' } }
    const change = operations({ op: 'replace', path: 'externalId', value: nameId })
    expect(await scim.patch(`/Users/${other}`, change)).toMatchObject(taken)
    expect(await scim.post('/Users', person(directory.address(), { externalId: nameId }))).toMatchObject(taken)
    const erased = await service().operator.post(`/v1/system/organisations/${organisation.id}/users/${gone}/erase`)
    expect(erased.status).toBeLessThan(300)
    expect(await scim.patch(`/Users/${other}`, change)).toMatchObject({ status: 200 })
    expect(await identitiesAt(directory, connection.id)).toEqual([[other, nameId]])
  })

  it('is meant by a request to create one, with another address and userName', async () => {
    const { directory, signIn } = await withSaml()
    const nameId = `person-${unique()}`
    const id = await provisioned(directory, nameId)
    await signIn(nameId)
    await service().database.tenant(directory.organisation.id).deleteFrom('directoryUsers').where('userId', '=', id).execute()

    expect(await directory.scim.post('/Users', person(directory.address(), { externalId: nameId }))).toMatchObject({
      status: 201,
      body: { id },
    })
  })

  it('is no other user than the one who signs in by it already', async () => {
    const { connection, directory, signIn } = await withSaml()
    const nameId = `person-${unique()}`
    const id = await provisioned(directory, nameId)
    await signIn(nameId)
    const { address, organisation } = directory
    const more = await givenDirectory(service(), { organisation, domain: directory.domain, connectionId: connection.id })
    const other = await provisioned(more, nameId)

    const compares = { userMatch: 'externalId' }
    const unused = await provisioned(more, `person-${unique()}`)
    expect(await organisation.owner.patch(`/v1/admin/directories/${more.id}`, compares)).toMatchObject({ status: 200, body: compares })
    const { body: named } = await organisation.owner.get(`/v1/admin/users/${unused}/identities`)
    expect(named.data).toMatchObject([{ lastUsedAt: null }])
    expect((await identitiesAt(directory, connection.id)).map(([userId]) => userId)).toEqual([id, unused])
    const renamed = operations({ op: 'replace', path: 'externalId', value: 'another' })
    expect(await more.scim.patch(`/Users/${other}`, renamed)).toMatchObject({ status: 200 })
    const back = operations({ op: 'replace', path: 'externalId', value: nameId })
    expect(await more.scim.patch(`/Users/${other}`, back)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await directory.scim.post('/Users', person(address(), { externalId: nameId }))).toMatchObject({ status: 409 })
  })

  it('is not found by an attribute that looks like a NameID', async () => {
    const { connection, directory } = await withSaml({ configuration: { metadataXml: provider.metadata, subjectAttribute: 'email' } })
    const nameId = `person-${unique()}`
    const id = await provisioned(directory, nameId)
    const email = JSON.stringify([nameId, persistent, null, null])
    const refused = await signInBySaml(service(), connection, { nameId: unique(), email, sessionIndex: `_${unique()}` }, provider)

    expect(refused.status).toBe(403)
    expect(await identitiesAt(directory, connection.id)).toEqual([[id, nameId]])
  })
})

describe('a deleted user whose externalId is the NameID at a connection that gives accounts', () => {
  const deletions: Record<string, (directory: GivenDirectory, id: string) => Promise<unknown>> = {
    'an administrator': ({ organisation: { owner } }, id) => owner.delete(`/v1/admin/users/${id}`),
    'the directory': ({ scim }, id) => scim.delete(`/Users/${id}`),
    'an administrator, and then the directory itself': async ({ organisation: { owner }, id: directoryId }, id) => {
      await owner.delete(`/v1/admin/users/${id}`)
      return owner.delete(`/v1/admin/directories/${directoryId}`)
    },
  }
  const known = { 'who had signed in': true, 'whom the directory alone had named': false }
  const cases = Object.keys(deletions).flatMap((by) => Object.entries(known).map(([who, hasSignedIn]) => ({ by, who, hasSignedIn })))

  it.each(cases)('$who, deleted by $by, gets no other account there', async ({ by, hasSignedIn }) => {
    const { connection, domain, domainId: _, ...organisation } = await connectSaml(service(), provider)
    const settings = { organisation, domain, connectionId: connection.id, userMatch: 'externalId', deletes: 'delete' } as const
    const directory = await givenDirectory(service(), settings)
    const signIn = (nameId: string) =>
      signInBySaml(service(), connection, { nameId, email: directory.address(), sessionIndex: `_${unique()}` }, provider)
    const nameId = `person-${unique()}`
    const id = await provisioned(directory, nameId)
    if (hasSignedIn) expect((await signIn(nameId)).status).toBe(303)
    expect(await deletions[by]?.(directory, id)).toMatchObject({ status: 204 })
    const users = async () => (await organisation.owner.get('/v1/admin/users')).body.total
    const before = await users()

    const refused = await signIn(nameId)
    expect([refused.status, refused.body.includes('cannot be used here')]).toEqual([403, true])
    expect(await users()).toBe(before)
    expect((await signIn(`person-${unique()}`)).status).toBe(303)
  })
})

describe('a user whose externalId is the object id at Entra ID', () => {
  it('is linked by its tenant and that id, as Microsoft names them at a sign-in', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const tenantId = '0b2f2d3c-6f7e-4c0f-9d6c-3f1f0a5b7c11'
    await service()
      .database.tenant(organisation.id)
      .updateTable('connections')
      .set({ provider: 'microsoft', configuration: JSON.stringify({ tenant: tenantId }) })
      .where('id', '=', connectionId)
      .execute()
    const directory = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const [former, next] = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-8999-aaaaaaaaaaaa']
    const id = await provisioned(directory, former)

    expect(await identitiesAt(directory, connectionId)).toEqual([[id, `${tenantId}.${former}`]])
    await directory.scim.patch(`/Users/${id}`, operations({ op: 'replace', path: 'externalId', value: next }))
    expect(await identitiesAt(directory, connectionId)).toEqual([[id, `${tenantId}.${next}`]])
  })
})

describe('a directory that begins to compare subjects', () => {
  it('links the users whom it manages already, but not one whose subject another user has', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const directory = await givenDirectory(service(), { organisation })
    const [present, other, gone] = [
      await provisioned(directory, 'subject-1'),
      await provisioned(directory, 'subject-2'),
      await provisioned(directory, 'subject-3'),
    ]
    expect(await directory.scim.delete(`/Users/${gone}`)).toMatchObject({ status: 204 })
    const stranger = await service().given.user(organisation.owner)
    const tenant = service().database.tenant(organisation.id)
    const identity = { id: `idn_${unique()}`, connectionId, subject: 'subject-2', userId: stranger.id, claims: '{}', createdAt: tenant.now }
    await tenant.insertInto('identities').values(identity).execute()

    const change = { userMatch: 'externalId', connectionId }
    expect(await organisation.owner.patch(`/v1/admin/directories/${directory.id}`, change)).toMatchObject({ status: 200, body: change })
    expect((await identitiesAt(directory, connectionId)).sort()).toEqual(
      [
        [stranger.id, 'subject-2'],
        [present, 'subject-1'],
      ].sort(),
    )
    expect(await linked(directory, present)).toMatchObject([{ actorId: organisation.owner.id, metadata: { directoryId: directory.id } }])
    expect(await linked(directory, other)).toEqual([])
  })

  it('mails the users whom it has not created itself that an account is linked with theirs', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const directory = await givenDirectory(service(), { organisation })
    const { scim, address } = directory
    const [existing, created] = [address(), address()]
    await service().given.user(organisation.owner, { email: existing })
    await service().clock.advance({ seconds: 1 })
    for (const email of [existing, created])
      expect(await scim.post('/Users', person(email, { externalId: email }))).toMatchObject({ status: 201 })

    const change = { userMatch: 'externalId', connectionId }
    expect(await organisation.owner.patch(`/v1/admin/directories/${directory.id}`, change)).toMatchObject({ status: 200 })
    expect(await identitiesAt(directory, connectionId)).toHaveLength(2)
    await service().mailbox.mailTo(existing, 'An account has been linked with yours')
    await service().settled()
    expect(service().mailbox.mails.filter(({ to }) => to === created)).toEqual([])
  })

  it('leaves the owner alone, whom it has managed before', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const directory = await givenDirectory(service(), { organisation })
    const id = await provisioned(directory, 'subject-1')
    const transfer = await organisation.owner.post('/v1/admin/organisation/transfer-ownership', { userId: id })
    expect(transfer).toMatchObject({ status: 200 })

    const change = { userMatch: 'externalId', connectionId }
    expect(await organisation.owner.patch(`/v1/admin/directories/${directory.id}`, change)).toMatchObject({ status: 200 })
    expect(await identitiesAt(directory, connectionId)).toEqual([])
  })
})

describe('an account that holds more than who made the directory', () => {
  it('is linked with no account that the directory names, and a new one is', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const connectionId = await insertConnection(service(), organisation.id)
    const { domain } = await verifiedDomain(service(), owner)
    const maker = await service().given.userWith(owner, ['directories:create', 'directories:update'])
    const { id } = await createDirectory(maker, { userMatch: 'externalId', connectionId })
    const { token } = (await maker.post(`/v1/admin/directories/${id}/tokens`, {})).body
    const scim = directoryClient(service(), id, token)
    const directory = { ...(await givenDirectory(service(), { organisation, domain })), id, token, scim }
    const [plain, stronger] = [directory.address(), directory.address()]
    const { id: plainId } = await service().given.user(owner, { email: plain })
    const { id: strongerId } = await service().given.user(owner, { email: stronger })
    const { id: roleId } = await service().given.role(owner, { permissions: ['users:read'] })
    expect(await owner.post(`/v1/admin/users/${strongerId}/roles`, { roleId })).toMatchObject({ status: 200 })

    for (const email of [plain, stronger])
      expect(await scim.post('/Users', person(email, { externalId: email }))).toMatchObject({ status: 201 })
    const createdId = await provisioned(directory, 'subject-1')
    expect((await identitiesAt(directory, connectionId)).sort()).toEqual(
      [
        [createdId, 'subject-1'],
        [plainId, plain],
      ].sort(),
    )
    // Nor by another name for it, nor by the same one.
    const renamed = person(stronger, { externalId: 'subject-2' })
    expect(await scim.put(`/Users/${strongerId}`, renamed)).toMatchObject({ status: 200 })
    expect(await scim.put(`/Users/${strongerId}`, { ...renamed, title: 'Countess' })).toMatchObject({ status: 200 })
    expect(await identitiesAt(directory, connectionId)).toHaveLength(2)
    // Another user's is refused as it is to all others.
    expect(await scim.put(`/Users/${strongerId}`, { ...renamed, externalId: 'subject-1' })).toMatchObject({ status: 409 })

    // Who was linked while they held less loses with the account what its connection gave: no other account is linked in its place.
    const { id: givenId } = await service().given.role(owner, { permissions: ['teams:read'] })
    await service().database.transaction(organisation.id, (tenant) =>
      replaceRolesFromSource(tenant, systemActor, plainId, sourceOf(connectionId), [givenId]),
    )
    const rolesOf = async (userId: string) =>
      (await owner.get(`/v1/admin/users/${userId}`)).body.roles.map((role: { id: string }) => role.id)
    expect(await rolesOf(plainId)).toContain(givenId)
    expect(await scim.put(`/Users/${plainId}`, person(plain, { externalId: 'subject-3' }))).toMatchObject({ status: 200 })
    expect(await identitiesAt(directory, connectionId)).toEqual([[createdId, 'subject-1']])
    expect(await rolesOf(plainId)).not.toContain(givenId)
  })
})
