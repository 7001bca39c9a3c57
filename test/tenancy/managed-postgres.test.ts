import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { startTestService } from '../support/service.ts'

// Managed servers give their customers a role that owns databases and creates roles, and is no superuser.
describe.runIf(databaseKind() === 'postgres')('a PostgreSQL that gives no superuser away', () => {
  let server: PostgresServer
  beforeAll(async () => {
    // Roles belong to a whole server, and the run's own has ours already.
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  async function serve(owner: string) {
    await onServer(server.url, `create database ${owner} owner ${owner}`)
    const url = new URL(urlOf(server.url, owner))
    url.username = owner
    url.password = 'secret'
    const service = await startTestService({ engine: openPostgres(url.href, { poolSize: 5 }) })
    onTestFinished(() => service.stop())
    return service
  }

  async function proveThatItWorks(service: Awaited<ReturnType<typeof serve>>) {
    const { owner, id } = await service.given.organisation()
    const other = await service.given.organisation()
    const user = await service.given.user(owner)
    expect((await owner.get('/v1/admin/users')).body).toMatchObject({ total: 2, data: [{ id: owner.id }, { id: user.id }] })
    expect((await service.operator.get('/v1/system/organisations')).body).toMatchObject({ total: 2 })
    const tenant = service.database.tenant(id)
    expect(await tenant.selectFrom('users').select('id').where('id', '=', other.owner.id).execute()).toEqual([])
    expect(await service.operator.delete(`/v1/system/organisations/${other.id}`)).toMatchObject({ status: 204 })
  }

  it('is migrated and served by a role that owns the database and may create roles', { timeout: 60_000 }, async () => {
    await onServer(server.url, `create role customer login password 'secret' createrole nosuperuser nobypassrls`)
    await proveThatItWorks(await serve('customer'))
  })

  it('is migrated and served by a role that may not even do that, when it has been given the two roles', { timeout: 60_000 }, async () => {
    await onServer(server.url, `create role guest login password 'secret' nocreaterole nosuperuser nobypassrls`)
    await onServer(server.url, 'grant gatehouse_tenant, gatehouse_system to guest')
    await proveThatItWorks(await serve('guest'))
  })
})
