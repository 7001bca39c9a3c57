import { describe, expect, it } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { createConnection } from '../support/connections.ts'
import { addDomain, insertConnection } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** The newest entry of this action about a record. */
async function entryOf(owner: HttpClient, targetId: string, action: string) {
  return (await owner.audit({ targetId, action, limit: 1 }))[0]
}

const undo = (by: HttpClient, entry: { id: string }, query = '') => by.post(`/v1/admin/audit-logs/${entry.id}/undo${query}`)

async function undoLast(owner: HttpClient, targetId: string, action: string) {
  return undo(owner, await entryOf(owner, targetId, action))
}

/** Writes an entry as the service itself does. @returns its id */
async function written(
  organisationId: string,
  {
    changes,
    metadata,
    ...entry
  }: { action: string; targetType: string; targetId: string; changes: object | null; metadata: object | null },
): Promise<string> {
  const tenant = service().database.tenant(organisationId)
  const id = newId('aud', tenant.now)
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value)) as never
  await tenant
    .insertInto('auditLogs')
    .values({
      ...entry,
      ...{ id, actorType: 'system', actorId: null, ipAddress: null, userAgent: null, createdAt: tenant.now },
      ...{ changes: json(changes), metadata: json(metadata) },
    })
    .execute()
  return id
}

const made = async (owner: HttpClient, path: string, body: object) => (await owner.post(path, body)).body
const memberIds = async (owner: HttpClient, teamId: string) =>
  (await owner.get(`/v1/admin/teams/${teamId}`)).body.members.map(({ id }: { id: string }) => id)
const roleIds = async (owner: HttpClient, userId: string) =>
  (await owner.get(`/v1/admin/users/${userId}`)).body.roles.map(({ id }: { id: string }) => id)

describe('POST /v1/admin/audit-logs/:id/undo', () => {
  it('gives changed fields their former values by an ordinary change, whose entry names what it undoes', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner, { firstName: 'Carol' })
    const path = `/v1/admin/users/${user.id}`
    await owner.patch(path, { firstName: 'Caroline', phone: '+44 20 7946 0000' })
    const entry = await entryOf(owner, user.id, 'user.updated')

    const undone = await undo(owner, entry)

    const fields = {
      firstName: { from: 'Caroline', to: 'Carol' },
      name: { from: 'Caroline User', to: 'Carol User' },
      phone: { from: '+44 20 7946 0000', to: null },
    }
    const written = await entryOf(owner, user.id, 'user.updated')
    expect(undone).toMatchObject({
      status: 200,
      body: {
        dryRun: false,
        changes: [{ entryId: written.id, action: 'user.updated', targetId: user.id, changes: fields, metadata: null }],
      },
    })
    expect(written).toMatchObject({ actorId: owner.id, changes: fields, metadata: { undoOf: entry.id } })
    expect((await owner.get(path)).body).toMatchObject({ firstName: 'Carol', phone: null })

    // As any other change, it can be undone.
    expect(await undo(owner, written)).toMatchObject({ status: 200 })
    expect((await owner.get(path)).body).toMatchObject({ firstName: 'Caroline', phone: '+44 20 7946 0000' })
  })

  it('says what it would do, and does nothing, in a dry run', async () => {
    const { owner } = await service().given.organisation()
    const team = await made(owner, '/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    await owner.patch(`/v1/admin/teams/${team.id}`, { name: 'Asia' })
    const entry = await entryOf(owner, team.id, 'team.updated')

    expect(await undo(owner, entry, '?dryRun=true')).toMatchObject({
      status: 200,
      body: { dryRun: true, changes: [{ entryId: null, action: 'team.updated', changes: { name: { from: 'Asia', to: 'Europe' } } }] },
    })

    expect((await owner.get(`/v1/admin/teams/${team.id}`)).body.name).toBe('Asia')
    expect((await entryOf(owner, team.id, 'team.updated')).id).toBe(entry.id)
    expect(await undo(owner, entry, '?dryRun=yes')).toMatchObject({ status: 400, body: { errors: [{ path: ['dryRun'] }] } })
  })

  it('undoes the fields of roles, applications, webhooks, settings, connections and domains', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const { id: roleId } = await service().given.role(owner, { permissions: ['users:read', 'teams:read'] })
    const { body: role } = await owner.get(`/v1/admin/roles/${roleId}`)
    const client = await made(owner, '/v1/admin/clients', {
      name: 'Portal',
      clientType: 'public',
      redirectUris: ['https://portal.acme.test/callback'],
    })
    const webhook = await made(owner, '/v1/admin/webhooks', { url: 'https://hooks.acme.test/', events: ['user.created'], variant: 'B' })
    const connection = await createConnection(owner, { configuration: { issuer: 'https://login.acme.test', clientId: 'gatehouse' } })
    const domain = await addDomain(owner)
    const connectionId = await insertConnection(service(), organisationId)
    const { body: before } = await owner.get('/v1/admin/organisation')
    const changes: [path: string, id: string, action: string, sent: object, former: object][] = [
      [
        'roles/',
        role.id,
        'role.updated',
        { name: 'Other', permissionIds: ['users:read'] },
        { name: role.name, permissions: role.permissions },
      ],
      ['clients/', client.id, 'client.updated', { name: 'Other', scopes: ['orders:read'] }, { name: 'Portal', scopes: [] }],
      ['webhooks/', webhook.id, 'webhook.updated', { events: ['*'], isActive: false }, { events: ['user.created'], isActive: true }],
      [
        'organisation',
        organisationId,
        'organisation.updated',
        { sessionLifetime: 3_600, branding: { primaryColor: '#123456' }, signInPolicy: { emailCode: 'allowed' } },
        { sessionLifetime: before.sessionLifetime, branding: before.branding, signInPolicy: before.signInPolicy },
      ],
      [
        'connections/',
        connection.id,
        'connection.updated',
        { name: 'Other', configuration: { scopes: ['openid', 'groups'] }, mapping: { phone: 'mobile' } },
        { name: connection.name, configuration: connection.configuration, mapping: connection.mapping },
      ],
      ['domains/', domain.id, 'domain.updated', { connectionId, sso: 'offered' }, { connectionId: null, sso: 'off' }],
    ]
    for (const [path, id, action, sent, former] of changes) {
      const address = `/v1/admin/${path}${path.endsWith('/') ? id : ''}`
      const changed = await owner.patch(address, sent)
      expect([action, changed]).toMatchObject([action, { status: 200 }])

      const undone = await undoLast(owner, id, action)

      expect([action, undone.status, undone.body]).toMatchObject([action, 200, { dryRun: false }])
      expect(undone.body.changes[0].action).toBe(action)
      // A change of nothing shows the record, that of a domain too.
      expect([action, (await owner.patch(address, {})).body]).toMatchObject([action, former])
    }
    expect((await owner.get(`/v1/admin/connections/${connection.id}`)).body.configuration).toEqual(connection.configuration)
  })

  it('takes a given role and gives a taken one, and so with members of teams', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const role = await service().given.role(owner)
    const team = await made(owner, '/v1/admin/teams', { name: 'Europe', slug: 'europe' })

    await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })
    expect(await undoLast(owner, user.id, 'role.assigned')).toMatchObject({
      status: 200,
      body: { changes: [{ action: 'role.unassigned', metadata: { roleId: role.id } }] },
    })
    expect(await roleIds(owner, user.id)).not.toContain(role.id)
    expect(await undoLast(owner, user.id, 'role.unassigned')).toMatchObject({ status: 200 })
    expect(await roleIds(owner, user.id)).toContain(role.id)

    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: user.id })
    expect(await undoLast(owner, team.id, 'team.member_added')).toMatchObject({ status: 200 })
    expect(await memberIds(owner, team.id)).toEqual([])
    expect(await undoLast(owner, team.id, 'team.member_removed')).toMatchObject({ status: 200 })
    expect(await memberIds(owner, team.id)).toEqual([user.id])
  })

  it('unblocks and blocks, restores and deletes users, activates and revokes applications, activates webhooks', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const path = `/v1/admin/users/${user.id}`

    await owner.patch(path, { blockedAt: '2026-01-01T00:00:00Z', blockedReason: 'Left' })
    expect(await undoLast(owner, user.id, 'user.blocked')).toMatchObject({ status: 200 })
    expect((await owner.get(path)).body).toMatchObject({ blockedAt: null, blockedReason: null })
    expect(await undoLast(owner, user.id, 'user.updated')).toMatchObject({ status: 200, body: { changes: [{ action: 'user.blocked' }] } })
    expect((await owner.get(path)).body).toMatchObject({ blockedAt: '2026-01-01T00:00:00.000Z', blockedReason: 'Left' })

    await owner.delete(path)
    const deleted = await entryOf(owner, user.id, 'user.deleted')
    expect(await undo(owner, deleted)).toMatchObject({ status: 200, body: { changes: [{ action: 'user.restored' }] } })
    expect(await undo(owner, deleted)).toMatchObject({
      status: 409,
      body: { code: 'undo-changed-since', conflicts: [{ field: 'deletedAt', now: null, lastChange: { action: 'user.restored' } }] },
    })
    expect(await undoLast(owner, user.id, 'user.restored')).toMatchObject({ status: 200, body: { changes: [{ action: 'user.deleted' }] } })
    expect(await owner.get(path)).toMatchObject({ status: 404 })

    const client = await made(owner, '/v1/admin/clients', { name: 'Jobs', clientType: 'confidential', grantTypes: ['client_credentials'] })
    const isActive = async () => (await owner.get(`/v1/admin/clients/${client.id}`)).body.isActive
    await owner.post(`/v1/admin/clients/${client.id}/revoke`)
    expect(await undoLast(owner, client.id, 'client.revoked')).toMatchObject({ status: 200 })
    expect(await isActive()).toBe(true)
    expect(await undoLast(owner, client.id, 'client.activated')).toMatchObject({ status: 200 })
    expect(await isActive()).toBe(false)

    const webhook = await made(owner, '/v1/admin/webhooks', { url: 'https://hooks.acme.test/', events: ['user.created'], variant: 'B' })
    await owner.patch(`/v1/admin/webhooks/${webhook.id}`, { isActive: false })
    const afterFailures = {
      action: 'webhook.deactivated',
      changes: { isActive: { from: true, to: false } },
      metadata: { failureCount: 10 },
    }
    const id = await written(organisationId, { ...afterFailures, targetType: 'webhook', targetId: webhook.id })
    expect(await undo(owner, { id })).toMatchObject({ status: 200, body: { changes: [{ action: 'webhook.updated' }] } })
    expect((await owner.get(`/v1/admin/webhooks/${webhook.id}`)).body.isActive).toBe(true)
  })

  it('refuses what has changed since, naming each field, who changed it and when', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.userWith(owner, ['users:update'])
    const user = await service().given.user(owner, { firstName: 'Carol', lastName: 'Shaw' })
    const path = `/v1/admin/users/${user.id}`
    await owner.patch(path, { firstName: 'Caroline', lastName: 'Short' })
    const entry = await entryOf(owner, user.id, 'user.updated')
    await other.patch(path, { firstName: 'Lina' })

    for (const query of ['', '?dryRun=true']) {
      expect(await undo(owner, entry, query)).toMatchObject({
        status: 409,
        body: {
          code: 'undo-changed-since',
          detail: 'It is no longer what the entry left: firstName',
          conflicts: [
            {
              field: 'firstName',
              left: 'Caroline',
              now: 'Lina',
              lastChange: { action: 'user.updated', actorId: other.id, actorEmail: other.email, at: expect.stringMatching(/^\d{4}-/) },
            },
          ],
        },
      })
    }
    expect((await owner.get(path)).body).toMatchObject({ firstName: 'Lina', lastName: 'Short' })
  })

  it('refuses what is undone already, also by two requests at the same time', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const role = await service().given.role(owner)
    await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })
    await owner.patch(`/v1/admin/users/${user.id}`, { phone: '+44 20 7946 0000' })

    for (const [action, field] of [
      ['role.assigned', 'roles'],
      ['user.updated', 'phone'],
    ] as const) {
      const entry = await entryOf(owner, user.id, action)
      const answers = await Promise.all([undo(owner, entry), undo(owner, entry)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'undo-changed-since', conflicts: [{ field }] })
    }
  })

  it('refuses what names a record that is gone, and says who deleted it', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const user = await service().given.user(owner, { roleIds: [role.id] })
    await owner.delete(`/v1/admin/roles/${role.id}`)

    expect(await undoLast(owner, user.id, 'role.unassigned')).toMatchObject({
      status: 409,
      body: { code: 'undo-record-gone', ended: { action: 'role.deleted', actorId: owner.id } },
    })
  })

  it('refuses a permission that the operator has deleted since', async () => {
    const { given, operator } = service()
    const { owner } = await given.organisation()
    const permission = { slug: `reports:${unique()}`, name: 'Reports', description: 'Read reports', category: 'custom' }
    const { body: added } = await operator.post('/v1/system/permissions', permission)
    const role = await given.role(owner, { permissions: [added.slug, 'users:read'] })
    await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: ['users:read'] })
    await operator.delete(`/v1/system/permissions/${added.id}`)

    expect(await undoLast(owner, role.id, 'role.updated')).toMatchObject({ status: 409, body: { code: 'undo-record-gone' } })
  })

  it('needs audit:read and the permission of the change, and never gives what the caller lacks', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner, { permissions: ['users:delete'] })
    const user = await service().given.user(owner, { roleIds: [role.id] })
    await owner.delete(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })
    const entry = await entryOf(owner, user.id, 'role.unassigned')
    const as = (permissions: string[]) => service().given.userWith(owner, permissions)

    expect(await undo(await as(['users:update']), entry)).toMatchObject({ status: 403, body: { permission: 'audit:read' } })
    expect(await undo(await as(['audit:read']), entry)).toMatchObject({ status: 403, body: { permission: 'users:update' } })
    expect(await undo(await as(['audit:read', 'users:update']), entry)).toMatchObject({
      status: 403,
      body: { code: 'cannot-grant', permission: 'users:delete' },
    })
    expect(await roleIds(owner, user.id)).toEqual([])
    expect(await undo(await as(['audit:read', 'users:update', 'users:delete']), entry)).toMatchObject({ status: 200 })
  })

  it('needs the permission of the opposite change, which is not that of the change', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const client = await made(owner, '/v1/admin/clients', { name: 'Jobs', clientType: 'confidential', grantTypes: ['client_credentials'] })
    const at = `/v1/admin/clients/${client.id}`
    const as = (permission: string) => service().given.userWith(owner, ['audit:read', permission])
    const steps: [change: () => Promise<unknown>, id: string, action: string, of: string, opposite: string][] = [
      [() => owner.post(`${at}/revoke`), client.id, 'client.revoked', 'clients:delete', 'clients:update'],
      [() => owner.post(`${at}/activate`), client.id, 'client.activated', 'clients:update', 'clients:delete'],
      [() => owner.delete(`/v1/admin/users/${user.id}`), user.id, 'user.deleted', 'users:delete', 'users:create'],
      [() => owner.post(`/v1/admin/users/${user.id}/restore`), user.id, 'user.restored', 'users:create', 'users:delete'],
    ]
    for (const [change, id, action, of, opposite] of steps) {
      await change()
      expect(await undo(await as(of), await entryOf(owner, id, action))).toMatchObject({ status: 403, body: { permission: opposite } })
    }
    expect(await undo(await as('users:delete'), await entryOf(owner, user.id, 'user.restored'))).toMatchObject({ status: 200 })
  })

  it('is refused as the ordinary change is: the owner stays what the owner is, and a name that is taken is taken', async () => {
    const { owner } = await service().given.organisation()
    const ownerRole = (await owner.get('/v1/admin/roles')).body.data.find(({ slug }: { slug: string }) => slug === 'owner')
    const heir = await service().given.user(owner)
    await owner.post(`/v1/admin/users/${heir.id}/roles`, { roleId: ownerRole.id })
    const assigned = await entryOf(owner, heir.id, 'role.assigned')
    await owner.post('/v1/admin/organisation/transfer-ownership', { userId: heir.id })
    expect(await undo(owner, assigned)).toMatchObject({ status: 400, body: { code: 'owner-cannot-lose-owner-role' } })

    const [former, taken] = [`Former ${unique()}`, `Taken ${unique()}`]
    await owner.patch('/v1/admin/organisation', { name: former })
    await owner.patch('/v1/admin/organisation', { name: taken })
    const other = await service().given.organisation()
    expect(await other.owner.patch('/v1/admin/organisation', { name: former })).toMatchObject({ status: 200 })
    const renamed = (await owner.audit({ action: 'organisation.updated', limit: 1 }))[0]
    expect(await undo(owner, renamed)).toMatchObject({ status: 409, body: { code: 'organisation-name-taken' } })
  })

  it('says by a code why other entries are not undone, and the list of actions says it before', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const client = await made(owner, '/v1/admin/clients', { name: 'Jobs', clientType: 'confidential', grantTypes: ['client_credentials'] })
    await owner.post(`/v1/admin/clients/${client.id}/rotate-secret`)
    const { body: actions } = await owner.get('/v1/admin/audit-logs/actions?limit=100')
    const { body: more } = await owner.get(`/v1/admin/audit-logs/actions?limit=100&cursor=${actions.nextCursor ?? ''}`)
    const listed = [...actions.data, ...(actions.nextCursor ? more.data : [])]
    const codeOf = (action: string) => listed.find((one: { action: string }) => one.action === action)?.undoRefusal

    for (const [targetId, action, code] of [
      [role.id, 'role.created', 'undo-would-delete'],
      [client.id, 'client.secret_rotated', 'undo-secret-gone'],
    ] as const) {
      expect(await undoLast(owner, targetId, action)).toMatchObject({ status: 400, body: { code } })
      expect(codeOf(action)).toBe(code)
    }
    expect(codeOf('user.updated')).toBeNull()
  })

  it('leaves alone what a connection gave, a secret that was replaced, and fields that no request can set', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const connection = await createConnection(owner, {})
    await owner.patch(`/v1/admin/connections/${connection.id}`, { name: 'Other', secret: 'another secret' })
    expect(await undoLast(owner, connection.id, 'connection.updated')).toMatchObject({ status: 400, body: { code: 'undo-secret-gone' } })

    const user = await service().given.user(owner)
    const role = await service().given.role(owner)
    for (const [action, changes, metadata, code] of [
      ['role.assigned', null, { roleId: role.id, roleSlug: role.slug, source: `connection:${connection.id}` }, 'undo-by-connection'],
      ['user.updated', { emailVerifiedAt: { from: null, to: '2026-01-01T00:00:00.000Z' } }, null, 'undo-fields-fixed'],
      ['user.updated', {}, null, 'undo-values-unknown'],
    ] as const) {
      const id = await written(organisationId, { action, targetType: 'user', targetId: user.id, changes, metadata })
      expect([code, await undo(owner, { id })]).toMatchObject([code, { status: 400, body: { code } }])
    }
  })

  it('knows nothing of entries of other organisations', async () => {
    const { given } = service()
    const [own, other] = [await given.organisation(), await given.organisation()]
    await other.owner.patch('/v1/admin/organisation', { phone: '+44 20 7946 0000' })
    const [foreign] = await other.owner.audit({ action: 'organisation.updated' })
    expect(await undo(own.owner, foreign)).toMatchObject({ status: 404, body: { code: 'audit-entry-not-found' } })
  })
})
