import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { foldCounts } from '../../src/platform/database/stored-counts.ts'
import { runDueTasks, type Task } from '../../src/platform/jobs/tasks.ts'
import { exportCancelledOrganisations } from '../../src/system/export-cancelled-organisations.ts'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { listTenantTables } from '../../src/system/tenant-tables.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const purgeOf = (onPurged: (id: string) => void = () => {}) => purgeOrganisations({ retentionDays: 30, onPurged })

// The tests run the tasks themselves and observe each run, so none of them is due for the service's own worker.
beforeAll(async () => {
  const system = service().database.system()
  const started = () => sql`select from tasks where name = 'purge-organisations' and last_run_at is not null`.execute(system)
  await vi.waitFor(async () => expect((await started()).rows).toHaveLength(1), { timeout: 20_000 })
  await sql`update tasks set next_run_at = 'infinity' where name in ('purge-organisations', 'export-cancelled-organisations')`.execute(
    system,
  )
})

/** Runs a task until it reports that nothing is left. */
async function finish(task: Task): Promise<number> {
  let runs = 1
  while (await task.run(service().database)) runs++
  return runs
}

/** The number of an organisation's rows by table, without empty tables. */
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
  // Rows with every kind of reference between them, so that the order of deletion matters.
  const made = async (path: string, body: object) => {
    const answer = await owner.post(path, body)
    expect(answer).toMatchObject({ status: path.endsWith('/members') ? 200 : 201 })
    return answer.body
  }
  const team = await made('/v1/admin/teams', { name: 'Team', slug: 'team' })
  await made(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })
  await made('/v1/admin/invitations', { email: `guest@${organisation.slug}.test`, roleId: role.id, teamIds: [team.id] })
  await made('/v1/admin/api-keys', { name: 'Key', permissions: ['users:read'] })
  const client = await made('/v1/admin/clients', { name: 'App', clientType: 'public', redirectUris: ['https://app.test/callback'] })
  await made('/v1/admin/webhooks', { url: 'https://hooks.test/', events: ['*'], clientId: client.id })
  await made('/v1/admin/webhooks', { url: 'https://hooks.test/', events: ['user.created'] })
  await service().given.user(owner)
  expect(await owner.delete('/v1/admin/organisation')).toMatchObject({ status: 204 })
  await finish(exportCancelledOrganisations(service().dataDir))
  return organisation
}

describe('the purge', () => {
  it('removes everything of an organisation after the retention, and nothing of another', async () => {
    const { id, slug, owner } = await cancelledOrganisation()
    const other = await service().given.organisation()
    await foldCounts(service().database.system())
    const before = await rowsOf(other.id)
    service().clock.advance({ days: 29 })
    await finish(purgeOf())
    expect(await rowsOf(id)).toMatchObject({ organisations: 1, users: 3, webhook_deliveries: 1, webhook_endpoints: 2, invitation_teams: 1 })

    service().clock.advance({ days: 1, seconds: 1 })
    const purged: string[] = []
    await finish(purgeOf((purgedId) => purged.push(purgedId)))

    expect(await rowsOf(id)).toEqual({})
    expect(purged).toEqual([id])
    expect(await service().operator.get(`/v1/system/organisations/${id}`)).toMatchObject({ status: 404 })
    expect(await rowsOf(other.id)).toEqual(before)
    // Names that are unique in the whole system are free again.
    const again = await service().operator.post('/v1/organisations', {
      name: `Again ${slug}`,
      slug,
      email: `it@${slug}.test`,
      ownerEmail: owner.email,
    })
    expect(again).toMatchObject({ status: 201 })
  })

  it('does not remove a suspended organisation', async () => {
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

  it('continues where it was killed, in bounded batches', { timeout: 90_000 }, async () => {
    const { id } = await service().given.organisation()
    await sql`
      insert into audit_logs (organisation_id, id, action, actor_type, target_type, target_id, created_at)
      select ${id}, 'aud_' || number, 'user.updated', 'system', 'user', 'usr_x', now() from generate_series(1, 50500) number`.execute(
      service().database.system(),
    )
    await service().operator.delete(`/v1/system/organisations/${id}`)
    await finish(exportCancelledOrganisations(service().dataDir))
    service().clock.advance({ days: 31 })

    // One run deletes at most 50 batches of 1,000 rows. The next run deletes the rest.
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
