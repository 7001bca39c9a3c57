import { CompiledQuery, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()

/** The roles of every organisation whose array does not match their permissions. */
async function wrongRoles() {
  const { rows } = await service().engine.execute(
    CompiledQuery.raw(`
      select r.slug, r.permission_slugs, held.slugs
      from roles r cross join lateral (
        select array(
          select p.slug from role_permissions rp join permissions p on p.id = rp.permission_id
          where rp.organisation_id = r.organisation_id and rp.role_id = r.id order by p.slug
        ) as slugs
      ) held
      where r.permission_slugs <> held.slugs`),
  )
  return rows
}

const permissionIds = async (owner: { get(path: string): Promise<{ body: { data: { id: string; slug: string }[] } }> }) =>
  (await owner.get('/v1/admin/permissions?limit=100')).body.data.map(({ id }) => id)

describe('the permissions that are stored with a role', () => {
  it('match the permissions of the role after every change', async () => {
    const { owner } = await service().given.organisation()
    const ids = await permissionIds(owner)
    expect(await wrongRoles()).toEqual([])

    const role = await service().given.role(owner, { permissions: ['users:read', 'roles:read'] })
    expect(await wrongRoles()).toEqual([])
    for (const chosen of [ids.slice(2, 6), ids.slice(5), []]) {
      expect(await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: chosen })).toMatchObject({ status: 200 })
      expect(await wrongRoles()).toEqual([])
    }
  })

  it('are correct after two changes of one role at the same moment', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const ids = await permissionIds(owner)
    const role = await service().given.role(owner)
    const grant = (permissionId: string | undefined) =>
      service().database.transaction(organisationId, async (tenant) => {
        await sql`insert into role_permissions (role_id, permission_id) values (${role.id}, ${permissionId})`.execute(tenant)
      })

    await Promise.all(ids.slice(0, 8).map(grant))

    expect(await wrongRoles()).toEqual([])
    const stored = await service()
      .database.tenant(organisationId)
      .selectFrom('roles')
      .select('permissionSlugs')
      .where('id', '=', role.id)
      .executeTakeFirst()
    expect(stored?.permissionSlugs).toHaveLength(8)
  })

  it('follow a permission that the operator adds and deletes', async () => {
    await Promise.all([service().given.organisation(), service().given.organisation()])
    const added = await service().operator.post('/v1/system/permissions', {
      ...{ slug: 'kept:slugs', name: 'Kept', description: 'Kept', category: 'custom' },
    })
    expect(added).toMatchObject({ status: 201 })
    expect(await wrongRoles()).toEqual([])

    expect(await service().operator.delete(`/v1/system/permissions/${added.body.id}`)).toMatchObject({ status: 204 })

    expect(await wrongRoles()).toEqual([])
    const { rows } = await service().engine.execute(CompiledQuery.raw(`select from roles where 'kept:slugs' = any (permission_slugs)`))
    expect(rows).toEqual([])
  })
})
