import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseOf } from '../../src/platform/database/apply-migrations.ts'
import { up } from '../../src/platform/database/migrations/0097-reserved-subjects.ts'
import { linkedIdentity } from '../support/connections.ts'
import { callbackPath, meOf, signInBy, userByConnection } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { RATE_LIMIT: 'off' } })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

const identitiesOf = (connectionId: string) =>
  service().database.system().selectFrom('identities').selectAll().where('connectionId', '=', connectionId).execute()

/** A user who came by a connection, which gave them a role. */
async function given() {
  const user = await userByConnection(service(), provider, {
    linking: 'automatic',
    syncOn: 'every_sign_in',
    mapping: JSON.stringify({ firstName: 'given_name' }),
  })
  const { owner, id: organisationId } = user.organisation
  const { id } = (await meOf(service(), user.visitor)).body
  const { data: roles } = (await owner.get('/v1/admin/roles')).body
  const roleId = roles.find(({ slug }: { slug: string }) => slug === 'admin').id
  const roleMappings = [{ claim: 'groups', value: 'admins', roleId }]
  await owner.patch(`/v1/admin/connections/${user.connectionId}`, { roleMappings })
  const account = { ...provider.behaviour.user, given_name: 'Ada', groups: ['admins'] }
  provider.behaviour.user = account
  expect(await signInBy(service(), provider, user.connectionId)).toMatchObject({ status: 303 })
  const path = `/v1/admin/users/${id}`
  return { ...user, owner, organisationId, id, path, account, signIn: () => signInBy(service(), provider, user.connectionId) }
}

type Given = Awaited<ReturnType<typeof given>>

/** What is left of the identity: nothing that the provider said of the user. */
const reserved = ({ id, subject, organisationId, connectionId }: Given) => ({
  ...{ organisationId, connectionId, subject, userId: null, reservedFor: id, email: null, claims: {}, lastUsedAt: null },
  ...{ id: expect.any(String), createdAt: expect.any(Date) },
})

const rolesOf = async ({ owner, path }: Given) => {
  const { roles } = (await owner.get(path)).body
  return roles.map(({ slug }: { slug: string }) => slug)
}

async function expectRefused(user: Given) {
  const { status, body, visitor } = await user.signIn()
  expect([status, body.includes('cannot be used here')]).toEqual([403, true])
  expect((await meOf(service(), visitor)).status).toBe(401)
}

describe('the linked accounts of a user who is deleted', () => {
  it('are unlinked, and nothing is left of them but the subject, which is refused with whatever address', async () => {
    const user = await given()
    expect(await rolesOf(user)).toContain('admin')
    expect(await user.owner.delete(user.path)).toMatchObject({ status: 204 })

    expect(await identitiesOf(user.connectionId)).toEqual([reserved(user)])
    const { data } = (await user.owner.get('/v1/admin/audit-logs?action=identity.unlinked')).body
    expect(data).toMatchObject([{ actorId: user.organisation.owner.id, metadata: { userId: user.id } }])
    await expectRefused(user)
    provider.behaviour.user = { ...user.account, email: `other-${unique()}@example.test` }
    await expectRefused(user)

    expect(await identitiesOf(user.connectionId)).toEqual([reserved(user)])
    expect((await user.owner.get('/v1/admin/users')).body.total).toBe(1)
  })

  it('are linked to no other user, who asks for it', async () => {
    const user = await given()
    await user.owner.delete(user.path)
    const { owner } = user
    const visitor = new PageVisitor(service().origin, owner.cookie)
    const { body } = await owner.post('/v1/me/identities', { connectionId: user.connectionId, returnTo: '/account/identities' })
    const { pathname, search } = new URL(body.url)
    const started = await visitor.open(pathname + search)
    const back = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
    const linked = await visitor.open(back.pathname + back.search)

    expect([linked.status, linked.body.includes('linked to another user')]).toEqual([409, true])
    expect((await owner.get('/v1/me/identities')).body.data).toEqual([])
    expect(await identitiesOf(user.connectionId)).toEqual([reserved(user)])
  })

  it('stay unlinked when the user is restored, and can be linked again', async () => {
    const user = await given()
    await user.owner.delete(user.path)
    expect(await user.owner.post(`${user.path}/restore`)).toMatchObject({ status: 200 })

    expect(await identitiesOf(user.connectionId)).toEqual([])
    expect((await user.owner.get(`${user.path}/identities`)).body.data).toEqual([])
    expect(await rolesOf(user)).not.toContain('admin')

    const { visitor, ...answer } = await user.signIn()
    expect(answer).toMatchObject({ status: 303 })
    expect((await meOf(service(), visitor)).body.id).toBe(user.id)
    expect((await user.owner.get(`${user.path}/identities`)).body.data).toMatchObject([{ subject: user.subject }])
    expect(await rolesOf(user)).toContain('admin')
  })

  it('of a database of the release before are reduced to their subject, and no others', async () => {
    const [user, stays] = [await given(), await given()]
    await user.owner.delete(user.path)
    const rolledBack = new Error('rolled back')
    const found: unknown[] = []

    const migrated = service().engine.ownerTransaction(async (transaction) => {
      const database = databaseOf(transaction)
      await sql`alter table identities drop constraint identities_reserved_check`.execute(database)
      await sql`set local role gatehouse_system`.execute(database)
      await sql`
        update identities set user_id = reserved_for, email = 'ada@example.test', claims = '{"sub": "x"}', last_used_at = now()
        where user_id is null`.execute(database)
      await sql`set local role none`.execute(database)
      await sql`alter table identities drop column reserved_for`.execute(database)
      await up(database)
      await sql`set local role gatehouse_system`.execute(database)
      for (const { connectionId } of [user, stays]) {
        const { rows } = await sql`
          select user_id, reserved_for, email, claims from identities where connection_id = ${connectionId}`.execute(database)
        found.push(...rows)
      }
      throw rolledBack
    })

    await expect(migrated).rejects.toBe(rolledBack)
    const { id, account } = stays
    expect(found).toMatchObject([
      { user_id: null, reserved_for: user.id, email: null, claims: {} },
      { user_id: id, reserved_for: null, email: expect.any(String), claims: account },
    ])
  })

  it('count no more, and leave nothing when the user is erased', async () => {
    const [user, other] = [await given(), await given()]
    await user.owner.delete(user.path)
    const { connectionId, organisationId } = user
    expect(await service().operator.post(`/v1/system/organisations/${organisationId}/users/${user.id}/erase`)).toMatchObject({
      status: 200,
    })
    expect(await identitiesOf(connectionId)).toEqual([])

    await other.owner.delete(other.path)
    const stays = await service().given.user(other.owner)
    await linkedIdentity(service(), { organisationId: other.organisationId, userId: stays.id, connectionId: other.connectionId })
    await other.owner.delete(`/v1/admin/connections/${other.connectionId}`)
    const { data } = (await other.owner.get('/v1/admin/audit-logs?action=connection.deleted')).body
    expect(data).toMatchObject([{ metadata: { identities: 1 } }])
  })

  it('sign no user in, whenever a sign-in meets the deletion, and whichever other user is deleted', async () => {
    const users: Given[] = []
    for (let made = 0; made < 6; made++) users.push(await given())
    const arrivals: { visitor: PageVisitor; path: string }[] = []
    for (const { connectionId, account } of users) {
      provider.behaviour.user = account
      const visitor = new PageVisitor(service().origin)
      arrivals.push({ visitor, path: await callbackPath(provider, connectionId, visitor) })
    }
    const outcomes = await Promise.all(
      users.flatMap(({ owner, path }, index) => {
        const arrival = arrivals[index]
        return [arrival?.visitor.open(arrival.path), owner.delete(path)]
      }),
    )

    for (const [index, user] of users.entries()) {
      const [signIn, deletion] = outcomes.slice(index * 2)
      expect([303, 403]).toContain(signIn?.status)
      expect(deletion).toMatchObject({ status: 204 })
      expect((await meOf(service(), arrivals[index]?.visitor as PageVisitor)).status).toBe(401)
      expect(await identitiesOf(user.connectionId)).toEqual([reserved(user)])
    }
  })
})
