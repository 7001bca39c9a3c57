import { describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { cameBy, linkedIdentity } from '../support/connections.ts'
import { enterprise, filter, type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { insertConnection, uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'
import { createSetupLink, setupLinkOf } from '../support/setup-links.ts'

const service = useService()

const entriesOf = async ({ organisation }: GivenDirectory, userId: string): Promise<string[]> => {
  const { body } = await organisation.owner.get(`/v1/admin/audit-logs?targetId=${userId}&limit=100`)
  return body.data
    .filter(({ actorType }: { actorType: string }) => actorType === 'directory')
    .map(({ action }: { action: string }) => action)
}
const accountOf = async ({ organisation }: GivenDirectory, id: string) => (await organisation.owner.get(`/v1/admin/users/${id}`)).body

/** A user of the directory who has chosen a password and signed in. */
async function signedIn({ scim, address, organisation }: GivenDirectory): Promise<SignedInUser> {
  const email = address()
  const { id } = await service().given.user(organisation.owner, { email })
  await service()
    .database.tenant(organisation.id)
    .updateTable('users')
    .set({ emailVerifiedAt: service().clock.now() })
    .where('id', '=', id)
    .execute()
  expect(await scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id } })
  return service().given.signIn(email)
}

describe('POST /Users', () => {
  it('creates a user whose address is verified by its domain, and sends no mail', async () => {
    const directory = await givenDirectory(service())
    const email = directory.address()
    const sent = person(email.toUpperCase(), {
      title: 'Countess',
      [enterprise]: { department: 'Engines' },
      password: 'never stored 1',
      phoneNumbers: [{ value: '+44 1', type: 'work' }],
    })
    const { status, headers, body } = await directory.scim.post('/Users', sent)

    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        userName: email.toUpperCase(),
        externalId: sent.externalId,
        title: 'Countess',
        [enterprise]: { department: 'Engines' },
        active: true,
        name: sent.name,
      },
    })
    expect(body.password).toBeUndefined()
    expect(headers.get('location')).toBe(`http://gatehouse.test/scim/v2/${directory.id}/Users/${body.id}`)
    expect(headers.get('etag')).toBe(body.meta.version)
    expect(await accountOf(directory, body.id)).toMatchObject({
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      phone: '+44 1',
      emailVerifiedAt: expect.any(String),
      blockedAt: null,
    })
    expect(await entriesOf(directory, body.id)).toContain('user.created')
    expect(service().mailbox.mails.filter(({ to }) => to === email)).toEqual([])
  })

  it('creates a blocked user when it says so', async () => {
    const directory = await givenDirectory(service())
    const { body } = await directory.scim.post('/Users', person(directory.address(), { active: 'False' }))
    expect(body.active).toBe(false)
    expect(await accountOf(directory, body.id)).toMatchObject({ blockedReason: expect.stringContaining('Deactivated by Directory') })
  })

  it('refuses what is of no verified domain, and what another organisation has', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    expect(await scim.post('/Users', person(`x@${uniqueDomain()}`))).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await scim.post('/Users', { displayName: 'Nobody' })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })

    const email = address()
    await service().database.tenant(directory.organisation.id).deleteFrom('organisationDomains').execute()
    const other = await service().given.organisation()
    await service().given.user(other.owner, { email })
    await verifiedDomain(service(), directory.organisation.owner, { domain: directory.domain })
    expect(await scim.post('/Users', person(email))).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  it('refuses a user whom it manages already, and names that belong to different users', async () => {
    const { scim, address } = await givenDirectory(service())
    const [one, two] = [person(address()), person(address())]
    await scim.post('/Users', one)
    await scim.post('/Users', two)
    expect(await scim.post('/Users', one)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await scim.post('/Users', { ...one, externalId: two.externalId })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    const raced = person(address())
    const answers = await Promise.all([1, 2, 3, 4].map(() => scim.post('/Users', raced)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  it('takes an existing user over, and first everything away by which another person could act as them, unless they have proven the address', async () => {
    const directory = await givenDirectory(service())
    const { organisation, address, scim } = directory
    const email = address()
    const { id } = await service().given.user(organisation.owner, { email })
    const squatter = await service().given.signIn(email)
    expect(await scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id } })
    expect((await squatter.get('/v1/me/profile')).status).toBe(401)
    expect((await service().anonymous.post('/v1/auth/login', { email, password: squatter.password })).status).toBe(401)
    expect(await accountOf(directory, id)).toMatchObject({ emailVerifiedAt: expect.any(String) })
    expect(await entriesOf(directory, id)).toEqual(expect.arrayContaining(['directory.user_adopted', 'user.password_removed']))

    const proven = await signedIn(directory)
    expect((await proven.get('/v1/me/profile')).status).toBe(200)
  })

  it('takes everything away from a user who has never proven the address also after it has deleted them', async () => {
    const directory = await givenDirectory(service())
    const { organisation, address, scim } = directory
    const email = address()
    const { id } = await service().given.user(organisation.owner, { email })
    const squatter = await service().given.signIn(email)
    expect(await scim.delete(`/Users/${id}`)).toMatchObject({ status: 204 })

    expect(await scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id, active: true } })
    expect((await squatter.get('/v1/me/profile')).status).toBe(401)
    expect((await service().anonymous.post('/v1/auth/login', { email, password: squatter.password })).status).toBe(401)
    expect(await accountOf(directory, id)).toMatchObject({ emailVerifiedAt: expect.any(String), blockedAt: null })
    expect(await entriesOf(directory, id)).toContain('user.password_removed')
  })

  it('links the account that externalId names again once everything was taken away', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const sent = person(address())
    const { body: user } = await scim.post('/Users', sent)
    await scim.delete(`/Users/${user.id}`)
    const tenant = service().database.tenant(organisation.id)
    await tenant.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', user.id).execute()

    expect(await scim.post('/Users', sent)).toMatchObject({ status: 201, body: { id: user.id } })
    const linked = await tenant.selectFrom('identities').select(['userId', 'subject']).where('connectionId', '=', connectionId).execute()
    expect(linked).toEqual([{ userId: user.id, subject: sent.externalId }])
  })

  it('never touches the owner, nor a user whom another directory manages', async () => {
    const directory = await givenDirectory(service())
    const { organisation, domain, scim, address } = directory
    const tenant = service().database.tenant(organisation.id)
    const email = address()
    await tenant.updateTable('users').set({ email }).where('id', '=', organisation.owner.id).execute()
    const owner = `/Users/${organisation.owner.id}`
    for (const refused of [
      await scim.post('/Users', person(email)),
      await scim.put(owner, person(email)),
      await scim.patch(owner, operations({ op: 'replace', path: 'active', value: false })),
      await scim.delete(owner),
    ])
      expect(refused).toMatchObject({ status: 403, body: { detail: 'The organisation owner is not managed by a directory' } })
    expect(await scim.get(owner)).toMatchObject({ status: 200 })

    const other = await givenDirectory(service(), { organisation, domain, name: `Other ${unique()}` })
    const { body: theirs } = await other.scim.post('/Users', person(address()))
    expect(await scim.get(`/Users/${theirs.id}`)).toMatchObject({ status: 200 })
    for (const refused of [
      await scim.post('/Users', person(theirs.userName)),
      await scim.patch(`/Users/${theirs.id}`, operations({ op: 'replace', path: 'active', value: false })),
      await scim.delete(`/Users/${theirs.id}`),
    ])
      expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness', detail: expect.stringContaining('Other') } })
  })

  it('is refused at the limit of a trial', async () => {
    const organisation = await service().given.organisation({ status: 'trial' })
    const { scim, address } = await givenDirectory(service(), { organisation })
    const answers = []
    for (let made = 0; made <= service().services.trialMaxUsers; made++) answers.push(await scim.post('/Users', person(address())))
    expect(answers[0]).toMatchObject({ status: 201 })
    expect(answers.at(-1)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('rial') } })
  })

  it('links the account that externalId names at the connection', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const subjects = async () =>
      service()
        .database.tenant(organisation.id)
        .selectFrom('identities')
        .select(['userId', 'subject'])
        .where('connectionId', '=', connectionId)
        .execute()
    const { body } = await scim.post('/Users', person(address(), { externalId: 'subject-1' }))
    expect(await subjects()).toEqual([{ userId: body.id, subject: 'subject-1' }])

    await scim.patch(`/Users/${body.id}`, operations({ op: 'replace', path: 'externalId', value: 'subject-2' }))
    expect(await subjects()).toEqual([{ userId: body.id, subject: 'subject-2' }])
    expect(await scim.post('/Users', person(address(), { externalId: 'subject-2' }))).toMatchObject({ status: 409 })
  })

  it('takes no user over by the account that externalId names whose address is of no verified domain', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const stranger = await service().given.user(organisation.owner)
    await linkedIdentity(service(), { organisationId: organisation.id, userId: stranger.id, connectionId, subject: 'theirs' })

    const refused = await scim.post('/Users', person(address(), { externalId: 'theirs' }))
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await organisation.owner.get(`/v1/admin/users/${stranger.id}`)).body).toMatchObject({ email: stranger.email, managedBy: null })
  })

  it('mails users whose account existed before that externalId links and unlinks an account, and no provisioned ones', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const [existing, provisioned] = [address(), address()]
    await service().given.user(organisation.owner, { email: existing })
    const { body } = await scim.post('/Users', person(existing, { externalId: `subject-${unique()}` }))
    expect(await scim.post('/Users', person(provisioned, { externalId: `subject-${unique()}` }))).toMatchObject({ status: 201 })
    await service().mailbox.mailTo(existing, 'An account has been linked with yours')

    expect(await scim.patch(`/Users/${body.id}`, operations({ op: 'remove', path: 'externalId' }))).toMatchObject({ status: 200 })
    await service().mailbox.mailTo(existing, 'An account has been unlinked from yours')
    await service().settled()
    expect(service().mailbox.mails.filter(({ to }) => to === provisioned)).toEqual([])
  })

  it('ends what began through the account that externalId names no longer, with what the connection gave', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const directory = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const user = await signedIn(directory)
    const { externalId } = (await directory.scim.get(`/Users/${user.id}`)).body
    await cameBy(service(), { organisationId: organisation.id, sessionId: user.sessionId }, { connectionId, subject: externalId })
    const role = await service().given.role(organisation.owner)
    await service().database.transaction(organisation.id, (tenant) =>
      replaceRolesFromSource(tenant, systemActor, user.id, `connection:${connectionId}`, [role.id]),
    )
    const becomes = (value: string | null) =>
      directory.scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'externalId', value }))
    const roles = async () => (await accountOf(directory, user.id)).roles.map(({ id }: { id: string }) => id)

    expect((await user.get('/v1/me/profile')).status).toBe(200)
    expect((await becomes('the right person')).status).toBe(200)

    expect((await user.get('/v1/me/profile')).status).toBe(401)
    expect(await roles()).toContain(role.id)
    expect((await becomes(null)).status).toBe(200)
    expect(await roles()).not.toContain(role.id)
  })

  it('has names as the API takes them: between characters where they are cut, and with nothing that cannot be seen', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const { body } = await scim.post('/Users', person(address(), { name: undefined, displayName: `${'x'.repeat(99)}😀 Lovelace` }))
    expect(await accountOf(directory, body.id)).toMatchObject({ firstName: 'x'.repeat(99), lastName: 'Lovelace' })
    const { body: blank } = await scim.post('/Users', person(address(), { name: { givenName: ' ', familyName: '\t' }, displayName: '  ' }))
    expect(await accountOf(directory, blank.id)).toMatchObject({ firstName: blank.userName.split('@')[0], lastName: '' })
    for (const name of [{ givenName: 'Ada\u202e' }, { familyName: 'Love\u200blace' }])
      expect(await scim.post('/Users', person(address(), { name }))).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })
})

describe('a text of a user that is only stored', () => {
  it('may have several lines, and no other control characters', async () => {
    const { scim, address } = await givenDirectory(service())
    const lines = 'Downing Street 10\r\nLondon'
    const { body } = await scim.post('/Users', person(address(), { addresses: [{ type: 'work', formatted: lines }] }))
    expect(body.addresses).toEqual([{ type: 'work', formatted: 'Downing Street 10\nLondon' }])

    const unfit = { status: 400, body: { scimType: 'invalidValue' } }
    for (const fields of [{ locale: 'en\u0001' }, { [enterprise]: { department: 'a\u009bb' } }, { ims: ['\u007f'] }])
      expect(await scim.post('/Users', person(address(), fields))).toMatchObject(unfit)
    const path = `/Users/${body.id}`
    const inPath = { op: 'add', path: 'emails[type eq "a\\u0007"].value', value: address() }
    for (const operation of [{ op: 'add', path: 'locale', value: 'en\u0001' }, inPath])
      expect(await scim.patch(path, operations(operation))).toMatchObject(unfit)
    expect(await scim.put(path, person(address(), { locale: '\u001b[31m' }))).toMatchObject({
      ...unfit,
      body: { detail: 'locale has control characters' },
    })
  })
})

describe('a change of a user', () => {
  it('by PUT keeps what it leaves out, and clears what is null', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const email = address()
    const { body: user } = await scim.post(
      '/Users',
      person(email, { title: 'Countess', nickName: 'A', [enterprise]: { department: 'Engines', costCenter: '1' } }),
    )
    const { status, body } = await scim.put(`/Users/${user.id}`, {
      userName: email,
      nickName: null,
      name: { givenName: 'Augusta', familyName: 'King' },
      [enterprise]: { costCenter: '2' },
    })

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { title: 'Countess', externalId: user.externalId, name: { givenName: 'Augusta', familyName: 'King' } },
    })
    expect(body.nickName).toBeUndefined()
    expect(body[enterprise]).toEqual({ department: 'Engines', costCenter: '2' })
    expect(await accountOf(directory, user.id)).toMatchObject({ firstName: 'Augusta', lastName: 'King' })
  })

  it('clears an extension that is null, or an empty list', async () => {
    const { scim, address } = await givenDirectory(service())
    const sent = person(address(), { [enterprise]: { department: 'Engines' } })
    const { body: user } = await scim.post('/Users', sent)
    const path = `/Users/${user.id}`
    for (const cleared of [null, []])
      for (const clear of [
        () => scim.put(path, { ...sent, [enterprise]: cleared }),
        () => scim.patch(path, operations({ op: 'replace', value: { [enterprise]: cleared } })),
        () => scim.patch(path, operations({ op: 'replace', path: enterprise, value: cleared })),
      ]) {
        expect((await scim.put(path, sent)).body[enterprise]).toEqual({ department: 'Engines' })
        const { status, body } = await clear()
        expect([status, body[enterprise], body.schemas]).toEqual([200, undefined, sent.schemas])
      }
  })

  it('clears a part of the name, and no more', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    for (const value of [{ familyName: null }, { givenName: 'Ada', familyName: '' }]) {
      const { body: user } = await scim.post('/Users', person(address()))
      expect(await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'name', value }))).toMatchObject({ status: 200 })
      expect(await accountOf(directory, user.id)).toMatchObject({ firstName: 'Ada', lastName: '' })
    }
  })

  it('writes and records nothing when nothing changes', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const sent = person(address(), { title: 'Countess' })
    const { body: user } = await scim.post('/Users', sent)
    const before = await entriesOf(directory, user.id)
    for (const answer of [
      await scim.put(`/Users/${user.id}`, sent),
      await scim.patch(
        `/Users/${user.id}`,
        operations({ op: 'Add', path: 'title', value: 'Countess' }, { op: 'remove', path: 'nickName' }),
      ),
      await scim.patch(`/Users/${user.id}`, operations({ op: 'Replace', value: { active: 'True' } })),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.body.meta.version).toBe(user.meta.version)
    }
    expect(await entriesOf(directory, user.id)).toEqual(before)
  })

  it('leaves what an administrator has cleared, of which it says nothing', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const phoneNumbers = [
      { value: '+44 1', type: 'mobile' },
      { value: '+44 2', type: 'work' },
    ]
    const { body: user } = await scim.post('/Users', person(address(), { phoneNumbers }))
    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { phone: null })

    expect(await scim.patch(`/Users/${user.id}`, operations({ op: 'add', path: 'title', value: 'Countess' }))).toMatchObject({
      status: 200,
    })
    expect(await accountOf(directory, user.id)).toMatchObject({ firstName: 'Ada', phone: null })
    const again = [{ op: 'replace', value: { phoneNumbers } }]
    expect(await scim.patch(`/Users/${user.id}`, operations(...again))).toMatchObject({ status: 200 })
    expect(await accountOf(directory, user.id)).toMatchObject({ phone: '+44 1' })
  })

  it('of what is not ours is recorded without a change of the account', async () => {
    const directory = await givenDirectory(service())
    const { body: user } = await directory.scim.post('/Users', person(directory.address()))
    const changed = await directory.scim.patch(
      `/Users/${user.id}`,
      operations({ op: 'add', path: `${enterprise}:department`, value: 'Sums' }),
    )
    expect(changed.body[enterprise]).toEqual({ department: 'Sums' })
    expect(changed.body.meta.version).not.toBe(user.meta.version)
    expect(await entriesOf(directory, user.id)).toContain('directory.user_updated')
    expect(await entriesOf(directory, user.id)).not.toContain('user.updated')
  })

  it('is refused before its operations have made a list longer than it may be, however many there are', async () => {
    const { scim, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address()))
    const values = (round: number) => Array.from({ length: 100 }, (_, index) => `${round * 100 + index}`)
    const many = Array.from({ length: 1_000 }, (_, round) => ({ op: 'add', path: 'ims', value: values(round) }))
    expect(await scim.patch(`/Users/${user.id}`, operations(...many))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue', detail: 'ims has at most 100 values' },
    })
    expect((await scim.get(`/Users/${user.id}`)).body).toEqual(user)
    const same = many.map((operation) => ({ ...operation, value: values(0) }))
    expect(await scim.patch(`/Users/${user.id}`, operations(...same))).toMatchObject({ status: 200 })
    expect((await scim.get(`/Users/${user.id}`)).body.ims).toHaveLength(100)
  })

  it('is refused when another version is meant', async () => {
    const { scim, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address()))
    const change = (ifMatch: string) =>
      scim.request('PATCH', `/Users/${user.id}`, {
        body: operations({ op: 'replace', path: 'title', value: unique() }),
        headers: { 'if-match': ifMatch },
      })
    expect(await change(user.meta.version)).toMatchObject({ status: 200 })
    expect(await change(user.meta.version)).toMatchObject({ status: 412, body: { status: '412' } })
    expect(await change('*')).toMatchObject({ status: 200 })
  })

  it('moves the address within verified domains, tells both, and ends what was mailed to the former', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const user = await signedIn(directory)
    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
    const moved = address()
    const replace = (value: string) =>
      scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'emails[type eq "work"].value', value }))
    expect(await replace(moved)).toMatchObject({ status: 200, body: { emails: [{ value: moved }] } })

    for (const to of [user.email, moved]) await service().mailbox.mailTo(to, 'address of your account has changed')
    expect((await user.get('/v1/me/profile')).body).toMatchObject({ email: moved, emailVerified: true })
    expect((await service().anonymous.post('/v1/auth/password/reset', { token, password: 'another long secret' })).status).toBe(400)

    expect(await replace(`x@${uniqueDomain()}`)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    const { body: other } = await scim.post('/Users', person(address()))
    expect(await replace(other.userName)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  it('moves the address to a primary one that its path creates', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const email = address()
    const { body: user } = await scim.post('/Users', person(email, { emails: [{ value: email, type: 'home', primary: true }] }))
    const moved = address()
    const operation = { op: 'add', path: 'emails[type eq "work"]', value: { value: moved, primary: true } }
    const { status, body } = await scim.patch(`/Users/${user.id}`, operations(operation))

    expect([status, body.emails.filter(({ primary }: { primary?: boolean }) => primary)]).toEqual([
      200,
      [{ value: moved, type: 'work', primary: true }],
    ])
    expect(await accountOf(directory, user.id)).toMatchObject({ email: moved })
  })

  it('does not move the address where the directory may not', async () => {
    const { scim, address } = await givenDirectory(service(), { emailChanges: 'refuse' })
    const { body: user } = await scim.post('/Users', person(address()))
    expect(
      await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'emails[type eq "work"].value', value: address() })),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    })
    expect(await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'userName', value: `name-${unique()}` }))).toMatchObject(
      { status: 200 },
    )
  })
})

describe('deactivation', () => {
  it('blocks the user and ends at once what they can act by, which does not revive', async () => {
    const directory = await givenDirectory(service())
    const user = await signedIn(directory)
    await service().anonymous.post('/v1/auth/password/forgot', { email: user.email })
    const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
    const set = (active: boolean) => directory.scim.patch(`/Users/${user.id}`, operations({ op: 'replace', value: { active } }))

    expect(await set(false)).toMatchObject({ status: 200, body: { active: false } })
    expect((await user.get('/v1/me/profile')).status).toBe(401)
    expect(await accountOf(directory, user.id)).toMatchObject({ blockedReason: expect.stringContaining('Deactivated by') })
    expect(await entriesOf(directory, user.id)).toContain('user.blocked')

    expect(await set(true)).toMatchObject({ status: 200, body: { active: true } })
    expect((await user.get('/v1/me/profile')).status).toBe(401)
    expect((await service().anonymous.post('/v1/auth/password/reset', { token, password: 'another long secret' })).status).toBe(400)
    await service().given.signIn(user.email)
  })

  it('ends the code that was mailed to the user, and their set-up link, so that neither works when it is lifted', async () => {
    const directory = await givenDirectory(service())
    const { owner } = directory.organisation
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const user = await signedIn(directory)
    const role = await service().given.role(owner, { permissions: ['domains:update'] })
    await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })
    const link = await createSetupLink(user)
    const proof = await emailCodeFor(service(), user.email)
    for (const active of [false, true])
      expect((await directory.scim.patch(`/Users/${user.id}`, operations({ op: 'replace', value: { active } }))).status).toBe(200)

    expect(await setupLinkOf({ owner }, link.id)).toMatchObject({ state: 'ended', endedBecause: 'right_lost' })
    expect((await service().anonymous.post('/v1/auth/email-code/verify', proof)).status).toBe(400)
  })

  it('reaches a user whatever they have called themselves', async () => {
    const name = `Directory ${unique()} ${'x'.repeat(200)}`
    const directory = await givenDirectory(service(), { name: name.padEnd(255, 'x') })
    const user = await signedIn(directory)
    await directory.scim.patch(`/Users/${user.id}`, operations({ op: 'add', path: 'title', value: 't'.repeat(16_000) }))
    const longest = { firstName: 'f'.repeat(255), lastName: 'l'.repeat(255), phone: '1'.repeat(255) }
    expect(await user.patch('/v1/me/profile', longest)).toMatchObject({ status: 200 })

    expect(await directory.scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: false }))).toMatchObject({
      status: 200,
      body: { active: false, name: { givenName: longest.firstName, familyName: longest.lastName } },
    })
    expect((await user.get('/v1/me/profile')).status).toBe(401)
    const { blockedReason } = await accountOf(directory, user.id)
    expect([blockedReason.slice(0, 24), blockedReason.length]).toEqual(['Deactivated by Directory', 255])
  })

  it('is not lifted by a value that is cleared', async () => {
    const { scim, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address(), { active: false }))
    const path = `/Users/${user.id}`
    for (const cleared of [
      await scim.patch(path, operations({ op: 'replace', path: 'active', value: '' })),
      await scim.patch(path, operations({ op: 'Remove', path: 'active' })),
      await scim.patch(path, operations({ op: 'add', value: { active: null } })),
      await scim.put(path, person(user.userName, { externalId: user.externalId, active: null })),
    ])
      expect(cleared).toMatchObject({ status: 200, body: { active: false } })
    expect(await scim.get(`${path}?attributes=meta`)).toMatchObject({ body: { meta: { version: user.meta.version } } })
  })

  it('is lifted for its own block alone', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const { body: user } = await scim.post('/Users', person(address()))
    const path = `/v1/admin/users/${user.id}`
    await organisation.owner.patch(path, { blockedAt: service().clock.now().toISOString(), blockedReason: 'Investigation' })
    const activate = () => scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: true }))
    expect(await activate()).toMatchObject({ status: 200, body: { active: false } })
    expect(await entriesOf(directory, user.id)).toContain('directory.activation_ignored')
    expect(await accountOf(directory, user.id)).toMatchObject({ blockedReason: 'Investigation' })

    const { body: ignored } = await scim.get(`/Users/${user.id}`)
    const before = await entriesOf(directory, user.id)
    expect(before).not.toContain('directory.user_updated')
    for (const again of [await activate(), await scim.put(`/Users/${user.id}`, person(user.userName, { externalId: user.externalId }))])
      expect([again.status, again.body.meta]).toEqual([200, ignored.meta])
    expect(await entriesOf(directory, user.id)).toEqual(before)
    await organisation.owner.patch(path, { blockedAt: null })
    await service().clock.advance({ seconds: 1 })
    await organisation.owner.patch(path, { blockedAt: service().clock.now().toISOString(), blockedReason: 'Another' })
    await activate()
    expect((await entriesOf(directory, user.id)).filter((action) => action === 'directory.activation_ignored')).toHaveLength(2)

    await organisation.owner.patch(path, { blockedAt: null })
    await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: false }))
    await organisation.owner.patch(path, { blockedAt: null })
    expect((await scim.get(`/Users/${user.id}`)).body.active).toBe(true)
  })
})

describe('a user whom an administrator has blocked', () => {
  async function blocked(send: (directory: GivenDirectory) => Promise<{ id: string }> = provisionedBy) {
    const directory = await givenDirectory(service())
    const { id } = await send(directory)
    const path = `/v1/admin/users/${id}`
    const { owner } = directory.organisation
    await owner.patch(path, { blockedAt: service().clock.now().toISOString(), blockedReason: 'Investigation' })
    const say = (active: boolean) => directory.scim.patch(`/Users/${id}`, operations({ op: 'replace', path: 'active', value: active }))
    const block = (blockedAt: Date) => owner.patch(path, { blockedAt: blockedAt.toISOString(), blockedReason: 'Investigation' })
    const lift = async () => (await owner.patch(path, { blockedAt: null })).body
    return { ...directory, directory, id, say, block, lift }
  }
  const provisionedBy = async ({ scim, address }: GivenDirectory) => (await scim.post('/Users', person(address()))).body
  const seenBy = ({ organisation, address }: GivenDirectory) => service().given.user(organisation.owner, { email: address() })
  const deactivated = { blockedAt: expect.any(String), blockedReason: expect.stringMatching(/^Deactivated by /) }
  const active = { blockedAt: null, blockedReason: null }

  it.each([
    ['manages', provisionedBy],
    ['sees', seenBy],
  ])('stays blocked with the end of that block if the directory that %s them has deactivated them meanwhile', async (_how, given) => {
    const { directory, id, say, lift } = await blocked(given)
    for (const _ of [1, 2]) expect(await say(false)).toMatchObject({ status: 200, body: { active: false } })
    expect(await accountOf(directory, id)).toMatchObject({ blockedReason: 'Investigation' })
    expect((await entriesOf(directory, id)).filter((action) => action === 'directory.user_updated')).toHaveLength(1)

    expect(await lift()).toMatchObject(deactivated)
    // The block is the directory's own: it lifts it, or an administrator does knowingly.
    expect(await say(true)).toMatchObject({ status: 200, body: { active: true } })
    expect(await accountOf(directory, id)).toMatchObject(active)
    await say(false)
    expect(await lift()).toMatchObject(active)
  })

  it('stays blocked with the end of that block if the directory has deleted them meanwhile, until it sends them again', async () => {
    const { scim, id, lift } = await blocked()
    const { userName } = (await scim.get(`/Users/${id}`)).body
    expect(await scim.delete(`/Users/${id}`)).toMatchObject({ status: 204 })

    expect(await lift()).toMatchObject(deactivated)
    expect(await lift()).toMatchObject(active)
    expect(await scim.post('/Users', person(userName))).toMatchObject({ status: 201, body: { id, active: true } })
  })

  it('is active with the end of that block if the directory has activated them again, or said nothing of it', async () => {
    const { scim, id, say, lift, organisation } = await blocked()
    await say(false)
    expect(await say(true)).toMatchObject({ status: 200, body: { active: false } })
    expect(await lift()).toMatchObject(active)

    const block = { blockedAt: service().clock.now().toISOString() }
    await organisation.owner.patch(`/v1/admin/users/${id}`, block)
    expect(await scim.patch(`/Users/${id}`, operations({ op: 'add', path: 'title', value: 'X' }))).toMatchObject({ status: 200 })
    expect(await lift()).toMatchObject(active)

    await organisation.owner.patch(`/v1/admin/users/${id}`, block)
    const { userName } = (await scim.get(`/Users/${id}`)).body
    await scim.delete(`/Users/${id}`)
    expect(await scim.post('/Users', person(userName))).toMatchObject({ status: 201, body: { id, active: false } })
    expect(await lift()).toMatchObject(active)
  })

  it.each([
    ['an earlier', -60],
    ['a later', 60],
  ])(
    'stays blocked with the end of a block that came after the deactivation and has %s time, until the directory activates them',
    async (_which, seconds) => {
      const { directory, id, say, block, lift } = await blocked()
      await lift()
      await service().clock.advance({ seconds: 1 })
      await say(false)
      const another = new Date(service().clock.now().getTime() + seconds * 1_000)
      for (const blockedAt of [another, new Date(another.getTime() + 120_000)]) {
        expect(await block(blockedAt)).toMatchObject({ status: 200, body: { blockedReason: 'Investigation' } })
      }

      expect(await lift()).toMatchObject(deactivated)
      expect(await say(true)).toMatchObject({ status: 200, body: { active: true } })
      expect(await accountOf(directory, id)).toMatchObject(active)
    },
  )

  it('is active with the end of a block whose time is before that of a deactivation which was lifted knowingly', async () => {
    const { directory, id, say, block, lift } = await blocked()
    await lift()
    await service().clock.advance({ seconds: 1 })
    await say(false)
    const earlier = new Date(service().clock.now().getTime() - 60_000)
    expect(await lift()).toMatchObject(active)

    await block(earlier)
    expect(await lift()).toMatchObject(active)

    await block(earlier)
    const noted = () => entriesOf(directory, id).then((entries) => entries.filter((action) => action === 'directory.user_updated').length)
    const before = await noted()
    await say(false)
    expect(await noted()).toBe(before + 1)
    expect(await lift()).toMatchObject(deactivated)
  })

  it('stays blocked by the directory when the block of an administrator is undone, which the entry of the undo says', async () => {
    const { organisation, id, say, lift } = await blocked()
    const { owner } = organisation
    await say(false)
    const [entry] = await owner.audit({ action: 'user.blocked', targetId: id })
    const undo = (query = '') => owner.post(`/v1/admin/audit-logs/${entry.id}/undo${query}`)
    const changes = [{ action: 'user.updated', changes: { blockedReason: { from: 'Investigation', to: deactivated.blockedReason } } }]
    expect(await undo('?dryRun=true')).toMatchObject({ status: 200, body: { changes } })
    expect(await undo()).toMatchObject({ status: 200, body: { changes } })

    // Undone in turn, both blocks are as they were.
    const [undone] = await owner.audit({ action: 'user.updated', targetId: id })
    expect(await owner.post(`/v1/admin/audit-logs/${undone.id}/undo`)).toMatchObject({ status: 200 })
    expect(await lift()).toMatchObject(deactivated)
    expect(await lift()).toMatchObject(active)
  })

  it('stays blocked when the operator lifts that block, and gets no link that would not work', async () => {
    const { directory, id, say } = await blocked()
    await say(false)
    const recover = (body: object) =>
      service().operator.post(`/v1/system/organisations/${directory.organisation.id}/users/${id}/recover`, body)
    expect(await recover({ unblock: true, passwordLink: true })).toMatchObject({
      status: 409,
      body: { code: 'password-link-would-not-work' },
    })
    expect(await recover({ unblock: true })).toMatchObject({ status: 200, body: { done: ['unblock'], ...deactivated } })
    expect(await accountOf(directory, id)).toMatchObject(deactivated)
    expect(await recover({ unblock: true })).toMatchObject({ status: 200, body: { done: ['unblock'], ...active } })
    expect(await accountOf(directory, id)).toMatchObject(active)
  })
})

describe('DELETE /Users/:id', () => {
  it('blocks the user, who is not found any more and comes back as the same one', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const user = await signedIn(directory)
    expect(await scim.delete(`/Users/${user.id}`)).toMatchObject({ status: 204, body: null })
    expect((await user.get('/v1/me/profile')).status).toBe(401)
    expect(await scim.get(`/Users/${user.id}`)).toMatchObject({ status: 404 })
    expect((await scim.get(`/Users${filter(`userName eq "${user.email}"`)}`)).body.totalResults).toBe(0)
    expect(await scim.delete(`/Users/${user.id}`)).toMatchObject({ status: 404 })
    const entries = await entriesOf(directory, user.id)
    expect(entries).toEqual(expect.arrayContaining(['user.blocked', 'directory.user_deprovisioned']))
    expect(entries).not.toContain('user.deleted')

    expect(await scim.post('/Users', person(user.email))).toMatchObject({ status: 201, body: { id: user.id, active: true } })
    expect(await accountOf(directory, user.id)).toMatchObject({ blockedAt: null })
    await service().given.signIn(user.email)

    const { body: again } = await scim.post('/Users', person(address(), { externalId: 'E-9' }))
    await scim.delete(`/Users/${again.id}`)
    expect(await scim.post('/Users', person(address(), { externalId: 'E-9' }))).toMatchObject({ status: 201, body: { id: again.id } })
    expect((await organisation.owner.get(`/v1/admin/users/${again.id}`)).body.blockedAt).toBeNull()
  })

  it('leaves the former person nothing to act by when the name alone comes back, for another address', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const user = await signedIn(directory)
    await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'userName', value: 'jsmith' }))
    await scim.delete(`/Users/${user.id}`)
    const email = address()

    const emails = [{ value: email, type: 'work', primary: true }]
    expect(await scim.post('/Users', person('jsmith', { emails }))).toMatchObject({ status: 201, body: { id: user.id, active: true } })
    expect(await service().anonymous.post('/v1/auth/login', { email, password: user.password })).toMatchObject({ status: 401 })
    expect(await entriesOf(directory, user.id)).toContain('user.password_removed')
  })

  it('keeps what the user signs in by when they come back by their externalId, with another address', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const user = await signedIn(directory)
    const { externalId } = (await scim.get(`/Users/${user.id}`)).body
    await scim.delete(`/Users/${user.id}`)
    const email = address()

    expect(await scim.post('/Users', person(email, { externalId }))).toMatchObject({ status: 201, body: { id: user.id } })
    expect(await service().anonymous.post('/v1/auth/login', { email, password: user.password })).toMatchObject({ status: 200 })
  })

  it('deprovisions a user whom it sees without managing them, and finds them by their address', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const { id, email } = await service().given.user(organisation.owner, { email: address() })

    expect(await scim.delete(`/Users/${id}`)).toMatchObject({ status: 204 })
    expect(await scim.get(`/Users/${id}`)).toMatchObject({ status: 404 })
    expect(await accountOf(directory, id)).toMatchObject({ blockedReason: expect.stringContaining('Deactivated by') })
    expect(await scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id, active: true } })
    expect(await accountOf(directory, id)).toMatchObject({ blockedAt: null })
  })

  it('leaves the names of the user to another, and finds them by their address alone from then on', async () => {
    const directory = await givenDirectory(service())
    const { scim, address } = directory
    const [leaver, other] = [address(), address()]
    const { body: gone } = await scim.post('/Users', person('jsmith', { externalId: 'E-1', emails: [{ value: leaver, primary: true }] }))
    const { body: user } = await scim.post('/Users', person(other))
    const change = operations({ op: 'replace', value: { userName: 'JSmith', externalId: 'E-1' } })
    expect(await scim.patch(`/Users/${user.id}`, change)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    await scim.delete(`/Users/${gone.id}`)

    expect(await scim.patch(`/Users/${user.id}`, change)).toMatchObject({ status: 200, body: { userName: 'JSmith', externalId: 'E-1' } })
    expect(await scim.post('/Users', person(leaver))).toMatchObject({ status: 201, body: { id: gone.id, userName: leaver, active: true } })
    expect((await scim.get(`/Users/${user.id}`)).body).toMatchObject({ userName: 'JSmith', externalId: 'E-1' })
  })

  it('reaches a user whom it does not manage, though a deprovisioned one was called by their address', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const { id, email } = await service().given.user(organisation.owner, { email: address() })
    const { body: gone } = await scim.post('/Users', person(email, { emails: [{ value: address(), primary: true }] }))
    await scim.delete(`/Users/${gone.id}`)

    expect(await scim.delete(`/Users/${id}`)).toMatchObject({ status: 204 })
    expect(await accountOf(directory, id)).toMatchObject({ blockedReason: expect.stringContaining('Deactivated by') })
  })

  it('of an administrator leaves the names of the user to another, also when the user is restored', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const email = address()
    const named = (value: string) => person('jsmith', { externalId: 'E-1', emails: [{ value, primary: true }] })
    const { body: gone } = await scim.post('/Users', named(email))
    await organisation.owner.delete(`/v1/admin/users/${gone.id}`)

    const { status, body: user } = await scim.post('/Users', named(address()))
    expect([status, user.id === gone.id]).toEqual([201, false])
    expect(await organisation.owner.post(`/v1/admin/users/${gone.id}/restore`)).toMatchObject({ status: 200 })
    expect(await accountOf(directory, gone.id)).toMatchObject({ managedBy: null })
    expect(await scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id: gone.id } })
    expect((await scim.get(`/Users/${user.id}`)).body).toMatchObject({ userName: 'jsmith', externalId: 'E-1' })
  })

  it('of an administrator ends no management where no other user takes the names', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const { body: user } = await scim.post('/Users', person(address()))
    await organisation.owner.delete(`/v1/admin/users/${user.id}`)
    await organisation.owner.post(`/v1/admin/users/${user.id}/restore`)

    expect((await scim.get(`/Users/${user.id}`)).body).toMatchObject({ userName: user.userName, externalId: user.externalId })
  })

  it('keeps the block of an administrator', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, address } = directory
    const { body: user } = await scim.post('/Users', person(address()))
    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: service().clock.now().toISOString() })
    await scim.delete(`/Users/${user.id}`)
    expect(await scim.post('/Users', person(user.userName))).toMatchObject({ status: 201, body: { id: user.id, active: false } })
  })

  it('deletes the user where the directory is set so, and the address stays reserved', async () => {
    const directory = await givenDirectory(service(), { deletes: 'delete' })
    const { scim, address } = directory
    const { body: user } = await scim.post('/Users', person(address()))
    expect(await scim.delete(`/Users/${user.id}`)).toMatchObject({ status: 204 })
    expect(await accountOf(directory, user.id)).toMatchObject({ code: 'user-not-found' })
    expect(await scim.post('/Users', person(user.userName))).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await scim.post('/Users', person(address(), { externalId: user.externalId }))).toMatchObject({ status: 201 })
  })
})

describe('a user of another organisation', () => {
  it('does not exist for any method', async () => {
    const { scim } = await givenDirectory(service())
    const other = await givenDirectory(service())
    const { body: theirs } = await other.scim.post('/Users', person(other.address()))
    for (const id of [theirs.id, 'usr_unknown', 'x', '%00', `${theirs.id}x`]) {
      const path = `/Users/${id}`
      for (const answer of [
        await scim.get(path),
        await scim.put(path, person(theirs.userName)),
        await scim.patch(path, operations({ op: 'replace', path: 'active', value: false })),
        await scim.delete(path),
      ])
        expect([id, answer.status]).toEqual([id, 404])
    }
    expect((await other.scim.get(`/Users/${theirs.id}`)).body).toEqual(theirs)
  })
})
