import { describe, expect, it } from 'vitest'
import { askForAssertion, tokenExchange } from '../support/identity-assertions.ts'
import { givenApplication } from '../support/oauth.ts'
import {
  booksResource,
  grantOf,
  newResourceAuthorizationServer,
  resourceAuthorizationServer,
} from '../support/resource-authorization-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'identity_assertions,resource_indicators' } })
const path = '/v1/admin/resource-authorization-servers'

async function world() {
  const organisation = await service().given.organisation()
  const app = await givenApplication(service(), { organisation })
  return { organisation, owner: organisation.owner, app }
}

describe('a resource authorization server', () => {
  it('is created, read, listed, changed and deleted, each with its entry in the audit log', async () => {
    const { owner, app } = await world()
    const body = newResourceAuthorizationServer(app.id, { grants: [grantOf(app.id)] })

    const created = await owner.post(path, body)

    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ ...body, id: expect.stringMatching(/^ras_/), requiredAcr: null, lifetimeSeconds: 300, includesEmail: false, isActive: true },
        grants: [{ ...grantOf(app.id), roleIds: [], teamIds: [] }],
      },
    })
    const { id } = created.body
    expect((await owner.get(`${path}/${id}`)).body).toEqual(created.body)
    expect((await owner.get(path)).body).toEqual({ data: [created.body], total: 1 })
    const changes = { name: 'Library', requiredAcr: 'aal2', lifetimeSeconds: 60, includesEmail: true, isActive: false, grants: [] }
    expect(await owner.patch(`${path}/${id}`, changes)).toMatchObject({ status: 200, body: changes })
    expect(await owner.delete(`${path}/${id}`, { reason: 'Retired' })).toMatchObject({ status: 204 })
    expect(await owner.get(`${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'resource-authorization-server-not-found' } })
    const entries = (await owner.get(`/v1/admin/audit-logs?targetId=${id}`)).body.data as { action: string }[]
    expect(entries.map(({ action }) => action)).toEqual([
      'resource_authorization_server.deleted',
      'resource_authorization_server.updated',
      'resource_authorization_server.created',
    ])
  })

  it('has an issuer of its own in the organisation, for good', async () => {
    const [one, other] = [await world(), await world()]
    const server = await resourceAuthorizationServer(one.owner, one.app.id)

    const again = newResourceAuthorizationServer(one.app.id, { issuer: server.issuer })
    expect(await one.owner.post(path, again)).toMatchObject({
      status: 409,
      body: { code: 'issuer-taken', detail: 'Issuer already in use' },
    })
    await resourceAuthorizationServer(other.owner, other.app.id, { issuer: server.issuer })
    const changed = await one.owner.patch(`${path}/${server.id}`, { issuer: 'https://elsewhere.test' })
    expect(changed).toMatchObject({ status: 200, body: { issuer: server.issuer } })
  })

  it.each([
    ['no URI', 'books', 'identifier-not-absolute'],
    ['not https', 'http://books.test', 'identifier-not-https'],
    ['one with a query', 'https://books.test/?a=b', 'issuer-with-query'],
    ['one with a user name', 'https://me@books.test', 'identifier-with-credentials'],
    ['this service', 'http://gatehouse.test', 'identifier-not-https'],
  ])('refuses an issuer that is %s', async (_, issuer, reason) => {
    const { owner, app } = await world()
    const answer = await owner.post(path, newResourceAuthorizationServer(app.id, { issuer }))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: ['issuer'], reason }] } })
  })

  it('names each thing in a grant that there is not, or that cannot be there', async () => {
    const { owner, app, organisation } = await world()
    const stranger = await world()
    const spa = await givenApplication(service(), { organisation, clientType: 'public' })
    const grants = [
      grantOf(stranger.app.id),
      grantOf(spa.id),
      grantOf(app.id, { resources: ['https://other.test'], scopes: [] }),
      grantOf(app.id, { scopes: ['books:burn'] }),
      grantOf(app.id, { roleIds: ['rol_unknown'], teamIds: ['unknown'] }),
      grantOf(app.id, { downstreamClientId: null }),
    ]
    expect(await owner.post(path, newResourceAuthorizationServer(stranger.app.id))).toMatchObject({
      status: 404,
      body: { code: 'client-not-found', detail: 'Client not found' },
    })
    const answer = await owner.post(path, newResourceAuthorizationServer(app.id, { grants }))
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ path: at, reason }: { path: unknown[]; reason: string }) => [at.join('.'), reason])).toEqual([
      ['grants.0.clientId', 'client-not-found'],
      ['grants.1.clientId', 'public-client-gets-no-assertions'],
      ['grants.2.resources.0', 'resource-not-listed'],
      ['grants.3.scopes.0', 'scope-not-listed'],
      ['grants.4.roleIds.0', 'role-not-found'],
      ['grants.4.teamIds.0', 'team-not-found'],
      ['grants.5.downstreamClientId', 'client-has-no-document'],
    ])
    expect((await owner.get(path)).body.total).toBe(0)
  })

  it.each(['phr', 'phrh'] as const)(
    'requires %s only while its users can be asked for it, and may be sent what it has',
    async (requiredAcr) => {
      const { owner, app, organisation } = await world()
      const needed = {
        status: 400,
        body: { errors: [{ path: ['requiredAcr'], message: 'Needs OAUTH_EXTENSIONS to hold step_up', reason: 'extension-needed' }] },
      }
      expect(await owner.post(path, newResourceAuthorizationServer(app.id, { requiredAcr }))).toMatchObject(needed)
      const server = await resourceAuthorizationServer(owner, app.id)
      expect(await owner.patch(`${path}/${server.id}`, { requiredAcr })).toMatchObject(needed)
      expect((await owner.get(`${path}/${server.id}`)).body.requiredAcr).toBeNull()

      // As it was set while the extension was on.
      const tenant = service().database.tenant(organisation.id)
      await tenant.updateTable('resourceAuthorizationServers').set({ requiredAcr }).where('id', '=', server.id).execute()
      expect(await owner.patch(`${path}/${server.id}`, { requiredAcr, name: 'Library' })).toMatchObject({
        status: 200,
        body: { requiredAcr },
      })
    },
  )

  it.each([
    ['phr', 'access_denied', 'needs OAUTH_EXTENSIONS to hold step_up'],
    ['aal2', 'insufficient_user_authentication', null],
  ] as const)(
    'asks no client for %s by a parameter that is not read since the extension was switched off',
    async (requiredAcr, error, hint) => {
      const { owner, app, organisation } = await world()
      const grantTypes = ['authorization_code', tokenExchange]
      const editor = await givenApplication(service(), { organisation, name: 'Editor', grantTypes, requireConsent: false })
      const server = await resourceAuthorizationServer(owner, app.id, { grants: [grantOf(editor.id)] })
      const tenant = service().database.tenant(organisation.id)
      await tenant.updateTable('resourceAuthorizationServers').set({ requiredAcr }).where('id', '=', server.id).execute()
      const { id_token } = await editor.signIn({ scope: 'openid' })

      const refused = await askForAssertion(editor, { subject_token: id_token, audience: server.issuer, resource: booksResource })

      expect(refused).toMatchObject({ status: 400, body: { error } })
      expect(refused.body).not.toHaveProperty('acr_values')
      expect((await owner.get('/v1/admin/diagnostics')).body.data).toMatchObject([
        { check: 'acr_values', expected: requiredAcr, received: 'aal1', hint },
      ])
    },
  )

  it('keeps a grant for a client that has gone since, and takes roles and teams by their slugs', async () => {
    const { owner, app, organisation } = await world()
    const editor = await givenApplication(service(), { organisation, name: 'Editor' })
    const team = (await owner.post('/v1/admin/teams', { name: 'Support', slug: 'support' })).body
    const server = await resourceAuthorizationServer(owner, app.id, { grants: [grantOf(editor.id, { teamIds: ['support'] })] })
    expect((await owner.get(`${path}/${server.id}`)).body.grants[0].teamIds).toEqual([team.id])
    expect((await owner.delete(`/v1/admin/clients/${editor.id}`)).status).toBe(204)

    const resources = [{ identifier: booksResource, scopes: ['books:read', 'books:write', 'books:lend'] }]
    expect(await owner.patch(`${path}/${server.id}`, { resources })).toMatchObject({ status: 200, body: { resources } })
  })

  it('is found by its name and its issuer', async () => {
    const { owner, app } = await world()
    const server = await resourceAuthorizationServer(owner, app.id, { name: 'Lending library' })
    const found = { type: 'resource_authorization_server', id: server.id, title: 'Lending library', subtitle: server.issuer }
    expect((await owner.get('/v1/admin/search?q=lending')).body.data).toEqual([found])
  })

  it('is there twice a hundred times at most', async () => {
    const { owner, app, organisation } = await world()
    const tenant = service().database.tenant(organisation.id)
    const server = await resourceAuthorizationServer(owner, app.id)
    const [row] = await tenant.selectFrom('resourceAuthorizationServers').selectAll().where('id', '=', server.id).execute()
    const rows = Array.from({ length: 199 }, (_, index) => ({
      ...(row as NonNullable<typeof row>),
      ...{ id: `${server.id}${index}`, issuer: `${server.issuer}/${index}`, resources: '[]', grants: '[]' },
    }))
    await tenant.insertInto('resourceAuthorizationServers').values(rows).execute()
    const answer = await owner.post(path, newResourceAuthorizationServer(app.id))
    expect(answer).toMatchObject({ status: 400, body: { code: 'too-many-resource-authorization-servers' } })
  })
})
