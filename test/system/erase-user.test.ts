import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { erasedWithTheUser, keptOfErasedUsers } from '../../src/system/erase-user.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { givenDirectory, person } from '../support/directories.ts'
import { addDomain } from '../support/domains.ts'
import { userByConnection } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { listeningProvider } from '../support/identity-provider.ts'
import { invite } from '../support/invite.ts'
import { useService } from '../support/service.ts'

const service = useService()
const openToSignUps = useService({ environment: { SIGNUP: 'open' } })

const erase = (organisationId: string, userId: string) =>
  service().operator.post(`/v1/system/organisations/${organisationId}/users/${userId}/erase`)

/** The tables with a row that contains the text. */
async function tablesWith(text: string, database = service().database): Promise<string[]> {
  const system = database.system()
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
    system,
  )
  const found = []
  for (const { name } of rows) {
    const holding = await sql`select from ${sql.table(name)} entry where entry::text ilike ${`%${text}%`} limit 1`.execute(system)
    if (holding.rows.length > 0) found.push(name)
  }
  return found.sort()
}

describe('POST /v1/system/organisations/:id/users/:userId/erase', () => {
  it('removes name, address, phone number and factors everywhere, and leaves the ids in the history', async () => {
    const { id, owner } = await service().given.organisation()
    const [email, firstName, lastName] = [`carol-${unique()}@example.test`, `Carol${unique()}`, `Shaw${unique()}`]
    const phone = `+44 ${unique()}`
    const invitation = await invite(service(), owner, { email })
    const accepted = await service().anonymous.post('/v1/auth/invitations/accept', {
      token: invitation.token,
      firstName,
      lastName,
      password: 'correct horse battery',
    })
    const userId = accepted.body.user.id
    const user = await service().given.signIn(email)
    await user.patch('/v1/me/profile', { phone, firstName: `${firstName}a` })
    await enrolAuthenticator(user, service().clock)
    await owner.post(`/v1/admin/users/${userId}/password-reset`)
    await service().anonymous.post('/v1/auth/login', { email, password: 'wrong password' })
    await service().settled()
    for (const text of [email, firstName, lastName, phone]) expect(await tablesWith(text)).not.toEqual([])

    expect(await erase(id, userId)).toMatchObject({ status: 200, body: { message: 'User erased' } })

    for (const text of [email, firstName, lastName, phone]) expect([text, await tablesWith(text)]).toEqual([text, []])
    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${userId}&limit=100`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['user.created', 'user.updated', 'mfa.enabled', 'login.failed', 'user.deleted', 'user.erased']),
    )
    expect(data[0]).toMatchObject({ action: 'user.erased', actorType: 'system', targetId: userId, changes: null, metadata: null })
    expect((await owner.get(`/v1/admin/invitations/${invitation.id}`)).body).toMatchObject({ status: 'accepted' })
  })

  it('removes what an identity provider has said of the user, and their exemption from required single sign-on', async () => {
    const provider = await listeningProvider({ now: () => service().clock.now() })
    const { application, organisation, browser, subject } = await userByConnection(service(), provider, { upstreamLogout: true })
    await application.signIn({ scope: 'openid offline_access' }, browser)
    await provider.close()
    const { email } = provider.behaviour.user as { email: string }
    const { body: me } = await browser.get('/v1/me/profile')
    await enrolAuthenticator(browser, service().clock)
    const stays = await service().given.userWith(organisation.owner, [])
    await enrolAuthenticator(stays, service().clock)
    const { id } = await addDomain(organisation.owner)
    const path = `/v1/admin/domains/${id}`
    const exempt = await organisation.owner.patch(path, { bypassUserIds: [me.id, stays.id] })
    expect(exempt).toMatchObject({ status: 200, body: { bypassUserIds: [me.id, stays.id] } })
    for (const text of [email, subject]) expect(await tablesWith(text)).not.toEqual([])

    expect(await erase(organisation.id, me.id)).toMatchObject({ status: 200 })

    for (const text of [email, subject]) expect([text, await tablesWith(text)]).toEqual([text, []])
    expect((await organisation.owner.get('/v1/admin/domains')).body.data).toMatchObject([{ bypassUserIds: [stays.id] }])
  })

  it('removes the addresses that a directory has changed, and leaves what concerns their next owner', async () => {
    const { organisation, scim, address } = await givenDirectory(service())
    const { id, owner } = organisation
    const [former, present] = [address(), address()]
    await invite(service(), owner, { email: former })
    const sent = person(former)
    const { body: user } = await scim.post('/Users', sent)
    await owner.post(`/v1/admin/users/${user.id}/password-reset`)
    await service().anonymous.post('/v1/auth/login', { email: former, password: 'wrong password' })
    expect((await scim.put(`/Users/${user.id}`, { ...sent, userName: present, emails: [{ value: present }] })).status).toBe(200)
    service().clock.advance({ minutes: 1 })
    await service().settled()
    expect(await tablesWith(former)).toEqual(['audit_logs', 'invitations', 'mails'])

    expect((await erase(id, user.id)).status).toBe(200)
    for (const text of [former, present]) expect([text, await tablesWith(text)]).toEqual([text, []])

    const another = (await scim.post('/Users', person(former))).body
    const moved = address()
    await scim.put(`/Users/${another.id}`, { ...sent, userName: moved, emails: [{ value: moved }] })
    service().clock.advance({ minutes: 1 })
    const { id: roleId } = await service().given.role(owner)
    const invitation = (await owner.post('/v1/admin/invitations', { email: former, roleId })).body
    await service().settled()
    expect((await erase(id, another.id)).status).toBe(200)
    expect((await owner.get(`/v1/admin/invitations/${invitation.id}`)).body).toMatchObject({ email: former })
    expect(await service().database.system().selectFrom('mails').select('subject').where('recipient', '=', former).execute()).toHaveLength(
      1,
    )
    expect(await owner.audit({ action: 'invitation.sent', limit: 1 })).toMatchObject([{ metadata: { email: former } }])
  })

  it('removes the address of a sign-up that a former owner has not confirmed', async () => {
    const { anonymous, database, operator, settled } = openToSignUps()
    const slug = `org-${unique()}`
    const ownerEmail = `owner@${slug}.test`
    const sent = { name: `Organisation ${slug}`, slug, email: `it@${slug}.test`, ownerEmail, ownerFirstName: 'Hank' }
    const { organisation, owner } = (await anonymous.post('/v1/organisations', sent)).body
    const ofOrganisation = `/v1/system/organisations/${organisation.id}`
    // The operator's commands make users in it, too.
    const tenant = database.tenant(organisation.id)
    const next = {
      id: `usr_${slug}`,
      email: `next@${slug}.test`,
      firstName: 'A',
      lastName: 'B',
      createdAt: tenant.now,
      updatedAt: tenant.now,
    }
    await tenant.insertInto('users').values(next).execute()
    expect(await operator.post(`${ofOrganisation}/transfer-ownership`, { userId: next.id })).toMatchObject({ status: 200 })
    await settled()
    expect(await tablesWith(ownerEmail, database)).toEqual(['mails', 'sign_ups'])

    expect(await operator.post(`${ofOrganisation}/users/${owner.id}/erase`)).toMatchObject({ status: 200 })

    expect(await tablesWith(ownerEmail, database)).toEqual([])
  })

  it('signs the user out, and shows the user in no list', async () => {
    const { id, owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['users:read'])

    await erase(id, user.id)

    expect((await user.get('/v1/me/profile')).status).toBe(401)
    expect((await owner.get(`/v1/admin/users/${user.id}`)).status).toBe(404)
    expect((await owner.get('/v1/admin/users?status=deleted')).body).toEqual({ data: [], total: 0 })
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect((await owner.post(`/v1/admin/users/${user.id}/restore`)).status).toBe(404)
    expect((await service().operator.get(`/v1/system/organisations/${id}/users?email=${user.email}`)).body.total).toBe(0)
  })

  it('frees the address, also for another organisation', async () => {
    const { id, owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { id: userId, email } = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${userId}`)
    expect((await other.owner.post('/v1/admin/users', { email, firstName: 'A', lastName: 'B' })).status).toBe(409)

    await erase(id, userId)

    expect((await other.owner.post('/v1/admin/users', { email, firstName: 'A', lastName: 'B' })).status).toBe(201)
  })

  it('happens once when it is requested twice at the same moment', async () => {
    const { id, owner } = await service().given.organisation()
    const user = await service().given.user(owner)

    const answers = await Promise.all([erase(id, user.id), erase(id, user.id), erase(id, user.id)])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${user.id}`)).body
    expect(data.filter(({ action }: { action: string }) => action === 'user.erased')).toHaveLength(1)
    expect(data.filter(({ action }: { action: string }) => action === 'user.deleted')).toHaveLength(1)
  })

  it('does not affect the owner, users of other organisations and the entries of others', async () => {
    const { id, owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const stays = await service().given.user(owner)
    // The other organisation has invited the address before.
    const email = `goes-${unique()}@example.test`
    const { id: roleId } = await service().given.role(other.owner)
    expect(await other.owner.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ status: 201 })
    const goes = await service().given.user(owner, { email })
    const mailsTo = () => service().database.system().selectFrom('mails').select('organisationId').where('recipient', '=', email).execute()
    expect((await mailsTo()).map(({ organisationId }) => organisationId).sort()).toEqual([id, other.id].sort())
    const entries = async () => await owner.audit({ targetId: stays.id })
    const before = await entries()

    expect(await erase(id, owner.id)).toMatchObject({ status: 400, body: { code: 'owner-cannot-be-erased' } })
    expect((await erase(other.id, stays.id)).status).toBe(404)
    expect((await owner.post(`/v1/system/organisations/${id}/users/${stays.id}/erase`)).status).toBe(401)
    expect((await erase(id, goes.id)).status).toBe(200)

    expect((await owner.get('/v1/me/profile')).status).toBe(200)
    expect((await owner.get(`/v1/admin/users/${stays.id}`)).body).toMatchObject({ email: stays.email })
    expect(await entries()).toEqual(before)
    expect(await mailsTo()).toEqual([{ organisationId: other.id }])
    expect(before).toContainEqual(expect.objectContaining({ action: 'user.created', targetEmail: stays.email }))
  })

  it('covers every table that refers to users, except those with a reason not to', async () => {
    const { rows } = await sql<{ name: string }>`
      select t.relname as name from pg_class t join pg_attribute a on a.attrelid = t.oid
      where a.attname = 'user_id' and not a.attisdropped and t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace`.execute(
      service().database.system(),
    )

    const covered = new Set([...erasedWithTheUser, ...Object.keys(keptOfErasedUsers)])
    expect(rows.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([])
  })
})
