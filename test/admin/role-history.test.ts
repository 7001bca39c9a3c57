import { describe, expect, it } from 'vitest'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

const historyOf = async (owner: SignedInUser, targetId: string, action: string) => await owner.audit({ targetId, action })

async function eventsIn(
  organisationId: string,
  name: string,
): Promise<{ user: Record<string, unknown>; role: Record<string, unknown>; actor: unknown }[]> {
  const rows = await service()
    .database.tenant(organisationId)
    .selectFrom('webhookDeliveries')
    .select('body')
    .where('event', '=', name)
    .execute()
  return rows.map(({ body }) => JSON.parse(body).data)
}

const subscribe = (owner: SignedInUser, events: string[]) =>
  owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/', events })

describe('deleting a role', () => {
  it('records role.unassigned for each user who held it, and for no other user', async () => {
    const { given } = service()
    const { id, owner } = await given.organisation()
    await subscribe(owner, ['role.unassigned', 'role.deleted'])
    const role = await given.role(owner, { permissions: ['users:read'] })
    const other = await given.role(owner)
    const holders = [await given.user(owner, { roleIds: [role.id, other.id] }), await given.user(owner, { roleIds: [role.id] })]
    const bystander = await given.user(owner, { roleIds: [other.id] })

    expect(await owner.delete(`/v1/admin/roles/${role.id}`)).toMatchObject({ status: 204 })

    for (const user of holders) {
      expect(await historyOf(owner, user.id, 'role.unassigned')).toMatchObject([
        {
          id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
          actorType: 'user',
          actorId: owner.id,
          actorEmail: owner.email,
          targetType: 'user',
          targetEmail: user.email,
          targetName: user.name,
          ipAddress: '127.0.0.1',
          changes: null,
          metadata: { roleId: role.id, roleSlug: role.slug, because: 'role.deleted' },
        },
      ])
    }
    expect(await historyOf(owner, bystander.id, 'role.unassigned')).toEqual([])
    const events = await eventsIn(id, 'role.unassigned')
    expect(events.map(({ user }) => user.id).sort()).toEqual(holders.map((user) => user.id).sort())
    expect(events.find(({ user }) => user.id === holders[0]?.id)).toMatchObject({
      user: { email: holders[0]?.email, roles: [{ id: other.id }] },
      role: { id: role.id, permissions: [{ slug: 'users:read' }] },
      actor: { id: owner.id, type: 'user' },
    })
    expect(await eventsIn(id, 'role.deleted')).toHaveLength(1)
  })

  it('records nothing when no user held it or the request is refused', async () => {
    const { given } = service()
    const { id, owner } = await given.organisation()
    await subscribe(owner, ['*'])
    const role = await given.role(owner)
    await owner.delete(`/v1/admin/roles/${role.id}`)
    const { data } = (await owner.get('/v1/admin/roles')).body
    const ownerRole = data.find(({ slug }: { slug: string }) => slug === 'owner')
    expect(await owner.delete(`/v1/admin/roles/${ownerRole.id}`)).toMatchObject({ status: 400 })

    expect(await owner.audit({ action: 'role.unassigned' })).toEqual([])
    expect(await eventsIn(id, 'role.unassigned')).toEqual([])
    expect((await owner.get('/v1/me/profile')).body.roles).toMatchObject([{ slug: 'owner' }])
  })

  it('is recorded for very many users at once', async () => {
    const { given, database } = service()
    const { id, owner } = await given.organisation()
    const role = await given.role(owner)
    const users = Array.from({ length: 1_500 }, (_, index) => ({
      id: `usr_${unique()}x${index}`,
      email: `many-${unique()}-${index}@example.test`,
    }))
    await database.transaction(id, async (tenant) => {
      const times = { createdAt: tenant.now, updatedAt: tenant.now }
      await tenant
        .insertInto('users')
        .values(users.map((user) => ({ ...user, firstName: 'Many', lastName: 'User', ...times })))
        .execute()
      await tenant
        .insertInto('userRoles')
        .values(users.map((user) => ({ userId: user.id, roleId: role.id, createdAt: tenant.now })))
        .execute()
    })
    await subscribe(owner, ['role.unassigned'])

    expect(await owner.delete(`/v1/admin/roles/${role.id}`)).toMatchObject({ status: 204 })

    const { body } = await owner.get('/v1/admin/audit-logs/export?action=role.unassigned')
    expect(body.trim().split('\n')).toHaveLength(1_500)
    expect(await eventsIn(id, 'role.unassigned')).toHaveLength(1_500)
  })
})

describe('a role assigned with the creation of a user', () => {
  it('records role.assigned, with its event, for each', async () => {
    const { given } = service()
    const { id, owner } = await given.organisation()
    await subscribe(owner, ['role.assigned', 'user.created'])
    const roles = [await given.role(owner), await given.role(owner)]
    const user = await given.user(owner, { roleIds: roles.map((role) => role.id) })

    const history = await historyOf(owner, user.id, 'role.assigned')
    expect(history.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual(
      expect.arrayContaining(roles.map(({ id: roleId, slug }) => ({ roleId, roleSlug: slug }))),
    )
    expect(history).toHaveLength(2)
    const events = await eventsIn(id, 'role.assigned')
    expect(events.map(({ role }) => role.id).sort()).toEqual(roles.map((role) => role.id).sort())
    expect(events).toMatchObject([{ user: { id: user.id } }, { user: { id: user.id } }])
    expect(await eventsIn(id, 'user.created')).toHaveLength(1)
  })

  it('is the default role too, and that of an accepted invitation', async () => {
    const { given, mailbox, anonymous } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    expect(await historyOf(owner, user.id, 'role.assigned')).toMatchObject([{ actorId: owner.id, metadata: { roleSlug: 'member' } }])

    const role = await given.role(owner)
    const email = `invited-${unique()}@example.test`
    await owner.post('/v1/admin/invitations', { email, roleId: role.id })
    const accepted = await anonymous.post('/v1/auth/invitations/accept', {
      token: await mailbox.tokenTo(email),
      firstName: 'Ida',
      lastName: 'Invited',
      password: 'correct horse battery',
    })
    const { id } = accepted.body.user
    expect(await historyOf(owner, id, 'role.assigned')).toMatchObject([
      { actorId: id, actorName: 'Ida Invited', metadata: { roleId: role.id } },
    ])
  })

  it('records nothing when no role was assigned', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { data } = (await owner.get('/v1/admin/roles')).body
    await owner.delete(`/v1/admin/roles/${data.find(({ slug }: { slug: string }) => slug === 'member').id}`)
    const user = await given.user(owner)
    expect(await historyOf(owner, user.id, 'user.created')).toHaveLength(1)
    expect(await historyOf(owner, user.id, 'role.assigned')).toEqual([])
  })
})

describe('permission.granted', () => {
  it('names each permission that a PATCH has granted, in an entry and an event of its own', async () => {
    const { given, database } = service()
    const { id, owner } = await given.organisation()
    await subscribe(owner, ['permission.granted'])
    const role = await given.role(owner, { permissions: ['users:read'] })
    await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: ['users:read', 'users:update', 'teams:read'] })

    const history = await historyOf(owner, role.id, 'permission.granted')
    const granted = history.map(({ metadata }: { metadata: { permission: { slug: string } } }) => metadata.permission.slug)
    expect(granted.sort()).toEqual(['teams:read', 'users:update'])
    expect(history[0].metadata.permission).toEqual({
      id: expect.stringMatching(/^prm_/),
      slug: expect.any(String),
      name: expect.any(String),
    })
    const deliveries = await database.tenant(id).selectFrom('webhookDeliveries').select('body').execute()
    expect(deliveries.map(({ body }) => JSON.parse(body).data.permission.slug).sort()).toEqual(['teams:read', 'users:update'])
  })
})
