import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { databaseOf } from '../../src/platform/database/apply-migrations.ts'
import { Tenant } from '../../src/platform/database/database.ts'
import { up } from '../../src/platform/database/migrations/0090-sources-of-roles-and-teams.ts'
import { up as endDefaultOwnerRole } from '../../src/platform/database/migrations/0150-owner-role-is-no-default.ts'
import type { Source, UpstreamSource } from '../../src/roles/sources.ts'
import { removeTeamsOfSource, replaceTeamsFromSource } from '../../src/teams/teams-from-source.ts'
import { removeRolesOfSource, replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'
import { unequalRows } from '../support/sources.ts'

const service = useService()

const google: UpstreamSource = 'connection:con_google'
const entra: UpstreamSource = 'connection:con_entra'

/** A connection named Workforce. */
async function insertConnection(tenant: Tenant): Promise<UpstreamSource> {
  const id = `con_0${unique()}`
  const fields = { slug: 'workforce', name: 'Workforce', type: 'oidc', provider: 'google', configuration: '{}' } as const
  await tenant
    .insertInto('connections')
    .values({ id, ...fields, createdAt: tenant.now, updatedAt: tenant.now })
    .execute()
  return `connection:${id}`
}

/** The same of roles and of teams. */
const kinds = [
  {
    kind: 'role',
    create: async (owner: SignedInUser) => (await service().given.role(owner, { permissions: ['audit:read'] })).id,
    delete: (owner: SignedInUser, id: string) => owner.delete(`/v1/admin/roles/${id}`),
    add: (owner: SignedInUser, userId: string, id: string) => owner.post(`/v1/admin/users/${userId}/roles`, { roleId: id }),
    remove: (owner: SignedInUser, userId: string, id: string) => owner.delete(`/v1/admin/users/${userId}/roles`, { roleId: id }),
    alsoShown: async (owner: SignedInUser, userId: string, id: string) => {
      const { body } = await owner.post('/v1/admin/permission-checks', { userId, permission: 'audit:read' })
      return body.because.find(({ role }: { role: { id: string } }) => role.id === id).sources
    },
    replace: replaceRolesFromSource,
    removeSource: removeRolesOfSource,
    sources: 'user_role_sources',
    key: 'role_id',
    held: 'roles',
    removed: 'Role unassigned',
    stays: 'The user keeps the role because of connection "Workforce", connection con_entra',
    actions: {
      added: 'role.assigned',
      removed: 'role.unassigned',
      sourceAdded: 'role.source_added',
      sourceRemoved: 'role.source_removed',
    },
    events: { added: 'role.assigned', removed: 'role.unassigned' },
  },
  {
    kind: 'team',
    create: async (owner: SignedInUser) => {
      const slug = `team-${unique()}`
      return (await owner.post('/v1/admin/teams', { name: slug, slug })).body.id as string
    },
    delete: (owner: SignedInUser, id: string) => owner.delete(`/v1/admin/teams/${id}`),
    add: (owner: SignedInUser, userId: string, id: string) => owner.post(`/v1/admin/teams/${id}/members`, { userId }),
    remove: (owner: SignedInUser, userId: string, id: string) => owner.delete(`/v1/admin/teams/${id}/members`, { userId }),
    alsoShown: async (owner: SignedInUser, userId: string, id: string) => {
      const { body } = await owner.get(`/v1/admin/teams/${id}/members`)
      expect(body.data).toEqual([{ id: userId, email: expect.any(String), name: expect.any(String) }])
      const asked = await owner.get(`/v1/admin/teams/${id}/members?sources=true&limit=10`)
      expect(asked.body.data).toMatchObject([{ id: userId }])
      return asked.body.data[0].sources
    },
    replace: replaceTeamsFromSource,
    removeSource: removeTeamsOfSource,
    sources: 'team_member_sources',
    key: 'team_id',
    held: 'teams',
    removed: 'Member removed',
    stays: 'The user stays a member because of connection "Workforce", connection con_entra',
    actions: {
      added: 'team.member_added',
      removed: 'team.member_removed',
      sourceAdded: 'team.member_source_added',
      sourceRemoved: 'team.member_source_removed',
    },
    events: { added: 'team.updated', removed: 'team.updated' },
  },
] as const

describe.each(kinds)('a $kind', (kind) => {
  async function arranged() {
    const { id, owner } = await service().given.organisation()
    const { database, given } = service()
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/', events: ['*'] })
    const user = await given.user(owner)
    const held = async (userId = user.id): Promise<string[]> => {
      const { body } = await owner.get(`/v1/admin/users/${userId}`)
      return body[kind.held]
        .filter(({ slug }: { slug: string }) => slug !== 'member' && slug !== 'owner')
        .map((one: { id: string }) => one.id)
    }
    const sources = async (of: string, userId = user.id): Promise<Source[]> => {
      const { rows } = await sql<{ source: Source }>`
        select source from ${sql.table(kind.sources)} where user_id = ${userId} and ${sql.ref(kind.key)} = ${of} order by source`.execute(
        database.tenant(id),
      )
      return rows.map(({ source }) => source)
    }
    const entries = async (): Promise<string[]> => {
      const { data } = (await owner.get('/v1/admin/audit-logs?limit=1000')).body
      const actions: string[] = Object.values(kind.actions)
      return data
        .map(({ action }: { action: string }) => action)
        .filter((action: string) => actions.includes(action))
        .reverse()
    }
    const events = async () => {
      const names: string[] = Object.values(kind.events)
      const rows = await database.tenant(id).selectFrom('webhookDeliveries').select('event').orderBy('id').execute()
      return rows.map(({ event }) => event).filter((event) => names.includes(event))
    }
    const within = <T>(work: (tenant: Tenant) => Promise<T>) => database.transaction(id, work)
    const replace = (source: UpstreamSource, ids: string[], addsOnly = false, userId = user.id) =>
      within((tenant) => kind.replace(tenant, systemActor, userId, source, ids, { addsOnly }))
    const removeSource = (source: UpstreamSource) => within((tenant) => kind.removeSource(tenant, systemActor, source))
    // What the default role and the webhook left behind is not the subject.
    const [entriesBefore, eventsBefore] = [(await entries()).length, (await events()).length]
    return {
      id,
      owner,
      user,
      held,
      sources,
      replace,
      removeSource,
      within,
      entries: async () => (await entries()).slice(entriesBefore),
      events: async () => (await events()).slice(eventsBefore),
    }
  }

  it('is manual when an administrator gives it, and has no source when they take it', async () => {
    const { owner, user, held, sources, entries, events } = await arranged()
    const given = await kind.create(owner)

    expect((await kind.add(owner, user.id, given)).status).toBe(200)
    expect((await kind.add(owner, user.id, given)).status).toBe(200)
    expect(await sources(given)).toEqual(['manual'])

    for (const again of [false, true]) {
      const { status, body } = await kind.remove(owner, user.id, given)
      expect([again, status, body]).toEqual([again, 200, { message: kind.removed }])
    }
    expect(await sources(given)).toEqual([])
    expect(await held()).toEqual([])
    expect(await entries()).toEqual([kind.actions.added, kind.actions.removed])
    expect(await events()).toEqual([kind.events.added, kind.events.removed])
  })

  it('stays when a connection gives it, too, and the answer says so', async () => {
    const { owner, user, held, sources, replace, within, entries, events } = await arranged()
    const workforce = await within(insertConnection)
    const given = await kind.create(owner)
    await kind.add(owner, user.id, given)
    await replace(workforce, [given])
    await replace(entra, [given])
    expect((await sources(given)).sort()).toEqual([workforce, entra, 'manual'].sort())

    const remainingSources = [
      { type: 'connection', id: workforce.split(':')[1], name: 'Workforce' },
      { type: 'connection', id: entra.split(':')[1], name: null },
    ]
    const stays = { status: 200, body: { message: kind.stays, remainingSources } }
    expect(await kind.remove(owner, user.id, given)).toMatchObject(stays)
    expect((await sources(given)).sort()).toEqual([workforce, entra].sort())
    expect(await held()).toEqual([given])
    // It is not given by hand any more, but the answer must not look as if it were gone.
    expect(await kind.remove(owner, user.id, given)).toMatchObject(stays)
    const { sourceAdded, sourceRemoved } = kind.actions
    expect(await entries()).toEqual([kind.actions.added, sourceAdded, sourceAdded, sourceRemoved])
    expect(await events()).toEqual([kind.events.added])

    await replace(entra, [])
    expect(await replace(workforce, [])).toEqual({ added: [], removed: [given] })
    expect(await held()).toEqual([])
    expect((await entries()).at(-1)).toBe(kind.actions.removed)
    expect(await events()).toEqual([kind.events.added, kind.events.removed])
  })

  it('is shown with what gives it', async () => {
    const { owner, user, replace, within } = await arranged()
    const workforce = await within(insertConnection)
    const [one, two] = [await kind.create(owner), await kind.create(owner)]
    await kind.add(owner, user.id, one)
    await replace(workforce, [one, two])

    const manual = { type: 'manual', id: null, name: null }
    const byConnection = { type: 'connection', id: workforce.split(':')[1], name: 'Workforce' }
    const details = (await owner.get(`/v1/admin/users/${user.id}`)).body[kind.held]
    const shown = (id: string) => details.find((role: { id: string }) => role.id === id).sources
    expect([shown(one), shown(two)]).toEqual([[manual, byConnection], [byConnection]])
    for (const [id, sources] of [
      [one, [manual, byConnection]],
      [two, [byConnection]],
    ] as const)
      expect(await kind.alsoShown(owner, user.id, id)).toEqual(sources)
  })

  it('stays when an administrator gives what a connection gave first', async () => {
    const { owner, user, held, sources, replace, entries, events } = await arranged()
    const given = await kind.create(owner)
    expect(await replace(google, [given, given])).toEqual({ added: [given], removed: [] })
    expect((await kind.add(owner, user.id, given)).status).toBe(200)

    expect(await replace(google, [])).toEqual({ added: [], removed: [] })
    expect(await sources(given)).toEqual(['manual'])
    expect(await held()).toEqual([given])
    expect(await entries()).toEqual([kind.actions.added, kind.actions.sourceAdded, kind.actions.sourceRemoved])
    expect(await events()).toEqual([kind.events.added])
  })

  it('follows one connection exactly, whatever others and administrators give', async () => {
    const { owner, user, held, replace } = await arranged()
    const [manual, one, two, three] = (await Promise.all([1, 2, 3, 4].map(() => kind.create(owner)))) as [string, string, string, string]
    await kind.add(owner, user.id, manual)
    await replace(entra, [two])

    expect(await replace(google, [one, two])).toEqual({ added: [one], removed: [] })
    expect(await replace(google, [three])).toEqual({ added: [three], removed: [one] })
    expect((await held()).sort()).toEqual([manual, two, three].sort())
    expect(await replace(entra, [three])).toEqual({ added: [], removed: [two] })
    expect((await held()).sort()).toEqual([manual, three].sort())
  })

  it('is only ever added where that is all that is asked for', async () => {
    const { owner, held, replace } = await arranged()
    const [one, two] = [await kind.create(owner), await kind.create(owner)]

    expect(await replace(google, [one], true)).toEqual({ added: [one], removed: [] })
    expect(await replace(google, [two], true)).toEqual({ added: [two], removed: [] })
    expect(await replace(google, [], true)).toEqual({ added: [], removed: [] })
    expect((await held()).sort()).toEqual([one, two].sort())
  })

  it('is left out when it does not exist, or not here, or the user is deleted', async () => {
    const { owner, user, held, replace, sources } = await arranged()
    const elsewhere = await service().given.organisation()
    const foreign = await kind.create(elsewhere.owner)
    const gone = await kind.create(owner)
    await replace(google, [gone])
    await kind.delete(owner, gone)
    expect(await sources(gone)).toEqual([])

    expect(await replace(google, [gone, foreign])).toEqual({ added: [], removed: [] })
    const stays = await kind.create(owner)
    await owner.delete(`/v1/admin/users/${user.id}`)
    expect(await replace(google, [stays])).toEqual({ added: [], removed: [] })
    await owner.post(`/v1/admin/users/${user.id}/restore`)
    expect(await held()).toEqual([])
  })

  it('never reaches the owner by a connection', async () => {
    const { owner, held, replace, sources } = await arranged()
    const given = await kind.create(owner)

    expect(await replace(google, [given], false, owner.id)).toEqual({ added: [], removed: [] })
    expect(await sources(given, owner.id)).toEqual([])
    expect(await held(owner.id)).toEqual([])
  })

  it('is manual from the moment that its user becomes the owner', async () => {
    const { owner, user, held, replace, removeSource, sources } = await arranged()
    const [one, two] = [await kind.create(owner), await kind.create(owner)]
    await replace(google, [one, two])
    await replace(entra, [two])
    await kind.add(owner, user.id, two)

    expect(await owner.post('/v1/admin/organisation/transfer-ownership', { userId: user.id })).toMatchObject({ status: 200 })
    await removeSource(google)
    await replace(entra, [])

    expect([await sources(one), await sources(two)]).toEqual([['manual'], ['manual']])
    expect((await held()).sort()).toEqual([one, two].sort())
  })

  it('goes with its connection, unless another source gives it, too', async () => {
    const { owner, user, held, replace, removeSource, sources, entries, events } = await arranged()
    const other = await service().given.user(owner)
    const elsewhere = await arranged()
    const there = await kind.create(elsewhere.owner)
    await elsewhere.replace(google, [there])
    const [one, two] = [await kind.create(owner), await kind.create(owner)]
    for (const userId of [user.id, other.id]) await replace(google, [one, two], false, userId)
    await kind.add(owner, user.id, one)
    await replace(entra, [two], false, other.id)
    const [entriesBefore, eventsBefore] = [await entries(), await events()]

    await removeSource(google)

    expect(await held()).toEqual([one])
    expect(await held(other.id)).toEqual([two])
    expect([await sources(one), await sources(two), await sources(one, other.id), await sources(two, other.id)]).toEqual([
      ['manual'],
      [],
      [],
      [entra],
    ])
    expect((await entries()).slice(entriesBefore.length)).toEqual([kind.actions.removed, kind.actions.removed])
    expect((await events()).slice(eventsBefore.length)).toEqual([kind.events.removed, kind.events.removed])
    expect(await elsewhere.held()).toEqual([there])
    await removeSource(google)
    expect((await entries()).length).toBe(entriesBefore.length + 2)
  })

  it('costs one statement when a connection gives what it gave before', async () => {
    const { owner, id, user, replace } = await arranged()
    const given = await kind.create(owner)
    await replace(google, [given])
    const tenant = service().database.tenant(id)
    let statements = 0
    const executor = tenant.getExecutor().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements++
        return result
      },
    })
    const counted = new Tenant(executor, tenant.now, id)

    expect(await kind.replace(counted, systemActor, user.id, google, [given])).toEqual({ added: [], removed: [] })
    expect(statements).toBe(1)
  })

  it('is not lost when an administrator gives it while its connection takes it', async () => {
    const { owner, user, held, replace, sources } = await arranged()
    const given = await kind.create(owner)
    for (let round = 0; round < 10; round++) {
      await replace(google, [given])
      const [, answer] = await Promise.all([replace(google, []), kind.add(owner, user.id, given), replace(entra, [given])])
      expect(answer.status).toBe(200)
      expect(await held()).toEqual([given])
      expect(await sources(given)).toEqual([entra, 'manual'])
      await Promise.all([replace(entra, []), kind.remove(owner, user.id, given)])
      expect(await held()).toEqual([])
    }
  })

  it('is not lost when an administrator gives it while its connection is deleted', async () => {
    const { owner, user, held, replace, removeSource, sources } = await arranged()
    const given = await kind.create(owner)
    for (let round = 0; round < 10; round++) {
      await replace(google, [given])
      await Promise.all([removeSource(google), kind.add(owner, user.id, given)])
      expect(await held()).toEqual([given])
      expect(await sources(given)).toEqual(['manual'])
      await kind.remove(owner, user.id, given)
    }
  })

  it('has no source left when it is deleted, or its user erased', async () => {
    const { id, owner, user, replace } = await arranged()
    const [one, two] = [await kind.create(owner), await kind.create(owner)]
    await replace(google, [one, two])
    const left = async () => {
      const { rows } = await sql<{ id: string }>`
        select ${sql.ref(kind.key)} as id from ${sql.table(kind.sources)} where user_id = ${user.id} and source <> 'manual'`.execute(
        service().database.tenant(id),
      )
      return rows.map((row) => row.id)
    }

    await kind.delete(owner, one)
    expect(await left()).toEqual([two])
    expect(await service().operator.post(`/v1/system/organisations/${id}/users/${user.id}/erase`)).toMatchObject({ status: 200 })
    expect(await left()).toEqual([])
  })

  it('is manual when the previous release gives it, which knows no sources, and has none when it takes it', async () => {
    const { id, owner, user, sources, replace } = await arranged()
    const tenant = service().database.tenant(id)
    const [table, key] = [sql.table(kind.kind === 'role' ? 'user_roles' : 'team_members'), sql.ref(kind.key)]
    const given = await kind.create(owner)
    const insert = sql`insert into ${table} (user_id, ${key}, created_at) values (${user.id}, ${given}, ${tenant.now}) on conflict do nothing`

    await insert.execute(tenant)
    await insert.execute(tenant)
    expect(await sources(given)).toEqual(['manual'])
    await replace(google, [given])
    await sql`delete from ${table} where user_id = ${user.id} and ${key} = ${given}`.execute(tenant)
    expect(await sources(given)).toEqual([])
    await replace(google, [given])
    await insert.execute(tenant)
    expect(await sources(given)).toEqual([google])
    expect(await unequalRows(service().database.system())).toEqual([])
  })
})

describe('a database of the previous release', () => {
  it('holds nothing but what was given by hand', async () => {
    const { given, engine } = service()
    const { owner } = await given.organisation()
    const team = (await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body
    const user = await given.user(owner, { teamIds: [team.id] })
    const rolledBack = new Error('rolled back')
    const found: unknown[] = []

    const migrated = engine.ownerTransaction(async (transaction) => {
      const database = databaseOf(transaction)
      for (const table of ['user_roles', 'team_members']) {
        await sql`drop trigger ${sql.ref(`${table}_manual_source`)} on ${sql.table(table)}`.execute(database)
        await sql`drop function ${sql.ref(`add_manual_source_to_${table}`)}`.execute(database)
      }
      await sql`drop table user_role_sources, team_member_sources`.execute(database)
      await up(database)
      await sql`set local role gatehouse_system`.execute(database)
      found.push(await unequalRows(database))
      const { rows } = await sql`
        select source from user_role_sources where user_id = ${user.id}
        union all select source from team_member_sources where user_id = ${user.id} and team_id = ${team.id}`.execute(database)
      found.push(rows)
      throw rolledBack
    })

    await expect(migrated).rejects.toBe(rolledBack)
    expect(found).toEqual([[], [{ source: 'manual' }, { source: 'manual' }]])
  })
})

describe('the owner role', () => {
  it('is the default role no more once the migration has run, and the audit log says so', async () => {
    const { given, engine } = service()
    const { id } = await given.organisation()
    const found: unknown[] = []
    const rolledBack = new Error('the test has seen what it needs')

    const migrated = engine.ownerTransaction(async (transaction) => {
      const database = databaseOf(transaction)
      await sql`alter table roles drop constraint roles_owner_default_check`.execute(database)
      await sql`set local role gatehouse_system`.execute(database)
      await sql`update roles set is_default = false where organisation_id = ${id}`.execute(database)
      await sql`update roles set is_default = true where organisation_id = ${id} and is_owner`.execute(database)
      await sql`set local role none`.execute(database)
      await endDefaultOwnerRole(database)
      await sql`set local role gatehouse_system`.execute(database)
      const { rows } = await sql`
        select is_default, (select changes from audit_logs where target_id = roles.id and action = 'role.updated') as changes
        from roles where organisation_id = ${id} and is_owner`.execute(database)
      found.push(...rows)
      throw rolledBack
    })

    await expect(migrated).rejects.toBe(rolledBack)
    expect(found).toEqual([{ is_default: false, changes: { isDefault: { from: true, to: false } } }])
  })

  it('is given and taken by no connection', async () => {
    const { given, database } = service()
    const { id, owner } = await given.organisation()
    const user = await given.user(owner)
    const { data } = (await owner.get('/v1/admin/roles')).body
    const ownerRole = data.find(({ slug }: { slug: string }) => slug === 'owner')
    const replace = () => database.transaction(id, (tenant) => replaceRolesFromSource(tenant, systemActor, user.id, google, [ownerRole.id]))

    expect(await replace()).toEqual({ added: [], removed: [] })
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body.roles).toMatchObject([{ slug: 'member' }])
    await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: ownerRole.id })
    expect(await replace()).toEqual({ added: [], removed: [] })
    await database.transaction(id, (tenant) => removeRolesOfSource(tenant, systemActor, google))
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body.roles.map(({ slug }: { slug: string }) => slug)).toContain('owner')
  })
})
