import { describe, expect, it } from 'vitest'
import { forgetUser } from '../../src/audit/forget-user.ts'
import { newClient } from '../http/world.ts'
import { givenDirectory, operations, person } from '../support/directories.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

interface Entry {
  id: string
  action: string
  actorId: string | null
  targetId: string
  [field: string]: unknown
}

const entriesOf = async (by: SignedInUser, query: string): Promise<Entry[]> => {
  const answer = await by.get(`/v1/admin/audit-logs?limit=1000&${query}`)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data
}
const names = ({ actorName, actorEmail, targetName, targetEmail }: Entry) => ({ actorName, actorEmail, targetName, targetEmail })
const actionsOf = (entries: Entry[]) => entries.map(({ action }) => action).sort()

describe('an audit entry', () => {
  it('carries the name and e-mail of the actor and the target as they were', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner, { firstName: 'Carol', lastName: 'Shaw' })
    const me = (await owner.get('/v1/me/profile')).body
    await owner.patch(`/v1/admin/users/${user.id}`, { lastName: 'Sharp' })
    await owner.patch('/v1/me/profile', { firstName: 'Olive' })
    await owner.delete(`/v1/admin/users/${user.id}`)

    const byOwner = { actorEmail: owner.email, targetEmail: user.email }
    const [deleted] = await entriesOf(owner, `targetId=${user.id}&action=user.deleted`)
    const [updated] = await entriesOf(owner, `targetId=${user.id}&action=user.updated`)
    const [created] = await entriesOf(owner, `targetId=${user.id}&action=user.created`)
    expect(names(created as Entry)).toEqual({ ...byOwner, actorName: me.name, targetName: 'Carol Shaw' })
    expect(names(updated as Entry)).toEqual({ ...byOwner, actorName: me.name, targetName: 'Carol Sharp' })
    expect(names(deleted as Entry)).toMatchObject({ ...byOwner, actorName: expect.stringMatching(/^Olive/), targetName: 'Carol Sharp' })
  })

  it('of a sign-in names the user, and of a failed one no actor', async () => {
    const { given, anonymous } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    await anonymous.post('/v1/auth/login', { email: user.email, password: 'wrong wrong' })
    await service().settled()
    await given.signIn(user.email)

    const [success] = await entriesOf(owner, `actorId=${user.id}&action=login.success`)
    const [failed] = await entriesOf(owner, `targetId=${user.id}&action=login.failed`)
    const person = { targetName: user.name, targetEmail: user.email }
    expect(names(success as Entry)).toEqual({ actorName: user.name, actorEmail: user.email, ...person })
    expect(names(failed as Entry)).toEqual({ actorName: null, actorEmail: null, ...person })
  })

  it('names API keys, clients, endpoints, invitations, teams and the organisation', async () => {
    const { given, anonymous, operator } = service()
    const { id, name, owner } = await given.organisation()
    const role = await given.role(owner)
    const { key } = (await owner.post('/v1/admin/api-keys', { name: 'Importer', permissions: ['teams:create'] })).body
    await anonymous.with({ authorization: `Bearer ${key}` }).post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    await owner.post('/v1/admin/clients', { ...newClient(), name: 'Portal' })
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/in', events: ['*'] })
    const email = `invited-${unique()}@example.test`
    await owner.post('/v1/admin/invitations', { email, roleId: role.id })
    await operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'x' })
    await operator.patch(`/v1/system/organisations/${id}/activate`)
    const reader = await given.signIn(owner.email)
    const of = async (action: string) => names((await entriesOf(reader, `action=${action}`))[0] as Entry)

    expect(await of('team.created')).toEqual({ actorName: 'Importer', actorEmail: null, targetName: 'Europe', targetEmail: null })
    expect(await of('api_key.created')).toMatchObject({ targetName: 'Importer', targetEmail: null })
    expect(await of('client.created')).toMatchObject({ targetName: 'Portal', targetEmail: null })
    expect(await of('webhook.created')).toMatchObject({ targetName: 'https://hooks.example.test/in' })
    expect(await of('invitation.sent')).toMatchObject({ targetName: null, targetEmail: email })
    expect(await of('organisation.suspended')).toMatchObject({ actorName: null, actorEmail: null, targetName: name })
  })

  it('adds no names to events, whose form is documented', async () => {
    const { id, owner } = await service().given.organisation()
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/', events: ['team.created'] })
    await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const [delivery] = await service().database.tenant(id).selectFrom('webhookDeliveries').select('body').execute()
    expect(JSON.parse(delivery?.body ?? '').data.actor).toEqual({ id: owner.id, type: 'user', email: owner.email })
  })
})

describe('the filter email', () => {
  it('finds entries by and about a user, and their invitation, also from before entries had names', async () => {
    const { given, mailbox, anonymous, database } = service()
    const { id, owner } = await given.organisation()
    const role = await given.role(owner)
    const email = `invited-${unique()}@example.test`
    await owner.post('/v1/admin/invitations', { email, roleId: role.id })
    const accepted = await anonymous.post('/v1/auth/invitations/accept', {
      token: await mailbox.tokenTo(email),
      firstName: 'Ida',
      lastName: 'Invited',
      password: 'correct horse battery',
    })
    const user = await given.signIn(email)
    await user.patch('/v1/me/profile', { firstName: 'Ada' })
    await owner.patch(`/v1/admin/users/${accepted.body.user.id}`, { phone: '+44 20 7946 0000' })
    await given.user(owner)

    const found = await entriesOf(owner, `email=${encodeURIComponent(` ${email.toUpperCase()} `)}`)
    expect([...new Set(actionsOf(found))]).toEqual([
      'invitation.accepted',
      'invitation.sent',
      'login.success',
      'role.assigned',
      'user.created',
      'user.updated',
    ])
    expect(found.filter(({ action }) => action === 'user.updated')).toHaveLength(2)
    expect(await entriesOf(owner, `email=${email}&action=user.created`)).toHaveLength(1)
    const exported = await owner.get(`/v1/admin/audit-logs/export?email=${email}`)
    expect(
      exported.body
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).id),
    ).toEqual(found.map((entry) => entry.id))

    const columns = { actorName: null, actorEmail: null, targetName: null, targetEmail: null }
    await database
      .system()
      .updateTable('auditLogs')
      .set(columns)
      .where('organisationId', '=', id)
      .where('targetType', '=', 'user')
      .execute()
    expect((await entriesOf(owner, `email=${email}`)).map((entry) => entry.id)).toEqual(found.map((entry) => entry.id))
  })

  it('finds the entries of a user whose address a directory has changed, and those of who has it now', async () => {
    const { scim, address, organisation } = await givenDirectory(service())
    const { owner } = organisation
    const [former, moved] = [address(), address()]
    const { body: ada } = await scim.post('/Users', person(former))
    await owner.patch(`/v1/admin/users/${ada.id}`, { phone: '+44 20 7946 0000' })
    const change = operations({ op: 'replace', path: 'emails[type eq "work"].value', value: moved })
    expect(await scim.patch(`/Users/${ada.id}`, change)).toMatchObject({ status: 200 })
    const before = await entriesOf(owner, `targetId=${ada.id}`)

    for (const email of [former, moved])
      expect((await entriesOf(owner, `email=${email}`)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(await entriesOf(owner, `email=${former}&action=user.created`)).toMatchObject([{ targetId: ada.id, targetEmail: former }])

    const successor = await service().given.user(owner, { email: former })
    const found = await entriesOf(owner, `email=${former}&action=user.created`)
    expect(found.map(({ targetId }) => targetId)).toEqual([successor.id, ada.id])
    const exported = await owner.get(`/v1/admin/audit-logs/export?email=${former}&action=user.created`)
    expect(exported.body.trim().split('\n')).toHaveLength(2)
  })

  it('finds nothing of another organisation, and refuses a text that is no address', async () => {
    const one = await service().given.organisation()
    const other = await service().given.organisation()
    expect(await entriesOf(one.owner, `email=${other.owner.email}`)).toEqual([])
    expect(await one.owner.get('/v1/admin/audit-logs?email=nobody')).toMatchObject({ status: 400, body: { errors: [{ path: ['email'] }] } })
  })
})

describe('forgetUser', () => {
  it('leaves the id of the user in the audit log of their organisation, and no other personal data', async () => {
    const { given, mailbox, anonymous, database } = service()
    const organisation = await given.organisation()
    const { owner } = organisation
    const role = await given.role(owner)
    const email = `erased-${unique()}@example.test`
    await owner.post('/v1/admin/invitations', { email, roleId: role.id })
    const token = await mailbox.tokenTo(email)
    const input = { token, firstName: 'Zebulon', lastName: 'Quixano', password: 'correct horse battery' }
    const userId = (await anonymous.post('/v1/auth/invitations/accept', input)).body.user.id
    const user = await given.signIn(email)
    await user.patch('/v1/me/profile', { phone: '+44 20 7946 0999' })
    await anonymous.post('/v1/auth/login', { email, password: 'wrong wrong' })
    await service().settled()
    const bystander = await given.user(owner, { firstName: 'Bystander' })
    const before = await entriesOf(owner, '')

    const changed = await database.systemTransaction((system) =>
      forgetUser(system, { organisationId: organisation.id, userId, addresses: [{ email, until: null }] }),
    )

    const after = await entriesOf(owner, '')
    expect(changed).toBeGreaterThan(5)
    expect(after.map(({ id, action, actorId, targetId }) => [id, action, actorId, targetId])).toEqual(
      before.map(({ id, action, actorId, targetId }) => [id, action, actorId, targetId]),
    )
    const text = JSON.stringify(after)
    for (const personal of ['erased-', 'Zebulon', 'Quixano', '0999']) expect(text).not.toContain(personal)
    const unconcerned = (entries: Entry[]) => entries.filter(({ targetId, actorId }) => [targetId, actorId].includes(bystander.id))
    expect(unconcerned(after)).toEqual(unconcerned(before))
    expect(after.find(({ targetId, action }) => targetId === userId && action === 'user.created')?.changes).toHaveProperty('mfaEnabled')
    expect(
      await database.systemTransaction((system) =>
        forgetUser(system, { organisationId: organisation.id, userId: 'usr_none', addresses: [{ email: 'a@b.test', until: null }] }),
      ),
    ).toBe(0)
  })
})
