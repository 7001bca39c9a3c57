import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { setUpWarnings } from '../../src/operations/start-warnings.ts'
import { databaseOf } from '../../src/platform/database/apply-migrations.ts'
import { up } from '../../src/platform/database/migrations/0106-inheritance-ended.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { startTestService } from '../support/service.ts'

// Managed servers give their customers a role that owns databases and creates roles, but is not a superuser.
describe.runIf(databaseKind() === 'postgres')('a PostgreSQL without a superuser for customers', () => {
  let server: PostgresServer
  beforeAll(async () => {
    // Roles belong to the whole server, and the server of the run already has ours.
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

  const inherits = async (role: string) => {
    const [row] = await onServer(server.url, `select pg_has_role('${role}', 'gatehouse_system', 'usage') as inherits`)
    return row?.inherits as unknown as boolean
  }
  const warningsOf = async ({ database }: Awaited<ReturnType<typeof serve>>) => {
    const warnings = await setUpWarnings(database, { production: true, smtpUrl: 'smtp://127.0.0.1', systemApiKey: undefined })
    return warnings.map(({ message }) => message).filter((message) => message.includes('DATABASE_URL'))
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

  it('is migrated and served by a role that owns the database and may create roles', async () => {
    await onServer(server.url, `create role customer login password 'secret' createrole nosuperuser nobypassrls`)
    const service = await serve('customer')
    await proveThatItWorks(service)

    expect(await inherits('customer')).toBe(false)
    expect(await warningsOf(service)).toEqual([])
  })

  it('is migrated and served by a role that may not even do that, when it has been granted the two roles', async () => {
    await onServer(server.url, `create role guest login password 'secret' nocreaterole nosuperuser nobypassrls`)
    await onServer(server.url, 'grant gatehouse_tenant, gatehouse_system to guest')
    const service = await serve('guest')
    await proveThatItWorks(service)

    // Another role has granted it, which is the case that the warning is for.
    expect(await inherits('guest')).toBe(true)
    const [warning = '', ...others] = await warningsOf(service)
    expect(others).toEqual([])
    const [, command = ''] = /run: (.*) \(docs/.exec(warning) ?? []
    await onServer(server.url, command)
    expect(await inherits('guest')).toBe(false)
    expect(await warningsOf(service)).toEqual([])
    expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 200 })
  })

  it('no longer has its role inherit the two, in a database that an earlier release has served', async () => {
    await onServer(server.url, `create role veteran login password 'secret' nosuperuser nobypassrls`)
    await onServer(server.url, 'grant gatehouse_tenant, gatehouse_system to veteran with admin true, inherit false')
    const service = await serve('veteran')
    const { owner } = await service.given.organisation()
    const asOwner = (statement: string) =>
      service.engine.ownerTransaction((transaction) => transaction.execute<{ count: number }>({ sql: statement, parameters: [] }))
    const migrateAgain = () => service.engine.ownerTransaction((transaction) => up(databaseOf(transaction)))
    const organisationsSeen = async () => (await asOwner('select count(*)::int as count from organisations')).rows

    await asOwner('grant gatehouse_system, gatehouse_tenant to veteran with inherit true')
    expect(await inherits('veteran')).toBe(true)
    expect(await organisationsSeen()).toEqual([{ count: 1 }])

    await migrateAgain()
    expect(await inherits('veteran')).toBe(false)
    expect(await organisationsSeen()).toEqual([{ count: 0 }])
    expect(await warningsOf(service)).toEqual([])
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})
