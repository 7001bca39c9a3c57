import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const check = (by: HttpClient, body: object) => by.post('/v1/admin/permission-checks', body)
const summary = ({ id, name, slug }: { id: string; name: string; slug: string }) => ({ id, name, slug })

describe('a check of a permission', () => {
  it('says which role gives it, since when and by whom', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { permissions: ['users:delete'] })
    const admin = await given.userWith(owner, ['users:update', 'users:delete'])
    const anna = await given.user(owner)
    clock.advance({ minutes: 1 })
    await admin.post(`/v1/admin/users/${anna.id}/roles`, { roleId: support.id })
    const { body: log } = await owner.get(`/v1/admin/audit-logs?targetId=${anna.id}&action=role.assigned`)
    const assignedAt = log.data.find(({ metadata }: { metadata: { roleId: string } }) => metadata.roleId === support.id).createdAt

    const asked = { userId: anna.id, permission: 'users:delete' }
    const sources = [{ type: 'manual', id: null, name: null }]
    const assignedBy = { id: admin.id, type: 'user', name: 'Test User' }
    const because = [{ role: summary(support), source: 'direct', sources, assignedAt, assignedBy }]
    expect(await check(owner, asked)).toMatchObject({
      status: 200,
      body: { ...asked, allowed: true, because, blockedBy: [], wouldAllow: [] },
    })
    const { body: listed } = await owner.get(`/v1/admin/users/${anna.id}/permissions`)
    expect(listed.data).toContainEqual({ permission: 'users:delete', because })
    expect(listed).toMatchObject({ total: listed.data.length, blockedBy: [] })

    await owner.patch(`/v1/admin/users/${anna.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    expect((await check(owner, asked)).body).toMatchObject({ allowed: false, because, blockedBy: ['blocked'] })
    expect((await owner.get(`/v1/admin/users/${anna.id}/permissions`)).body).toMatchObject({ blockedBy: ['blocked'] })
  })

  it('says which roles would give it, and answers several at once in their order', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { permissions: ['clients:delete'], name: 'A role that helps' })
    const user = await given.user(owner)
    const checks = [
      { userId: user.id, permission: 'clients:delete' },
      { userId: owner.id, permission: 'clients:delete' },
    ]

    const { body } = await check(owner, { checks })
    expect(body.data).toMatchObject([
      { ...checks[0], allowed: false, because: [], blockedBy: [] },
      { ...checks[1], allowed: true, because: [{ role: { slug: 'owner' } }], wouldAllow: [] },
    ])
    expect(body.data[0].wouldAllow).toContainEqual(summary(role))
  })

  it('says what the next sign-in would ask for first, unless the user has a session', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    const asked = { userId: user.id, permission: 'users:read' }
    clock.advance({ days: 31 })
    const again = await given.signIn(owner.email)
    await again.patch('/v1/admin/organisation', { requireMfa: true, passwordPolicy: { maxAge: 30 } })

    expect((await check(again, asked)).body.blockedBy).toEqual(['mfa_enrolment', 'password_expired'])
    expect((await check(again, { ...asked, userId: owner.id })).body).toMatchObject({ allowed: true, blockedBy: [] })
  })

  it('knows of passkeys that the next sign-in asks for, and of those that stand for a second factor', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const [holder, other] = [await given.userWith(owner, []), await given.user(owner)]
    await registerPasskey(holder, new PasskeyDevice())
    await owner.delete(`/v1/admin/users/${holder.id}/sessions`)
    const set = (changes: object) => owner.patch('/v1/admin/organisation', changes)
    const blockers = async () => {
      const checks = [holder, other].map(({ id }) => ({ userId: id, permission: 'users:read' }))
      return (await check(owner, { checks })).body.data.map(({ blockedBy }: { blockedBy: string[] }) => blockedBy)
    }

    await set({ requireMfa: true, signInPolicy: { passkeys: 'required' } })
    expect(await blockers()).toEqual([[], ['mfa_enrolment', 'passkey_enrolment']])
    await set({ signInPolicy: { passkeySatisfiesMfa: false } })
    expect(await blockers()).toEqual([['mfa_enrolment'], ['mfa_enrolment', 'passkey_enrolment']])
    await set({ requireMfa: false })
    expect(await blockers()).toEqual([[], ['passkey_enrolment']])
    expect((await owner.get(`/v1/admin/users/${other.id}/permissions`)).body.blockedBy).toEqual(['passkey_enrolment'])
  })

  it('is refused for unknown users and permissions, and without the permissions to read users and roles', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const foreign = (await given.organisation()).owner
    const known = { userId: owner.id, permission: 'users:read' }

    expect((await check(owner, { userId: owner.id, permission: 'no:such' })).body).toMatchObject({
      status: 400,
      errors: [{ path: ['permission'] }],
    })
    expect((await check(owner, { checks: [known, { ...known, userId: foreign.id }] })).body).toMatchObject({
      status: 400,
      errors: [{ path: ['checks', 1, 'userId'] }],
    })
    expect((await check(owner, { checks: [{ userId: owner.id }] })).body).toMatchObject({
      errors: [{ code: 'invalid_type', path: ['checks', 0, 'permission'], message: 'Required' }],
    })
    expect((await check(owner, {})).body).toMatchObject({ errors: [{ path: ['userId'] }, { path: ['permission'] }] })
    for (const body of [{}, { checks: [] }, { checks: Array(101).fill(known) }, { userId: owner.id }])
      expect(await check(owner, body)).toMatchObject({ status: 400 })
    for (const [permission, missing] of [
      ['users:read', 'roles:read'],
      ['roles:read', 'users:read'],
    ]) {
      const reader = await given.userWith(owner, [permission as string])
      const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions: [permission] })
      for (const by of [reader, service().anonymous.with({ authorization: `Bearer ${key.key}` })]) {
        const refused = { status: 403, body: { detail: `Missing required permission: ${missing}` } }
        expect(await check(by, known)).toMatchObject(refused)
        expect(await by.get(`/v1/admin/users/${owner.id}/permissions`)).toMatchObject(refused)
      }
    }
    expect(await check(await given.userWith(owner, ['users:read', 'roles:read']), known)).toMatchObject({ status: 200 })
    expect(await owner.get(`/v1/admin/users/${foreign.id}/permissions`)).toMatchObject({ status: 404 })
  })

  it('equals what a request of the user meets', async () => {
    const { given, database } = service()
    const organisation = await given.organisation()
    const { owner } = organisation
    const tenant = () => database.tenant(organisation.id)
    const paths = {
      'users:read': '/v1/admin/users?limit=1',
      'roles:read': '/v1/admin/roles?limit=1',
      'teams:read': '/v1/admin/teams?limit=1',
    }
    const slugs = Object.keys(paths) as (keyof typeof paths)[]
    const roles = await Promise.all(
      [[slugs[0], slugs[1]], [slugs[1]], [slugs[2]], []].map((permissions) => given.role(owner, { permissions: permissions as string[] })),
    )
    const user = await given.userWith(owner, [])

    await fc.assert(
      fc.asyncProperty(fc.subarray(roles), fc.boolean(), async (held, isBlocked) => {
        await tenant().deleteFrom('userRoles').where('userId', '=', user.id).execute()
        for (const { id: roleId } of held)
          await tenant().insertInto('userRoles').values({ userId: user.id, roleId, createdAt: tenant().now }).execute()
        const blockedAt = isBlocked ? tenant().now : null
        await tenant().updateTable('users').set({ blockedAt }).where('id', '=', user.id).execute()

        const { body } = await check(owner, { checks: slugs.map((permission) => ({ userId: user.id, permission })) })
        const { body: listed } = await owner.get(`/v1/admin/users/${user.id}/permissions`)
        const met = await Promise.all(slugs.map(async (slug) => (await user.get(paths[slug])).status === 200))

        expect(body.data.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual(met)
        const usable = listed.blockedBy.length > 0 ? [] : listed.data.map(({ permission }: { permission: string }) => permission)
        expect(usable.sort()).toEqual(slugs.filter((_, index) => met[index]).toSorted())
      }),
      { numRuns: 25 },
    )
  })
})
