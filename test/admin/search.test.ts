import { describe, expect, it } from 'vitest'
import { newClient } from '../http/world.ts'
import { newConnection } from '../support/connections.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

const search = async (by: HttpClient, q: string, more = '') => {
  const found = await by.get(`/v1/admin/search?q=${encodeURIComponent(q)}${more}`)
  expect(found).toMatchObject({ status: 200 })
  return found.body.data as { type: string; id: string; title: string; subtitle: string }[]
}
const titles = async (by: HttpClient, q: string, more?: string) => (await search(by, q, more)).map(({ title }) => title)

/** An organisation with a record of each kind whose name begins with the same word. */
async function northern() {
  const { given } = service()
  const organisation = await given.organisation()
  const { owner } = organisation
  const mark = unique()
  const user = await given.user(owner, { firstName: 'Northern', lastName: 'Light', email: `nora-${mark}@example.test` })
  const made = async (path: string, body: object) => (await owner.post(path, body)).body
  const team = await made('/v1/admin/teams', { name: 'Northern team', slug: 'northern-team' })
  const role = await made('/v1/admin/roles', { name: 'Northern role', slug: 'northern-role' })
  const client = await made('/v1/admin/clients', { ...newClient(), name: 'Northern client' })
  const webhook = await made('/v1/admin/webhooks', { url: 'https://northern.example.test/in', events: ['user.created', 'user.deleted'] })
  const key = await made('/v1/admin/api-keys', { name: 'Northern key', permissions: [] })
  const connection = await made('/v1/admin/connections', newConnection({ name: 'Northern sign-in', slug: 'northern-sign-in' }))
  const domain = await made('/v1/admin/domains', { domain: `northern-${mark}.test` })
  const directory = await made('/v1/admin/directories', { name: 'Northern directory' })
  const link = await made('/v1/admin/setup-links', { name: 'Northern set-up', purposes: ['domain', 'saml'] })
  return { organisation, owner, user, team, role, client, webhook, key, connection, domain, directory, link }
}

describe('GET /v1/admin/search', () => {
  it('finds records of every kind, what begins with the text before what contains it', async () => {
    const { owner, user, team, role, client, webhook, key, connection, domain, directory, link } = await northern()

    expect(await search(owner, ' NORTHERN ')).toEqual([
      { type: 'user', id: user.id, title: 'Northern Light', subtitle: user.email },
      { type: 'team', id: team.id, title: 'Northern team', subtitle: 'northern-team' },
      { type: 'role', id: role.id, title: 'Northern role', subtitle: 'northern-role' },
      { type: 'client', id: client.id, title: 'Northern client', subtitle: client.clientType },
      { type: 'connection', id: connection.id, title: 'Northern sign-in', subtitle: 'northern-sign-in' },
      { type: 'domain', id: domain.id, title: domain.domain, subtitle: 'pending' },
      { type: 'directory', id: directory.id, title: 'Northern directory', subtitle: 'SCIM' },
      { type: 'setup_link', id: link.id, title: 'Northern set-up', subtitle: 'domain, saml' },
      { type: 'api_key', id: key.id, title: 'Northern key', subtitle: key.prefix },
      { type: 'webhook', id: webhook.id, title: webhook.url, subtitle: 'user.created, user.deleted' },
    ])
    expect(await titles(owner, 'light')).toEqual(['Northern Light'])
    expect(await titles(owner, 'rthern LI')).toEqual(['Northern Light'])
    expect(await titles(owner, 'https://north')).toEqual([webhook.url])
  })

  it('finds a record by its whole id or e-mail address first, and by the beginning of its slug or key', async () => {
    const { owner, user, team, role, client, webhook, key, connection, domain, directory, link } = await northern()
    await service().given.user(owner, { firstName: user.email, lastName: 'Copy' })

    for (const { id } of [user, team, role, client, webhook, key, connection, domain, directory, link])
      expect((await search(owner, id)).map((found) => found.id)).toEqual([id])
    expect((await search(owner, user.email.toUpperCase())).map(({ id }) => id)[0]).toBe(user.id)
    expect((await search(owner, key.prefix)).map(({ id }) => id)).toEqual([key.id])
    await owner.post('/v1/admin/teams', { name: 'The northern-team', slug: 'the-other' })
    expect(await titles(owner, 'northern-team')).toEqual(['Northern team', 'The northern-team'])
  })

  it('returns at most so many records, the nearest', async () => {
    const { owner } = await northern()
    for (const slug of ['a', 'b', 'c']) await owner.post('/v1/admin/teams', { name: `The northern ${slug}`, slug: `the-${slug}` })

    expect(await titles(owner, 'northern', '&limit=2')).toEqual(['Northern Light', 'Northern team'])
    expect(await titles(owner, 'northern', '&limit=7')).toHaveLength(7)
    expect(await titles(owner, 'northern', '&limit=50')).toHaveLength(13)
  })

  it('takes every character as it is, and finds nothing that does not match', async () => {
    const { owner } = await northern()
    await owner.post('/v1/admin/teams', { name: '100% o_k\\', slug: 'percent' })

    for (const q of ['%', '_', '\\', "o'k", '"', 'northern%', 'usr_', 'nothing like it'])
      expect([q, await titles(owner, q)]).toEqual([q, ['%', '_', '\\'].includes(q) ? ['100% o_k\\'] : []])
  })

  it('shows only the kinds that the caller may read', async () => {
    const { owner, role } = await northern()
    const permissions = {
      ...{ user: 'users', team: 'teams', role: 'roles', client: 'clients', webhook: 'webhooks', api_key: 'api_keys' },
      ...{ connection: 'connections', domain: 'domains', directory: 'directories' },
    }

    for (const [type, resource] of Object.entries(permissions)) {
      const reader = await service().given.userWith(owner, [`${resource}:read`])
      expect((await search(reader, 'northern')).map((found) => found.type)).toEqual([type])
    }
    const { key } = (await owner.post('/v1/admin/api-keys', { name: 'Reader', permissions: ['teams:read', 'roles:read'] })).body
    const program = service().anonymous.with({ authorization: `Bearer ${key}` })
    expect((await search(program, 'northern')).map((found) => found.type)).toEqual(['team', 'role'])
    const ofDomains = await service().given.userWith(owner, ['domains:update'])
    expect(await search(ofDomains, 'northern')).toEqual([])
    const ofBoth = await service().given.userWith(owner, ['domains:update', 'connections:create'])
    expect((await search(ofBoth, 'northern')).map((found) => found.type)).toEqual(['setup_link'])
    const none = await service().given.userWith(owner, [])
    expect(await search(none, 'northern')).toEqual([])
    expect(await search(none, role.id)).toEqual([])
  })

  it('finds nothing of another organisation, and nothing that was deleted', async () => {
    const { owner, user, team, role, client, webhook, key, connection, domain, directory, link } = await northern()
    const other = await service().given.organisation()

    expect(await search(other.owner, 'northern')).toEqual([])
    const more = [connection.id, domain.id, directory.id, link.id]
    for (const q of [user.id, user.email, team.id, role.id, client.id, webhook.id, key.id, key.prefix, ...more])
      expect(await search(other.owner, q)).toEqual([])

    const paths = {
      ...{ users: user, teams: team, roles: role, clients: client, webhooks: webhook, 'api-keys': key },
      ...{ connections: connection, domains: domain, directories: directory },
    }
    for (const [resource, { id }] of Object.entries(paths))
      expect(await owner.delete(`/v1/admin/${resource}/${id}`)).toMatchObject({ status: 204 })
    // A link that has ended stays in its list for a time.
    expect((await search(owner, 'northern')).map(({ type }) => type)).toEqual(['setup_link'])
    for (const q of [user.id, user.email, client.id, key.id]) expect(await search(owner, q)).toEqual([])
  })

  it.each(['', 'q=', 'q=%20', 'q=%00', `q=${'x'.repeat(256)}`, 'q=a&limit=0', 'q=a&limit=51'])('refuses %.20s', async (query) => {
    const { owner } = await service().given.organisation()

    expect(await owner.get(`/v1/admin/search?${query}`)).toMatchObject({ status: 400 })
  })
})
