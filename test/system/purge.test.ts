import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { runDueTasks, type Task } from '../../src/platform/jobs/tasks.ts'
import { exportCancelledOrganisations } from '../../src/system/export-cancelled-organisations.ts'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { listTenantTables } from '../../src/system/tenant-tables.ts'
import { useService } from '../support/service.ts'

const service = useService()

const purgeOf = (onPurged: (id: string) => void = () => {}) => purgeOrganisations({ retentionDays: 30, onPurged })

// The tests run the tasks themselves, and see each run: the service's own worker is told that none of them is due.
beforeAll(async () => {
  const system = service().database.system()
  const started = () => sql`select from tasks where name = 'purge-organisations' and last_run_at is not null`.execute(system)
  await vi.waitFor(async () => expect((await started()).rows).toHaveLength(1), { timeout: 20_000 })
  await sql`update tasks set next_run_at = '9999-01-01' where name in ('purge-organisations', 'export-cancelled-organisations')`.execute(
    system,
  )
})

/** Runs a task until it says that there is nothing more to do. */
async function finish(task: Task): Promise<number> {
  let runs = 1
  while (await task.run(service().database)) runs++
  return runs
}

/** How many rows there are of an organisation, by table; tables without any are left out. */
async function rowsOf(organisationId: string): Promise<Record<string, number>> {
  const system = service().database.system()
  const counted: Record<string, number> = {}
  for (const { name } of [...(await listTenantTables(system)), { name: 'organisations' }]) {
    const column = sql.ref(name === 'organisations' ? 'id' : 'organisation_id')
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} where ${column} = ${organisationId}`.execute(system)
    if (rows[0]?.count) counted[name] = rows[0].count
  }
  return counted
}

async function cancelledOrganisation() {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  const role = await service().given.role(owner, { permissions: ['users:read'] })
  await service().given.user(owner, { roleIds: [role.id] })
  // Rows that refer to each other in every way there is, so that the order in which they go matters.
  const values = sql`${organisation.id}, 'x', now()`
  for (const statement of [
    sql`insert into teams (organisation_id, id, created_at, name, slug, updated_at) values (${values}, 'T', 't', now())`,
    sql`insert into team_members (organisation_id, team_id, created_at, user_id) values (${values}, ${owner.id})`,
    sql`insert into invitations (organisation_id, id, created_at, email, role_id, token_hash, invited_by_id, expires_at, updated_at)
      values (${values}, 'x@x.test', ${role.id}, ${organisation.id}, ${owner.id}, now(), now())`,
    sql`insert into invitation_teams (organisation_id, invitation_id, team_id) values (${organisation.id}, 'x', 'x')`,
    sql`insert into api_keys (organisation_id, id, created_at, name, prefix, key_hash, permissions, created_by_id)
      values (${values}, 'K', 'ak_', ${organisation.id}, '{}', ${owner.id})`,
    sql`insert into clients (organisation_id, id, created_at, name, client_type, token_endpoint_auth_method, grant_types, updated_at)
      values (${organisation.id}, ${`cli_${organisation.slug}`}, now(), 'C', 'public', 'none', '{authorization_code}', now())`,
    sql`insert into webhook_endpoints (organisation_id, id, created_at, url, events, client_id, variant, is_active, secret_encrypted, updated_at)
      values (${values}, 'https://x.test', '{}', ${`cli_${organisation.slug}`}, 'B', false, 's', now())`,
    sql`insert into webhook_deliveries (organisation_id, id, created_at, endpoint_id, event_id, event, variant, body, status)
      values (${values}, 'x', 'evt_x', 'user.created', 'B', '{}', 'failed')`,
    sql`insert into webhook_attempts (organisation_id, delivery_id, at, number, duration_milliseconds) values (${values}, 1, 1)`,
  ]) {
    await statement.execute(service().database.system())
  }
  expect(await owner.delete('/v1/admin/organisation')).toMatchObject({ status: 204 })
  await finish(exportCancelledOrganisations(service().dataDir))
  return organisation
}

describe('the purge', () => {
  it('removes everything of an organisation after the retention, and touches no other', async () => {
    const { id, slug, owner } = await cancelledOrganisation()
    const other = await service().given.organisation()
    const before = await rowsOf(other.id)
    service().clock.advance({ days: 29 })
    await finish(purgeOf())
    expect(await rowsOf(id)).toMatchObject({ organisations: 1, users: 2, webhook_attempts: 1, invitation_teams: 1 })

    service().clock.advance({ days: 1, seconds: 1 })
    const purged: string[] = []
    await finish(purgeOf((purgedId) => purged.push(purgedId)))

    expect(await rowsOf(id)).toEqual({})
    expect(purged).toEqual([id])
    expect(await service().operator.get(`/v1/system/organisations/${id}`)).toMatchObject({ status: 404 })
    expect(await rowsOf(other.id)).toEqual(before)
    // What was unique in the whole system is free again.
    const again = await service().operator.post('/v1/organisations', {
      name: `Again ${slug}`,
      slug,
      email: `it@${slug}.test`,
      ownerEmail: owner.email,
    })
    expect(again).toMatchObject({ status: 201 })
  })

  it('leaves alone an organisation that is suspended', async () => {
    const suspended = await service().given.organisation()
    await service().operator.patch(`/v1/system/organisations/${suspended.id}/suspend`, { reason: 'test' })
    service().clock.advance({ days: 31 })

    await finish(purgeOf())

    expect(await rowsOf(suspended.id)).toMatchObject({ organisations: 1, users: 1 })
  })

  it('waits until the export of an organisation has been written', async () => {
    const { id, owner } = await service().given.organisation()
    await owner.delete('/v1/admin/organisation')
    service().clock.advance({ days: 31 })
    await expect(exportCancelledOrganisations('/dev/null').run(service().database)).rejects.toThrow()

    await finish(purgeOf())
    expect(await rowsOf(id)).toMatchObject({ organisations: 1, users: 1 })

    await finish(exportCancelledOrganisations(service().dataDir))
    await finish(purgeOf())
    expect(await rowsOf(id)).toEqual({})
  })

  it('goes on where it was killed, in bounded batches', async () => {
    const { id } = await service().given.organisation()
    await sql`
      insert into audit_logs (organisation_id, id, action, actor_type, target_type, target_id, created_at)
      select ${id}, 'aud_' || number, 'user.updated', 'system', 'user', 'usr_x', now() from generate_series(1, 60000) number`.execute(
      service().database.system(),
    )
    await service().operator.delete(`/v1/system/organisations/${id}`)
    await finish(exportCancelledOrganisations(service().dataDir))
    service().clock.advance({ days: 31 })

    // One run takes at most 50 batches of 1,000 rows; whoever runs it next finds the rest.
    await purgeOf().run(service().database)
    expect((await rowsOf(id)).organisations).toBe(1)
    await finish(purgeOf())

    expect(await rowsOf(id)).toEqual({})
  })
})

describe('a task', () => {
  it('is run by one of several processes that find it due at the same moment', async () => {
    let runs = 0
    const probe: Task = {
      name: 'probe',
      everySeconds: 3_600,
      async run() {
        runs++
        return false
      },
    }
    const { database } = service()

    await Promise.all(Array.from({ length: 5 }, () => runDueTasks(database, [probe], () => {})))
    expect(runs).toBe(1)

    service().clock.advance({ hours: 1, seconds: 1 })
    await Promise.all(Array.from({ length: 5 }, () => runDueTasks(database, [probe], () => {})))
    expect(runs).toBe(2)
  })
})
