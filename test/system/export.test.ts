import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { finishExport } from '../../src/organisations/queries.ts'
import { exportCancelledOrganisations } from '../../src/system/export-cancelled-organisations.ts'
import { notExported } from '../../src/system/export-organisation.ts'
import { isSecretField } from '../../src/system/rules.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const pathOf = (id: string) => `/v1/system/organisations/${id}/export`

describe('GET /v1/system/organisations/:id/export', () => {
  it('contains everything of the organisation and nothing of another', async () => {
    const { id, slug, owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const role = await service().given.role(owner, { permissions: ['users:read'] })
    const user = await service().given.user(owner, { roleIds: [role.id] })

    const exported = await service().operator.get(pathOf(id))

    expect(exported).toMatchObject({ status: 200 })
    expect(exported.headers.get('content-type')).toContain('application/json')
    expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="${slug}.json"`)
    const { body } = exported
    expect(body.organisation).toMatchObject({ id, slug, ownerId: owner.id })
    expect(body.users.map((one: { id: string }) => one.id).sort()).toEqual([owner.id, user.id].sort())
    expect(body.userRoles).toContainEqual(expect.objectContaining({ userId: user.id, roleId: role.id }))
    const permission = body.permissions.find((one: { slug: string }) => one.slug === 'users:read')
    expect(body.rolePermissions).toContainEqual({ roleId: role.id, permissionId: permission.id })
    expect(body.sessions).toHaveLength(1)
    expect(body.auditLogs.map((entry: { action: string }) => entry.action)).toContain('user.created')
    expect(JSON.stringify(body)).not.toContain(other.id)
  })

  it('is read page by page, so that it is complete however long it is', async () => {
    const { id } = await service().given.organisation()
    await sql`
      insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
      select ${id}, 'usr_' || number, number || '@' || ${id} || '.test', 'N', number::text, now(), now()
      from generate_series(1, 450) number`.execute(service().database.system())
    await sql`
      insert into user_roles (organisation_id, user_id, role_id, created_at)
      select u.organisation_id, u.id, r.id, now() from users u join roles r on r.organisation_id = u.organisation_id and r.slug <> 'owner'
      where u.organisation_id = ${id} and u.id like 'usr\\__' or u.id like 'usr\\___' or u.id like 'usr\\____'`.execute(
      service().database.system(),
    )

    const { body } = await service().operator.get(pathOf(id))

    const ids = body.users.map((user: { id: string }) => user.id)
    expect(ids).toHaveLength(451)
    expect(new Set(ids).size).toBe(451)
    expect(new Set(body.userRoles.map((one: object) => JSON.stringify(one))).size).toBe(901)
    expect(body.userRoles).toHaveLength(901)
  })

  it('covers every table with rows of organisations, except those with a reason not to', async () => {
    const { id } = await service().given.organisation()
    const { rows } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'organisation_id'`.execute(service().database.system())
    const names = rows.map(({ name }) => name)

    const { body } = await service().operator.get(pathOf(id))

    const sections = names.filter((name) => !(name in notExported)).map((name) => camelCase(name))
    expect(Object.keys(body).sort()).toEqual(['exportedAt', 'organisation', 'permissions', ...sections].sort())
    expect(Object.keys(notExported).filter((name) => !names.includes(name))).toEqual([])
  })

  it('contains no password, hash, encrypted text or token, of any table', async () => {
    const { id, owner } = await service().given.organisation()
    const { rows } = await sql<{ table: string; column: string }>`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      where c.table_schema = current_schema() and exists (
        select from information_schema.columns t
        where t.table_schema = c.table_schema and t.table_name = c.table_name and t.column_name = 'organisation_id')`.execute(
      service().database.system(),
    )

    // The names of columns with secrets: the export would include one that it does not recognise by its name.
    const suspicious = /hash|encrypted|secret$|^token$|password$|private|verifier|challenge$|recovery|backup/
    const leaving = rows
      .filter(({ table, column }) => !(table in notExported) && suspicious.test(column) && !isSecretField(camelCase(column)))
      .map(({ table, column }) => `${table}.${column}`)
    // A domain is proven by publishing it, and the address of a logo names it by its hash.
    expect(leaving.toSorted()).toEqual(['organisation_domains.challenge', 'organisation_logos.hash'])
    expect(rows.filter(({ column }) => isSecretField(camelCase(column))).length).toBeGreaterThan(5)

    const { body } = await service().operator.get(pathOf(id))
    const [user] = body.users
    expect(user).toMatchObject({ id: owner.id, email: owner.email })
    expect(user).not.toHaveProperty('passwordHash')
    expect(body.sessions[0]).not.toHaveProperty('tokenHash')
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  it('writes an entry into the history of the organisation, which the export already contains, and none into another', async () => {
    const [{ id, owner }, other] = [await service().given.organisation(), await service().given.organisation()]

    const { body } = await service().operator.get(pathOf(id))

    const entry = { action: 'organisation.exported', actorType: 'system', actorId: null, targetId: id }
    expect(await owner.audit({ action: 'organisation.exported' })).toMatchObject([entry])
    expect(body.auditLogs.at(-1)).toMatchObject(entry)
    expect(await other.owner.audit({ action: 'organisation.exported' })).toEqual([])
    expect(await owner.get(pathOf(id))).toMatchObject({ status: 401 })
    expect(await owner.audit({ action: 'organisation.exported' })).toHaveLength(1)
  })

  it('serves a cancelled organisation until it is purged, and only with the key', async () => {
    const { id, owner } = await service().given.organisation()
    await owner.delete('/v1/admin/organisation')

    expect(await service().operator.get(pathOf(id))).toMatchObject({ status: 200, body: { organisation: { status: 'cancelled' } } })
    expect(await service().anonymous.get(pathOf(id))).toMatchObject({ status: 401 })
    expect(await service().operator.get(pathOf(`org_${unique()}`))).toMatchObject({
      status: 404,
      body: { detail: 'Organisation not found' },
    })
  })
})

describe('the export at cancellation', () => {
  it('is written to the data directory by a job, readable by the service alone', async () => {
    const { id, owner } = await service().given.organisation()
    await owner.delete('/v1/admin/organisation')
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-exports-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const scheduled = () => service().database.tenant(id).selectFrom('organisationExports').select('finishedAt').execute()

    const task = exportCancelledOrganisations(dataDir)
    // Other tests have cancelled organisations before, and it writes ten at a time.
    while (await task.run(service().database)) {}

    await expect.poll(scheduled).toEqual([{ finishedAt: expect.any(Date) }])
    // The task of the service may have come first.
    const folders = [dataDir, service().dataDir].map((one) => join(one, 'exports'))
    const found = await Promise.all(
      folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
    )
    const [file = ''] = found.flat().filter((path) => basename(path).startsWith(id) && !path.endsWith('.part'))
    expect(basename(file)).toMatch(new RegExp(`^${id}-\\d{14}\\.json$`))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ organisation: { id, status: 'cancelled' }, users: [{ id: owner.id }] })
  })

  it('stays in its folder, although an earlier release has imported an id that names another one', async () => {
    const [dataDir, word, system] = [await mkdtemp(join(tmpdir(), 'gatehouse-exports-')), unique(), service().database.system()]
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const { now } = system
    const [id, name] = [`../${word}`, `Outside ${word}`]
    await sql`
      insert into organisations (id, slug, name, email, status, created_at, updated_at, deleted_at)
      values (${id}, ${word}, ${name}, ${`it@${word}.test`}, 'cancelled', ${now}, ${now}, ${now})`.execute(system)
    await sql`insert into organisation_exports (organisation_id, scheduled_at) values (${id}, ${now})`.execute(system)

    const task = exportCancelledOrganisations(dataDir)
    while (await task.run(service().database)) {}

    const scheduled = () => service().database.tenant(id).selectFrom('organisationExports').select('finishedAt').execute()
    await expect.poll(scheduled).toEqual([{ finishedAt: expect.any(Date) }])
    const files = await Promise.all([dataDir, service().dataDir].map((one) => readdir(join(one, 'exports')).catch(() => [])))
    expect(files.flat().filter((file) => file.includes(word))).toEqual([expect.stringMatching(/^\.\.%2F\S+-\d{14}\.json$/)])
  })

  it('is not done by one that was under way when the former cancellation was taken back', async () => {
    const { id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const path = `/v1/system/organisations/${id}`
    const scheduled = () => tenant.selectFrom('organisationExports').select(['scheduledAt', 'finishedAt']).executeTakeFirstOrThrow()
    await service().operator.delete(path)
    const { scheduledAt } = await scheduled()
    await service().operator.post(`${path}/restore`)
    service().clock.advance({ seconds: 1 })
    await service().operator.delete(path)

    await finishExport(tenant, scheduledAt)

    expect(await scheduled()).toMatchObject({ finishedAt: null })
  })
})
