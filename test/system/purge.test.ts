import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { foldCounts } from '../../src/platform/database/stored-counts.ts'
import { runDueTasks, type Task } from '../../src/platform/jobs/tasks.ts'
import { exportCancelledOrganisations } from '../../src/system/export-cancelled-organisations.ts'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { listTenantTables } from '../../src/system/tenant-tables.ts'
import { recorded } from '../support/recorded.ts'
import { asRequest } from '../support/sent-statements.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const purgeOf = (onPurged: (id: string) => void = () => {}) => purgeOrganisations({ retentionDays: 30, onPurged })

// The tests run the tasks themselves and observe each run, so none of them is due for the service's own worker. Nor is what would change the rows of
// an organisation that is not purged, once the clock is a month later.
beforeAll(async () => {
  const system = service().database.system()
  const stopped = [
    'purge-organisations',
    'export-cancelled-organisations',
    'remove-ended-sessions',
    'fold-kept-counts',
    'fold-counted-sign-ins',
  ]
  // A task has no row before its first run, and writes the time of its next one whenever a run ends.
  const hasRun = sql`last_run_at is not null and claimed_until is null`
  const stop = () => sql`update tasks set next_run_at = 'infinity' where name in (${sql.join(stopped)}) and ${hasRun}`.execute(system)
  await vi.waitFor(async () => expect(await stop()).toMatchObject({ numAffectedRows: BigInt(stopped.length) }), { timeout: 60_000 })
})

const run = (task: Task) => asRequest(() => task.run(service().database))

/** Runs a task until it reports that nothing is left. */
async function finish(task: Task): Promise<number> {
  let runs = 1
  while (await run(task)) runs++
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

  it('goes past one that cannot be removed to the others', async () => {
    const [stuck, other] = [await cancelledOrganisation(), await cancelledOrganisation()]
    const asOwner = (text: string) => service().engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    await asOwner('create table stays (id text references organisations (id))')
    await asOwner(`insert into stays values ('${stuck.id}')`)
    service().clock.advance({ days: 31 })

    const purged: string[] = []
    const purge = purgeOf((id) => purged.push(id))
    await expect(finish(purge)).rejects.toThrow(`the organisation ${stuck.id} cannot be purged`)
    expect(purged).toEqual([other.id])
    await asOwner('drop table stays')
    await finish(purge)
    expect(purged).toEqual([other.id, stuck.id])
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
    const ownExport = async () => {
      const exports = await service().database.tenant(id).selectFrom('organisationExports').selectAll().execute()
      return exports[0] as (typeof exports)[number]
    }
    await expect(run(exportCancelledOrganisations('/dev/null'))).rejects.toThrow()
    // A folder is where its file is to be: all of it is written but its name.
    const time = (await ownExport()).scheduledAt.toISOString().replace(/\D/g, '').slice(0, 14)
    const inTheWay = join(service().dataDir, 'exports', `${id}-${time}.json`)
    await mkdir(inTheWay, { recursive: true })
    await expect(run(exportCancelledOrganisations(service().dataDir))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(await ownExport()).toMatchObject({ finishedAt: null })

    await finish(purgeOf())
    expect(await rowsOf(id)).toMatchObject({ organisations: 1, users: 1 })

    await rmdir(inTheWay)
    await finish(exportCancelledOrganisations(service().dataDir))
    await finish(purgeOf())
    expect(await rowsOf(id)).toEqual({})
  })

  it('takes nothing of one that was restored', async () => {
    const { id, owner } = await service().given.organisation()
    await service().operator.delete(`/v1/system/organisations/${id}`)
    await finish(exportCancelledOrganisations(service().dataDir))
    service().clock.advance({ days: 31 })
    expect(await service().operator.post(`/v1/system/organisations/${id}/restore`)).toMatchObject({ status: 200 })

    await finish(purgeOf())

    const again = await service().given.signIn(owner.email)
    expect(await again.get('/v1/admin/users')).toMatchObject({ status: 200, body: { total: 1 } })
  })

  it('continues where it was killed, in bounded batches', async () => {
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
    await run(purgeOf())
    expect((await rowsOf(id)).organisations).toBe(1)
    expect(await service().operator.post(`/v1/system/organisations/${id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'organisation-being-purged' },
    })
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

  it('is asked for with all others by one statement, as long as none is due', async () => {
    const { own, statements } = await recorded()
    const runs: string[] = []
    const names = ['one', 'two', 'three']
    const tasks = names.map((name): Task => ({ name, everySeconds: 3_600, run: async () => runs.push(name) < 0 }))
    const sent = async () => {
      statements.length = 0
      await runDueTasks(own.database, tasks, expect.fail)
      return statements.filter(({ query }) => query.parameters.flat().some((value) => names.includes(String(value)))).length
    }
    // A claim and a result of each.
    expect([await sent(), await sent(), runs]).toEqual([7, 1, names])
    own.clock.advance({ minutes: 61 })
    expect([await sent(), await sent(), runs]).toEqual([7, 1, [...names, ...names]])
  })

  it('that has more to do is run again at once, and otherwise after its time', async () => {
    const { database } = service()
    const outcomes = [true, false]
    const task: Task = { name: 'more', everySeconds: 3_600, run: async () => outcomes.shift() ?? expect.fail('it is run a third time') }

    expect(await runDueTasks(database, [task], expect.fail)).toBe(true)
    expect(await runDueTasks(database, [task], expect.fail)).toBe(false)
    expect(await runDueTasks(database, [task], expect.fail)).toBe(false)
    expect(outcomes).toEqual([])
  })

  it('that fails holds up no other, and its error is stored until it succeeds', async () => {
    const { database } = service()
    const failures: unknown[] = []
    let error: Error | undefined = new Error('The disk is full')
    const failing: Task = {
      name: 'failing',
      everySeconds: 60,
      async run() {
        if (error) throw error
        return false
      },
    }
    let runs = 0
    const next: Task = { name: 'next', everySeconds: 60, run: async () => ++runs < 0 }
    const stored = () =>
      database.system().selectFrom('tasks').select(['lastError', 'claimedUntil']).where('name', '=', 'failing').executeTakeFirst()

    await runDueTasks(database, [failing, next], (thrown, name) => failures.push([name, thrown]))
    expect(failures).toEqual([['failing', error]])
    expect(runs).toBe(1)
    expect(await stored()).toEqual({ lastError: 'Error: The disk is full', claimedUntil: null })

    error = undefined
    service().clock.advance({ seconds: 61 })
    await runDueTasks(database, [failing, next], expect.fail)
    expect(await stored()).toEqual({ lastError: null, claimedUntil: null })
  })

  it('is not begun a second time while it runs, however long it takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { task, begun } = heldTask('long')
    const running = runDueTasks(service().database, [task], () => {})
    await begun(1)

    for (let renewals = 0; renewals < 3; renewals++) {
      const before = await leaseOf(task)
      service().clock.advance({ minutes: 5 })
      vi.advanceTimersByTime(300_000)
      await vi.waitFor(async () => expect(await leaseOf(task)).not.toEqual(before), { timeout: 60_000 })
      await runDueTasks(service().database, [task], () => {})
    }
    task.finish()
    await running
    expect(task.runs).toBe(1)
    expect(await leaseOf(task)).toBe(null)
  })

  it('leaves the lease of the process that has taken it over', async () => {
    // A process that stood still: nothing renews its lease.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const [stopped, next] = [heldTask('taken-over'), heldTask('taken-over')]
    const first = runDueTasks(service().database, [stopped.task], () => {})
    await stopped.begun(1)
    service().clock.advance({ minutes: 11 })
    const second = runDueTasks(service().database, [next.task], () => {})
    await next.begun(1)
    const lease = await leaseOf(next.task)

    stopped.task.finish()
    await first
    expect(await leaseOf(next.task)).toEqual(lease)
    next.task.finish()
    await second
    expect(await leaseOf(next.task)).toBe(null)
  })
})

/** One that runs until it is told to finish. */
function heldTask(name: string) {
  const finished = Promise.withResolvers<boolean>()
  const task = {
    name,
    everySeconds: 3_600,
    runs: 0,
    run() {
      task.runs++
      return finished.promise
    },
    finish: () => finished.resolve(false),
  }
  return { task, begun: (runs: number) => vi.waitFor(() => expect(task.runs).toBe(runs), { timeout: 60_000 }) }
}

async function leaseOf({ name }: Task): Promise<Date | null> {
  const system = service().database.system()
  return (await system.selectFrom('tasks').select('claimedUntil').where('name', '=', name).executeTakeFirstOrThrow()).claimedUntil
}
