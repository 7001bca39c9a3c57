import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findApiKey } from '../../src/access/queries.ts'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import { findPermissionsOf } from '../../src/roles/queries.ts'
import type { SignedInUser, TestOrganisation } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

const impactOf = (owner: SignedInUser, roleId: string, asked: object) => owner.post(`/v1/admin/roles/${roleId}/impact`, asked)

describe('the impact of a change of a role', () => {
  it('tells who would gain and lose which permission, and changes nothing', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { permissions: ['users:read', 'teams:read'] })
    const readers = await given.role(owner, { permissions: ['teams:read'] })
    const both = await given.user(owner, { roleIds: [support.id, readers.id] })
    const one = await given.user(owner, { roleIds: [support.id] })
    const blocked = await given.user(owner, { roleIds: [support.id] })
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    const before = await owner.get(`/v1/admin/roles/${support.id}`)

    const summary = ({ id, name, email }: { id: string; name: string; email: string }) => ({ id, name, email })
    expect(await impactOf(owner, support.id, { permissionIds: ['users:read', 'roles:read'] })).toMatchObject({
      status: 200,
      body: {
        users: 2,
        gains: [{ permission: 'roles:read', users: 2 }],
        losses: [{ permission: 'teams:read', users: 1 }],
        apiKeys: 0,
        sample: [both, one].map(summary),
      },
    })
    expect((await impactOf(owner, support.id, { delete: true })).body).toEqual({
      users: 2,
      gains: [],
      losses: [
        { permission: 'teams:read', users: 1 },
        { permission: 'users:read', users: 2 },
      ],
      apiKeys: 0,
      sample: [both, one].map(summary),
    })
    expect((await impactOf(owner, support.id, { permissionIds: ['users:read', 'teams:read'] })).body).toEqual({
      users: 0,
      gains: [],
      losses: [],
      apiKeys: 0,
      sample: [],
    })
    expect((await owner.get(`/v1/admin/roles/${support.id}`)).body).toEqual(before.body)
  })

  it('names no users to a caller who may not read them', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { permissions: ['teams:read'] })
    await given.user(owner, { roleIds: [role.id] })
    const reader = await given.userWith(owner, ['roles:read'])

    expect((await impactOf(reader, role.id, { delete: true })).body).toMatchObject({ users: 1, sample: [] })
    expect(await impactOf(await given.userWith(owner, ['roles:update']), role.id, { delete: true })).toMatchObject({ status: 403 })
  })

  it('is refused where the change would be', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner)
    const { body: roles } = await owner.get('/v1/admin/roles?q=owner')

    for (const asked of [{}, { delete: true, permissionIds: [] }, { delete: false }, { permissionIds: ['prm_none'] }])
      expect([asked, (await impactOf(owner, role.id, asked)).status]).toEqual([asked, 400])
    expect(await impactOf(owner, 'rol_none', { delete: true })).toMatchObject({ status: 404 })
    expect(await impactOf(owner, roles.data[0].id, { delete: true })).toMatchObject({
      status: 400,
      body: { code: 'owner-role-cannot-be-deleted' },
    })
    expect(await impactOf(owner, roles.data[0].id, { permissionIds: [] })).toMatchObject({
      status: 400,
      body: { code: 'owner-role-keeps-its-permissions' },
    })
  })

  it('can be read while the organisation is suspended', async () => {
    const { given, operator, anonymous } = service()
    const organisation = await given.organisation()
    const role = await given.role(organisation.owner)
    const { body: key } = await organisation.owner.post('/v1/admin/api-keys', { name: 'Reader', permissions: ['roles:read'] })
    await operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'Payment overdue' })

    const asked = { headers: { authorization: `Bearer ${key.key}` } }
    expect(await anonymous.post(`/v1/admin/roles/${role.id}/impact`, { delete: true }, asked)).toMatchObject({ status: 200 })
    expect(await anonymous.post('/v1/admin/roles', {}, asked)).toMatchObject({ status: 403 })
  })

  it('equals what happens to the effective permissions of users and keys', async () => {
    const { given, database } = service()
    const organisation = await given.organisation()
    const slugs = ['users:read', 'roles:read', 'teams:read', 'clients:read']
    const roles = [await given.role(organisation.owner), await given.role(organisation.owner), await given.role(organisation.owner)]
    const users = await Promise.all(Array.from({ length: 6 }, () => given.user(organisation.owner)))
    await organisation.owner.patch(`/v1/admin/users/${users[4]?.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    await organisation.owner.delete(`/v1/admin/users/${users[5]?.id}`)
    const keys = await Promise.all(users.map(({ id }, index) => insertKey(organisation, id, slugs.slice(index % 3))))
    const some = fc.subarray(slugs)

    const tenant = () => database.tenant(organisation.id)
    const effective = async () => {
      const ofUsers = users.map(
        async ({ id }) => [id, [...(await findPermissionsOf(tenant(), { userId: id, keyId: null }))].sort()] as const,
      )
      const ofKeys = keys.map(
        async (hash) => [hash, [...new Set((await findApiKey(database, hash, tenant().now))?.permissions)].sort()] as const,
      )
      return { users: new Map(await Promise.all(ofUsers)), keys: new Map(await Promise.all(ofKeys)) }
    }

    await fc.assert(
      fc.asyncProperty(
        fc.tuple(some, some, some),
        fc.array(fc.subarray([0, 1, 2]), { minLength: 6, maxLength: 6 }),
        fc.oneof(some, fc.constant(undefined)),
        async (held, assigned, asked) => {
          for (const [index, permissionIds] of held.entries())
            await organisation.owner.patch(`/v1/admin/roles/${roles[index]?.id}`, { permissionIds })
          await tenant()
            .deleteFrom('userRoles')
            .where(
              'roleId',
              'in',
              roles.map(({ id }) => id),
            )
            .execute()
          const rows = assigned.flatMap((of, user) =>
            of.map((role) => ({ userId: users[user]?.id as string, roleId: roles[role]?.id as string, createdAt: tenant().now })),
          )
          if (rows.length > 0) await tenant().insertInto('userRoles').values(rows).execute()

          const { body } = await impactOf(organisation.owner, roles[0]?.id as string, asked ? { permissionIds: asked } : { delete: true })
          const before = await effective()
          // A deletion takes what an empty role takes, and leaves the role for the next run.
          await organisation.owner.patch(`/v1/admin/roles/${roles[0]?.id}`, { permissionIds: asked ?? [] })
          const after = await effective()

          expect(body).toEqual(differencesBetween(before, after))
        },
      ),
      { numRuns: 25 },
    )

    function differencesBetween(before: Awaited<ReturnType<typeof effective>>, after: typeof before) {
      const changed = (kind: 'users' | 'keys') => [...before[kind]].filter(([id, slugs]) => String(after[kind].get(id)) !== String(slugs))
      const counts = (of: typeof before, than: typeof before) =>
        slugs.toSorted().flatMap((permission) => {
          const concerned = users.filter(({ id }) => of.users.get(id)?.includes(permission) && !than.users.get(id)?.includes(permission))
          return concerned.length > 0 ? [{ permission, users: concerned.length }] : []
        })
      const ids = new Set(changed('users').map(([id]) => id))
      const sample = users.filter(({ id }) => ids.has(id)).toSorted((one, other) => (one.id < other.id ? -1 : 1))
      return {
        users: ids.size,
        gains: counts(after, before),
        losses: counts(before, after),
        apiKeys: changed('keys').length,
        sample: sample.map(({ id, name, email }) => ({ id, name, email })),
      }
    }
  })

  /** A key of another creator than the caller, as their own request would have made it. @returns its hash */
  async function insertKey({ id }: TestOrganisation, createdById: string, permissions: string[]): Promise<string> {
    const tenant = service().database.tenant(id)
    const keyHash = hashSecret(`ak_${createdById}`)
    const row = {
      id: `key_${createdById.slice(4)}`,
      name: 'Key',
      prefix: 'ak_test',
      keyHash,
      permissions,
      createdById,
      createdAt: tenant.now,
    }
    await tenant.insertInto('apiKeys').values(row).execute()
    return keyHash
  }
})
