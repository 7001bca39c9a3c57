import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { foldCounts } from '../../src/platform/database/stored-counts.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** The lists whose `total` is stored, and how their records are counted one by one. */
const storedCountLists = {
  '/v1/admin/users': 'users where deleted_at is null and',
  '/v1/admin/roles': 'roles where',
  '/v1/admin/teams': 'teams where',
  '/v1/admin/invitations': 'invitations where',
  '/v1/admin/clients': 'clients where deleted_at is null and',
  '/v1/admin/api-keys': 'api_keys where deleted_at is null and',
}

async function expectExactTotals({ id, owner }: TestOrganisation): Promise<void> {
  for (const [path, records] of Object.entries(storedCountLists)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.raw(records)} organisation_id = ${id}`.execute(service().database.system())
    expect({ path, total: (await owner.get(`${path}?limit=1`)).body.total }).toEqual({ path, total: rows[0]?.count })
  }
}

/** How many changes of counts have not been folded. */
async function changesOf(organisationId: string): Promise<number> {
  const { rows } = await sql`select from record_count_changes where organisation_id = ${organisationId}`.execute(
    service().database.system(),
  )
  return rows.length
}

async function foldAll(): Promise<void> {
  let more = true
  while (more) more = await foldCounts(service().database.system())
}

describe('the total of a list', () => {
  it('is exact after any number of concurrent changes, including refused and rolled-back ones', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const user = await service().given.user(owner)
    const role = await service().given.role(owner)
    const makesAndRemoves = async (path: string, body: object) => {
      const made = await owner.post(path, body)
      expect(made).toMatchObject({ status: 201 })
      return () => owner.delete(`${path}/${made.body.id}`)
    }
    const client = { name: 'App', clientType: 'public', redirectUris: ['https://app.test/callback'] }
    const storm = Array.from({ length: 8 }, async (_, index) => {
      const made = [
        await makesAndRemoves('/v1/admin/users', { email: `${unique()}@example.test`, firstName: 'A', lastName: 'B' }),
        await makesAndRemoves('/v1/admin/roles', { name: 'R', slug: `s-${unique()}` }),
        await makesAndRemoves('/v1/admin/teams', { name: 'T', slug: `s-${unique()}` }),
        await makesAndRemoves('/v1/admin/invitations', { email: `${unique()}@example.test`, roleId: role.id }),
        await makesAndRemoves('/v1/admin/clients', client),
        await makesAndRemoves('/v1/admin/api-keys', { name: 'K', permissions: ['users:read'] }),
        // Refused, by the database and in the middle of a transaction.
        async () => owner.post('/v1/admin/users', { email: user.email, firstName: 'A', lastName: 'B' }),
        async () => owner.post('/v1/admin/roles', { name: 'R', slug: 'owner' }),
        async () => rollBack(organisation.id),
      ]
      if (index % 2 === 0) await Promise.all(made.map((removeOrFail) => removeOrFail()))
      await foldCounts(service().database.system())
    })

    await Promise.all(storm)

    await expectExactTotals(organisation)
  })

  it('is not changed by folding', async () => {
    const organisation = await service().given.organisation()
    await service().given.user(organisation.owner)
    const before = (await organisation.owner.get('/v1/admin/users?limit=1')).body.total

    await Promise.all(Array.from({ length: 5 }, foldAll))

    expect(await changesOf(organisation.id)).toBe(0)
    expect((await organisation.owner.get('/v1/admin/users?limit=1')).body.total).toBe(before)
    await expectExactTotals(organisation)
    await service().given.user(organisation.owner)
    expect((await organisation.owner.get('/v1/admin/users?limit=1')).body.total).toBe(before + 1)
  })

  it('counts a user who is deleted and restored, and not one who is changed', async () => {
    const organisation = await service().given.organisation()
    const { owner, id } = organisation
    const user = await service().given.user(owner)
    await foldAll()

    await owner.patch(`/v1/admin/users/${user.id}`, { phone: '+1' })
    expect(await changesOf(id)).toBe(0)
    await owner.delete(`/v1/admin/users/${user.id}`)
    await expectExactTotals(organisation)
    // A second deletion does not count.
    await service().database.tenant(id).updateTable('users').set({ deletedAt: new Date() }).where('id', '=', user.id).execute()
    await expectExactTotals(organisation)
    await service().database.tenant(id).updateTable('users').set({ deletedAt: null }).where('id', '=', user.id).execute()
    await expectExactTotals(organisation)
    expect((await owner.get('/v1/admin/users?limit=1')).body.total).toBe(2)
  })

  it('counts rows that one statement adds or removes many of', async () => {
    const organisation = await service().given.organisation()
    const other = await service().given.organisation()
    const insert = (id: string) => sql`
      insert into teams (organisation_id, id, name, slug, created_at, updated_at)
      select ${id}, 'tem_' || n, 'Team', 'team-' || n, now(), now() from generate_series(1, 500) n`
    const system = service().database.system()

    await insert(organisation.id).execute(system)
    await insert(other.id).execute(system)
    await sql`delete from teams where organisation_id in (${organisation.id}, ${other.id}) and id like 'tem_1%'`.execute(system)

    for (const one of [organisation, other]) await expectExactTotals(one)
    expect(await changesOf(organisation.id)).toBeLessThan(20)
  })

  it("is the organisation's own, and cannot be changed by it", async () => {
    const { id } = await service().given.organisation()
    const other = await service().given.organisation()
    const tenant = service().database.tenant(id)

    // The service folds changes whenever it comes to it.
    const seen = await tenant
      .selectFrom('recordCountChanges')
      .select('organisationId')
      .union(tenant.selectFrom('recordCounts').select('organisationId'))
      .execute()
    expect(seen).toEqual([{ organisationId: id }])
    for (const change of [
      tenant.updateTable('recordCounts').set({ count: 9 }),
      tenant.deleteFrom('recordCountChanges'),
      tenant.insertInto('recordCounts').values({ records: 'users', count: 9 }),
      tenant.insertInto('recordCountChanges').values({ organisationId: other.id, records: 'users', change: 9 }),
    ]) {
      await expect(change.execute()).rejects.toThrow(/permission denied|row-level security/)
    }
    await expectExactTotals(other)
  })

  it('is deleted with the organisation', async () => {
    const { id } = await service().given.organisation()
    const system = service().database.system()

    await system.updateTable('organisations').set({ ownerId: null }).where('id', '=', id).execute()
    await system.deleteFrom('organisations').where('id', '=', id).execute()

    for (const table of ['recordCounts', 'recordCountChanges'] as const) {
      expect(await system.selectFrom(table).selectAll().where('organisationId', '=', id).execute()).toEqual([])
    }
  })

  it('counts the organisations of the operator', async () => {
    await service().given.organisation()
    const counted = async () => {
      const { rows } = await sql<{ count: number; total: number }>`
        select (select count(*) from organisations) as count, (select sum(change) from organisation_count_changes) as total`.execute(
        service().database.system(),
      )
      return rows[0] as { count: number; total: number }
    }

    const { count, total } = await counted()
    expect(total).toBe(count)
    await Promise.all([foldAll(), foldAll()])
    const folded = await counted()
    expect(folded.total).toBe(folded.count)
    expect((await service().operator.get('/v1/system/organisations?limit=1')).body.total).toBeGreaterThanOrEqual(count)
  })
})

/** A user whose insertion is rolled back. */
async function rollBack(organisationId: string): Promise<void> {
  const { database } = service()
  const givenUp = database.transaction(organisationId, async (tenant) => {
    const user = { id: `usr_${unique()}`, email: `${unique()}@example.test`, firstName: 'A', lastName: 'B' }
    await tenant
      .insertInto('users')
      .values({ ...user, createdAt: tenant.now, updatedAt: tenant.now })
      .execute()
    throw new Error('given up')
  })
  await expect(givenUp).rejects.toThrow('given up')
}
