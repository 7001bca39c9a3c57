import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { exportCancelledOrganisations } from '../../src/system/export-cancelled-organisations.ts'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { databaseKind } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A role that may do nothing but log in, own its database and take on the two roles of the service. */
async function ordinaryRole(): Promise<{ url: string; role: string; remove(): Promise<void>; takeDatabase(): Promise<void> }> {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('This run is about PGlite')
  const { serverUrl } = database
  const role = `ordinary_${randomBytes(6).toString('hex')}`
  // The name begins as those that the run drops at its end, should a test not come so far.
  const name = `${database.run}_${role}`
  await onServer(serverUrl, `create role ${role} login password 'ordinary' nosuperuser nocreaterole nocreatedb nobypassrls`)
  await onServer(serverUrl, `grant gatehouse_tenant, gatehouse_system to ${role}`)
  await onServer(serverUrl, `create database ${name} owner ${role}`)
  const url = new URL(urlOf(serverUrl, name))
  url.username = role
  url.password = 'ordinary'
  return {
    url: url.href,
    role,
    takeDatabase: async () => {
      await onServer(serverUrl, `alter database ${name} owner to current_user`)
    },
    async remove() {
      await onServer(serverUrl, `drop database ${name} with (force)`)
      await onServer(serverUrl, `drop role ${role}`)
    },
  }
}

describe.runIf(databaseKind() === 'postgres')('a database role without any privilege but the two of the service', () => {
  let account: Awaited<ReturnType<typeof ordinaryRole>>
  let service: TestService

  beforeAll(async () => {
    account = await ordinaryRole()
    service = await startTestService({ engine: openPostgres(account.url, { poolSize: 5 }) })
  })
  afterAll(async () => {
    await service.stop()
    await account.remove()
  })

  it('can migrate and run the service', async () => {
    const one = await service.given.organisation()
    const other = await service.given.organisation()
    const user = await service.given.user(one.owner)

    expect((await one.owner.get('/v1/admin/users')).body.total).toBe(2)
    expect((await other.owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(await other.owner.get(`/v1/admin/users/${user.id}`)).toMatchObject({ status: 404 })
    expect((await one.owner.get('/v1/admin/audit-logs')).body.data.length).toBeGreaterThan(0)
    expect((await service.operator.get('/v1/system/organisations')).body.total).toBe(2)
    expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 200 })
  })

  it('can export and purge an organisation', async () => {
    const { id, owner } = await service.given.organisation()
    expect(await owner.delete('/v1/admin/organisation')).toMatchObject({ status: 204 })
    await exportCancelledOrganisations(service.dataDir).run(service.database)
    service.clock.advance({ days: 31 })
    const purge = purgeOrganisations({ retentionDays: 30, onPurged: () => {} })
    while (await purge.run(service.database)) {
      // One more batch.
    }

    expect(await service.operator.get(`/v1/system/organisations/${id}`)).toMatchObject({ status: 404 })
  })

  it('sees nothing of any organisation without saying which', async () => {
    await service.given.organisation()
    const { rows } = await service.engine.transaction(
      (connection) => connection.execute<{ count: number }>(sql`select count(*) as count from users`.compile(compilerOf(service))),
      sql`select set_config('role', 'gatehouse_tenant', true)`.compile(compilerOf(service)),
    )

    expect(rows[0]?.count).toBe(0)
  })
})

describe.runIf(databaseKind() === 'postgres')('a database role that may not create tables', () => {
  it('is told so, not what came of it', async () => {
    const account = await ordinaryRole()
    try {
      await account.takeDatabase()

      const engine = openPostgres(account.url, { poolSize: 2 })
      await expect(startTestService({ engine })).rejects.toThrow(/^permission denied for schema public$/)
      await engine.close()
    } finally {
      await account.remove()
    }
  })
})

const compilerOf = ({ database }: TestService) => database.system()
