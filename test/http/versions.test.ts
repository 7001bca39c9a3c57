import { beforeAll, describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { arrangeConditional, conditional } from './conditional.ts'
import { type DescribedRoute, describedRoutes } from './described.ts'
import { client, endpoint, invitation, team, type World, worldOf } from './world.ts'

const service = useService()

let routes: DescribedRoute[]
beforeAll(async () => {
  routes = await describedRoutes(service().anonymous)
})

const describesTag = ({ operation }: DescribedRoute) => 'ETag' in ((operation.responses['200'] as { headers?: object })?.headers ?? {})
const tagOf = async (by: HttpClient, path: string) => (await by.get(path)).headers.get('etag') as string
const entriesIn = async ({ owner }: World) => (await owner.get('/v1/admin/audit-logs')).body.data.length

describe('a single record of the admin area', () => {
  it('is read with a strong ETag, and changed under the condition of If-Match', () => {
    const read = routes.filter((route) => route.method === 'GET' && describesTag(route)).map(({ path }) => path)
    const changed = routes.filter(({ operation }) => '412' in operation.responses).map(({ name }) => name)

    expect(read.sort()).toEqual([...new Set(conditional.map((name) => name.split(' ')[1]))].sort())
    const ofTheseRecords = routes.filter(({ method, path }) => read.includes(path) && method !== 'GET').map(({ name }) => name)
    expect(changed.sort()).toEqual(ofTheseRecords.sort())
    expect(changed.sort()).toEqual([...conditional].sort())
  })

  it.each(conditional)('is not changed when it is another by now: %s', async (name) => {
    const world = await worldOf(service())
    const { method, path, body } = await arrangeConditional(name, world)
    const read = await world.owner.get(path)
    const tag = read.headers.get('etag') as string
    expect(tag).toMatch(/^"[\w-]{27}"$/)
    const before = await entriesIn(world)
    const send = (ifMatch: string) => world.owner.request(method, path, { body, headers: { 'if-match': ifMatch } })

    for (const other of ['"other"', `W/${tag}`, 'malformed', '']) {
      const refused = await send(other)
      expect([other, refused.status, refused.body.code]).toEqual([other, 412, 'precondition-failed'])
    }
    expect((await world.owner.get(path)).body).toEqual(read.body)
    expect(await entriesIn(world)).toBe(before)

    const done = await send(`"other", ${tag}`)
    expect(done.status).toBeLessThan(300)
    if (method === 'DELETE') return
    expect(done.headers.get('etag')).toBe(await tagOf(world.owner, path))
    expect(done.headers.get('etag')).not.toBe(tag)
    expect(await send(tag)).toMatchObject({ status: 412 })
    expect(await send('*')).toMatchObject({ status: 200 })
  })

  it.each(conditional)('is changed by one alone of several at once that have read the same: %s', async (name) => {
    const world = await worldOf(service())
    const { method, path, body } = await arrangeConditional(name, world)
    const tag = await tagOf(world.owner, path)

    const sent = Array.from({ length: 4 }, () => world.owner.request(method, path, { body, headers: { 'if-match': tag } }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status).sort()

    // A record that is gone is not found, whatever the condition says; nor is the session of a deleted organisation.
    const late = method === 'PATCH' ? [412] : [401, 404]
    expect(statuses[0]).toBeLessThan(300)
    expect(statuses.slice(1).filter((status) => !late.includes(status))).toEqual([])
  })

  it('is refused as ever before its version matters', async () => {
    const world = await worldOf(service())
    const id = await team(world)
    const reader = await world.given.userWith(world.owner, ['teams:read'])
    const headers = { 'if-match': '"other"' }

    expect(await reader.patch(`/v1/admin/teams/${id}`, { name: 'New' }, { headers })).toMatchObject({ status: 403 })
    expect(await world.owner.patch(`/v1/admin/teams/${id}`, { name: 7 }, { headers })).toMatchObject({ status: 400 })
    expect(await world.owner.patch('/v1/admin/teams/tem_none', { name: 'New' }, { headers: { 'if-match': '*' } })).toMatchObject({
      status: 404,
    })
  })
})

describe('the ETag of a record', () => {
  it('stays as it is when the record is merely used', async () => {
    const world = await worldOf(service())
    const { owner, given, service: running } = world
    const user = await given.user(owner)
    const [path, hook] = [`/v1/admin/users/${user.id}`, `/v1/admin/webhooks/${await endpoint(world)}`]
    const [tag, ofHook] = [await tagOf(owner, path), await tagOf(owner, hook)]

    running.clock.advance({ minutes: 1 })
    await given.signIn(user.email)
    const endpoints = running.database.tenant(world.organisation.id).updateTable('webhookEndpoints')
    await endpoints.set({ failureCount: 3, lastFailureAt: running.clock.now() }).execute()

    expect(await tagOf(owner, path)).toBe(tag)
    expect(await tagOf(owner, hook)).toBe(ofHook)
  })

  it('is another for each change, by whichever route', async () => {
    const world = await worldOf(service())
    const { owner, given } = world
    const role = await given.role(owner)
    const { body: permissions } = await owner.get('/v1/admin/permissions')
    const changes: [string, () => Promise<unknown>][] = [
      [`/v1/admin/roles/${role.id}`, () => owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: [permissions.data[0].id] })],
      ...[await client(world)].map((id): [string, () => Promise<unknown>] => [
        `/v1/admin/clients/${id}`,
        () => owner.post(`/v1/admin/clients/${id}/revoke`),
      ]),
      ...[await invitation(world)].map((id): [string, () => Promise<unknown>] => [
        `/v1/admin/invitations/${id}`,
        async () => {
          service().clock.advance({ minutes: 1 })
          return owner.post(`/v1/admin/invitations/${id}/resend`)
        },
      ]),
    ]
    for (const [path, change] of changes) {
      const tag = await tagOf(owner, path)
      await change()
      expect(await tagOf(owner, path), path).not.toBe(tag)
    }
  })

  it('is for pages of other origins to read and to send', async () => {
    const { owner } = await worldOf(service())
    const origin = 'https://admin.etag.example'
    await owner.patch('/v1/admin/organisation', { allowedOrigins: [origin] })

    const read = await owner.get('/v1/admin/organisation', { headers: { origin } })
    expect(read.headers.get('access-control-expose-headers')).toMatch(/\bETag\b/)
    const asked = await service().anonymous.request('OPTIONS', '/v1/admin/organisation', {
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'if-match' },
    })
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/\bIf-Match\b/)
  })
})
