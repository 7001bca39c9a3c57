import { beforeAll, describe, expect, it } from 'vitest'
import { type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { insertConnection } from '../support/domains.ts'
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

    const first = await signIn(nameId)
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
    expect(await organisation.owner.patch(`/v1/admin/directories/${more.id}`, compares)).toMatchObject({ status: 200, body: compares })
    expect((await identitiesAt(directory, connection.id)).map(([userId]) => userId)).toEqual([id])
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
