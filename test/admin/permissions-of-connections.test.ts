import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databaseOf } from '../../src/platform/database/apply-migrations.ts'
import { up } from '../../src/platform/database/migrations/0088-permissions-of-connections.ts'
import { asSystem } from '../../src/platform/database/migrations/as-system.ts'
import type { TestOrganisation } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const slugs = ['connections:create', 'connections:delete', 'connections:read', 'connections:update', 'domains:read', 'domains:update']

async function heldBy({ owner }: TestOrganisation, slug: string): Promise<string[]> {
  const { body } = await owner.get('/v1/admin/roles')
  const role = body.data.find((one: { slug: string }) => one.slug === slug)
  return role.permissions.map((one: { slug: string }) => one.slug).filter((one: string) => slugs.includes(one))
}

describe('the permissions of connections and domains', () => {
  it('are held by the owner and admin roles of a new organisation, and by no other', async () => {
    const organisation = await service().given.organisation()

    expect(await heldBy(organisation, 'owner')).toEqual(slugs)
    expect(await heldBy(organisation, 'admin')).toEqual(slugs)
    expect(await heldBy(organisation, 'member')).toEqual([])
    const { body } = await organisation.owner.get('/v1/admin/permissions?limit=100')
    const categories = body.data
      .filter(({ slug }: { slug: string }) => slugs.includes(slug))
      .map((one: { category: string }) => one.category)
    expect(categories).toEqual(slugs.map(() => 'organisation'))
    expect((await organisation.owner.get('/v1/me/profile')).body.permissions).toEqual(expect.arrayContaining(slugs))
  })

  it('reach the owner role alone of an organisation that was there before them', async () => {
    const organisation = await service().given.organisation()
    await service().engine.ownerTransaction((transaction) => {
      const database = databaseOf(transaction)
      return asSystem(database, () => sql`delete from permissions where slug = any(${slugs}::text[])`.execute(database))
    })
    expect(await heldBy(organisation, 'owner')).toEqual([])
    // The operator had added one of these slugs for applications.
    const added = { slug: 'domains:read', name: 'See domains', description: 'Of our own', category: 'custom' }
    expect(await service().operator.post('/v1/system/permissions', added)).toMatchObject({ status: 201 })
    const reader = await service().given.userWith(organisation.owner, ['domains:read'])

    await service().engine.ownerTransaction((transaction) => up(databaseOf(transaction)))

    expect(await heldBy(organisation, 'owner')).toEqual(slugs)
    expect(await heldBy(organisation, 'admin')).toEqual([])
    expect((await reader.get('/v1/me/profile')).body.permissions).toEqual(['domains:read'])
    const { body } = await organisation.owner.get('/v1/admin/permissions?limit=100')
    const own = body.data.find(({ slug }: { slug: string }) => slug === 'domains:read')
    expect(own).toMatchObject({ name: 'Read domains', category: 'organisation' })
    expect(await service().operator.delete(`/v1/system/permissions/${own.id}`)).toMatchObject({ status: 400 })
    const later = await service().given.organisation()
    expect(await heldBy(later, 'admin')).toEqual(slugs)
  })
})
