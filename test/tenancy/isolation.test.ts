import { CompiledQuery, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkPolicies } from '../../src/isolation/rows-and-writes.ts'
import { tenantTables } from '../../src/isolation/tables.ts'
import type { System, Tenant } from '../../src/platform/database/database.ts'
import { newId } from '../../src/platform/ids.ts'
import { databaseKind } from '../support/database.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('the handle to the data of one organisation', () => {
  it('shows the rows of that organisation alone to a query without any filter', async () => {
    const { id, owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { database } = service()

    const users = await database.tenant(id).selectFrom('users').select(['id', 'organisationId']).execute()
    expect(users).toEqual([{ id: owner.id, organisationId: id }])
    const sessions = await database.transaction(id, (tenant) => tenant.selectFrom('sessions').select('organisationId').distinct().execute())
    expect(sessions).toEqual([{ organisationId: id }])
    const organisations = await database.tenant(other.id).selectFrom('organisations').select('id').execute()
    expect(organisations).toEqual([{ id: other.id }])
  })

  it('changes and deletes the rows of that organisation alone by a statement without any filter', async () => {
    const { id, owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { database } = service()

    const { numUpdatedRows } = await database.tenant(id).updateTable('users').set({ phone: '+1' }).executeTakeFirst()
    await database.transaction(id, (tenant) => tenant.deleteFrom('sessions').execute())

    expect(numUpdatedRows).toBe(1n)
    expect((await other.owner.get('/v1/me/profile')).body).toMatchObject({ id: other.owner.id, phone: null })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('writes into that organisation without naming it, and refuses to write into another', async () => {
    const { id } = await service().given.organisation()
    const other = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const role = { name: 'R', slug: 'r', createdAt: tenant.now, updatedAt: tenant.now }

    await tenant
      .insertInto('roles')
      .values({ ...role, id: newId('rol', tenant.now) })
      .execute()
    expect(await tenant.selectFrom('roles').select('organisationId').where('slug', '=', 'r').execute()).toEqual([{ organisationId: id }])

    const foreign = { ...role, id: newId('rol', tenant.now), organisationId: other.id }
    await expect(tenant.insertInto('roles').values(foreign).execute()).rejects.toThrow(/row-level security/)
    expect((await other.owner.get('/v1/admin/roles')).body.data.map(({ slug }: { slug: string }) => slug)).not.toContain('r')
  })

  it('isolates look-ups that share a connection, also from one that fails among them', async () => {
    const { database, engine, given } = service()
    const [one, other] = await Promise.all([given.organisation(), given.organisation()])
    const usersOf = ({ id }: { id: string }) => database.pointReads(id).selectFrom('users').select('organisationId').execute()
    const failing = () => sql`select 1 / 0`.execute(database.pointReads(one.id))
    const outside = () => engine.pointRead<{ role: string }>(CompiledQuery.raw("select current_setting('role') as role"))

    const found = await Promise.allSettled([usersOf(one), outside(), usersOf(other), failing(), usersOf(one), outside(), usersOf(other)])

    const rowsOf = ({ id }: { id: string }) => ({ status: 'fulfilled', value: [{ organisationId: id }] })
    const ownRole = {
      status: 'fulfilled',
      value: expect.objectContaining({ rows: [{ role: expect.not.stringMatching('gatehouse_tenant') }] }),
    }
    expect(found).toEqual([
      rowsOf(one),
      ownRole,
      rowsOf(other),
      { status: 'rejected', reason: expect.objectContaining({ message: 'division by zero' }) },
      rowsOf(one),
      ownRole,
      rowsOf(other),
    ])
  })

  it('shows nothing when the organisation is unknown', async () => {
    await service().given.organisation()
    expect(await service().database.tenant('org_unknown').selectFrom('users').select('id').execute()).toEqual([])
  })

  it('allows no caller to change or delete the history', async () => {
    const { id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    await expect(tenant.updateTable('auditLogs').set({ action: 'x' }).execute()).rejects.toThrow(/permission denied/)
    await expect(tenant.deleteFrom('auditLogs').execute()).rejects.toThrow(/permission denied/)
  })

  it('allows no caller to delete the organisation itself', async () => {
    const { id } = await service().given.organisation()
    await expect(service().database.tenant(id).deleteFrom('organisations').execute()).rejects.toThrow(/permission denied/)
  })

  it('refuses statements after its transaction, committed or rolled back', async () => {
    const { id } = await service().given.organisation()
    const { database } = service()
    const leaked: (Tenant | System)[] = []
    await database.transaction(id, async (tenant) => leaked.push(tenant))
    await database.systemTransaction(async (system) => leaked.push(system))
    const failing = database.transaction(id, async (tenant) => {
      leaked.push(tenant)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')

    expect(leaked).toHaveLength(3)
    for (const handle of leaked) {
      await expect(handle.selectFrom('users').select('id').execute()).rejects.toThrow('The transaction has ended')
      await expect(handle.updateTable('users').set({ phone: '+1' }).execute()).rejects.toThrow('The transaction has ended')
    }
    expect(await database.tenant(id).selectFrom('users').select('phone').execute()).toEqual([{ phone: null }])
  })

  it('leaves no trace of the organisation on the connection for the next transaction', async () => {
    const { id } = await service().given.organisation()
    const { database } = service()
    await Promise.all(Array.from({ length: 30 }, () => database.tenant(id).selectFrom('users').select('id').execute()))

    const outside = await Promise.all(
      Array.from({ length: 30 }, () =>
        sql<{ organisation: string; role: string }>`
          select coalesce(current_setting('app.organisation_id', true), '') as organisation, current_user::text as role`.execute(
          database.system(),
        ),
      ),
    )
    for (const { rows } of outside) expect(rows[0]).toMatchObject({ organisation: '', role: expect.not.stringMatching('gatehouse_tenant') })
  })
})

describe('every table that holds data of organisations', () => {
  it('has forced row-level security and the policy of the tenant', async () => {
    const tables = await tenantTables(service().database.system())

    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['organisations', 'users', 'sessions', 'roles', 'audit_logs']))
    expect(checkPolicies(tables)).toEqual([])
  })

  it('has the organisation at the beginning of its primary key when each row has one, and of every reference to another such table', async () => {
    const { rows } = await sql<{ name: string }>`
      select format('%s of %s', k.conname, k.conrelid::regclass) as name
      from pg_constraint k
      join pg_attribute own on own.attrelid = k.conrelid and own.attname = 'organisation_id'
      join pg_attribute first on first.attrelid = k.conrelid and first.attnum = k.conkey[1]
      where k.contype = 'p' and own.attnotnull and first.attname != 'organisation_id'
        or k.contype = 'f' and first.attname != 'organisation_id'
          and exists (select from pg_attribute a where a.attrelid = k.confrelid and a.attname = 'organisation_id')`.execute(
      service().database.system(),
    )
    expect(rows).toEqual([])
  })

  it('cannot refer to a record of another organisation', async () => {
    const { id, owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const role = await service().given.role(other.owner)
    const { database } = service()

    const assignment = { userId: owner.id, roleId: role.id, createdAt: database.clock.now() }
    await expect(database.tenant(id).insertInto('userRoles').values(assignment).execute()).rejects.toThrow(/foreign key/)
    const asSystem = database
      .system()
      .insertInto('userRoles')
      .values({ ...assignment, organisationId: id })
    await expect(asSystem.execute()).rejects.toThrow(/foreign key/)
  })
})

describe('a connection of the service', () => {
  const whoami = CompiledQuery.raw(
    "select current_user::text as role, session_user::text as login, current_setting('is_superuser') as superuser, (select count(*) from users) as users",
  )
  interface Who {
    role: string
    login: string
    superuser: 'on' | 'off'
    users: number
  }

  it('works with the role of its handle, not with the one that has logged in', async () => {
    await service().given.organisation()
    const { engine } = service()

    for (const asked of [engine.execute<Who>(whoami), engine.pointRead<Who>(whoami), engine.keyedWrite<Who>(whoami, '')]) {
      const [who] = (await asked).rows
      expect(who).toMatchObject({ role: 'gatehouse_system', superuser: 'off', users: expect.any(Number) })
      expect(who?.users).toBeGreaterThan(0)
      expect(who?.login).not.toMatch(/^gatehouse_/)
    }
    const [who] = await engine.transaction(async (transaction) => (await transaction.execute<Who>(whoami)).rows)
    expect(who).toMatchObject({ role: 'gatehouse_system' })
  })

  it('works with the role of its handle again after a migration', async () => {
    const { engine } = service()
    const owner = await engine.ownerTransaction(async (transaction) => (await transaction.execute<Who>(whoami)).rows[0])
    expect(owner?.role).toBe(owner?.login)
    expect((await engine.execute<Who>(whoami)).rows).toEqual([expect.objectContaining({ role: 'gatehouse_system' })])
  })

  it.runIf(databaseKind() === 'postgres')('sees nothing until an organisation is set', async () => {
    await service().given.organisation()
    const { engine } = service()
    const nothing = CompiledQuery.raw('select 1')

    const asked = [
      await engine.execute<Who>(whoami, nothing),
      await engine.pointRead<Who>(whoami, nothing),
      await engine.transaction((transaction) => transaction.execute<Who>(whoami), nothing),
    ]
    for (const { rows } of asked) expect(rows).toEqual([expect.objectContaining({ role: 'gatehouse_tenant', users: 0 })])
  })

  it('owns no table, and may read and write each as the system', async () => {
    const { rows } = await sql<{ table: string; owner: string; may: boolean }>`
      select relname as "table", pg_get_userbyid(relowner)::text as owner,
        has_table_privilege('gatehouse_system', oid, 'select') and has_table_privilege('gatehouse_system', oid, 'insert')
          and has_table_privilege('gatehouse_system', oid, 'update') and has_table_privilege('gatehouse_system', oid, 'delete') as may
      from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(service().database.system())

    expect(rows.length).toBeGreaterThan(30)
    for (const row of rows) expect(row).toMatchObject({ may: true, owner: expect.not.stringMatching(/^gatehouse_/) })
  })
})
