import { describe, expect, it } from 'vitest'
import { createDirectory } from '../support/directories.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** A user whom a directory manages, with a group of theirs. */
async function managedUser() {
  const { owner, id: organisationId } = await service().given.organisation()
  const directory = await createDirectory(owner, { name: 'Entra ID' })
  const user = await service().given.user(owner)
  const tenant = service().database.tenant(organisationId)
  const times = { createdAt: tenant.now, updatedAt: tenant.now }
  const managed = { directoryId: directory.id, userId: user.id, userName: 'carol', externalId: 'e-1' }
  await tenant
    .insertInto('directoryUsers')
    .values({ ...managed, ...times })
    .execute()
  const group = { id: `grp_0${user.id.slice(-8)}`, directoryId: directory.id, displayName: 'Support' }
  await tenant
    .insertInto('directoryGroups')
    .values({ ...group, ...times })
    .execute()
  await tenant.insertInto('directoryGroupMembers').values({ groupId: group.id, userId: user.id, createdAt: tenant.now }).execute()
  const block = async (blockedAt: Date, byDirectory: boolean) => {
    await tenant.updateTable('users').set({ blockedAt }).where('id', '=', user.id).execute()
    if (byDirectory) await tenant.updateTable('directoryUsers').set({ blockedAt }).where('userId', '=', user.id).execute()
  }
  return { owner, organisationId, directory, user, tenant, block }
}

describe('a user whom a directory manages', () => {
  it('is shown with the directory, until it manages them no longer', async () => {
    const { owner, directory, user, tenant } = await managedUser()
    const managedBy = async () => (await owner.get(`/v1/admin/users/${user.id}`)).body.managedBy

    expect(await managedBy()).toEqual({ type: 'directory', id: directory.id, name: 'Entra ID' })
    expect((await owner.get(`/v1/admin/users/${owner.id}`)).body.managedBy).toBeNull()
    await tenant.updateTable('directoryUsers').set({ deprovisionedAt: tenant.now }).where('userId', '=', user.id).execute()
    expect(await managedBy()).toBeNull()
  })

  it('cannot sign in because the directory deactivated them, or an administrator blocked them', async () => {
    const { owner, user, block } = await managedUser()
    const check = async () => {
      const { body } = await owner.post('/v1/admin/sign-in-checks', { email: user.email })
      return body.steps.find(({ step }: { step: string }) => step === 'block')
    }

    await block(new Date('2026-01-01T00:00:00Z'), true)
    expect(await check()).toMatchObject({
      code: 'deactivated-by-directory',
      values: { directory: 'Entra ID', since: '2026-01-01T00:00:00.000Z' },
    })
    await block(new Date('2026-01-02T00:00:00Z'), false)
    expect(await check()).toMatchObject({ code: 'user-blocked' })
  })

  it('leaves nothing at the directory when they are erased', async () => {
    const { organisationId, user, tenant } = await managedUser()

    expect((await service().operator.post(`/v1/system/organisations/${organisationId}/users/${user.id}/erase`)).status).toBe(200)

    for (const table of ['directoryUsers', 'directoryGroupMembers'] as const) {
      expect([table, await tenant.selectFrom(table).selectAll().where('userId', '=', user.id).execute()]).toEqual([table, []])
    }
    expect(await tenant.selectFrom('directoryGroups').select('displayName').execute()).toEqual([{ displayName: 'Support' }])
  })
})

describe('the search', () => {
  it('finds directories for those who may read them', async () => {
    const { owner, directory } = await managedUser()
    const found = { type: 'directory', id: directory.id, title: 'Entra ID', subtitle: 'SCIM' }

    expect((await owner.get('/v1/admin/search?q=entra')).body.data).toEqual([found])
    const other = await service().given.userWith(owner, ['users:read'])
    expect((await other.get('/v1/admin/search?q=entra')).body.data).toEqual([])
  })
})
