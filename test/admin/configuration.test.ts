import { describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { givenDirectory } from '../support/directories.ts'
import { unique } from '../support/given.ts'
import { grantOf, resourceAuthorizationServer } from '../support/resource-authorization-servers.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService()
const address = '/v1/admin/configuration'

describe('the configuration over the API', () => {
  it('is exported as a document that changes nothing', async () => {
    const { owner } = await service().given.organisation()
    const { status, body } = await owner.get(address)
    expect({ status, body }).toMatchObject({ status: 200, body: { organisation: expect.any(String), roles: { owner: { name: 'Owner' } } } })
    expect(await owner.post(`${address}/plan`, { document: body, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
    expect(await owner.post(`${address}/diff`, { document: body, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
  })

  it('is compared and planned as it was exported, however many teams there are, and changes a thousand at once', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    const teams = Array.from({ length: 1_001 }, (_, place) => ({
      id: `tem_${id}${place}`,
      slug: `team-${place}`,
      name: `Team ${place}`,
      ...times,
    }))
    await tenant.insertInto('teams').values(teams).execute()
    const { body: document } = await owner.get(address)
    expect(Object.keys(document.teams)).toHaveLength(1_001)

    for (const path of ['diff', 'plan', 'apply'])
      expect(await owner.post(`${address}/${path}`, { document, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
    const renamed = Object.fromEntries(teams.map(({ slug }) => [slug, { name: 'Renamed' }]))
    for (const path of ['plan', 'apply'])
      expect(await owner.post(`${address}/${path}`, { document: { teams: renamed } })).toMatchObject({
        status: 400,
        body: { code: 'too-many-changes', detail: expect.stringContaining('teams') },
      })
    expect((await owner.post(`${address}/diff`, { document: { teams: renamed } })).body.changes).toHaveLength(1_001)
  })

  it('is planned as it was exported, although an earlier release took a setting that this one does not', async () => {
    const { owner, id } = await service().given.organisation()
    const branding = { logoUrl: 'https://a;frame-ancestors/x.png', primaryColor: '#0a7cff' }
    const tenant = service().database.tenant(id)
    await tenant
      .updateTable('organisations')
      .set({ branding: JSON.stringify(branding) })
      .execute()
    const { body: document } = await owner.get(address)
    expect(document.settings.branding).toEqual(branding)

    for (const path of ['plan', 'diff', 'apply']) {
      expect(await owner.post(`${address}/${path}`, { document })).toMatchObject({ status: 200, body: { changes: [] } })
    }
    const renamed = { ...document, settings: { ...document.settings, website: 'https://acme.test/' } }
    const planned = await owner.post(`${address}/plan`, { document: renamed })
    expect(planned.body.changes).toMatchObject([{ section: 'settings', fields: [{ field: 'website' }] }])
    const changed = { ...document, settings: { ...document.settings, branding: { ...branding, primaryColor: '#ffffff' } } }
    for (const path of ['plan', 'diff', 'apply']) {
      expect(await owner.post(`${address}/${path}`, { document: changed })).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['document', 'settings', 'branding', 'logoUrl'] }] },
      })
    }
  })

  it('names a client by the exported key after it was renamed, and never plans to delete and create it', async () => {
    const { owner } = await service().given.organisation()
    const client = { name: 'My App', clientType: 'public', redirectUris: ['https://app.acme.test/callback'] }
    const { id } = (await owner.post('/v1/admin/clients', client)).body
    // Who may only read stores nothing.
    const read = ['organisation:read', 'roles:read', 'teams:read', 'clients:read', 'connections:read', 'webhooks:read', 'api_keys:read']
    const reader = await service().given.userWith(owner, read)
    expect((await reader.get('/v1/admin/configuration')).body.clients).toMatchObject({ 'my-app': { name: 'My App' } })
    await owner.patch(`/v1/admin/clients/${id}`, { name: 'First App' })
    const { body: document } = await owner.get('/v1/admin/configuration')
    expect(Object.keys(document.clients)).toEqual(['first-app'])

    await owner.patch(`/v1/admin/clients/${id}`, { name: 'Our App' })

    const { body: plan } = await owner.post('/v1/admin/configuration/plan', { document, prune: true })
    expect(plan.changes).toMatchObject([
      { section: 'clients', object: 'first-app', action: 'update', fields: [{ field: 'name', before: 'Our App', after: 'First App' }] },
    ])
    expect(plan.changes).toHaveLength(1)
    expect(Object.keys((await owner.get('/v1/admin/configuration')).body.clients)).toEqual(['first-app'])
  })

  it('names an object by the same key after it was renamed, where a document only refers to it', async () => {
    const { owner } = await service().given.organisation()
    const client = { name: 'Customer portal', clientType: 'public', redirectUris: ['https://app.acme.test/callback'] }
    const { id } = (await owner.post('/v1/admin/clients', client)).body
    const orders = { url: 'https://hooks.acme.test/orders', events: ['user.created'], client: 'customer-portal' }
    const document = { webhooks: { orders } }
    expect(await owner.post(`${address}/apply`, { document })).toMatchObject({ status: 200 })

    await owner.patch(`/v1/admin/clients/${id}`, { name: 'Portal' })

    expect(await owner.post(`${address}/plan`, { document, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
  })

  it('is exported with keys that stay, by a key that may not change the objects that are referred to', async () => {
    const { owner } = await service().given.organisation()
    const server = await resourceServer(owner, { name: 'Orders' })
    const portal = { name: 'Portal', clientType: 'public', redirectUris: ['https://app.acme.test/callback'] }
    const { id: clientId } = (await owner.post('/v1/admin/clients', portal)).body
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.acme.test/', events: ['user.created'], clientId })
    await createConnection(owner, { slug: 'workforce', identityAssertions: { accepted: false, resourceServerIds: [server.id] } })
    const read = ['organisation:read', 'roles:read', 'teams:read', 'clients:read', 'connections:read', 'webhooks:read', 'api_keys:read']
    const exportedBy = async (permission: string) => {
      const { key } = (await owner.post('/v1/admin/api-keys', { name: permission, permissions: [...read, permission] })).body
      return (
        await service()
          .anonymous.with({ authorization: `Bearer ${key}` })
          .get(address)
      ).body
    }
    const { webhooks } = await exportedBy('webhooks:update')
    const { connections } = await exportedBy('connections:update')
    await owner.patch(`/v1/admin/clients/${clientId}`, { name: 'Shop' })
    await owner.patch(`/v1/admin/resource-servers/${server.id}`, { name: 'Purchases' })

    expect(webhooks).toMatchObject({ 'hooks-acme-test': { client: 'portal' } })
    expect(connections).toMatchObject({ workforce: { identityAssertions: { resourceServers: ['orders'] } } })
    for (const document of [{ webhooks }, { connections }])
      expect(await owner.post(`${address}/plan`, { document, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
  })

  it('is planned as it was exported, and changed, after what its mappings and grants name is gone', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const team = (await owner.post('/v1/admin/teams', { name: 'Readers', slug: 'readers' })).body
    const orders = await resourceServer(owner)
    await createConnection(owner, {
      roleMappings: [{ claim: 'groups', value: 'a', roleId: role.id }],
      teamMappings: [{ claim: 'groups', value: 'a', teamId: team.id }],
      identityAssertions: { accepted: false, resourceServerIds: [orders.id] },
    })
    const confidential = { clientType: 'confidential', redirectUris: ['https://app.acme.test/callback'] }
    const [stays, goes] = await Promise.all(
      ['Stays', 'Goes'].map(async (name) => (await owner.post('/v1/admin/clients', { name, ...confidential })).body),
    )
    // As an application that has registered itself: no document has a key of it.
    const registered = (await owner.post('/v1/admin/clients', { name: 'Registered', ...confidential })).body
    await service()
      .database.tenant(organisationId)
      .updateTable('clients')
      .set({ origin: 'registration' })
      .where('id', '=', registered.id)
      .execute()
    const named = { roleIds: [role.id], teamIds: [team.id] }
    const grants = [grantOf(stays.id, named), grantOf(goes.id), grantOf(registered.id)]
    const { id } = await resourceAuthorizationServer(owner, goes.id, { grants })
    for (const path of [`roles/${role.id}`, `teams/${team.id}`, `resource-servers/${orders.id}`, `clients/${goes.id}`])
      expect((await owner.delete(`/v1/admin/${path}`)).status).toBe(204)

    const { body: document } = await owner.get(address)

    for (const path of ['plan', 'diff', 'apply'])
      expect(await owner.post(`${address}/${path}`, { document, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
    const { books } = document.resourceAuthorizationServers
    books.audienceClient = 'stays'
    books.grants[2].scopes = ['books:read']
    expect(await owner.post(`${address}/apply`, { document })).toMatchObject({ status: 200 })
    const { body: after } = await owner.get(`/v1/admin/resource-authorization-servers/${id}`)
    // A grant that names neither roles nor teams is for every user.
    expect(after.grants).toMatchObject([
      { clientId: stays.id, ...named },
      { clientId: goes.id, roleIds: [] },
      { clientId: registered.id, scopes: ['books:read'] },
    ])
    books.grants[2].client = 'cli_01kahm3z9n4v7f2t8q6w5r1y0x'
    expect(await owner.post(`${address}/plan`, { document })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['document', 'resourceAuthorizationServers', 'books', 'grants', 2, 'client'] }] },
    })
  })

  it('keeps a webhook bound to an application that is gone, since without it another one would get the events of all', async () => {
    const { owner } = await service().given.organisation()
    const portal = { name: 'Portal', clientType: 'confidential', redirectUris: ['https://app.acme.test/callback'] }
    const { id: clientId } = (await owner.post('/v1/admin/clients', portal)).body
    const bound = { url: 'https://hooks.acme.test/', events: ['*'], clientId }
    const { id } = (await owner.post('/v1/admin/webhooks', bound)).body
    expect((await owner.delete(`/v1/admin/clients/${clientId}`)).status).toBe(204)

    const { body: document } = await owner.get(address)

    expect(document.webhooks).toMatchObject({ 'hooks-acme-test': { client: clientId } })
    expect(await owner.post(`${address}/plan`, { document, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
    await owner.delete(`/v1/admin/webhooks/${id}`)
    expect(await owner.post(`${address}/apply`, { document })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('webhooks.hooks-acme-test: ') },
    })
    expect((await owner.get('/v1/admin/webhooks')).body.data).toEqual([])
  })

  it('says of a connection how it takes a sign-in that its provider begins', async () => {
    const { owner } = await service().given.organisation()
    const { slug } = await createConnection(owner, { idpInitiated: 'restart' })
    const { body: document } = await owner.get(address)
    expect(document.connections[slug]).toMatchObject({ idpInitiated: 'restart' })
    expect(await owner.post(`${address}/plan`, { document })).toMatchObject({ status: 200, body: { changes: [] } })
  })

  it('is planned and applied, all of it, once', async () => {
    const { owner } = await service().given.organisation()
    const document = {
      settings: { sessionLifetime: 7_200 },
      roles: { support: { name: 'Support', permissions: ['users:read'] } },
      clients: { jobs: { name: 'Jobs', clientType: 'confidential', grantTypes: ['client_credentials'] } },
    }
    const { body: plan } = await owner.post(`${address}/plan`, { document })
    expect(plan.changes.map(({ section, object, action }: Record<string, string>) => [section, object, action])).toEqual([
      ['settings', null, 'update'],
      ['roles', 'support', 'create'],
      ['clients', 'jobs', 'create'],
    ])
    expect((await owner.get(address)).body.roles).not.toHaveProperty('support')

    const applied = await owner.post(`${address}/apply`, { document, basis: plan.basis })
    expect(applied).toMatchObject({ status: 200, body: { secrets: [{ section: 'clients', object: 'jobs', secret: expect.any(String) }] } })
    const roles = (await owner.get('/v1/admin/roles')).body.data as { slug: string; id: string }[]
    const [client] = (await owner.get('/v1/admin/clients?search=Jobs')).body.data
    expect(applied.body.ids).toEqual([
      { section: 'roles', object: 'support', id: roles.find(({ slug }) => slug === 'support')?.id },
      { section: 'clients', object: 'jobs', id: client.id },
    ])
    expect(await owner.post(`${address}/apply`, { document, basis: plan.basis })).toMatchObject({
      status: 409,
      body: { code: 'configuration-changed' },
    })
    expect((await owner.post(`${address}/apply`, { document })).body.changes).toEqual([])

    const { data } = (await owner.get('/v1/admin/audit-logs?action=role.created')).body
    expect(data[0]).toMatchObject({ actorType: 'user', metadata: { configuration: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  })

  it('counts nothing that is only planned', async () => {
    const { owner } = await service().given.organisation()
    const document = (permissions: string[]) => ({ roles: { support: { name: 'Support', permissions } } })
    expect(await owner.post(`${address}/apply`, { document: document(['users:read']) })).toMatchObject({ status: 200 })
    const counted = async () => (await service().anonymous.get('/metrics')).body.match(/^gatehouse_occurrences_total.*$/gm)
    const before = await counted()

    const planned = await owner.post(`${address}/plan`, { document: document(['users:read', 'users:update']) })

    expect(planned.body.changes).toMatchObject([{ section: 'roles', object: 'support', action: 'update' }])
    expect(before).toContainEqual(expect.stringContaining('role.created'))
    expect(await counted()).toEqual(before)
  })

  it('says who changed what, to those who may read the audit log', async () => {
    const { owner } = await service().given.organisation()
    await owner.post(`${address}/apply`, { document: { teams: { europe: { name: 'Europe' } } } })
    const { id } = (await owner.get('/v1/admin/teams?members=false')).body.data[0]
    await owner.patch(`/v1/admin/teams/${id}`, { name: 'EMEA' })
    const reader = await service().given.userWith(owner, ['teams:read'])
    const asked = [`${address}/diff`, { document: { teams: { europe: { name: 'Europe' } } } }] as const
    const field = { field: 'name', before: 'EMEA', after: 'Europe' }
    const change = { section: 'teams', object: 'europe', action: 'update' }
    expect((await owner.post(...asked)).body.changes).toMatchObject([
      { ...change, fields: [{ ...field, lastChange: { action: 'team.updated', actorId: owner.id } }] },
    ])
    expect((await reader.post(...asked)).body.changes).toEqual([{ ...change, ended: null, fields: [{ ...field, lastChange: null }] }])
  })

  it('says who ended what is not there any more', async () => {
    const { owner } = await service().given.organisation()
    const document = {
      teams: { europe: { name: 'Europe' } },
      clients: { app: { name: 'App', clientType: 'public', redirectUris: ['https://app.example.test/'] } },
    }
    await owner.post(`${address}/apply`, { document })
    for (const kind of ['teams', 'clients'])
      await owner.delete(`/v1/admin/${kind}/${(await owner.get(`/v1/admin/${kind}`)).body.data[0].id}`)
    const unknown = { asia: { name: 'Asia' } }
    const { changes } = (await owner.post(`${address}/diff`, { document: { ...document, teams: { ...document.teams, ...unknown } } })).body
    expect(changes).toMatchObject([
      { object: 'asia', ended: null },
      { object: 'europe', action: 'create', ended: { action: 'team.deleted', actorId: owner.id } },
      { object: 'app', action: 'create', ended: { action: 'client.deleted', actorId: owner.id } },
    ])
  })

  it('changes nothing when one change is refused, and points at its place', async () => {
    const { owner } = await service().given.organisation()
    const document = { teams: { asia: { name: 'Asia' } }, roles: { odd: { name: 'Odd', permissions: ['nothing:ever'] } } }
    for (const way of ['plan', 'apply']) {
      expect(await owner.post(`${address}/${way}`, { document })).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['document', 'roles', 'odd', 'permissions', 0] }] },
      })
    }
    expect((await owner.get(address)).body).toMatchObject({ teams: {} })
    expect(await owner.audit({ action: 'team.created' })).toEqual([])
  })

  it('takes the permission of each change, by an API key too', async () => {
    const { owner } = await service().given.organisation()
    const role = { roles: { helper: { name: 'Helper', permissions: ['users:read'] } } }
    const team = { teams: { asia: { name: 'Asia' } } }
    const permissions = ['teams:read', 'teams:create', 'roles:read']
    const { key } = (await owner.post('/v1/admin/api-keys', { name: 'CI', permissions })).body
    const ci = service().anonymous.with({ authorization: `Bearer ${key}` })
    for (const way of ['plan', 'apply']) {
      expect(await ci.post(`${address}/${way}`, { document: { ...team, ...role } })).toMatchObject({
        status: 403,
        body: { permission: 'roles:create' },
      })
      expect(await ci.post(`${address}/${way}`, { document: { settings: { sessionLifetime: 600 } } })).toMatchObject({
        status: 403,
        body: { permission: 'organisation:update' },
      })
      expect(await ci.post(`${address}/${way}`, { document: { clients: {} } })).toMatchObject({
        status: 403,
        body: { permission: 'clients:read' },
      })
    }
    expect((await owner.get(address)).body.teams).toEqual({})
    expect(await ci.post(`${address}/apply`, { document: team })).toMatchObject({ status: 200 })
    expect(await ci.post(`${address}/apply`, { document: { teams: {} }, prune: true })).toMatchObject({
      status: 403,
      body: { permission: 'teams:delete' },
    })
  })

  it('has directories for those who may read them, and needs nothing more of others', async () => {
    const { owner } = await service().given.organisation()
    const { id } = (await owner.post('/v1/admin/directories', { name: 'Entra ID' })).body
    const read = ['organisation:read', 'roles:read', 'teams:read', 'clients:read', 'connections:read', 'webhooks:read', 'api_keys:read']
    const without = await (await service().given.userWith(owner, read)).get(address)
    expect(without.status).toBe(200)
    for (const section of ['directories', 'resourceServers', 'resourceAuthorizationServers'])
      expect(without.body).not.toHaveProperty(section)
    expect((await owner.get(address)).body.directories).toMatchObject({ 'entra-id': { name: 'Entra ID' } })

    await owner.patch(`/v1/admin/directories/${id}`, { name: 'Microsoft' })
    const document = { directories: { 'entra-id': { name: 'Entra' } } }
    expect((await owner.post(`${address}/plan`, { document, prune: true })).body.changes).toMatchObject([
      { section: 'directories', object: 'entra-id', action: 'update', fields: [{ field: 'name', before: 'Microsoft', after: 'Entra' }] },
    ])
    const reader = await service().given.userWith(owner, [...read, 'directories:read'])
    expect(await reader.post(`${address}/apply`, { document })).toMatchObject({ status: 403, body: { permission: 'directories:update' } })
    expect(await owner.post(`${address}/apply`, { document: { directories: {} }, prune: true })).toMatchObject({ status: 200 })
    expect((await owner.post(`${address}/diff`, { document })).body.changes).toMatchObject([
      { object: 'entra-id', action: 'create', ended: { action: 'directory.deleted', actorId: owner.id } },
    ])
  })

  it('leaves the teams alone that a directory makes of its groups', async () => {
    const { organisation, scim } = await givenDirectory(service())
    const { owner } = organisation
    await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { body: group } = await scim.post('/Groups', { displayName: 'Sales' })

    const { body: document } = await owner.get(address)

    expect(document.teams).toEqual({ europe: { name: 'Europe', description: '' } })
    expect(await owner.post(`${address}/plan`, { document, prune: true })).toMatchObject({ status: 200, body: { changes: [] } })
    const pruned = await owner.post(`${address}/apply`, { document: { teams: {} }, prune: true })
    expect(pruned.body.changes).toMatchObject([{ object: 'europe', action: 'delete' }])
    expect((await owner.get('/v1/admin/teams')).body.data).toMatchObject([{ slug: 'sales' }])
    expect((await scim.delete(`/Groups/${group.id}`)).status).toBe(204)
    expect((await owner.get('/v1/admin/teams')).body.data).toEqual([])
  })

  it('creates no directory for a caller who lacks what another user may', async () => {
    const { owner } = await service().given.organisation()
    await service().given.userWith(owner, ['users:delete'])
    const caller = await service().given.userWith(owner, ['directories:read', 'directories:create'])
    const document = { directories: { entra: { name: 'Entra ID' } } }
    expect(await caller.post(`${address}/apply`, { document })).toMatchObject({ status: 403, body: { code: 'cannot-grant' } })
    expect((await owner.get(address)).body.directories).toEqual({})
  })

  it('cannot grant what the caller lacks', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['roles:read', 'roles:create', 'roles:update'])
    for (const way of ['plan', 'apply']) {
      const answer = await user.post(`${address}/${way}`, {
        document: { roles: { strong: { name: 'Strong', permissions: ['users:delete'] } } },
      })
      expect(answer).toMatchObject({ status: 403, body: { code: 'cannot-grant', detail: expect.stringContaining('roles.strong: ') } })
    }
  })

  it('reaches nothing of another organisation, whatever a document names', async () => {
    const [own, other] = await Promise.all([service().given.organisation(), service().given.organisation()])
    const slug = `theirs-${unique()}`
    const theirs = (await other.owner.post('/v1/admin/roles', { name: 'Theirs', slug })).body
    const before = (await other.owner.get(address)).body
    const connection = { name: 'Acme', provider: 'google', isActive: false }
    for (const document of [
      { organisation: before.organisation, teams: {} },
      { connections: { acme: { ...connection, roleMappings: [{ claim: 'groups', value: 'x', role: slug }] } } },
      { webhooks: { x: { url: 'https://hooks.example.test/', events: ['*'], client: 'theirs' } } },
      { roles: { [theirs.id]: { name: 'Mine' } } },
      { directories: { entra: { name: 'Entra ID', groupMappings: [{ group: { displayName: 'A' }, roles: [slug] }] } } },
      { directories: { entra: { name: 'Entra ID', connection: 'theirs' } } },
    ]) {
      expect((await own.owner.post(`${address}/apply`, { document })).status).toBe(400)
    }
    expect(await own.owner.post(`${address}/apply`, { document: { roles: { [slug]: { name: 'Mine' } } } })).toMatchObject({ status: 200 })
    expect((await other.owner.get(address)).body).toEqual(before)
  })
})
